/** The path of something under a folder. node:path takes longer to load than all else before the first prompt. */
export function under(folder: string, ...names: readonly string[]): string {
  return [folder, ...names].join(Deno.build.os === "windows" ? "\\" : "/");
}
