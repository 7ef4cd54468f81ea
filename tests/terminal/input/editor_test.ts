import assert from "node:assert/strict";
import fc from "fast-check";
import { alt, ctrl, KEY, onPrompt } from "../prompt_stage.ts";
import { threadMs } from "../../support/processes.ts";
import { slow } from "../../support/soak.ts";

const paste = (lines: number) => Array.from({ length: lines }, (_, i) => `line ${i}`).join("\n");

// ---------------------------------------------------------------- several lines

Deno.test("alt-enter, shift-enter, ctrl-j and a backslash before enter make a new line", async () => {
  const newlines = [[alt("\r")], ["\x1b[13;2u"], ["\x1b[27;2;13~"], ["\n"], ["\\", KEY.enter]];
  for (const keys of newlines) {
    await onPrompt((s) => {
      s.terminal.type("a");
      s.keys(...keys);
      s.terminal.type("b");
      s.keys(KEY.enter);
      assert.deepEqual(s.sent.map((line) => line.text), ["a\nb"], JSON.stringify(keys));
    });
  }
});

// ---------------------------------------------------------------- motions, kills, undo

Deno.test("motions and kills are those of a shell", async () => {
  const cases: [keys: string[], text: string][] = [
    [[ctrl("a"), "X"], "Xone two three"],
    [[ctrl("a"), ctrl("e"), "X"], "one two threeX"],
    [[alt("b"), "X"], "one two Xthree"],
    [["\x1b[1;5D", "X"], "one two Xthree"],
    [["\x1b[1;3D", "X"], "one two Xthree"],
    [[ctrl("a"), alt("f"), "X"], "oneX two three"],
    [[ctrl("a"), "\x1b[1;5C", "X"], "oneX two three"],
    [[ctrl("b"), "X"], "one two threXe"],
    [[ctrl("a"), ctrl("f"), "X"], "oXne two three"],
    [["\x1b[H", "X"], "Xone two three"],
    [["\x1b[H", "\x1b[F", "X"], "one two threeX"],
    [[ctrl("w")], "one two "],
    [[alt(KEY.backspace)], "one two "],
    [[ctrl("a"), alt("d")], " two three"],
    [[ctrl("a"), KEY.delete], "ne two three"],
    [[ctrl("a"), ctrl("d")], "ne two three"],
    [[alt("b"), ctrl("k")], "one two "],
    [[alt("b"), ctrl("u")], "three"],
    [[alt("b"), ctrl("k"), ctrl("a"), ctrl("y")], "threeone two "],
    [[ctrl("w"), ctrl("w"), ctrl("y")], "one two three"],
    [[ctrl("u"), KEY.undo], "one two three"],
  ];
  for (const [keys, text] of cases) {
    await onPrompt((s) => {
      s.terminal.type("one two three");
      s.keys(...keys);
      assert.equal(s.editor.getText(), text, JSON.stringify(keys));
    });
  }
});

Deno.test("undo goes back word by word, over pastes and recalled lines", async () => {
  await onPrompt((s) => {
    s.terminal.type("one two");
    s.terminal.paste(paste(12));
    assert.equal(s.editor.getText(), "one two[paste #1 +12 lines]");
    s.keys(KEY.undo);
    assert.equal(s.editor.getText(), "one two");
    s.keys(KEY.undo);
    assert.equal(s.editor.getText(), "one");
    s.keys(KEY.undo);
    assert.equal(s.editor.getText(), "");
  });
});

Deno.test("ctrl-z is not undo", async () => {
  await onPrompt((s) => {
    s.terminal.type("one");
    s.keys(ctrl("z"));
    assert.equal(s.editor.getText(), "one");
  });
});

// ---------------------------------------------------------------- Chinese, Japanese, emoji

const GRAPHEMES = [
  "中",
  "か\u3099",
  "é",
  "e\u0301",
  "👍🏽",
  "👨‍👩‍👧",
  "🇨🇳",
  "1️⃣",
  "한",
  "क्षि",
];

slow("a grapheme is deleted, passed and typed over as one", async () => {
  for (const grapheme of GRAPHEMES) {
    await onPrompt((s) => {
      s.editor.put(`a${grapheme}b`);
      s.keys(KEY.left, KEY.backspace);
      assert.equal(s.editor.getText(), "ab", grapheme);
      s.editor.put(`a${grapheme}b`);
      s.keys(ctrl("a"), KEY.right, KEY.delete);
      assert.equal(s.editor.getText(), "ab", grapheme);
      s.editor.put(`a${grapheme}b`);
      s.keys(KEY.left, KEY.left);
      s.terminal.type("X");
      assert.equal(s.editor.getText(), `aX${grapheme}b`);
    });
  }
});

