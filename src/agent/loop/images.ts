/** How many images a session carries. */
import type { Image, Message } from "../../base/types.ts";
import type { T } from "../../base/t.ts";

/** Anthropic takes smaller ones only when a request has more than 20. */
const IMAGES_AT_MOST = 20;
/** Characters of base64; the tightest provider known takes 20 MB a request. */
const CHARS_AT_MOST = 16_000_000;

/**
 * Keeps a result's images while the session has room for them, as a request that is too large would
 * end it; else says why they are left out. Every request carries all images of the session.
 */
export function withRoomFor(
  images: readonly Image[] | undefined,
  messages: readonly Message[],
  t: T,
): {
  readonly images: { readonly images?: readonly Image[] };
  readonly note: string;
  /** For the user. */
  readonly notices: readonly string[];
} {
  if (!images || images.length === 0) return { images: {}, note: "", notices: [] };
  const all = messages.flatMap((one) => one.role === "assistant" ? [] : one.images ?? []);
  const count = all.length;
  all.push(...images);
  const chars = all.reduce((sum, { data }) => sum + data.length, 0);
  return all.length <= IMAGES_AT_MOST && chars <= CHARS_AT_MOST
    ? { images: { images }, note: "", notices: [] }
    : {
      images: {},
      note: "\n" +
        t(
          "Its picture is left out: this conversation carries {count} {count:image|images} and can take no more. Go on with what you have seen, or tell the user to start a new one (/clear) for it.",
          { count },
        ),
      notices: [
        t(
          "An image was not sent: this session carries {count} already and can take no more. /new starts another one",
          { count },
        ),
      ],
    };
}

/** How many images of a session do not go out with a request: its model takes none of their types. */
export function unsentImages(messages: readonly Message[], types: readonly string[]): number {
  return messages.flatMap((one) => one.role === "assistant" ? [] : one.images ?? [])
    .filter(({ mediaType }) => !types.includes(mediaType)).length;
}
