/** Why the web gave nothing. */
export type WebErrorKind =
  /** Not an http(s) URL, or one with credentials in it. */
  | "url"
  /** The address is not public. */
  | "address"
  | "network"
  | "timeout"
  /** The server answered with an error status. */
  | "status"
  /** A captcha or challenge instead of the page. */
  | "blocked"
  /** Not text. */
  | "type";

/** The only error the web room throws, apart from the signal's own abort reason; the message is for the model. */
export class WebError extends Error {
  override readonly name = "WebError";
  readonly kind: WebErrorKind;

  constructor(kind: WebErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
