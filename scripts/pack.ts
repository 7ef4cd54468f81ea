import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import stub from "./stub.sh" with { type: "text" };

/** One file of the payload. */
export interface Packed {
  /** At most 100 characters that neither a shell nor tar reads otherwise: letters, digits, `.`, `_`, `-`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}

/** What the launcher says of itself and starts. */
export interface Label {
  readonly version: string;
  readonly deno: string;
  /** Name of the JavaScript file among the packed ones. */
  readonly entry: string;
}

const BLOCK = 512;

/** A ustar archive with neither times nor owners: the same files give the same bytes. */
export function tar(files: readonly Packed[]): Uint8Array {
  const padded = (length: number) => Math.ceil(length / BLOCK) * BLOCK;
  const size = files.reduce((sum, file) => sum + BLOCK + padded(file.bytes.length), 2 * BLOCK);
  const archive = new Uint8Array(size);
  let at = 0;
  for (const file of files) {
    archive.set(tarHeader(file), at);
    archive.set(file.bytes, at + BLOCK);
    at += BLOCK + padded(file.bytes.length);
  }
  return archive;
}

function tarHeader(file: Packed): Uint8Array {
  if (!/^\w[\w.-]{0,99}$/.test(file.name)) {
    throw new Error(`Cannot pack ${file.name}: its name must be of letters, digits, ".", "_", "-"`);
  }
  const header = new Uint8Array(BLOCK);
  const put = (offset: number, text: string) => header.set(new TextEncoder().encode(text), offset);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0") + "\0";
  put(0, file.name);
  put(100, octal(file.executable ? 0o755 : 0o644, 7));
  put(108, octal(0, 7) + octal(0, 7));
  put(124, octal(file.bytes.length, 11) + octal(0, 11));
  put(156, "0");
  put(257, "ustar\0" + "00");
  // the sum counts its own field as blanks
  put(148, " ".repeat(8));
  put(148, octal(header.reduce((sum, byte) => sum + byte, 0), 6));
  return header;
}

/** The self-extracting executable: the sh launcher followed by the gzipped tar of `files`. `level` is gzip's. */
export function pack(files: readonly Packed[], label: Label, level: number): Uint8Array {
  const payload = gzipSync(tar(files), { level });
  const sha = createHash("sha256").update(payload).digest("hex");
  const values: { [name: string]: string } = {
    VERSION: label.version,
    DENO: label.deno,
    ENTRY: label.entry,
    TARGET: Deno.build.target,
    UNAME: uname(),
    ID: sha.slice(0, 16),
    SHA: sha,
    LEN: String(payload.length),
    NAMES: files.map(({ name }) => name).join(" "),
    SUM: sum(files),
  };
  const launcher = new TextEncoder().encode(
    stub.replace(/@([A-Z]+)@/g, (whole, name) => values[name] ?? whole),
  );
  const out = new Uint8Array(launcher.length + payload.length);
  out.set(launcher);
  out.set(payload, launcher.length);
  return out;
}

/** What POSIX `cksum` prints of the files, one behind the other. */
function sum(files: readonly Packed[]): string {
  const table = Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte << 24;
    for (let bit = 0; bit < 8; bit++) rest = rest << 1 ^ (rest < 0 ? 0x04c11db7 : 0);
    return rest;
  });
  let crc = 0;
  const take = (byte: number) => crc = crc << 8 ^ table[crc >>> 24 ^ byte]!;
  for (const { bytes } of files) bytes.forEach(take);
  const size = files.reduce((total, { bytes }) => total + bytes.length, 0);
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) take(rest % 256);
  return `${~crc >>> 0} ${size}`;
}

/** What `uname -s` and `uname -m` print here, joined by a hyphen. */
function uname(): string {
  const { os, arch } = Deno.build;
  if (os === "linux") return `Linux-${arch}`;
  if (os === "darwin") return `Darwin-${arch === "aarch64" ? "arm64" : arch}`;
  throw new Error(
    `Cannot build the self-extracting executable on ${os}: it needs sh, tar and gzip`,
  );
}
