/** Writes `a//b` and `a/./b` as `a/b`; `a/{b,}/c` stands for such a path too. */
export function plainSteps(glob: string): string {
  return glob.replace(/\/(?:\.?\/)+/g, "/");
}

/** Returns the folder that every match of the glob lies in, as far as it is spelled out; "" for none. */
export function globFolder(glob: string): string {
  if (glob.startsWith("!")) return "";
  const parts = plainSteps(glob).replace(/^(\.?\/)+/, "").split("/");
  const plain = parts.slice(0, -1).findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  return parts.slice(0, plain < 0 ? parts.length - 1 : plain).join("/");
}

/** How many folders deep a match of the glob can lie at most; Infinity where that is not plain. */
export function globDepth(glob: string): number {
  const deep = !glob.includes("/") || glob.endsWith("/") || /\*\*|[{[(][^}\])]*\/|\\/.test(glob);
  return deep ? Infinity : glob.replace(/^(\.?\/)+/, "").split("/").length - 1;
}
