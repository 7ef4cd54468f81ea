/** What deletes in the languages of interpreters, database clients and PowerShell. */
import type { Language } from "./language.ts";
import { POWERSHELL } from "./powershell.ts";

const STRINGS =
  /"""[^]*?"""|'''[^]*?'''|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|`(?:\\[^]|[^`\\])*`/g;
/** Perl's quote-like operators and regular expressions are literals too. */
const PERL_STRINGS =
  /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|`(?:\\[^]|[^`\\])*`|\bq[qwxr]?\s*(?:\([^)]*\)|\{[^}]*\}|\[[^\]]*\]|<[^>]*>|([^\w\s=,;)]).*?\1)|(?<=[=(,;~!{]\s*|\b(?:if|unless|and|or|not|split|grep|while)\s*)\/(?:\\.|[^/\\\n])*\/|\bm([/!,#|~])(?:\\.|(?!\2)[^\\\n])*\2|\b(?:s|tr|y)([/!,#|~])(?:\\.|(?!\3)[^\\\n])*\3(?:\\.|(?!\3)[^\\\n])*\3/gs;
const SQL_STRINGS = /'(?:''|[^'])*'|--[^\n]*|\/\*[^]*?\*\//g;

export const LANGUAGES: readonly Language[] = [
  {
    programs: /^python[\d.]*$/,
    options: "-c",
    strings: /"""[^]*?"""|'''[^]*?'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|#[^\n]*/g,
    deletes:
      /\bimport\s+os\s+as\s+(\w+)\b[^]*\b\1\s*\.\s*(remove|unlink|rmdir|removedirs|truncate)\s*\(|\b(os|_os|pathlib)\s*\.\s*(remove|unlink|rmdir|removedirs|truncate)\s*\(|__import__\s*\([^)]*\)\s*\.\s*(remove|unlink|rmdir)\b|\b(rmtree|send2trash)\s*\(|\.\s*(unlink|rmdir)\s*\(|\bfrom\s+os\s+import\b[^\n;]*\b(remove|unlink|rmdir)\b/,
    says:
      /\bgetattr\s*\(\s*(os|shutil|pathlib)\s*,\s*["'](remove|unlink|rmdir|rmtree|removedirs|truncate)\b|\bopen\s*\([^()]*["']wb?["']\s*\)\s*\.\s*close\s*\(|\.\s*write_text\s*\(\s*(""|'')\s*\)|\b(os|shutil)\s*\.\s*(rename|replace|move)\s*\([^()]*,\s*["']\/dev\/null["']|\.\s*rename\s*\(\s*["']\/dev\/null["']/,
    starts:
      /\b(system|popen|Popen|run|call|check_call|check_output|getoutput|exec[lv]\w*|spawn\w*)\s*\(/,
    paths: true,
    yes: [
      `python3 -c 'import os; os.remove("a")'`,
      `python3 - <<'X'\nimport shutil\nshutil.rmtree("a")\nX`,
      `python -c "import subprocess; subprocess.run(['rm', '-rf', 'a'])"`,
      `python3 -c 'from os import unlink as u; u("a")'`,
      `python3 -c 'import os as o; o.remove("a")'`,
      `python3 -c 'import os; getattr(os, "remove")("a")'`,
      `python3 -c 'open("a", "w").close()'`,
      `python3 -c "import os; os.rename('a', '/dev/null')"`,
      `python3 -c "exec('import os; os.remove(1)')"`,
    ],
    no: [
      `python3 -c 'print("os.remove")'`,
      `python3 -c 'l = [1]; l.remove(1)'`,
      `python3 -c "import subprocess; subprocess.run(['echo', 'rm', 'a'])"`,
      `python3 -c 'open("a", "w").write("x")'`,
      `python3 script.py --delete`,
    ],
  },
  {
    programs: /^(node|nodejs|deno|bun|tsx|ts-node)$/,
    options: "-e --eval -p --print",
    strings: STRINGS,
    deletes:
      /\b(unlink|unlinkSync|rmSync|rmdir|rmdirSync|rimraf|removeSync|emptyDirSync|truncateSync)\s*\(|\b(fs|fsp|promises|fsPromises|Deno)\s*\.\s*(rm|remove|truncate)\s*\(|\bimport\s*\{[^}]*\b(rm|unlink|rmdir|rimraf)(Sync)?\b|\{[^{}]*\b(rm|unlink|rmdir)(Sync)?\b[^{}]*\}\s*=\s*(await\s+import|require)\b|\)\s*\.\s*(promises\s*\.\s*)?rm\s*\(/,
    says:
      /\[\s*["'`](unlink|rm|rmdir|truncate)(Sync)?["'`]\s*\]|\brequire\s*\(\s*["']rimraf["']|\bwrite(Text)?File(Sync)?\s*\([^,()]*,\s*(""|''|``)\s*[,)]/,
    starts: /\b(exec|execSync|execFile\w*|spawn|spawnSync|fork|Command)\s*\(|\$\s*`/,
    paths: true,
    yes: [
      `node -e "require('fs').unlinkSync('a')"`,
      `node -e "require('child_process').execSync('rm a')"`,
      `node -e "require('child_process').spawn('rm', ['-rf', 'a'])"`,
      `node --input-type=module -e "import { rm } from 'node:fs/promises'; await rm('a')"`,
      `node -e "fs.writeFileSync('a', '')"`,
      `node -e "const { unlinkSync: u } = require('fs'); u('a')"`,
      `node -e "require('fs')['unlinkSync']('a')"`,
      `node -e "require('rimraf').sync('a')"`,
      `deno eval 'await Deno.remove("a")'`,
    ],
    no: [
      `node -e "new Set([1]).delete(1)"`,
      `node -e "console.log('fs.rmSync(x)')"`,
      `node -e "fs.writeFileSync('a', 'rm')"`,
    ],
  },
  {
    programs: /^perl[\d.]*$/,
    options: "-e -E",
    strings: PERL_STRINGS,
    deletes: /\b(unlink|rmdir|rmtree|remove_tree|truncate)\b/,
    starts: /\b(system|exec|qx|open)\b|`/,
    paths: true,
    yes: [
      `perl -e 'unlink "a"'`,
      `perl -e 'exec qw(rm a)'`,
      `perl -e 'system("bash", "-c", "rm a")'`,
    ],
    no: [
      `perl -ne 'print if /rm|unlink/' a`,
      `perl -e 'print q(unlink a)'`,
      `perl -pe 's/unlink/x/' a`,
    ],
  },
  {
    programs: /^ruby[\d.]*$/,
    options: "-e",
    strings: STRINGS,
    deletes:
      /\b(File|Dir|FileUtils|Pathname|IO)\s*\.\s*(delete|unlink|rm\w*|remove\w*|rmdir|rmtree|truncate)\b|\.\s*(rmtree|unlink)\b|\brm_rf?\b/,
    starts: /\b(system|exec|spawn|popen\w*|capture\w*)\b|`|%x/,
    paths: true,
    yes: [
      `ruby -e 'FileUtils.rm_rf("a")'`,
      `ruby -e 'system "rm a"'`,
    ],
    no: [
      `ruby -e 'h = {}; h.delete(1)'`,
    ],
  },
  {
    programs: /^php[\d.]*$/,
    options: "-r",
    strings: STRINGS,
    deletes: /\b(unlink|rmdir|ftruncate)\s*\(/,
    says: /["'](unlink|rmdir)["']\s*[,)]/,
    starts: /\b(system|exec|shell_exec|passthru|popen|proc_open)\s*\(|`/,
    paths: true,
    yes: [
      `php -r 'unlink("a");'`,
      `php -r 'array_map("unlink", glob("*"));'`,
    ],
    no: [
      `php -r 'echo "unlink(a)";'`,
    ],
  },
  {
    programs: /^lua[\d.]*$/,
    options: "-e",
    strings: STRINGS,
    deletes: /\bos\s*\.\s*remove\s*\(/,
    starts: /\b(execute|popen)\s*\(/,
    paths: true,
    yes: [
      `lua -e 'os.remove("a")'`,
      `lua -e 'os.execute("rm a")'`,
    ],
    no: [
      `lua -e 'table.remove(t)'`,
    ],
  },
  {
    programs: /^rscript$/,
    options: "-e",
    strings: STRINGS,
    deletes: /\b(unlink|file\.remove)\s*\(/,
    starts: /\bsystem2?\s*\(/,
    paths: true,
    yes: [
      `Rscript -e 'unlink("a")'`,
    ],
    no: [
      `Rscript -e 'rm(x)'`,
    ],
  },
  {
    programs: /^(n?vim?|g?view|[gr]vim|vimdiff|ex)$/,
    options: "-c --cmd",
    strings: /"(?:\\[^]|[^"\\\n])*"|'(?:''|[^'\n])*'/g,
    deletes: /\bdelete\s*\(/,
    starts: /\bsystem(list)?\s*\(/,
    operand: true,
    paths: true,
    yes: [
      `vim -es -c "call delete('a')" -c q`,
      `nvim --headless +'call delete("a", "rf")' +q`,
      `vim -es -c 'call system("rm a")' -c q`,
    ],
    no: [
      `vim -es -c 'g/x/delete' -c wq a`,
    ],
  },
  {
    programs: /^[gm]?awk$/,
    options: "-e --source",
    strings: /"(?:\\[^]|[^"\\])*"/g,
    deletes: /(?!)/,
    starts: /\bsystem\s*\(|\|/,
    operand: true,
    yes: [
      `awk 'BEGIN{system("rm a")}'`,
      `awk 'BEGIN { print "rm a" | "sh" }'`,
      `awk -v c="rm a" 'BEGIN { system(c) }'`,
    ],
    no: [
      `awk '{delete seen[$2]}' t.csv`,
      `awk '{print "rm " $1}' a`,
    ],
  },
  {
    programs: /^(tclsh|wish|expect)[\d.]*$/,
    options: "-c",
    strings: /"(?:\\[^]|[^"\\])*"|(?<=^|;)\s*#[^\n]*/gm,
    deletes: /\bfile\s+delete\b/,
    shell: true,
    yes: ["tclsh <<< 'file delete a'", "expect -c 'spawn rm a'"],
    no: ["tclsh <<< 'puts \"file delete\"'", "tclsh a.tcl"],
  },
  {
    programs: /^emacs$/,
    options: "--eval -eval --execute",
    strings: /"(?:\\[^]|[^"\\])*"|;[^\n]*/g,
    deletes: /\(\s*(delete-file|delete-directory)\b/,
    starts: /\b(shell-command|call-process|start-process)\b/,
    paths: true,
    yes: [`emacs --batch --eval '(delete-file "a")'`],
    no: [`emacs --batch --eval '(message "(delete-file)")'`],
  },
  {
    programs: /^(jshell|groovy|scala|kotlinc?|jbang)$/,
    options: "-e",
    strings: STRINGS,
    deletes: /\bFiles\s*\.\s*delete(IfExists)?\s*\(|\)\s*\.\s*delete(Recursively|Dir)?\s*\(/,
    starts: /\bexec\s*\(|\bProcessBuilder\b/,
    yes: [`jshell - <<< 'Files.delete(Path.of("a"));'`, `groovy -e 'new File("a").delete()'`],
    no: [`groovy -e 'println "x".size()'`],
  },
  {
    programs: /^osascript$/,
    options: "-e",
    strings: STRINGS,
    deletes: /\bdelete\b|\bempty\s+(the\s+)?trash\b/i,
    starts: /\bdo shell script\b/,
    yes: [
      `osascript -e 'tell application "Finder" to delete file "a"'`,
      `osascript -e 'do shell script "rm a"'`,
    ],
    no: [
      `osascript -e 'display dialog "delete?"'`,
    ],
  },
  {
    programs:
      /^(mysql|mariadb|psql|sqlite3|duckdb|clickhouse|clickhouse-client|sqlcmd|cqlsh|hive|beeline|spark-sql|trino|presto|snowsql|usql|cockroach|mysqlsh|litecli|pgcli|mycli|isql|osql|sqlplus)$/,
    options:
      "-e -c -q -Q -cmd --cmd --execute --command --query --sql --init-command --sqlite3 --statement",
    strings: SQL_STRINGS,
    deletes:
      /\bdelete\s+from\b|(?:^|[;"'`(])\s*drop\s+(?:\w+\s+)*["`\w.]+|\bdrop\s+(table|database|schema|view|index|column|user|role|sequence|trigger|function|type|extension|materialized|owned|tablespace|constraint|keyspace|policy)\b|\btruncate\s+(table\s+)?["`\w]|\balter\s+table\b[^;]*?\s(?:drop|delete)\s|(?:^|;)\s*purge\s/i,
    escapes:
      /(?:^|[\n;])\s*(?:\.(?:shell|system)\s|\\!|system\s)\s*([^\n]+)|^\s*(?:\.(?:once|output|import)|\\[og])[^|\n]*\|([^\n]+)|\bprogram\s+'([^']+)'/gim,
    operand: true,
    yes: [
      `psql -c "DROP TABLE a"`,
      `echo "delete from a;" | mysql shop`,
      `sqlite3 a.db <<< 'DELETE FROM a'`,
      `mysql -e 'truncate table a' shop`,
      `psql -c "alter table a drop column b"`,
      `sqlite3 a.db 'alter table a drop b'`,
      `mysql -e "purge binary logs to 'a'"`,
      `psql -c 'drop policy a on b'`,
      `cqlsh -e 'drop keyspace a'`,
      "clickhouse-client -q 'alter table a delete where 1'",
      "sqlite3 a.db '.shell rm b'",
      "sqlite3 a.db <<< '.system rm b'",
      `psql -c '\\! rm b'`,
      "mysql -e 'system rm b'",
      `psql -c "copy a to program 'rm b'"`,
    ],
    no: [
      `psql -c "select * from deletes"`,
      `psql -c "select 'drop table a'"`,
      `psql -c "select 1 -- drop table a"`,
      `sqlite3 a.db 'select truncate(1.5)'`,
      `psql -c "select 'alter table', drop_count from a"`,
      "sqlite3 a.db '.shell ls'",
    ],
  },
  {
    programs: /^mongo(sh)?$/,
    options: "--eval",
    strings: STRINGS,
    deletes: /\.\s*(drop\w*|delete(One|Many)|remove|findOneAndDelete)\s*\(/,
    operand: true,
    yes: [
      `mongosh --eval 'db.dropDatabase()'`,
      `mongosh --eval 'db.a.deleteMany({})'`,
    ],
    no: [
      `mongosh --eval 'db.a.find({ drop: 1 })'`,
    ],
  },
  POWERSHELL,
];
