import assert from "node:assert/strict";
import { placeholderIn } from "../../../src/files/edit/placeholder.ts";

Deno.test("a line that stands for what was left out is found in every language's comments", () => {
  const lines = [
    "// ... existing code ...",
    "// ...existing code...",
    "{/* ...existing code... */}",
    "{/* existing code */}",
    "<!-- ...existing code... -->",
    "/* ...rest of implementation... */",
    "# existing code here",
    "-- existing code here",
    "// [existing code here]",
    "// other methods remain the same",
    "// keep existing code",
    "  # ... rest of file unchanged",
    "/* rest of the methods here */",
    "<!-- ... remaining items ... -->",
    "… rest of the function",
    "... existing code ...",
    "// ... rest of UserService ...",
    "# ... (rest of the code) ...",
    "// The rest of the file remains the same",
    "(rest of the file unchanged)",
    "// 其余代码不变",
    "// ... 其余代码保持不变 ...",
    "# ...现有代码...",
    "// 此处省略",
    "# 省略其余代码",
    "// 其他方法保持不变",
  ];
  for (const line of lines) assert.equal(placeholderIn(`a\n${line}\nb`, ""), line.trim(), line);
});

Deno.test("comments and code that only look like a placeholder pass", () => {
  const lines = [
    "// 其他代码规范见 docs",
    "# 剩余时间不变时返回",
    "// 与原来相同的行为",
    "# 内容相同时跳过",
    "// 其他用户的处理",
    "// 略有不同",
    "// ... and the remaining bytes are read lazily",
    "    ... # existing stub",
    "// Rest of the methods",
    "// the rest",
    "## Other",
    "// Existing imports",
    "// Existing code paths rely on this",
    "# unchanged lines are kept",
    "// keep the file open",
    "(the rest is history)",
    "const { a, ...rest } = b;",
    "  ...existing,",
    "  ...rest",
    "{/* ...rest */}",
    "call(...rest)",
    "// wait for the rest of the world",
    "    ...",
    "def f(): ...",
    "# Other existing users keep working",
  ];
  for (const line of lines) assert.equal(placeholderIn(`a\n${line}\nb`, ""), undefined, line);
});

Deno.test("a placeholder that was there before is none", () => {
  const line = "// ... existing code ...";
  assert.equal(placeholderIn(line, `x\n  ${line}\n`), undefined);
  assert.equal(placeholderIn(`${line}\n# existing code here`, line), "# existing code here");
});
