/** The English sentences the demo model understands. */
import {
  countText,
  create,
  find,
  folder,
  type Form,
  globOf,
  list,
  listNamed,
  listThing,
  plan,
  read,
  remove,
  replace,
  run,
} from "./wishes.ts";

/**
 * The forms in the order they are tried; the first that yields a wish is taken.
 * A space stands for white space; the words in braces are explained in requests.ts.
 */
export const english: readonly Form[] = [
  {
    says: String
      .raw`(?:hello|hi|hey|help(?: me)?|what can you do|who are you|what are you)(?: there| narnat)?`,
    wish: () => ({ kind: "help" }),
  },
  {
    says: String.raw`(?:plan|steps)\s*[:：]\s*(?<steps>.+)`,
    reads: "all",
    wish: (g) => plan(g.steps),
  },
  {
    says: String
      .raw`(?:create|write|make|add|generate) (?:an? |the )?(?:new )?(?<empty>empty )?(?<word>file )?(?:called |named )?(?<file>{WORD})(?:(?: (?:with|containing|saying)|:)(?: (?:the )?(?:contents?|text|body)\b)?\s*:? (?<content>.+))?`,
    reads: "all",
    wish: (g) => create(g.file, g.content, g.word !== undefined),
  },
  {
    says: String
      .raw`(?:write|put|save) (?<content>{TERM}) (?:in)?to (?:the )?(?:file )?(?<file>{WORD})`,
    reads: "all",
    wish: (g) => create(g.file, g.content, false),
  },
  {
    says: String
      .raw`(?:replace|change|rename|substitute) (?:(?:all|every) )?(?:occurrences? of )?(?<before>{TERM}) (?:with|to|by|into) (?<after>{TERM})(?: (?:in|inside) (?:the )?(?:file )?(?<file>{WORD}|all files)| everywhere)?`,
    reads: "short",
    wish: (g) => replace(g.before, g.after, g.file === "all files" ? undefined : g.file),
  },
  {
    says: String
      .raw`in (?<file>{WORD}),? (?:replace|change|rename) (?<before>{TERM}) (?:with|to|by|into) (?<after>{TERM})`,
    reads: "short",
    wish: (g) => replace(g.before, g.after, g.file),
  },
  {
    says: String
      .raw`(?:(?:run|find|look at|check)\b[^"'“]*\band )?(?:fix|repair|mend|debug|correct|solve)\b.*\b(?:tests?|bugs?|failures?|failing|fails|errors?|it)\b.*`,
    wish: () => ({ kind: "mend" }),
  },
  {
    says: String.raw`(?:make|get)\b.*\btests?\b.*\b(?:pass|green|work)`,
    wish: () => ({ kind: "mend" }),
  },
  {
    says: String
      .raw`(?:(?:run|execute|start) (?:all )?(?:(?:the|my|our) )?(?:unit )?(?:tests?|test suite)|do (?:all |the )*tests pass)`,
    wish: () => ({ kind: "test" }),
  },
  {
    says: String.raw`(?:delete|remove|rm) (?:the )?(?:file )?(?<file>{TERM})`,
    reads: "short",
    wish: (g) => remove(g.file),
  },
  {
    says: String
      .raw`(?:count|how many) (?:the )?(?:unit )?(?:number of )?tests?(?: files)?(?: .*)?`,
    wish: () => ({ kind: "count_tests" }),
  },
  {
    says: String
      .raw`(?:count|how many) (?:(?:all|the) )*(?:number of )?(?:(?<what>\S+) )?files(?: (?:(?:are|there) )*(?:in|under) (?<path>{TERM})| are there(?: here)?)?`,
    wish: (g) => ({ kind: "count_files", pattern: globOf(g.what), ...folder(g.path) }),
  },
  {
    says: String
      .raw`how many lines (?:contain|mention|have|match) (?<term>{TERM})(?: in (?<path>{WORD}))?`,
    wish: (g) => countText(g.term, g.path),
  },
  {
    says: String
      .raw`(?:count|how many) (?:(?:all|the) )*(?:number of )?lines(?: of code)?(?: (?:(?:are|there) )*(?:in|of|does|has) (?:the file )?(?<path>{TERM})(?: have)?| are there(?: here)?)?`,
    wish: (g) => ({ kind: "count_lines", ...folder(g.path) }),
  },
  {
    says: String
      .raw`how (?:often|many times) (?:does|do|is|are) (?<term>{TERM}) (?:occur|appear|used|mentioned)(?: in (?<path>{WORD}))?`,
    wish: (g) => countText(g.term, g.path),
  },
  {
    says: String
      .raw`(?:count|how many) (?:(?:the|all) )?(?:(?:number of )?(?:occurrences?|uses?|usages?|mentions?|matches) of )?(?<term>{TERM})(?: (?:(?:are|there) )*in (?:the )?(?<path>{WORD})| are there)?`,
    wish: (g) => countText(g.term, g.path),
  },
  {
    says: String
      .raw`(?:list|show|find|ls|display|what|which) (?:me )?(?:are )?(?:(?:all|of|the) )*(?:(?<what>\S+) )?files(?: (?:are )?(?:here|there))?(?: (?:are )?(?:in|under) (?<path>{TERM}))?`,
    wish: (g) => list(g.what, g.path),
  },
  {
    says: String
      .raw`(?:find|list) (?:(?:all|the) )*files? (?:named|called|matching) (?<what>{WORD})`,
    wish: (g) => listNamed(g.what),
  },
  {
    says: String.raw`(?:list|ls)(?: (?:(?:all|the|files|in) )*(?<thing>{WORD}))?`,
    wish: (g) => listThing(g.thing),
  },
  {
    says: String.raw`(?:find|show) (?:all )?(?<what>[^\s"'\x60]*\*[^\s"'\x60]*)`,
    wish: (g) => list(g.what),
  },
  {
    says: String.raw`what(?:'s| is) (?:here|in (?:this|the) (?:folder|directory))`,
    wish: () => list(undefined),
  },
  {
    says: String
      .raw`(?:what(?:'s| is| does)|describe|explain|summari[sz]e|tell me about|introduce) (?:(?:this|the|our|my) )?(?:project|repo|repository|codebase|program|app|package)(?: (?:do|about|for|is about))*`,
    wish: () => ({ kind: "about" }),
  },
  {
    says: String
      .raw`(?:read|show|open|view|cat|print|display|look at|what(?:'s| is) in) (?:me )?lines? (?<first>\d+)(?:\s*(?:-|–|to)\s*(?<last>\d+))? (?:of|from|in) (?:the file )?(?<file>{WORD})`,
    wish: (g) => read(g.file, g.first, g.last ?? g.first),
  },
  {
    says: String
      .raw`(?:read|show|open|view|cat|print|display|look at|what(?:'s| is) in) (?:me )?(?:the )?(?:contents? of )?(?:the )?(?:file )?(?<file>{TERM})(?:,? (?:from )?lines? (?<first>\d+)(?:\s*(?:-|–|to)\s*(?<last>\d+))?)?`,
    wish: (g) => read(g.file, g.first, g.last),
  },
  {
    says: String.raw`search (?:(?:in|through) )?(?<path>(?:the )?{WORD}) for (?<term>{TERM})`,
    wish: (g) =>
      /\b(?:web|internet)$/i.test(g.path ?? "") ? { kind: "unknown" } : find(g.term, g.path),
  },
  {
    says: String
      .raw`(?:find|search(?: for)?|grep(?: for)?|look for|locate|where(?: is| are|'s| do we use)|which files (?:contain|use|mention|call|define|import)) (?<term>{TERM})(?: (?:in|under|inside|within) (?:the )?(?:file |folder |directory )?(?<path>{WORD}))?`,
    wish: (g) => find(g.term, g.path),
  },
  {
    says: String
      .raw`(?:run|execute|exec) (?:the )?(?:(?:following )?command\s*:? )?(?<command>[^\n]+)`,
    reads: "short",
    wish: (g) => run(g.command),
  },
];
