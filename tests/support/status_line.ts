/** The status line under the prompt, `  demo · open`: most tests look at what stands above it. */
const STATUS = /\n {2}[\w./:-]+(?: · [^\n]*)?$/;

/** `text` without the status line at its end, if a prompt stands above it. */
export function withoutStatus(text: string): string {
  return text.includes("❯") ? text.replace(STATUS, "").trimEnd() : text;
}
