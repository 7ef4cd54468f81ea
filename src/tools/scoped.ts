/** File tools that are kept to a few files. */
import { whyOf } from "../base/file_why.ts";
import { realTarget, resolvePath } from "../files/paths.ts";
import type { Tool } from "../base/types.ts";

/** Why a tool may not be used on a file, given by its path relative to the workspace; undefined when it may. */
export type FileRule = (
  tool: string,
  path: string,
) => Promise<string | undefined> | string | undefined;

/** The same file tools, which refuse every file outside the workspace and those that `rule` refuses, by whatever way they are named. */
export function scoped(tools: readonly Tool[], rule: FileRule): Tool[] {
  return tools.map((tool) => ({
    ...tool,
    async run(input, context) {
      const { workspace, t } = context;
      const given = String(input["file_path"] ?? "");
      const refuse = (why: string) => ({
        ok: false,
        text: t("Error: {tool} may not be used on {path}: {why}", {
          tool: tool.name,
          path: given,
          why,
        }),
      });
      let real: string;
      try {
        real = await realTarget(resolvePath(given, workspace, context.env["HOME"]));
      } catch (error) {
        return refuse(whyOf(t, error));
      }
      const home = await Deno.realPath(workspace);
      if (!real.startsWith(`${home}/`) && !real.startsWith(`${home}\\`)) {
        return refuse(t("it lies outside of your folder"));
      }
      const why = await rule(tool.name, real.slice(home.length + 1).replaceAll("\\", "/"));
      if (why !== undefined) return refuse(why);
      const result = await tool.run(input, context);
      // there is no Glob beside them
      return {
        ...result,
        text: result.text.replace(
          t("Nothing nearby has a similar name; look for it with Glob."),
          "",
        ).trimEnd(),
      };
    },
  }));
}
