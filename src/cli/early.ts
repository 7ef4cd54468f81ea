/** The first frame, drawn before the rest of narnat is loaded; imports nothing that takes long. */
import { type FirstFrame, showFirstFrame } from "../terminal/device/first_frame.ts";
import { isScreen } from "../terminal/device/terminal.ts";
import { choicesFrom, type Flags, VERSION } from "../commands/flags.ts";
import { env, translatorFor } from "../base/host.ts";
import { readPlace } from "../config/place.ts";

/** Flags of a session on the screen: what the value of each is, or that it has none. */
const SCREEN_FLAGS: { readonly [flag: string]: keyof Flags | "none" | "other" } = {
  "-m": "model",
  "--model": "model",
  "-C": "cwd",
  "--cwd": "cwd",
  "--lang": "lang",
  "-c": "none",
  "--continue": "none",
  "-r": "other",
  "--resume": "other",
  "--permission": "other",
  "--no-session": "none",
  "--workspace-only": "none",
};

/** What the first frame shows of the flags; undefined where something else than a prompt may be meant. */
export function screenFlags(args: readonly string[]): Flags | undefined {
  const flags: { [flag: string]: string } = {};
  for (let at = 0; at < args.length; at++) {
    const flag = args[at]!;
    if (!Object.hasOwn(SCREEN_FLAGS, flag)) return undefined;
    const kind = SCREEN_FLAGS[flag]!;
    if (kind === "none") continue;
    const value = args[++at];
    if (value === undefined || value.startsWith("-")) return undefined;
    if (kind !== "other") flags[kind] = value;
  }
  return flags;
}

/** Draws the first frame where the command line surely leads to a prompt; else whoever is to speak speaks. */
export function showEarly(args: readonly string[]): FirstFrame | undefined {
  const flags = screenFlags(args);
  if (flags === undefined || !isScreen(env)) return undefined;
  try {
    const { settings, cwd } = choicesFrom(flags);
    const t = translatorFor(settings);
    const { config, configured, warnings, workspace } = readPlace(cwd, settings, t);
    if (!configured || warnings.length > 0) return undefined;
    const { model, theme } = config;
    return showFirstFrame({ version: VERSION, model, theme, t: config.t, workspace, env });
  } catch {
    return undefined;
  }
}