slow("the cursor stands behind wide characters, also in a line that has wrapped", async () => {
  const cases: [text: string, width: number, x: number, y: number][] = [
    ["你好", 80, 6, 0],
    ["ab", 80, 4, 0],
    ["カタカナ", 80, 10, 0],
    ["👍🏽x", 80, 5, 0],
    ["e\u0301", 80, 3, 0],
    ["あ".repeat(10), 20, 6, 1],
    ["中".repeat(8), 20, 2 + 16, 0],
    ["一二三四五六七八九十", 12, 2 + 4, 2],
  ];
  for (const [text, width, x, y] of cases) {
    await onPrompt(async (s) => {
      s.terminal.type(text);
      await s.terminal.text();
      assert.deepEqual(await s.terminal.cursor(), { x, y }, text);
    }, { size: [width, 24] });
  }
});

Deno.test("words of Chinese are passed and deleted as words", async () => {
  await onPrompt((s) => {
    s.editor.put("我们今天去北京大学");
    s.keys(ctrl("w"));
    assert.ok(["我们今天去", "我们今天去北京"].includes(s.editor.getText()), s.editor.getText());
    s.editor.put("你好，世界");
    s.keys(alt("b"));
    s.terminal.type("X");
    assert.equal(s.editor.getText(), "你好，X世界");
  });
});

// ---------------------------------------------------------------- pastes

