import type { Config } from "../../config/load.ts";
import type { Limits } from "./types.ts";

const MB = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A look at so many files takes a second. */
const FILES_AT_MOST = 200_000;

/** The bounds that the configuration sets. */
export function limitsOf(
  { checkpointFileMb, checkpointTotalMb, checkpointDays }: Pick<
    Config,
    "checkpointFileMb" | "checkpointTotalMb" | "checkpointDays"
  >,
): Limits {
  return {
    fileBytes: checkpointFileMb * MB,
    totalBytes: checkpointTotalMb * MB,
    files: FILES_AT_MOST,
    ageMs: checkpointDays * DAY_MS,
  };
}
