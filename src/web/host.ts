/** Where a URL leads. */

/** The URL's host without IPv6 brackets and without the root's trailing dots. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
}

/** The URL's port, the scheme's own when none is written. */
export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === "https:" ? 443 : 80);
}
