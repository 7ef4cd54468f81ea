/** Where narnat looks for the programs it starts for itself. */

/** The environment without folders of programs that are the project's own, or move with the current folder. */
export function ownEnvironment(
  env: { readonly [name: string]: string },
  project: string,
): { [name: string]: string } {
  if (Deno.build.os === "windows") return { ...env };
  const { PATH = "/usr/local/bin:/usr/bin:/bin" } = env;
  const folders = PATH.split(":")
    .filter((dir) => dir.startsWith("/") && !`${dir}/`.startsWith(`${project}/`));
  return { ...env, PATH: folders.join(":") };
}

/** Not looked for along the PATH, which may name folders of the project's. */
const SYSTEM = ["/usr/bin", "/bin", "/run/current-system/sw/bin"];

/** The system's own program of that name, where it may be run. */
export const systemProgram = (name: string): string | undefined =>
  SYSTEM.map((dir) => `${dir}/${name}`).find((path) => isProgram(path) && mayRun(path));

export function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}

/** Asked for first: trying would put Deno's own question on the screen. */
export const mayRun = (command: string): boolean =>
  Deno.permissions.querySync({ name: "run", command }).state === "granted";
