/** The way to a server, by what its configuration says. */
import type { Link, LinkHost, ServerConfig } from "../types.ts";

/** Makes the way to a server. Rejects in words for the user. */
export async function openLink(config: ServerConfig, host: LinkHost): Promise<Link> {
  const { reach } = config;
  if (reach === undefined) throw new Error(config.fault);
  if (reach.type === "stdio") {
    const { stdioLink } = await import("./stdio.ts");
    return stdioLink(reach, host);
  }
  const { httpLink } = await import("./http.ts");
  return httpLink(config.name, reach, host);
}
