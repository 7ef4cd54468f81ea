/** The `sandbox` setting. */
import type { T } from "../base/t.ts";
import { isRecord } from "../base/is_record.ts";
import type { Check } from "./check.ts";

/** Where Bash runs its commands. */
export interface SandboxSettings {
  readonly network: boolean;
  /** Folders that may be written besides the workspace and the temporary ones; `~` is the home. */
  readonly write: readonly string[];
  /** The user wants it, not only the project. */
  readonly own: boolean;
  /** Besides the workspace only the system's own folders are there to be read. */
  readonly workspaceOnly?: boolean;
}

/** As a file has it. */
export type SandboxValue = boolean | { readonly network?: boolean; readonly write?: string[] };

export const sandbox: Check<SandboxValue> = {
  expected: expectedSandbox,
  schema: {
    anyOf: [{ type: "boolean" }, {
      type: "object",
      additionalProperties: false,
      properties: {
        network: { type: "boolean" },
        write: { type: "array", items: { type: "string", pattern: "^(~/|/)." } },
      },
    }],
  },
};

function expectedSandbox(value: unknown, t: T): string | undefined {
  if (typeof value === "boolean") return undefined;
  const expected = t(
    'true | false | {"network": false, "write": ["~/.cache"]} (write: absolute paths, or from ~/; / itself cannot be opened)',
  );
  if (!isRecord(value)) return expected;
  const { network, write, ...rest } = value;
  const good = Object.keys(rest).length === 0 &&
    (network === undefined || typeof network === "boolean") &&
    (write === undefined || Array.isArray(write) && write.every(isFolderName));
  return good ? undefined : expected;
}

const isFolderName = (path: unknown) =>
  typeof path === "string" && /^(?:~\/|\/)./.test(path) && !/^[/.]+$/.test(path);

/**
 * The user's setting, which a project may only make stricter; undefined where there is to be none. Who
 * wants only the workspace used wants one that shows nothing else.
 */
export function sandboxOf(
  user: SandboxValue | undefined,
  project: SandboxValue | undefined,
  workspaceOnly?: "own" | "theirs" | false,
): SandboxSettings | undefined {
  const [own, theirs] = [user || undefined, project || undefined];
  if (own === undefined && theirs === undefined && !workspaceOnly) return undefined;
  const network = [own, theirs].every((one) => typeof one !== "object" || one.network !== false);
  const write = typeof own === "object" ? own.write ?? [] : [];
  return {
    network,
    write: workspaceOnly ? [] : write,
    own: own !== undefined || workspaceOnly === "own",
    ...workspaceOnly ? { workspaceOnly: true } : {},
  };
}

/** What of a project's would be looser, which `sandboxOf` does not let count. */
export function looseSandbox(
  user: SandboxValue | undefined,
  project: SandboxValue | undefined,
): string[] {
  if (project === false && user) return ["sandbox"];
  if (typeof project !== "object") return [];
  const opens = project.network === true && typeof user === "object" && user.network === false;
  return [...project.write?.length ? ["sandbox.write"] : [], ...opens ? ["sandbox.network"] : []];
}
