/** The path of something under a folder, both as they stand: no `..` is resolved. */
export function under(folder: string, ...names: readonly string[]): string {
  const slash = Deno.build.os === "windows" ? "\\" : "/";
  return [folder.endsWith(slash) ? folder.slice(0, -1) : folder, ...names].join(slash);
}
