/** Makes shell commands from a seed: a heart that deletes or nearly does, inside layers of shell. */
import { deleting, type Fresh, harmless } from "./payloads.ts";
import { Random } from "./random.ts";
import { double, quoted, single } from "./spelling.ts";

type Layer = (inner: string, random: Random, fresh: Fresh) => string;

/** Layers that run what they hold. */
const LAYERS: readonly Layer[] = [
  (inner, random) => `bash -c ${quoted(inner, random)}`,
  (inner, random) => `sh -c ${quoted(inner, random)}`,
  (inner, random) => `bash -ec ${quoted(inner, random)}`,
  (inner, random) => `bash -o pipefail -c ${quoted(inner, random)} x y`,
  (inner, random) => `bash -c 'eval "$1"' _ ${quoted(inner, random)}`,
  (inner, random) => `bash -c '"$@"' _ bash -c ${quoted(inner, random)}`,
  (inner, random) => `eval ${quoted(inner, random)}`,
  (inner) => `eval ${double(inner)}`,
  (inner, random) => `eval "$(echo ${quoted(inner, random)})"`,
  (inner, _, fresh) => {
    const end = fresh("E");
    return `eval "$(cat <<'${end}'\n${inner}\n${end}\n)"`;
  },
  (inner, random, fresh) => {
    const x = fresh("s");
    return `${x}=${quoted(inner, random)}; eval "$${x}"`;
  },
  (inner, random, fresh) => {
    const x = fresh("s");
    return `${x}=${quoted(inner, random)}; bash -c "$${x}"`;
  },
  (inner, random, fresh) => {
    const x = fresh("s");
    return `export ${x}=${quoted(inner, random)}; bash -c 'eval "$${x}"'`;
  },
  (inner, random, fresh) => {
    const x = fresh("s");
    return `${x}=${quoted(inner, random)} bash -c 'eval "$${x}"'`;
  },
  (inner) => `printf '%s\\n' ${single(inner)} | sh`,
  (inner) => `printf '%s' ${single(inner)} | bash -s`,
  (inner, _, fresh) => {
    const end = fresh("E");
    return `cat <<'${end}' | bash\n${inner}\n${end}`;
  },
  (inner, _, fresh) => {
    const end = fresh("E");
    return `bash <<'${end}'\n${inner}\n${end}`;
  },
  (inner, _, fresh) => {
    const end = fresh("E");
    return `bash -s x <<-"${end}"\n${inner}\n${end}`;
  },
  (inner, random) => `bash <<< ${quoted(inner, random)}`,
  (inner, random) => `source <(printf %s ${quoted(inner, random)})`,
  (inner, random) => `. /dev/stdin <<< ${quoted(inner, random)}`,
  (inner, random) => `bash < <(printf %s ${quoted(inner, random)})`,
  (inner, random) => `bash <(printf %s ${quoted(inner, random)})`,
  (inner, _, fresh) => {
    const [file, end] = [fresh("t"), fresh("E")];
    return `cat > ${file}.sh <<'${end}'\n${inner}\n${end}\nbash ${file}.sh`;
  },
  (inner, random, fresh) => {
    const file = fresh("t");
    return `printf %s ${quoted(inner, random)} > ${file}; . ./${file}`;
  },
  (inner, _, fresh) => {
    const file = fresh("t");
    return `echo ${single("#!/bin/bash\n" + inner)} > ./${file}; chmod +x ${file} && ./${file}`;
  },
  (inner) => `base64 -d <<< ${btoa(inner)} | bash`,
  (inner) => `echo ${btoa(inner)} | base64 --decode | sh`,
  (inner) => `bash -c "$(echo ${btoa(inner)} | base64 -d)"`,
  (inner) => `(${inner}\n)`,
  (inner) => `( cd d && cd .. && { ${inner}\n} )`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `true && { ${inner}\n}`,
  (inner) => `false || { ${inner}\n}`,
  (inner) => `ls > /dev/null; ${inner}`,
  (inner) => `echo start\n${inner}`,
  (inner) => `if true; then ${inner}\nfi`,
  (inner) => `if ! true; then :; else ${inner}\nfi`,
  (inner) => `while true; do { ${inner}\n}; break; done`,
  (inner) => `for _ in 1; do ${inner}\ndone`,
  (inner) => `case x in *) ${inner}\n;; esac`,
  (inner, _, fresh) => {
    const f = fresh("f");
    return `${f}() { ${inner}\n}; ${f}`;
  },
  (inner, _, fresh) => {
    const f = fresh("f");
    return `function ${f} {\n${inner}\n}\n${f} x y`;
  },
  (inner, _, fresh) => {
    const [f, g] = [fresh("f"), fresh("g")];
    return `${f}() { ${g}; }; ${g}() ( ${inner}\n); ${f}`;
  },
  (inner) => `echo "$(${inner}\n)"`,
  (inner) => `: $(${inner}\n)`,
  (inner, _, fresh) => `${fresh("x")}=$(${inner}\n)`,
  (inner) => `cat <(${inner}\n)`,
  (inner) => `{ ${inner}\n} | cat`,
  (inner) => `echo x | { ${inner}\n}`,
  (inner, random) => `trap ${quoted(inner, random)} EXIT`,
  (inner, random) => `trap ${quoted(inner, random)} DEBUG; ls > /dev/null`,
  (inner, random) => `sudo -u me sh -c ${quoted(inner, random)}`,
  (inner, random) => `timeout -k 1 5 bash -c ${quoted(inner, random)}`,
  (inner, random) => `env A=1 nice -n 2 nohup bash -c ${quoted(inner, random)}`,
  (inner, random) => `ssh host ${quoted(inner, random)}`,
  (inner, random) => `ssh -p 22 me@host ${quoted(inner, random)}`,
  (inner, random) => `xargs -I{} bash -c ${quoted(inner, random)} <<< x`,
  (inner, random) => `echo x | xargs bash -c ${quoted(inner, random)}`,
  (inner, random) => `find . -maxdepth 0 -exec bash -c ${quoted(inner, random)} \\;`,
  (inner, random) => `find . -maxdepth 0 -exec sh -c ${quoted(inner, random)} _ {} +`,
  (inner, random) => `exec bash -c ${quoted(inner, random)}`,
  (inner, random) => `command eval ${quoted(inner, random)}`,
  (inner, random) => `builtin eval ${quoted(inner, random)}`,
  (inner, random) => `$(echo bash) -c ${quoted(inner, random)}`,
  (inner, random, fresh) => {
    const x = fresh("x");
    return `${x}=bash; "$${x}" -c ${quoted(inner, random)}`;
  },
  (inner, random, fresh) => {
    const x = fresh("x");
    return `${x}=(bash -c ${quoted(inner, random)}); "\${${x}[@]}"`;
  },
  (inner, random) => `set -- ${quoted(inner, random)}; eval "$1"`,
  (inner) => `perl -e ${single(`system("bash", "-c", q~${inner}~)`)}`,
];

/**
 * `count` commands, about `deletes` of a hundred built to delete. `bin` is the
 * folder of the deleting programs. The same seed gives the same ones.
 */
export function generate(seed: number, count: number, deletes: number, bin: string): string[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    let names = 0;
    const fresh: Fresh = (prefix) => `${prefix}${++names}`;
    let text = (random.below(100) < deletes ? deleting : harmless)(random, fresh, bin);
    for (let depth = random.pick([0, 0, 1, 1, 1, 2, 2, 3]); depth > 0; depth--) {
      const layer = random.pick(LAYERS);
      text = layer(text, random, fresh);
    }
    return text;
  });
}
