/** What counts as deleting: files first, then git work, databases and things in a cloud. */
import { gitRules } from "./git_rules.ts";
import { resolve } from "node:path";
import { deletesInCode } from "./code.ts";
import { findRoots } from "./layers.ts";
import { readOptions } from "./options.ts";
import type { Invocation } from "./read_command.ts";
import { anyOperand, noFiles, operandsOf, type Rule, verbs, withOption } from "./rule.ts";
import { type Arg, hasMarks, plainArg } from "./words.ts";

const NO_ARGS: readonly Arg[] = [];

const files: readonly Rule[] = [
  {
    names: "rm",
    hits: (call) =>
      call.args.some((arg) => /^--(help|version)$/.test(arg.text))
        ? undefined
        : readOptions(call.args).operands,
    yes: ["rm a", "rm -rf out/", "rm -- -x", "/bin/rm a", "sudo -u root rm a"],
    no: ["rm --help", "echo rm a", "npm rm left-pad"],
  },
  {
    names: "rmdir unlink srm wipe trash trash-put trash-empty rimraf del-cli rd erase",
    hits: operandsOf(),
    yes: ["rmdir a", "unlink a", "npx rimraf dist", "cmd /c rd /s /q x"],
    no: ["rmdir --help", "grep -n unlink src/a.c -R | wc -l"],
  },
  {
    names: "del remove-item ri clear-content clear-recyclebin clc remove-itemproperty",
    hits: ({ args }) => args.filter((arg) => !/^[-/]\w/.test(arg.text)),
    yes: ["del /q *.log", "Remove-Item x -Recurse", "REMOVE-ITEM x", "cmd.exe /c del a.txt"],
    no: ["Get-Item x"],
  },
  {
    names: "shred",
    hits: operandsOf("-n -s --iterations --size --random-source"),
    yes: ["shred -u key.pem"],
    no: ["shred --version"],
  },
  {
    names: "find",
    hits: ({ args }) => {
      return args.some((arg) => arg.text === "-delete") ? findRoots(args) : undefined;
    },
    yes: ["find . -name '*.o' -delete", "find . -exec rm {} +", "find a -execdir rm -f {} \\;"],
    no: ["find . -name 'rm*' -type f -newer x", "find . -name x -exec ls {} +"],
  },
  {
    names: "truncate",
    hits: ({ args }) => {
      const options = readOptions(args, "-s -r --size --reference");
      const size = options.value("-s", "--size");
      return /^([-<]|0+[a-z]*$)/i.test(size ?? "") ? options.operands : undefined;
    },
    yes: ["truncate -s 0 a", "truncate -s0 a", "truncate --size=0 a", "truncate --size 0 a"],
    no: ["truncate -s 10M a", "truncate -s +5 a"],
  },
  {
    names: ": true cat echo printf tee",
    hits: (call) => printsNothing(call) ? realFiles(call.truncates) : undefined,
    yes: [": > a", "true > a", "cat /dev/null > a", "echo -n > a", "printf '' > a"],
    no: ["echo x > a", "cat b > a", ": > /dev/null", "echo -n x > a"],
  },
  {
    names: "cp mv install",
    hits: ({ args }) => {
      const { operands } = readOptions(args, "-t -S --target-directory --suffix -m -o -g");
      const nulls = operands.filter((arg) => arg.text === "/dev/null");
      const rest = operands.filter((arg) => arg.text !== "/dev/null");
      return nulls.length > 0 && operands.length > 1 ? rest : undefined;
    },
    yes: ["cp /dev/null a", "mv a /dev/null"],
    no: ["cp a b", "mv a b"],
  },
  {
    names: "dd",
    hits: ({ args, cwd }) => {
      const empties = args.some((arg) => arg.text === "if=/dev/null");
      const out = args.filter((arg) => arg.text.startsWith("of=")).map((arg) => part(arg, 3));
      const lost = empties ? out : out.filter((arg) => isFile(arg, cwd));
      return lost.length > 0 ? lost : undefined;
    },
    yes: ["dd if=/dev/null of=a", "dd if=a of=/etc/passwd"],
    no: ["dd if=a of=b", "dd if=a of=/dev/null", "dd if=a bs=1 count=1"],
  },
  {
    names: "rsync",
    hits: ({ args }) => {
      const options = readOptions(args, "-e -f --rsh --filter --exclude --include");
      const mirrors = args.some((arg) =>
        /^--(del|delete(-\w+)*|remove-source-files)$/.test(arg.text)
      );
      return mirrors && !options.has("-n", "--dry-run") ? options.operands.slice(-1) : undefined;
    },
    yes: ["rsync -a --delete a/ b/", "rsync -a --del a/ b/", "rsync --remove-source-files a b"],
    no: ["rsync -a a/ b/", "rsync -an --delete a/ b/"],
  },
  {
    names: "tar",
    hits: withOption("-f -C --file --directory", "--remove-files"),
    yes: ["tar czf a.tgz --remove-files b"],
    no: ["tar czf a.tgz b"],
  },
  {
    names: "zip",
    hits: withOption("", "-m", "--move"),
    yes: ["zip -rm a.zip b"],
    no: ["zip -r a.zip b"],
  },
  {
    names: "gio gvfs-trash",
    hits: (call) => call.name === "gio" ? verbs("", "trash", "remove")(call) : operandsOf()(call),
    yes: ["gio trash a", "gvfs-trash a"],
    no: ["gio info a"],
  },
  {
    names: "crontab",
    hits: ({ args }) => readOptions(args, "-u").has("-r") ? NO_ARGS : undefined,
    yes: ["crontab -r"],
    no: ["crontab -l"],
  },
  {
    names: "userdel deluser groupdel delgroup",
    hits: noFiles(operandsOf()),
    yes: ["userdel -r ann"],
    no: ["userdel --help"],
  },
  {
    names: "lvremove vgremove pvremove dropdb dropuser",
    hits: noFiles(operandsOf()),
    yes: ["lvremove vg/a", "dropdb shop"],
    no: ["dropdb --help"],
  },
];

