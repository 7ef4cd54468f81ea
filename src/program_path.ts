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
