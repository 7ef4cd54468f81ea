/** Which addresses the web tools may dial. The caller dials exactly what was checked here. */
import type { T } from "../base/t.ts";
import { WebError } from "./error.ts";
import { bareHost, portOf } from "./proxy.ts";

const ADDRESS_KINDS = {
  unspecified: "unspecified",
  private: "private",
  loopback: "loopback",
  reserved: "reserved",
  documentation: "documentation",
  multicast: "multicast",
  metadata: "cloud metadata",
  shared: "shared, carrier NAT",
  link_local: "link-local",
  link_local_metadata: "link-local, cloud metadata",
  relay: "6to4 relay",
  fake: "benchmarking, often a proxy's fake address",
  mapped: "IPv4-mapped",
  nat64: "NAT64",
  six_to_four: "6to4",
  local_name: "local name",
  no_address: "not an IP address",
} as const;

/** Finds the IP addresses of a host name; rejects or returns none when it has no address. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** What decides whether a host may be dialled. */
export interface GuardOptions {
  readonly t: T;
  /** `host:port` as written in a URL, or `address:port` as dialled, that need not be public. */
  readonly allow?: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** The URL was not asked for: a redirect or a page leads there. */
  readonly sentOn?: boolean;
}

/** What an address is that is not public. */
export type AddressKind =
  | "unspecified"
  | "private"
  | "shared"
  | "loopback"
  | "metadata"
  | "link_local"
  | "link_local_metadata"
  | "reserved"
  | "documentation"
  | "relay"
  | "fake"
  | "multicast"
  | "mapped"
  | "nat64"
  | "six_to_four"
  | "local_name"
  | "no_address";

/** IPv4 blocks that are not the public internet (IANA special-purpose registry, and Azure's host agent). */
const V4_BLOCKS: readonly (readonly [block: string, kind: AddressKind])[] = [
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared"],
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "metadata"],
  ["169.254.0.0/16", "link_local_metadata"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "relay"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "fake"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
];

/** IPv6 prefixes that are not public; whatever lies outside 2000::/3 is refused without being listed. */
const V6_BLOCKS: readonly (readonly [block: string, kind: AddressKind])[] = [
  ["::1/128", "loopback"],
  ["::/128", "unspecified"],
  ["::ffff:0:0/96", "mapped"],
  ["64:ff9b::/32", "nat64"],
  ["fd00:ec2::254/128", "metadata"],
  ["fd20:ce::254/128", "metadata"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link_local"],
  ["ff00::/8", "multicast"],
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "six_to_four"],
  ["3fff::/20", "documentation"],
];

/** Says why an IP address is not public; undefined when it is. Text that is no IP address is not public. */
export function notPublic(address: string): AddressKind | undefined {
  const bytes = addressBytes(address);
  if (!bytes) return "no_address";
  for (const [block, kind] of bytes.length === 4 ? V4_BLOCKS : V6_BLOCKS) {
    if (inBlock(bytes, block)) return kind;
  }
  return bytes.length === 16 && !inBlock(bytes, "2000::/3") ? "reserved" : undefined;
}

/**
 * Returns the addresses of the URL's host, every one of them public or allowed.
 * Throws WebError `address` when any is not, `network` when the name has no address.
 */
export async function checkedAddresses(
  url: URL,
  options: GuardOptions,
): Promise<readonly string[]> {
  const { t, allow = [], sentOn = false } = options;
  const host = bareHost(url);
  const port = portOf(url);
  const trusted = allow.includes(`${url.hostname}:${port}`);
  const refuse = (address: string, kind: AddressKind) => {
    const values = { url: url.href, address, kind: t(ADDRESS_KINDS[kind]) };
    const hint = !sentOn && isOwnServer(host, kind)
      ? t(". For a local server use curl in Bash")
      : "";
    return new WebError(
      "address",
      t("Cannot fetch {url}: {address} is not a public address ({kind})", values) + hint,
    );
  };
  if (!trusted && isLocalName(host)) throw refuse(host, "local_name");
  const addresses = addressBytes(host) ? [host] : await resolveHost(url, host, options);
  for (const address of addresses) {
    const kind = notPublic(address);
    if (kind && !trusted && !allow.includes(`${address}:${port}`)) throw refuse(address, kind);
  }
  return addresses;
}

/** True for what may be a server of the user's own and is named as such, not by a name that leads there. */
function isOwnServer(host: string, kind: AddressKind): boolean {
  if (kind === "local_name") return /(^|\.)localhost$/.test(host);
  return addressBytes(host) !== undefined && (kind === "loopback" || kind === "private");
}

function isLocalName(host: string): boolean {
  return /(^|\.)(localhost|local|internal|home\.arpa)$/.test(host);
}

async function resolveHost(
  url: URL,
  host: string,
  options: GuardOptions,
): Promise<readonly string[]> {
  const addresses = await (options.resolve ?? systemResolve)(host).catch(() => []);
  if (addresses.length > 0) return addresses;
  throw new WebError(
    "network",
    options.t("Cannot fetch {url}: the host {host} was not found; check the URL or the network", {
      url: url.href,
      host,
    }),
  );
}

async function systemResolve(host: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  return (await lookup(host, { all: true })).map((found) => found.address);
}

function inBlock(bytes: readonly number[], block: string): boolean {
  const [base = "", bits = "0"] = block.split("/");
  const prefix = addressBytes(base) ?? [];
  return prefix.length === bytes.length && prefix.every((byte, i) => {
    const left = Math.min(8, Math.max(0, Number(bits) - 8 * i));
    return (byte ^ bytes[i]!) >> (8 - left) === 0;
  });
}

/** 4 or 16 bytes; undefined when `text` is not a plain IP address (a zone id makes it none). */
function addressBytes(text: string): readonly number[] | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const bytes = text.split(".").map(Number);
    return bytes.every((byte) => byte < 256) ? bytes : undefined;
  }
  if (!text.includes(":") || !URL.canParse(`http://[${text}]/`)) return undefined;
  const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].flatMap((group) => {
    const value = parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