const code: readonly Rule[] = [
  {
    names:
      "python python2 python3 node nodejs deno bun tsx ts-node perl ruby php lua rscript awk gawk mawk" +
      " vim vi nvim view gview gvim rvim vimdiff ex" +
      " mysql mariadb psql sqlite3 duckdb clickhouse-client sqlcmd mongo mongosh powershell pwsh osascript",
    hits: (call) => deletesInCode(call)?.map(plainArg),
    yes: [
      `python3 -c 'import os; os.remove("a")'`,
      `python3 - <<'X'\nimport shutil\nshutil.rmtree("a")\nX`,
      `python -c "import subprocess; subprocess.run(['rm', '-rf', 'a'])"`,
      `node -e "require('fs').unlinkSync('a')"`,
      `node -e "require('child_process').execSync('rm a')"`,
      `deno eval 'await Deno.remove("a")'`,
      `perl -e 'unlink "a"'`,
      `ruby -e 'FileUtils.rm_rf("a")'`,
      `php -r 'unlink("a");'`,
      `awk 'BEGIN{system("rm a")}'`,
      `vim -es -c "call delete('a')" -c q`,
      `nvim --headless +'call delete("a", "rf")' +q`,
      `vim -es -c 'call system("rm a")' -c q`,
      `psql -c "DROP TABLE a"`,
      `echo "delete from a;" | mysql shop`,
      `sqlite3 a.db <<< 'DELETE FROM a'`,
      `mongosh --eval 'db.dropDatabase()'`,
      `pwsh -c "Remove-Item a -Recurse"`,
      `powershell -Command "Get-ChildItem | ForEach-Object { Remove-Item $_ }"`,
    ],
    no: [
      `python3 -c 'print("os.remove")'`,
      `node -e "new Set([1]).delete(1)"`,
      `awk '{delete seen[$2]}' t.csv`,
      `psql -c "select * from deletes"`,
      `psql -c "select 'drop table a'"`,
      `perl -ne 'print if /rm/' a`,
      `python3 script.py --delete`,
      `vim -es -c 'g/x/delete' -c wq a`,
    ],
  },
];

