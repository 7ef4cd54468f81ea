/** Patterns that find a name in a text, and no longer one that begins with it. */

const quoted = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Finds a path, and what lies below it by its beginning. */
export const pathPattern = (path: string) =>
  new RegExp(`${quoted(path)}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, "gu");

/** Finds a name that stands by itself. */
export const wordPattern = (name: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}_])${quoted(name)}(?![\\p{L}\\p{N}_])`, "gu");
