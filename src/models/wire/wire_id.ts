/** Ids of calls on the wire: a session may go on with a provider that takes fewer than the one that gave them. */

/** Longer ones are refused by OpenAI. */
const MOST_CHARS = 40;

/** Mistral's servers and templates take nothing but nine letters and digits. */
const MISTRAL_HOST = /(?:^|\.)mistral\.ai(?::\d+)?$/;
const MISTRAL =
  /(?:^|\/)(?:open-)?(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral)/i;
const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;

/** The id as the provider takes it; the same for a call and its result, in every request. */
export function chatId(id: string, { host, model }: { host: string; model: string }): string {
  if (MISTRAL_HOST.test(host) || MISTRAL.test(model)) {
    return MISTRAL_ID.test(id) ? id : shortened(id, 9);
  }
  return id.length <= MOST_CHARS ? id : shortened(id, MOST_CHARS);
}

/** Letters and digits that stand for an id and, as good as surely, for no other one. */
function shortened(id: string, length: number): string {
  let name = "";
  for (let round = 0; name.length < length; round++) name += hash(`${round}${id}`);
  return name.slice(0, length);
}

function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return value.toString(36).padStart(7, "0").slice(-6);
}
