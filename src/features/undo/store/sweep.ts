import { under } from "../../../base/under.ts";
import { namesOf, removeQuietly } from "../files.ts";
import type { TurnRecord } from "../types.ts";

/** Removes the temporary files that a restore has left when it was killed. */
export function sweep({ changes }: TurnRecord, root: string, mark: string): void {
  const folders = new Set(changes.map(({ path }) => path.slice(0, path.lastIndexOf("/") + 1)));
  for (const folder of folders) {
    const dir = under(root, folder);
    for (const name of namesOf(dir)) {
      if (name.startsWith(".") && name.endsWith(`-${mark}.tmp`)) removeQuietly(under(dir, name));
    }
  }
}