Deno.test("a paste of any characters comes out to the letter, folded or not", async () => {
  const unit = fc.constantFrom(
    ..."ab 中\t\n\x00\x07\x1b\x7f\x9b[/~.#\u200b\u202e\u2028\ufeff\u{10fffd}\u{100009}👍".split(
      /(?:)/u,
    ),
    "\x1b[31m",
    "[paste #1 +12 lines]",
    "\x1b[20",
    "\n".repeat(11),
    "x".repeat(1001),
  );
  const text = fc.array(unit, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(""));
  await onPrompt((s) => {
    fc.assert(fc.property(text, fc.constantFrom("", "see"), (pasted, before) => {
      fc.pre((before + pasted).trim() !== "" && !/^\//.test(before + pasted));
      s.terminal.type(before);
      s.terminal.paste(pasted);
      s.keys(KEY.enter);
      assert.equal(s.sent.pop()!.text, before + pasted);
    }));
  });
});

Deno.test("carriage returns, and newlines as tmux's popups send them, are newlines", async () => {
  await onPrompt((s) => {
    s.terminal.paste("a\r\nb\rc\x1b[106;5ud");
    s.keys(KEY.enter);
    assert.equal(s.sent[0]!.text, "a\nb\nc\nd");
  });
});

Deno.test("more than 10 lines or 1000 characters are folded, less is not", async () => {
  await onPrompt((s) => {
    s.terminal.paste(paste(10));
    assert.equal(s.editor.getText(), paste(10));
    s.editor.put("");
    s.terminal.paste("x".repeat(1000));
    assert.equal(s.editor.getText().length, 1000);
    s.editor.put("");
    s.terminal.paste(paste(123));
    s.terminal.paste("x".repeat(1001));
    assert.equal(s.editor.getText(), "[paste #1 +123 lines][paste #2 1001 chars]");
    s.keys(KEY.backspace, KEY.enter);
    assert.equal(s.sent[0]!.text, paste(123));
    assert.equal(s.sent[0]!.typed, "[paste #1 +123 lines]");
  });
});

Deno.test("a paste in pieces is one paste, and what is typed behind it comes behind it", async () => {
  await onPrompt((s) => {
    s.keys("\x1b[200~one\nt", "wo\x1b[20", "1~three");
    assert.equal(s.editor.getText(), "one\ntwothree");
  });
});

Deno.test("a paste comes back from the history as it was, folded, and is sent again in full", async () => {
  await onPrompt((s) => {
    s.terminal.type("see ");
    s.terminal.paste(paste(20));
    s.terminal.type(" and ");
    s.terminal.paste(paste(30) + "\n");
    s.keys(KEY.enter, KEY.up);
    assert.equal(s.editor.getText(), "see [paste #1 +20 lines] and [paste #2 +31 lines]");
    assert.equal(s.editor.fullText, `see ${paste(20)} and ${paste(30)}\n`);
    s.keys(KEY.enter);
    assert.equal(s.sent[1]!.text, s.sent[0]!.text);
  });
});

Deno.test("20,000 lines are pasted, edited around and sent within a moment", async () => {
  await onPrompt(async (s) => {
    const text = paste(20_000);
    const began = threadMs();
    s.terminal.paste(text);
    s.terminal.type(" what is this?");
    await s.terminal.shows("[paste #1 +20000 lines] what is this?");
    s.keys(KEY.enter);
    assert.equal(s.sent[0]!.text, `${text} what is this?`);
    assert.ok(threadMs() - began < 1500);
  });
});

// ---------------------------------------------------------------- history

Deno.test("up brings up what begins with the text before the cursor, down comes back", async () => {
  await onPrompt((s) => {
    for (const line of ["git status", "make", "git push", "git push"]) {
      s.history.add({ text: line });
    }
    s.terminal.type("git");
    const seen = [];
    for (const key of [KEY.up, KEY.up, KEY.up, KEY.down, KEY.down]) {
      s.keys(key);
      seen.push(s.editor.getText());
    }
    assert.deepEqual(seen, ["git push", "git status", "git status", "git push", "git"]);
    s.editor.put("");
    s.keys(KEY.up, KEY.up);
    assert.equal(s.editor.getText(), "make", "nothing typed brings up all");
  });
});

Deno.test("up within a recalled text of several lines goes through its lines first", async () => {
  await onPrompt((s) => {
    s.history.add({ text: "old" });
    s.history.add({ text: "one\ntwo" });
    s.keys(KEY.up, KEY.up);
    assert.equal(s.editor.getText(), "one\ntwo");
    s.keys(KEY.up);
    assert.equal(s.editor.getText(), "old");
    s.keys(KEY.down);
    assert.equal(s.editor.getText(), "one\ntwo");
  });
});

Deno.test("ctrl-r finds while one types, again goes on, enter takes, escape gives the line back", async () => {
  await onPrompt(async (s) => {
    for (const text of ["deno test", "git log", "deno fmt", "ls"]) s.history.add({ text });
    s.terminal.type("draft");
    s.keys(ctrl("r"));
    s.terminal.type("DEN");
    await s.terminal.shows("❯ deno fmt\nsearch history");
    s.keys(ctrl("r"));
    await s.terminal.shows("❯ deno test\n");
    s.keys(ctrl("r"));
    await s.terminal.shows("not in the history: DEN");
    s.keys(ctrl("s"));
    await s.terminal.shows("❯ deno fmt\n");
    s.keys(KEY.escape);
    assert.equal(s.editor.getText(), "draft");
    s.keys(ctrl("r"));
    s.terminal.type("logx");
    s.keys(KEY.backspace, KEY.enter);
    assert.equal(s.editor.getText(), "git log");
    assert.deepEqual(s.sent, [], "taken, not sent");
    s.keys(ctrl("r"));
    s.terminal.type("test");
    s.keys(ctrl("a"), "X");
    assert.equal(s.editor.getText(), "Xdeno test", "another key takes it and does its work");
  });
});

Deno.test("a search has the cursor behind what is looked for", async () => {
  await onPrompt(async (s) => {
    s.history.add({ text: "你好世界" });
    s.keys(ctrl("r"));
    s.terminal.type("世界");
    const text = await s.terminal.shows("世界");
    const row = text.split("\n").findIndex((line) => line.startsWith("search history"));
    const { x, y } = await s.terminal.cursor();
    assert.equal(y, row);
    assert.equal(x, "search history: ".length + 4);
    assert.match(text, /search history: 世界 {3}ctrl-r older · enter takes it · esc goes back/);
  });
});

Deno.test("what is looked for is seen on the smallest screen, its end when it is long", async () => {
  await onPrompt(async (s) => {
    s.history.add({ text: "中文 long line to find\nand\nits\nother\nlines" });
    s.keys(ctrl("r"));
    s.terminal.type("LONG LIN");
    await s.terminal.shows("\nLONG LIN");
    s.terminal.type("E to Find");
    assert.ok((await s.terminal.shows("E to Find")).endsWith("\nINE to Find"));
    s.keys(ctrl("u"));
    s.terminal.type("一二三四五六七");
    assert.ok((await s.terminal.shows("七")).endsWith("\n三四五六七"));
  }, { size: [12, 5] });
});

Deno.test("a line that begins with a blank is sent and not remembered", async () => {
  await onPrompt((s) => {
    s.terminal.type(" export KEY=secret");
    s.keys(KEY.enter, KEY.up);
    assert.equal(s.sent[0]!.text, " export KEY=secret");
    assert.equal(s.editor.getText(), "");
  });
});
