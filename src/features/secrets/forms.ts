/**
 * How a value may be written where it is not written as it is: escaped, encoded, and broken into
 * lines as programs break Base64.
 */
import type { Stretch } from "./shape.ts";

/** A full line. */
const FULL = 76;
const ALL = /^[\w+/]+$/;

/** The hits of a text, and those that show only once such lines are one. */
export function overBreaks<Hit extends Stretch>(
  text: string,
  find: (text: string) => readonly Hit[],
): readonly Hit[] {
  const hits = find(text);
  let [joined, at, gone] = ["", 0, 0];
  /** Where the breaks were in the joined text, and how much of the text is gone up to there. */
  const joints: { readonly at: number; readonly gone: number }[] = [];
  for (let start = 0, end; (end = text.indexOf("\n", start)) >= 0; start = end + 1) {
    const stop = start + FULL;
    if (end !== (text[stop] === "\r" ? stop + 1 : stop) || !ALL.test(text.slice(start, stop))) {
      continue;
    }
    joined += text.slice(at, stop);
    at = end + 1;
    gone += at - stop;
    joints.push({ at: joined.length, gone });
  }
  if (joints.length === 0) return hits;
  const over: Hit[] = [];
  let next = 0;
  for (const hit of find(joined + text.slice(at))) {
    const start = hit.start + goneBefore(hit.start + 1);
    const end = hit.end + goneBefore(hit.end);
    if (end - start > hit.end - hit.start) over.push({ ...hit, start, end });
  }
  let behind = 0;
  const apart = hits.filter((hit) => {
    while (behind < over.length && over[behind]!.end <= hit.start) behind++;
    return behind === over.length || over[behind]!.start >= hit.end;
  });
  return [...apart, ...over].sort((a, b) => a.start - b.start);

  /** Asked for places further and further on. */
  function goneBefore(place: number): number {
    while (next < joints.length && joints[next]!.at < place) next++;
    return joints[next - 1]?.gone ?? 0;
  }
}

const percent = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const ascii = (text: string) =>
  text.replaceAll(
    /\P{ASCII}/gu,
    (char) =>
      char.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(
        "",
      ),
  );
const bytes = (text: string) => new TextEncoder().encode(text);

/** In base64 by itself, and in the midst of more: at each of the three places where it can begin, as far as it alone decides. */
function inBase64(value: string): string[] {
  const own = bytes(value);
  const whole = own.toBase64();
  const parts = [0, 1, 2].map((before) => {
    const shifted = new Uint8Array(before + own.length);
    shifted.set(own, before);
    return shifted.toBase64().slice(Math.ceil(before * 8 / 6), Math.floor(shifted.length * 8 / 6));
  });
  return [whole, whole.replace(/=+$/, ""), ...parts];
}

/** As `xxd -p` writes it. */
function inHex(value: string): string[] {
  const hex = bytes(value).toHex();
  return [hex, hex.toUpperCase()];
}

/** The value, and whatever else it is written as: in JSON, for a shell, in an address, in HTML, in base64, in hex, as bytes. */
export function formsOf(value: string): readonly string[] {
  if (/^[\w.-]+$/.test(value)) {
    // of these characters none is another one in addresses
    return [value, ...inBase64(value), ...inHex(value)].filter((form, at, all) =>
      all.indexOf(form) === at && (at === 0 || form.length >= 8)
    );
  }
  const escaped = json(value);
  const address = percent(value);
  const quoted = [
    value.replaceAll("'", "'\\''"),
    value.replaceAll("'", `'"'"'`),
    value.replaceAll("'", "\\'"),
    value.replaceAll(/["\\$`]/g, "\\$&"),
    value.replaceAll(/[^\w@%+=:,./-]/g, "\\$&"),
  ];
  const html = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const base64 = inBase64(value);
  const all = [
    value,
    escaped,
    json(escaped),
    ascii(escaped),
    address,
    encodeURIComponent(value.toWellFormed()),
    address.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    address.replaceAll("%20", "+"),
    ...quoted,
    ...quoted.map(json),
    html,
    html.replaceAll('"', "&quot;"),
    html.replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
    ...inHex(value),
    new TextDecoder("latin1").decode(bytes(value)),
  ];
  // the shortest of base64 could be anything's
  return [...new Set(all)].filter((form) => form === value || form.length >= 8);
}
