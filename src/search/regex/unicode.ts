import { CASE_RUNS, DIGIT_RANGES, WORD_RANGES } from "./unicode_tables.ts";

/** Code points as sorted, disjoint, never touching ranges, both ends inside: low, high, low, high, … */
export type CodePoints = readonly number[];

/** The last code point there is. */
export const LAST = 0x10ffff;

/** Every code point. */
export const ANY: CodePoints = [0, LAST];

/** Makes a set of ranges in any order, overlapping or not. */
export function codePoints(ranges: readonly number[]): CodePoints {
  const pairs: [number, number][] = [];
  for (let at = 0; at + 1 < ranges.length; at += 2) pairs.push([ranges[at]!, ranges[at + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [low, high] of pairs) {
    const last = out.length - 1;
    if (last > 0 && low <= out[last]! + 1) out[last] = Math.max(out[last]!, high);
    else out.push(low, high);
  }
  return out;
}

/** What is in any of the sets. */
export function union(...sets: readonly CodePoints[]): CodePoints {
  return sets.length === 1 ? sets[0]! : codePoints(sets.flat());
}

/** What is not in the set. */
export function complement(set: CodePoints): CodePoints {
  const out: number[] = [];
  let from = 0;
  for (let at = 0; at < set.length; at += 2) {
    if (set[at]! > from) out.push(from, set[at]! - 1);
    from = set[at + 1]! + 1;
  }
  if (from <= LAST) out.push(from, LAST);
  return out;
}

/** What is in both sets. */
export function intersection(a: CodePoints, b: CodePoints): CodePoints {
  const out: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const low = Math.max(a[i]!, b[j]!);
    const high = Math.min(a[i + 1]!, b[j + 1]!);
    if (low <= high) out.push(low, high);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return out;
}

/** What is in the first set and not in the second. */
export function difference(a: CodePoints, b: CodePoints): CodePoints {
  return intersection(a, complement(b));
}

/** True when the code point is in the set. */
export function contains(set: CodePoints, codePoint: number): boolean {
  let low = 0;
  let high = set.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < set[2 * middle]!) high = middle - 1;
    else if (codePoint > set[2 * middle + 1]!) low = middle + 1;
    else return true;
  }
  return false;
}

/** How many code points the set holds. */
export function sizeOf(set: CodePoints): number {
  let size = 0;
  for (let at = 0; at < set.length; at += 2) size += set[at + 1]! - set[at]! + 1;
  return size;
}