/** Keys, containers, machines: nothing that stands in a folder here. */
const services: readonly Rule[] = ([
  {
    names: "redis-cli",
    hits: anyOperand(/^(flushall|flushdb|del|unlink)$/i),
    yes: ["redis-cli FLUSHALL", "redis-cli -n 1 del k"],
    no: ["redis-cli get del-count"],
  },
  {
    names: "docker podman nerdctl docker-compose",
    hits: (call) =>
      containerDelete(
        call.name === "docker-compose"
          ? { ...call, args: [{ text: "compose", source: "compose" }, ...call.args] }
          : call,
      ),
    yes: [
      "docker rm -f db",
      "docker volume rm v",
      "docker system prune -af",
      "docker compose down -v",
    ],
    no: ["docker run --rm -i node:22 node -v", "docker compose down", "docker build -t rm ."],
  },
  {
    names: "kubectl oc helm",
    hits: verbs("-n --namespace --context -f --filename -l", "delete", "uninstall"),
    yes: ["kubectl delete pod a", "kubectl -n x delete -f a.yml", "helm uninstall a"],
    no: ["kubectl get pods", "kubectl delete pod a --dry-run=client"],
  },
  {
    names: "aws gsutil s3cmd mc rclone lxc incus",
    hits: (call) =>
      anyOperand(/^(rm|rb|del|purge|deletefile|rmdirs?|(delete|terminate|remove)(-\S+)?)$/i)(
        call,
      ) ??
        (readOptions(call.args).has("--dryrun", "--dry-run")
          ? undefined
          : withOption("", "--delete", "--delete-excluded")(call)),
    yes: ["aws s3 rm s3://b/a", "aws s3 sync a s3://b --delete", "aws ec2 terminate-instances --x"],
    no: ["aws s3 ls", "aws s3 rm s3://b/a --dryrun", "rclone copy a b"],
  },
  {
    names:
      "gcloud az doctl heroku flyctl fly hcloud linode-cli oci ibmcloud zfs zpool btrfs vagrant" +
      " pulumi railway vercel netlify wrangler firebase supabase",
    hits: anyOperand(/(^|[:.-])(delete|destroy|terminate)$/i),
    yes: ["gcloud compute instances delete a", "heroku apps:destroy x", "zfs destroy p/a"],
    no: ["gcloud compute instances list", "vagrant up"],
  },
  {
    names: "gh glab",
    hits: ({ args }) => {
      const { operands } = readOptions(args, "-R --repo --label -l --search -S");
      return operands[1]?.text === "delete" ? operands.slice(2) : undefined;
    },
    yes: ["gh repo delete a/b", "gh release delete v1"],
    no: ["gh pr list --label delete", "gh pr view 1"],
  },
  {
    names: "terraform tofu terragrunt",
    hits: (call) =>
      verbs("", "destroy", "workspace delete", "state rm")(call) ??
        (call.args[0]?.text === "plan" ? undefined : withOption("", "-destroy")(call)),
    yes: ["terraform destroy -auto-approve", "terraform apply -destroy"],
    no: ["terraform plan -destroy", "terraform apply"],
  },
  {
    names: "npm pnpm yarn",
    hits: verbs("", "unpublish"),
    yes: ["npm unpublish a"],
    no: ["npm uninstall a", "npm rm a", "npm run clean"],
  },
] satisfies readonly Rule[]).map((rule) => ({ ...rule, hits: noFiles(rule.hits) }));

export const DELETE_RULES: readonly Rule[] = [
  ...files,
  ...gitRules,
  ...code,
  ...services,
  {
    names: "",
    hits: (call) => realFiles(call.truncates),
    yes: ["> a", ">| a; ls"],
    no: ["> /dev/null", ">> a"],
  },
];

function containerDelete(call: Invocation): readonly Arg[] | undefined {
  const removed = verbs(
    "-H -c --host --context -f --file -p --project-name",
    "rm",
    "rmi",
    ...["container", "image", "volume", "network", "builder", "buildx", "system", "pod", "secret"]
      .flatMap((one) => [`${one} rm`, `${one} prune`, `${one} remove`]),
    "compose rm",
  )(call);
  if (removed) return removed;
  const down = verbs("-f --file -p --project-name", "compose down")(call);
  return down && readOptions(call.args).has("-v", "--volumes", "--rmi") ? down : undefined;
}

/** A regular file that is there and would be overwritten. */
function isFile(arg: Arg, cwd: string | undefined): boolean {
  if (cwd === undefined || hasMarks(arg.text)) return false;
  try {
    return Deno.statSync(resolve(cwd, arg.text)).isFile;
  } catch {
    return false;
  }
}

function printsNothing({ name, args, hasInput }: Invocation): boolean {
  if (name === ":" || name === "true") return true;
  if (name === "cat") {
    return !hasInput && args.length > 0 && args.every((arg) => arg.text === "/dev/null");
  }
  const texts = args.map((arg) => arg.text);
  if (name === "echo") return /^-[neE]*n/.test(texts[0] ?? "") && texts.slice(1).join("") === "";
  return name === "printf" && texts.join("") === "";
}

function realFiles(targets: readonly Arg[]): readonly Arg[] | undefined {
  const real = targets.filter((arg) => !/^\/dev\/|^&?\d*$/.test(arg.text));
  return real.length > 0 ? real : undefined;
}

function part(arg: Arg, from: number): Arg {
  return { text: arg.text.slice(from), source: arg.source.slice(from) };
}
