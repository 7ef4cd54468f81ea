/** What deletes outside the folders: databases, containers, clouds, registries, Windows' own stores. */
import type { Invocation } from "./invocation.ts";
import { readOptions } from "./options.ts";
import { anyOperand, noFiles, type Rule, verbs, withOption } from "./rule.ts";
import type { Arg } from "./words.ts";

const NO_ARGS: readonly Arg[] = [];

/** Keys, containers, databases, machines: nothing that stands in a folder here. */
export const SERVICE_RULES: readonly Rule[] = ([
  {
    names: "redis-cli",
    hits: ({ args, stdin }) => {
      const takes = "-h -p -n -a -u -s -r -i --user --pass --pattern";
      const [verb] = readOptions(args, takes, true).operands;
      const lines = verb ? verb.text : stdin ?? "";
      return /^\s*(flushall|flushdb|h?del|getdel|json\.del|unlink)(?=\s|$)/im.test(lines)
        ? NO_ARGS
        : undefined;
    },
    yes: [
      "redis-cli FLUSHALL",
      "redis-cli -n 1 del k",
      "redis-cli -h cache FLUSHDB async",
      "redis-cli <<< FLUSHALL",
    ],
    no: ["redis-cli get del-count", "redis-cli get del", "redis-cli --scan --pattern 'del:*'"],
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
    hits: (call) =>
      verbs("-n --namespace --context -f --filename -l", "delete", "uninstall")(call) ??
        (call.args.some((arg) => arg.text === "replace")
          ? withOption("", "--force")(call)
          : undefined),
    yes: ["kubectl delete pod a", "kubectl -n x delete -f a.yml", "helm uninstall a"],
    no: ["kubectl get pods", "kubectl delete pod a --dry-run=client"],
  },
  {
    names: "aws gsutil s3cmd mc rclone lxc incus",
    hits: (call) =>
      call.name === "aws" && call.args.at(-1)?.text === "help"
        ? undefined
        : anyOperand(/^(rm|rb|del|purge|deletefile|rmdirs?|(delete|terminate|remove)(-\S+)?)$/i)(
          call,
        ) ??
          (readOptions(call.args).has("--dryrun", "--dry-run")
            ? undefined
            : withOption("", "--delete", "--delete-excluded")(call) ??
              (call.name === "rclone" ? verbs("", "sync")(call) : undefined) ??
              (call.name === "gsutil" ? withOption("", "-d")(call) : undefined)),
    yes: ["aws s3 rm s3://b/a", "aws s3 sync a s3://b --delete", "aws ec2 terminate-instances --x"],
    no: ["aws s3 ls", "aws s3 rm s3://b/a --dryrun", "aws s3 rm help", "rclone copy a b"],
  },
  {
    names:
      "gcloud az doctl heroku flyctl fly hcloud linode-cli oci ibmcloud zfs zpool btrfs vagrant" +
      " multipass pulumi railway vercel netlify wrangler firebase supabase",
    hits: anyOperand(/(^|[:.-])(delete|destroy|terminate)(-batch)?$/i),
    yes: ["gcloud compute instances delete a", "heroku apps:destroy x", "zfs destroy p/a"],
    no: ["gcloud compute instances list", "vagrant up"],
  },
  {
    names: "gh glab",
    hits: ({ args }) => {
      const { operands } = readOptions(args, "-R --repo --label -l --search -S");
      const method = readOptions(args, "-X --method").value("-X", "--method");
      if (operands[0]?.text === "api" && /^delete$/i.test(method ?? "")) return NO_ARGS;
      const ends = /^(pr|mr) (close|merge)$/.test(`${operands[0]?.text} ${operands[1]?.text}`);
      const branch = ["-d", "--delete-branch", "--remove-source-branch"];
      if (ends && readOptions(args).has(...branch)) return NO_ARGS;
      return operands[1]?.text === "delete" ? operands.slice(2) : undefined;
    },
    yes: [
      "gh repo delete a/b",
      "gh release delete v1",
      "gh api -X DELETE repos/a/b",
      "gh pr close 1 --delete-branch",
      "gh pr merge -sd",
      "glab mr merge 1 --remove-source-branch",
    ],
    no: [
      "gh pr list --label delete",
      "gh pr view 1",
      "gh api repos/a/b",
      "gh pr merge 1 --squash",
      "gh pr create -d",
    ],
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
    names: "rails rake bin/rails",
    hits: anyOperand(/^db:(drop|reset|purge|truncate_all|schema:load|migrate:reset)(:\w+)?$/),
    yes: ["rails db:drop", "bundle exec rake db:reset", "bin/rails db:drop:all"],
    no: ["rails db:migrate", "rake test"],
  },
  {
    names: "prisma sequelize sequelize-cli typeorm knex drizzle-kit",
    hits: (call) =>
      verbs("", "migrate reset", "db:drop", "schema:drop", "db:migrate:undo:all", "drop")(call) ??
        withOption("", "--force-reset")(call),
    yes: [
      "npx prisma migrate reset --force",
      "npx prisma db push --force-reset",
      "npx typeorm schema:drop",
      "npx prisma@5 migrate reset",
    ],
    no: ["npx prisma migrate dev", "npx prisma generate", "npx sequelize db:migrate"],
  },
  {
    names: "php artisan python python3 manage.py django-admin",
    hits: ({ name, args }) => {
      const texts = [name, ...args.map((arg) => arg.text)];
      const at = texts.findIndex((text) => /(^|\/)(artisan|manage\.py|django-admin)$/.test(text));
      const verb = at < 0 ? "" : texts[at + 1] ?? "";
      return /^(migrate:(fresh|reset|refresh)|db:wipe|flush|reset_db|sqlflush)$/.test(verb)
        ? NO_ARGS
        : undefined;
    },
    yes: [
      "php artisan migrate:fresh --seed",
      "python manage.py flush --no-input",
      "./manage.py reset_db",
    ],
    no: ["php artisan migrate", "python manage.py migrate", "python3 flush.py"],
  },
  {
    names:
      "mysqladmin etcdctl consul vault nats bq rabbitmqctl kafka-topics kafka-topics.sh defaults",
    hits: ({ args }) => {
      const words = readOptions(args, "-u -h -P -p --bootstrap-server --topic").operands.slice(
        0,
        2,
      );
      const deletes = words.some((arg) =>
        /^(drop|del|delete|destroy|rm|remove|purge|reset|(delete|purge|remove)_\w+)$/i.test(
          arg.text,
        )
      );
      return deletes || args.some((arg) => arg.text === "--delete") ? NO_ARGS : undefined;
    },
    yes: [
      "mysqladmin drop shop",
      "etcdctl del k",
      "vault kv delete a",
      "kafka-topics --delete --topic a",
    ],
    no: ["etcdctl get k", "vault kv get delete-me", "kafka-topics --list", "defaults read a"],
  },
  {
    names: "reg sc schtasks vssadmin wmic net bcdedit",
    hits: ({ args }) => args.some((arg) => /^\/?delete$/i.test(arg.text)) ? NO_ARGS : undefined,
    yes: [
      "reg delete HKCU\\x /f",
      "schtasks /delete /tn a",
      "vssadmin delete shadows /all",
      "net user a /delete",
    ],
    no: ["reg query HKCU\\x", "sc query", "net user"],
  },
  {
    names: "npm pnpm yarn cargo gem",
    hits: verbs("", "unpublish", "yank"),
    yes: ["npm unpublish a", "cargo yank --version 1.0.0"],
    no: ["cargo publish", "npm uninstall a", "npm rm a", "npm run clean"],
  },
] satisfies readonly Rule[]).map((rule) => ({ ...rule, hits: noFiles(rule.hits) }));

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