/** `\s`: Unicode's White_Space. */
export const SPACE: CodePoints = [
  ...[9, 13, 32, 32, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
];

/** `\h`: blanks within a line. */
export const BLANK: CodePoints = [
  ...[9, 9, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a],
  ...[0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
];

export const ASCII_WORD: CodePoints = [48, 57, 65, 90, 95, 95, 97, 122];
export const ASCII_DIGIT: CodePoints = [48, 57];
export const ASCII_SPACE: CodePoints = [9, 13, 32, 32];

/** Sets of so few characters are gone through one by one. */
const FEW = 256;

/** The planes in which characters are assigned, apart from private use. */
const ASSIGNED = [[0, 0x3ffff], [0xe0000, 0xe0fff]] as const;

/** Unicode's sets, each made when first asked for. */
export class Unicode {
  #word: CodePoints | undefined;
  #digit: CodePoints | undefined;
  #partners: ReadonlyMap<number, readonly number[]> | undefined;
  readonly #properties = new Map<string, CodePoints | undefined>();

  /** `\w`. */
  get word(): CodePoints {
    return this.#word ??= decodeRanges(WORD_RANGES);
  }

  /** `\d`. */
  get digit(): CodePoints {
    return this.#digit ??= decodeRanges(DIGIT_RANGES);
  }

  /** The set and every character that differs from one of it in case only. */
  fold(set: CodePoints): CodePoints {
    const partners = this.#partners ??= decodePairs(CASE_RUNS);
    const more: number[] = [];
    if (sizeOf(set) <= FEW) {
      for (let at = 0; at < set.length; at += 2) {
        for (let code = set[at]!; code <= set[at + 1]!; code++) {
          for (const other of partners.get(code) ?? []) more.push(other, other);
        }
      }
    } else {
      for (const [code, others] of partners) {
        if (contains(set, code)) { for (const other of others) more.push(other, other); }
      }
    }
    return more.length === 0 ? set : codePoints([...set, ...more]);
  }

  /**
   * `\p{name}` or `\p{name=value}`, spelled as people do: short or long, in any case, with blanks,
   * `-` or `_` between words. Undefined when there is no such property.
   */
  property(name: string): CodePoints | undefined {
    if (!this.#properties.has(name)) this.#properties.set(name, scan(name));
    return this.#properties.get(name);
  }
}

function decodeRanges(text: string): CodePoints {
  let at = 0;
  return text.split(" ").map((each) => at += parseInt(each, 36));
}

/** For each character those that differ from it in case only. */
function decodePairs(text: string): Map<number, number[]> {
  const partners = new Map<number, number[]>();
  const add = (code: number, other: number) => {
    const known = partners.get(code);
    if (known) known.push(other);
    else partners.set(code, [other]);
  };
  for (const run of text.split(",")) {
    const [first = 0, count = 0, step = 0, distance = 0] = run.split(" ").map((each) =>
      parseInt(each, 36)
    );
    for (let code = first; code < first + count * step; code += step) {
      add(code, code + distance);
      add(code + distance, code);
    }
  }
  return partners;
}

function scan(name: string): CodePoints | undefined {
  const test = propertyTest(name);
  if (!test) return undefined;
  const ranges: number[] = [];
  for (const [from, to] of ASSIGNED) {
    for (let code = from; code <= to; code++) {
      if (!test.test(String.fromCodePoint(code))) continue;
      const last = ranges.length - 1;
      if (ranges[last] === code - 1) ranges[last] = code;
      else ranges.push(code, code);
    }
  }
  // outside the assigned planes every character of a plane is alike
  for (const [from, to] of [[0x40000, 0xdffff], [0xe1000, 0xeffff]] as const) {
    if (test.test(String.fromCodePoint(from))) ranges.push(from, to);
  }
  for (const from of [0xf0000, 0x100000]) {
    if (test.test(String.fromCodePoint(from))) ranges.push(from, from + 0xfffd);
    if (test.test(String.fromCodePoint(from + 0xfffe))) ranges.push(from + 0xfffe, from + 0xffff);
  }
  return codePoints(ranges);
}

const KEYS = [["gc", "generalcategory"], ["sc", "script"], ["scx", "scriptextensions"]];

/** V8 knows the properties under their exact names only. */
function propertyTest(name: string): RegExp | undefined {
  const [key, value] = name.includes("=") ? name.split("=", 2) as [string, string] : ["", name];
  const given = key.toLowerCase().replace(/[\s_-]/g, "");
  const known = KEYS.find((names) => names.includes(given))?.[0];
  if (key !== "" && !known) return undefined;
  for (const spelled of spellings(value.trim())) {
    for (const prefix of known ? [known + "="] : ["gc=", "", "sc="]) {
      try {
        return new RegExp(`\\p{${prefix}${spelled}}`, "u");
      } catch {
        // not under this name
      }
    }
  }
  return undefined;
}

function spellings(value: string): string[] {
  if (!/^[\w\s-]+$/.test(value)) return [];
  const words = value.replace(/^is(?=[A-Z])/i, "").replace(/([a-z])([A-Z])/g, "$1_$2")
    .split(/[\s_-]+/).filter(Boolean);
  const title = words.map((each) => each[0]!.toUpperCase() + each.slice(1).toLowerCase()).join("_");
  const flat = value.replace(/[\s_-]/g, "").toLowerCase();
  const other = { any: "Any", ascii: "ASCII", assigned: "Assigned", asciihexdigit: "AHex" }[flat];
  const long = SEVERAL_WORDS.split(" ")
    .filter((each) => each.replaceAll("_", "").toLowerCase() === flat.replace(/^is/, ""));
  return [value, ...(other ? [other] : []), title, flat, title.replaceAll("_", ""), ...long];
}

/** Names that cannot be told from their letters alone. */
const SEVERAL_WORDS =
  "Cased_Letter Close_Punctuation Connector_Punctuation Currency_Symbol Dash_Punctuation Decimal_Number " +
  "Enclosing_Mark Final_Punctuation Initial_Punctuation Letter_Number Line_Separator Lowercase_Letter " +
  "Math_Symbol Modifier_Letter Modifier_Symbol Nonspacing_Mark Open_Punctuation Other_Letter Other_Number " +
  "Other_Punctuation Other_Symbol Paragraph_Separator Private_Use Space_Separator Spacing_Mark " +
  "Titlecase_Letter Uppercase_Letter Combining_Mark ASCII_Hex_Digit Bidi_Control Bidi_Mirrored " +
  "Case_Ignorable Changes_When_Casefolded Changes_When_Casemapped Changes_When_Lowercased " +
  "Changes_When_NFKC_Casefolded Changes_When_Titlecased Changes_When_Uppercased " +
  "Default_Ignorable_Code_Point Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation " +
  "Extended_Pictographic Grapheme_Base Grapheme_Extend Hex_Digit IDS_Binary_Operator " +
  "IDS_Trinary_Operator ID_Continue ID_Start Join_Control Logical_Order_Exception " +
  "Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space Quotation_Mark Regional_Indicator " +
  "Sentence_Terminal Soft_Dotted Terminal_Punctuation Unified_Ideograph Variation_Selector White_Space " +
  "XID_Continue XID_Start AHex Bidi_C Bidi_M CWCF CWCM CWKCF CWL CWT CWU CI DI EBase EComp EMod EPres " +
  "ExtPict Gr_Base Gr_Ext IDSB IDST IDC IDS Join_C LOE NChar Pat_Syn Pat_WS QMark RI STerm SD UIdeo VS " +
  "XIDC XIDS Anatolian_Hieroglyphs Canadian_Aboriginal Caucasian_Albanian Cypro_Minoan Dives_Akuru " +
  "Egyptian_Hieroglyphs Gunjala_Gondi Hanifi_Rohingya Imperial_Aramaic Inscriptional_Pahlavi " +
  "Inscriptional_Parthian Kayah_Li Khitan_Small_Script Linear_A Linear_B Masaram_Gondi Meetei_Mayek " +
  "Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Nag_Mundari New_Tai_Lue Nyiakeng_Puachue_Hmong " +
  "Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian " +
  "Old_South_Arabian Old_Turkic Old_Uyghur Pahawh_Hmong Pau_Cin_Hau Phags_Pa Psalter_Pahlavi " +
  "SignWriting Sora_Sompeng Syloti_Nagri Tai_Le Tai_Tham Tai_Viet Warang_Citi Zanabazar_Square";
