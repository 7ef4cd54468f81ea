/** The form in which the deletes of a language are written down. */

/** How deletes look in one language; a test runs its examples through the whole gate. */
export interface Language {
  readonly programs: RegExp;
  /** Options whose value is code. */
  readonly options: string;
  /** Where string literals and comments are. */
  readonly strings: RegExp;
  /** A call that deletes, looked for with string literals blanked. */
  readonly deletes: RegExp;
  /** A call that deletes and is known by what its literals say. */
  readonly says?: RegExp;
  /** A file opened to be written anew: emptied where nothing in the code `writes`. */
  readonly opens?: RegExp;
  readonly writes?: RegExp;
  /** A call that starts a shell or a program: then the literals themselves are read as commands. */
  readonly starts?: RegExp;
  /** Lines that hand their rest, a group, to a shell. */
  readonly escapes?: RegExp;
  /** The first operand is code too. */
  readonly operand?: boolean;
  /** What a deleting call is given first is the path of a file. */
  readonly paths?: boolean;
  /** The code is also read as a command line: its programs may be any. */
  readonly shell?: boolean;
  /** Commands that must be asked about. */
  readonly yes: readonly string[];
  /** Commands of the same programs that must not. */
  readonly no: readonly string[];
}
