/** The path of something under a folder. Before the first request nothing loads node:path: with it comes half of Node. */
export function under(folder: string, ...names: readonly string[]): string {
  const slash = Deno.build.os === "windows" ? "\\" : "/";
  return [folder.endsWith(slash) ? folder.slice(0, -1) : folder, ...names].join(slash);
}
