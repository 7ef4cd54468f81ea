/** A configuration the user has to mend; the message names file, line and key. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
