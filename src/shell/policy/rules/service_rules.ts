/** What deletes outside the folders: databases, containers, clouds, registries, Windows' own stores. */
import { type Invocation, readOptions, showsOnly } from "../reader/invocation.ts";
import { TOLD } from "../reader/tails.ts";
import { WRAPPERS } from "../reader/wrappers.ts";
import { anyOperand, noFiles, type Rule, verbs, withOption } from "./rule.ts";
import { WORDED_RULE } from "./worded_rules.ts";
import type { Arg } from "../reader/words.ts";

const NO_ARGS: readonly Arg[] = [];

/** Programs whose first word says what they do. */
const ONE_WORD = "borg borgmatic restic rdiff-backup duplicity azcopy cdk sls serverless minikube" +
  " virsh eb mix skopeo sam flyway dbmate goose liquibase snapper bw s4cmd" +
  " cf kops surge gopass pass ollama dvc ia skate apptainer singularity" +
  " ndctl cliphist";
/** Programs that are told first of what, then what to do. */
const SEVERAL_WORDS =
  "gcloud az doctl heroku flyctl fly hcloud linode-cli oci ibmcloud zfs zpool btrfs vagrant" +
  " b2 multipass pulumi netlify wrangler firebase supabase velero kind k3d k3s colima limactl" +
  " rpk circleci eksctl argocd flux copilot amplify openstack nova scw exo civo vultr-cli vultr" +
  " neonctl neon turso planetscale influx stripe algolia sentry-cli jf jfrog crane regctl oras tkn" +
  " nomad op diesel sqlx kopia databricks snow confluent ccloud temporal atlas mongocli" +
  " hasura appwrite nhost convex render northflank koyeb dokku caprover scalingo clever qovery" +
  " cloudflared tailscale ngrok rancher eksctl kubectx helmfile skaffold devspace garden okteto" +
  " vcluster tanzu cloudsmith buildkite gitea tea hub akamai fastly cscli packer azd ecs-cli" +
  " ansible-galaxy ipfs pveum pvesh qm pct xe esxcli govc aliyun doppler kaggle jj lando loft ceph pd datadog-ci newrelic splunk ldcli flipt split tccli istioctl linkerd cilium sea-orm-cli alembic unleash apigeecli square stratis krunvm" +
  " flask buildah vercel railway pscale crictl ctr";
/** What such a word is when something goes. */
const DELETES =
  /^(?:\S*[:.-])?(?:delete|destroy|purge|prune|drop|undefine|remove|rm[ir]?|del|terminate|forget|unpublish|nuke|wipe|erase|abandon)(?:[-_]\S*)?$|^(?:pg|db|ecto|redis|repo)[:.]reset$|^(?:dropall|domains:clear)$/i;
/** The same in the names of an interface's calls. */
const DELETING_CALL = /^(?:Delete|Destroy|Drop|Terminate|Remove|Release)[A-Z]\w*$/;
/** What they install in a cluster goes with them. */
const CLUSTERS = /^(?:flux|istioctl|linkerd|cilium|velero|loft)$/;
/** An option that says so. */
const DELETING_OPTION =
  /^-{1,2}(?:purge|delete|destroy|delete-destination|delete-unmatched-destination-objects)(?:=true)?$/;
/** What empties a database or takes back all of its changes. */
const EMPTIES =
  /\b(?:db|database|schema|migrat(?:e|ion|ions)|metadata|flyway|goose|branch|branches) (?:reset|fresh|refresh|clean|clear|wipe|down-to|downgrade base)$|^(?:alembic|flask db) downgrade base$|^zfs rollback$|^dvc gc$|^zpool labelclear$/;
const LOCAL =
  /^(?:\w+:\/\/)?(?:[\w.-]+@)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?:$|[:/])|^:/i;
/** Ports of databases and gateways: what they hold is more than what is being tried out. */
const STORES =
  /:(?:2379|5984|6333|7700|8001|8086|8123|8200|8500|8529|8983|9090|9200|9201|15672|19530)(?:$|\/)/;
/** Places that delete whatever the method. */
const DELETING_PATH = /\/(?:_delete_by_query|delete_series|delete-batch|doDelete)\b/;
/** A batch of changes of which one deletes. */
const CHANGES = /"Action"\s*:\s*"DELETE"|"DeleteRequest"/;
const REQUEST_TAKES =
  "-X -o -d -H -u -A -b -c -e -F -T -K -m -w -x -C -E -r -Q --quote --request --method --data --header --user" +
  " --output --form --url --auth -a --verify --session";

/** Applies when one of the first words, all of them words, deletes; the words after it are hit. */
function deletesAt(depth: number): Rule["hits"] {
  return ({ name, args, stdin }) => {
    if (showsOnly(args)) return undefined;
    const texts = readOptions(args).operands.map(({ text }) => text);
    if (texts.at(-1) === "help") return undefined;
    if (args.some(({ text }) => DELETING_OPTION.test(text)) || saysSql(args, stdin)) return NO_ARGS;
    if (CLUSTERS.test(name) && texts[0] === "uninstall") return NO_ARGS;
    return [texts, withoutValues(args)].some((words) => {
        const end = words.findIndex((word) => !/^[a-z][\w:.-]*$/i.test(word));
        const place = words.slice(0, Math.min(depth, end < 0 ? depth : end));
        return [1, 2, 3].some((n) => EMPTIES.test([name, ...words.slice(0, n)].join(" "))) ||
          place.some((word) => DELETES.test(word) || DELETING_CALL.test(word));
      })
      ? NO_ARGS
      : undefined;
  };
}

/** The operands, were each of the options told a value: which are is not known of every program. */
function withoutValues(args: readonly Arg[]): string[] {
  return args.map(({ text }) => text).filter((text, i, all) =>
    !text.startsWith("-") && !/^-[^=]+$/.test(all[i - 1] ?? "")
  );
}

/** A statement of a database's language that deletes, whole in one argument or at its begin. */
const SQL =
  /^\s*(?:drop\s+(?:table|database|schema|(?:materialized\s+)?view|index|column|user|role|keyspace|measurement|collection)\s|delete\s+from\s|truncate\s+(?:table\s+)?\w|alter\s+table\s[^;]*\sdrop\s|remove\s+(?:table|database|namespace)\s|(?:optional\s+)?match\s*\([^]*\bdelete\s)/i;

/** Whether a program is handed such a statement, or reads one; what stands behind a title is prose. */
function saysSql(args: readonly Arg[], stdin: string | undefined): boolean {
  return args.some(({ text }, i) =>
    text.includes(" ") && SQL.test(text.replace(/^--?[\w-]+=/, "")) &&
    !PROSE_OPTION.test(args[i - 1]?.text ?? "")
  ) || stdin !== undefined && SQL.test(stdin);
}
const PROSE_OPTION =
  /^-(?:m|t|b|-?(?:title|message|body|name|description|desc|comment|note|text|prompt|grep|filter|summary|subject|label))$/;

/** A verb that means one thing in whatever program's words. */
const PLAIN_VERB =
  /^(?:[\w.:-]*[:.-])?(?:delete|destroy|purge|drop|terminate|wipe|erase|nuke|expunge)(?:[-_][\w-]+)?$|^(?:[Dd]elete|[Dd]estroy|[Dd]rop|Terminate)[A-Z]\w*$|:(?:fresh|reset|truncate|truncate_all|flush)$/;
/** The same as an option that takes no value. */
const PLAIN_OPTION = /^--?(?:delete|destroy|purge|wipe|erase|nuke)(?:-all)?$/;
/** A program that is called after it. */
const PLAIN_NAME =
  /^\w*[-_](?:delete|destroy|purge|wipe|erase|uninstall|nuke)(?:[-_.]|$)|^(?:delete|destroy|purge|wipe|erase|uninstall|nuke)[-_]|^(?:ldapdelete|kdestroy|mega-rm|condor_rm|flash_eraseall|memcflush)$/;
/** Calls of a language's own, in a program that is handed its code. */
const PLAIN_CODE =
  /\bos\.(?:remove|unlink|rmdir|removedirs)\s*\(|\bshutil\.rmtree\s*\(|\b(?:unlink|rm|rmdir)Sync\s*\(|\bDeno\.remove|\bFileUtils\.rm|\bFiles?\.[dD]elete\w*\s*\(|\(\s*(?:[\w.]+\/)?(?:file-delete|delete-file|delete-directory)\b|\b(?:rm|remove)File\s*\(/;
/** One of them may be there. */
const MAY_DELETE =
  /delete|destroy|purge|drop|terminate|wipe|erase|nuke|expunge|truncate|remove|rm|unlink|:(?:fresh|reset|flush)/i;
/** An option that is told a verb of another kind. */
const MODE = /^--?(?:mode|action|method|type|filter|grep|name|label|tag|event)$/;
/** A framework's task that empties or deletes. */
const TASK =
  /^[\w-]+(?::[\w-]+)*:(?:drop|fresh|wipe|reset|refresh|truncate|purge|delete|prune|flush)$/;
/** What a model of a framework is told in its shell. */
const MODELS = /(?:->|::|\.)(?:delete|truncate|forceDelete|destroy)\s*\(/;
/** Their words are names of the project's own: tests, tasks, scripts. */
const OWN_NAMES =
  /^(?:make|gmake|just|task|jest|vitest|mocha|ava|tap|pytest|py\.test|nox|tox|invoke|fab|nx|turbo|lerna|ctest|bazel|buck2?|phpunit|rspec|playwright|cypress|ninja|meson|scons|ant|msbuild|sbt|lein|grunt|gulp|tsc|eslint|prettier|sleep|seq|chmod|ctags|protoc|openapi-generator|iptables|ip6tables|nft|ip|route|ufw|firewall-cmd|nmcli|tc|ovs-vsctl|bridge|ipset|module|rc-update|eselect|loginctl|nala|wajig|xargs|parallel|sem|ssh|watch|eval)$/;

/** Keys, containers, databases, machines: nothing that stands in a folder here. */
export const SERVICE_RULES: readonly Rule[] = ([
  WORDED_RULE,
  {
    names: "redis-cli valkey-cli keydb-cli",
    hits: ({ args, stdin }) => {
      const takes = "-h -p -n -a -u -s -r -i --user --pass --pattern";
      const words = readOptions(args, takes, true).operands.map(({ text }) => text);
      const lines = words.length > 0 ? words.join(" ") : stdin ?? "";
      const script = args.map(({ text }) => text).join(" ");
      return /^\s*(flushall|flushdb|[hx]?del|getdel|json\.del|unlink|ft\.dropindex|[sl]rem|zrem\w*|ltrim|xtrim|(?:function|script) flush|xgroup destroy|cluster reset|debug flushall|shutdown nosave)(?=\s|$)/im
          .test(lines) ||
          /\bredis\.p?call\(\s*["'](?:flush|h?del|unlink)/i.test(script)
        ? NO_ARGS
        : undefined;
    },
    yes: [
      "redis-cli FLUSHALL",
      "redis-cli -n 1 del k",
      "redis-cli -h cache FLUSHDB async",
      "redis-cli <<< FLUSHALL",
      "valkey-cli function flush",
      "redis-cli zremrangebyrank a 0 -1",
      `redis-cli eval "return redis.call('del', KEYS[1])" 1 k`,
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
      verbs(
        "-n --namespace --context -f --filename -l --kube-context --kubeconfig",
        "delete",
        "del",
        "uninstall",
        "adm prune",
        "plugin uninstall",
        ...["context", "cluster", "user"].map((one) => `config delete-${one}`),
      )(call) ??
        (call.args.some((arg) => /^(?:replace|drain)$/.test(arg.text))
          ? withOption("", "--force", "--delete-emptydir-data", "--delete-local-data")(call)
          : verbs("", "apply")(call) && withOption("", "--prune")(call)),
    yes: [
      "kubectl drain a --delete-emptydir-data",
      "kubectl delete pod a",
      "kubectl apply --prune -f a.yml -l b=c",
      "kubectl delete pod a --dry-run=none",
      "helm del --purge a",
      "kubectl -n x delete -f a.yml",
      "helm uninstall a",
    ],
    no: ["kubectl get pods", "kubectl delete pod a --dry-run=client"],
  },
  {
    names: "aws gsutil s3cmd s5cmd mc rclone lxc incus",
    hits: (call) =>
      call.name === "aws" && call.args.at(-1)?.text === "help" ? undefined : anyOperand(
        /^(rm|rb|del|deletefile|rmdirs?|(\w+-)?(delete|terminate|remove|purge)(-\S+)?|schedule-\S+-deletion|deregister-(?:image|task-definition)|release-(?:address|hosts))$/i,
      )(
        call,
      ) ??
        (readOptions(call.args).has("--dryrun", "--dry-run")
          ? undefined
          : withOption("", "--delete", "--delete-excluded", "--delete-removed")(call) ??
            (call.name === "mc" ? withOption("", "--remove")(call) : undefined) ??
            (call.args.some(({ text }) => CHANGES.test(text)) ? NO_ARGS : undefined) ??
            (call.name === "rclone"
              ? verbs("", "sync", "move", "moveto", "cleanup", "dedupe")(call)
              : undefined) ??
            (call.name === "gsutil" ? withOption("", "-d")(call) : undefined)),
    yes: [
      "aws s3 rm s3://b/a",
      "aws s3 sync a s3://b --delete",
      "aws ec2 terminate-instances --x",
      "aws kms schedule-key-deletion --key-id a",
      "mc mirror --remove a b",
      "rclone move a b:c",
      "s3cmd sync --delete-removed a s3://b",
    ],
    no: ["aws s3 ls", "aws s3 rm s3://b/a --dryrun", "aws s3 rm help", "rclone copy a b"],
  },
  {
    names: ONE_WORD,
    hits: deletesAt(1),
    yes: [
      "borg delete repo::a",
      "borg --verbose prune -d 7 repo",
      "restic forget --keep-last 3",
      "duplicity remove-older-than 1M file:///b",
      "azcopy rm https://a.example/b",
      "virsh undefine a --remove-all-storage",
      "npx cdk destroy --force",
      "mix ecto.drop",
      "vercel rm a",
      "skopeo delete docker://a",
      "restic -r a forget b",
      "virsh -c qemu:///system undefine a",
      "dvc gc -w",
    ],
    no: [
      "borg create repo::delete .",
      "borg prune --dry-run repo",
      "restic snapshots",
      "cdk deploy",
      "mix test",
      "minikube start",
      "virsh list",
    ],
  },
  {
    names: SEVERAL_WORDS,
    hits: deletesAt(4),
    yes: [
      "gcloud compute instances delete a",
      "gcloud storage rm gs://b/a",
      "heroku apps:destroy x",
      "heroku pg:reset",
      "zfs destroy p/a",
      "velero backup delete a",
      "k3d cluster delete",
      "supabase db reset",
      "circleci context delete github a b",
      "rpk topic delete a",
      "az storage blob delete-batch -s a",
      "doctl compute droplet rm 1",
      "aliyun ecs DeleteInstance --InstanceId a",
      "nomad job stop -purge a",
      "goose reset",
      "sea-orm-cli migrate fresh",
      "alembic downgrade base",
      "zfs rollback p/a@b",
      "vercel env rm A",
      "wrangler d1 execute a --command 'DROP TABLE b'",
      "gcloud storage rsync --delete-unmatched-destination-objects a gs://b",
      "istioctl uninstall",
    ],
    no: [
      "gcloud compute instances list",
      "vagrant up",
      "kind get clusters",
      "supabase db push",
      "alembic downgrade -1",
      "goose status",
      "gcloud storage cp ./delete gs://b",
      "heroku apps:destroy --help",
    ],
  },
  {
    names: "?",
    hits: (call) => {
      const { name, written, args, stdin } = call;
      const named = PLAIN_NAME.test(name);
      if (!named && stdin === undefined && !args.some(({ text }) => MAY_DELETE.test(text))) {
        return undefined;
      }
      // the project's own program, which is being tried out
      const own = /^[^/~]+\//.test(written);
      if (own || call.guessed || TOLD.has(name) || OWN_NAMES.test(name)) return undefined;
      if (Object.hasOwn(WRAPPERS, name) || showsOnly(args)) return undefined;
      if (named || saysSql(args, stdin)) return NO_ARGS;
      if (args.some(({ text }) => PLAIN_CODE.test(text) || PLAIN_OPTION.test(text))) return NO_ARGS;
      return [readOptions(args).operands.map(({ text }) => text), withoutValues(args)].some(
          (all) => {
            const words = all.slice(0, 3);
            const end = words.findIndex((word) => !/^[a-z][\w:.-]*$/i.test(word));
            return words.slice(0, end < 0 ? undefined : end).some((word) => PLAIN_VERB.test(word));
          },
        ) &&
          !args.some(({ text }, i) => PLAIN_VERB.test(text) && MODE.test(args[i - 1]?.text ?? ""))
        ? NO_ARGS
        : undefined;
    },
    yes: [
      "somecloud project delete a",
      "somecloud keys destroy a",
      "somecloud vm TerminateInstances --id a",
      "somecloud db:drop",
      "migrate drop -f",
      "migrate -path a -database b drop",
      "somecloud image-delete a",
      "somecloud -p a vm delete b",
      "somecloud a:b:fresh",
      "somecloud sql 'DROP TABLE a'",
      "somecloud sql <<< 'delete from a'",
      "somecloud jobs --purge",
      "mega-delete a",
      "k3s-uninstall.sh",
      `somecloud --eval 'os.remove("a")'`,
    ],
    no: [
      "somecloud project list",
      "./somecloud project delete a",
      "somecloud --mode delete a",
      "make delete",
      "somecloud get ./delete",
      "somecloud delete --help",
      "somecloud --title 'Drop table a'",
      "somecloud --note 'we must delete from a'",
      `rg 'os\\.remove\\(' src | wc -l`,
      "./delete-all a",
    ],
  },
  {
    names: "dotnet",
    hits: verbs(
      "",
      "ef database drop",
      "ef database update 0",
      "ef migrations remove",
      "nuget delete",
      "user-secrets remove",
      "user-secrets clear",
    ),
    yes: ["dotnet ef database drop -f", "dotnet nuget delete a 1.0.0"],
    no: ["dotnet ef database update", "dotnet remove package a", "dotnet tool uninstall -g a"],
  },
  {
    names: "ftp sftp lftp ncftp smbclient cadaver",
    hits: ({ args, stdin }) => {
      const script = [...args.map(({ text }) => text), stdin ?? ""].join("\n");
      return /(?:^|[;\n])\s*-?(?:rm|rmdir|mrm|glob rm|del|delete|mdelete|deltree|dele|rmd)\s|\bmirror\b[^;\n]*--(?:delete|Remove-source)/
          .test(script)
        ? NO_ARGS
        : undefined;
    },
    yes: [
      "sftp -b - h <<< 'rm a'",
      "lftp -e 'mirror -R --delete a b; quit' h",
      "smbclient //h/s -c 'cd a; deltree b'",
      "echo 'delete a' | ftp -n h",
    ],
    no: ["sftp -b - h <<< 'get rm'", "lftp -e 'mirror a b; quit' h", "smbclient //h/s -c 'ls'"],
  },
  {
    names: "curl curlie wget http https xh xhs",
    hits: ({ name, args }) => {
      const options = readOptions(args, REQUEST_TAKES);
      const method = /^(?:x?https?|xhs?)$/.test(name)
        ? options.operands[0]?.text
        : options.value("-X", "--request", "--method");
      const places = options.operands.map(({ text }) => text);
      if (places.some((text) => DELETING_PATH.test(text))) return NO_ARGS;
      if (/^\W*(?:DELE|RMD)\s/i.test(options.value("-Q", "--quote") ?? "")) return NO_ARGS;
      // a server of one's own that is being tried out
      const local = places.some((text) => LOCAL.test(text)) &&
        !places.some((text) => STORES.test(text));
      return /^delete$/i.test(method ?? "") && !local ? NO_ARGS : undefined;
    },
    yes: [
      "curl -X DELETE https://a.example/b",
      "curl -sSXDELETE https://a.example/b",
      "curl --request=DELETE https://a.example/b",
      "wget --method=DELETE https://a.example/b",
      "http --json DELETE a.example/b",
      "xh delete a.example/b",
      "curl -X DELETE http://localhost:9200/index",
      "curl -X POST http://localhost:9200/index/_delete_by_query",
    ],
    no: [
      "curl -X POST https://a.example/delete",
      "curl -d DELETE https://a.example",
      "curl -X DELETE http://localhost:3000/users/1",
      "http DELETE :8080/b",
      "curl -H 'X: DELETE' https://a.example",
      "http GET a.example/DELETE",
    ],
  },
  {
    names: "kafka-topics kafka-consumer-groups kafka-configs kafka-acls kafka-delete-records" +
      " kafka-topics.sh kafka-consumer-groups.sh kafka-configs.sh kafka-acls.sh" +
      " kafka-delete-records.sh vboxmanage wsl timeshift gpg gpg2 keytool tmutil pg_restore mongorestore",
    hits: ({ name, args }) =>
      name.startsWith("kafka-delete") ||
        args.some(({ text }) =>
          /^-{1,2}(?:delete(?:-[\w-]+)?|remove|drop|clean|unregister)$/.test(text) ||
          /^(?:tmutil|vboxmanage)$/.test(name) && /^delete(?:localsnapshots)?$/.test(text) ||
          name === "pg_restore" && /^-\w*c/.test(text)
        )
        ? NO_ARGS
        : undefined,
    yes: [
      "kafka-topics --delete --topic a",
      "kafka-consumer-groups --bootstrap-server b --delete --group a",
      "VBoxManage unregistervm a --delete",
      "gpg --batch --delete-secret-keys a",
      "keytool -delete -alias a",
      "pg_restore --clean -d shop a.dump",
      "pg_restore -c -d shop a.dump",
      "wsl --unregister a",
      "VBoxManage snapshot a delete b",
    ],
    no: ["kafka-topics --list", "VBoxManage list vms", "gpg --list-keys", "pg_restore -l a.dump"],
  },
  {
    names: "gh glab",
    hits: ({ args }) => {
      const { operands } = readOptions(args, "-R --repo --label -l --search -S");
      const method = readOptions(args, "-X --method").value("-X", "--method");
      if (operands[0]?.text === "api" && /^delete$/i.test(method ?? "")) return NO_ARGS;
      const ends = /^(pr|mr) (close|merge)$/.test(`${operands[0]?.text} ${operands[1]?.text}`);
      const branch = /^(?:-[a-z]*d[a-z]*|--(?:delete-branch|remove-source-branch)(?:=true)?)$/;
      if (ends && args.some(({ text }) => branch.test(text))) return NO_ARGS;
      const [thing, verb, more] = operands.map(({ text }) => text);
      const deletes = /^(?:\w+-)?delete(?:-\w+)?$/.test(verb ?? "") ||
        verb === "remove" && /^(?:secret|variable)$/.test(thing ?? "") ||
        verb === "deploy-key" && more === "delete";
      return deletes ? operands.slice(2) : undefined;
    },
    yes: [
      "gh repo delete a/b",
      "gh release delete v1",
      "gh release delete-asset v1 a",
      "gh secret remove A",
      "gh repo deploy-key delete 1",
      "gh api -X DELETE repos/a/b",
      "gh pr close 1 --delete-branch",
      "gh pr merge -sd",
      "glab mr merge 1 --remove-source-branch",
    ],
    no: [
      "gh pr list --label delete",
      "gh pr view 1",
      "gh search code delete",
      "gh api repos/a/b",
      "gh pr merge 1 --squash",
      "gh pr merge 1 --delete-branch=false",
      "gh pr create -d",
    ],
  },
  {
    names: "terraform tofu terragrunt",
    hits: (call) =>
      verbs("", "destroy", "run-all destroy", "run destroy", "workspace delete", "state rm")(
        call,
      ) ??
        (call.args[0]?.text === "plan" ? undefined : withOption("", "-destroy")(call)),
    yes: [
      "terraform destroy -auto-approve",
      "terraform apply -destroy",
      "terraform -chdir=a destroy",
      "terragrunt run --all destroy",
    ],
    no: ["terraform plan -destroy", "terraform apply"],
  },
  {
    names: "ansible ansible-playbook",
    hits: ({ args }) =>
      args.some(({ text }) => /\bstate=absent\b/.test(text)) ? NO_ARGS : undefined,
    yes: ["ansible all -m file -a 'path=/srv/a state=absent'"],
    no: ["ansible all -m file -a 'path=/srv/a state=touch'"],
  },
  {
    names: "rails rake bin/rails",
    hits: (call) =>
      anyOperand(
        /^db:(drop|reset|purge|truncate_all|schema:load|migrate:reset|seed:replant)(:\w+)?$/,
      )(
        call,
      ) ??
        (call.args.some(({ text }) => /\.(?:delete|destroy)(?:_all|!)?(?![\w(])/.test(text)) ||
            /^(?:d|destroy)$/.test(call.args[0]?.text ?? "")
          ? NO_ARGS
          : undefined),
    yes: [
      "rails db:drop",
      "bundle exec rake db:reset",
      "bin/rails db:drop:all",
      "rails destroy model A",
      "rails runner 'A.delete_all'",
    ],
    no: ["rails db:migrate", "rake test", "rails runner 'puts A.count'"],
  },
  {
    names: "prisma sequelize sequelize-cli typeorm knex drizzle-kit mikro-orm",
    hits: (call) =>
      anyOperand(/^(?:\w+:)*(?:drop|fresh|undo:all)$/)(call) ?? verbs("", "migrate reset")(call) ??
        withOption("", "--force-reset", "--accept-data-loss")(call) ??
        (verbs("", "migrate:rollback")(call) && withOption("", "--all")(call)) ??
        (saysSql(call.args, call.stdin) ? NO_ARGS : undefined),
    yes: [
      "npx prisma migrate reset --force",
      "npx prisma db push --force-reset",
      "npx typeorm schema:drop",
      "npx prisma@5 migrate reset",
      "yarn prisma migrate reset",
      "npx prisma db push --accept-data-loss",
      "npx prisma db execute --stdin <<< 'DROP TABLE a'",
      "npx sequelize db:seed:undo:all",
      "npx knex migrate:rollback --all",
      "npx mikro-orm migration:fresh",
    ],
    no: ["npx prisma migrate dev", "npx prisma generate", "npx sequelize db:migrate"],
  },
  {
    names:
      "php artisan sail python python2 python3 manage.py django-admin node deno bun ruby console",
    hits: ({ name, args }) => {
      const texts = [name, ...args.map((arg) => arg.text)];
      const at = texts.findIndex((text) => /(^|\/)(artisan|manage\.py|django-admin)$/.test(text));
      const django = texts.indexOf("django", 1);
      const from = at >= 0 ? at : texts[django - 1] === "-m" ? django : -1;
      const verb = from < 0 ? "" : texts[from + 1] ?? "";
      const line = from < 0 ? "" : texts.slice(from + 1).join(" ");
      if (/^(flush|reset_db|sqlflush|delete_user|migrate \w+ zero)(?= |$)/.test(line)) {
        return NO_ARGS;
      }
      if (/^(?:shell\w*|tinker)$/.test(verb) && MODELS.test(line)) return NO_ARGS;
      // a task of the project's framework, behind the script that runs it
      const words = readOptions(args, "-c -e -m -r -W -X -I --eval", true).operands;
      const tasks = name === "console" || name === "artisan" ? words : words.slice(1);
      const [task] = readOptions(tasks).operands.map(({ text }) => text);
      return TASK.test(task ?? "") && !showsOnly(tasks) ? NO_ARGS : undefined;
    },
    yes: [
      "php artisan migrate:fresh --seed",
      "python manage.py flush --no-input",
      "python manage.py migrate a zero",
      "python -m django flush",
      "python manage.py shell -c 'A.objects.all().delete()'",
      "php artisan tinker --execute='DB::table(1)->delete()'",
      "./vendor/bin/sail artisan migrate:fresh",
      "php bin/console doctrine:database:drop --force",
      "bin/console doctrine:schema:drop --force",
      "node ace db:wipe",
      "php occ user:delete a",
      "./manage.py reset_db",
    ],
    no: [
      "php artisan migrate",
      "python manage.py migrate",
      "python3 flush.py",
      "php bin/console cache:clear",
    ],
  },
  {
    names: "mysqladmin etcdctl consul vault nats bq rabbitmqctl rabbitmqadmin defaults",
    hits: ({ name, args, stdin }) => {
      const takes = "-u -h -P -p --bootstrap-server --topic -namespace --namespace";
      const words = readOptions(args, takes).operands.slice(0, name === "vault" ? 3 : 2);
      const deletes = words.some((arg) =>
        /^(drop|del|delete|destroy|rm|remove|purge|prune|reset|force_reset|disable|revoke|deregister|delete-all|(forget|delete|purge|remove)_\w+)$/i
          .test(
            arg.text,
          )
      );
      const says = args.some((arg) => arg.text === "--delete") || saysSql(args, stdin);
      return deletes || says ? NO_ARGS : undefined;
    },
    yes: [
      "bq query --use_legacy_sql=false 'DELETE FROM a.b WHERE true'",
      "vault token revoke a",
      "mysqladmin drop shop",
      "etcdctl del k",
      "vault kv delete a",
    ],
    no: ["etcdctl get k", "vault kv get delete-me", "defaults read a"],
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
    names: "gradle gradlew mvn mvnw sbt ant lein",
    hits: anyOperand(/^(?:\w*:)*(?:flyway:?clean|(?:liquibase:?)?dropAll)$/i),
    yes: ["./gradlew flywayClean", "mvn liquibase:dropAll"],
    no: ["./gradlew clean", "mvn flyway:migrate"],
  },
  {
    names: "robocopy",
    hits: ({ args }) =>
      args.some(({ text }) => /^\/(?:mir|purge|mov|move)$/i.test(text)) ? NO_ARGS : undefined,
    yes: ["robocopy a b /MIR"],
    no: ["robocopy a b /E"],
  },
  {
    names: "hbase",
    hits: ({ args, stdin }) =>
      args[0]?.text === "shell" && /^\s*(?:drop|truncate|deleteall|drop_all)\b/m.test(stdin ?? "")
        ? NO_ARGS
        : undefined,
    yes: [`hbase shell <<< "drop 'a'"`],
    no: ["hbase shell <<< list"],
  },
  {
    names: "npm pnpm yarn cargo gem",
    hits: (call) =>
      readOptions(call.args).has("--undo") ? undefined : verbs(
        "",
        ...["unpublish", "yank", "npm unpublish", "dist-tag rm", "owner rm", "token revoke"],
      )(call),
    yes: [
      "npm dist-tag rm a b",
      "yarn npm unpublish a",
      "npm unpublish a",
      "cargo yank --version 1.0.0",
    ],
    no: [
      "cargo publish",
      "cargo yank --version 1.0.0 --undo",
      "npm uninstall a",
      "npm rm a",
      "npm run clean",
    ],
  },
] satisfies readonly Rule[]).map((rule) => ({ ...rule, hits: noFiles(rule.hits) }));

/** What containers' programs keep, each with a verb of its own. */
const MANAGED =
  "container image volume network builder buildx system pod secret stack service config context" +
  " machine manifest plugin node model cache";

const removes = verbs(
  "-H -c --host --context -f --file -p --project-name",
  "rm",
  "rmi",
  ...MANAGED.split(" ").flatMap((one) => [`${one} rm`, `${one} prune`, `${one} remove`]),
  "compose rm",
  "system reset",
  "machine reset",
);

function containerDelete(call: Invocation): readonly Arg[] | undefined {
  const removed = removes(call);
  if (removed) return removed;
  if (verbs("", "swarm leave")(call)) return withOption("", "-f", "--force")(call);
  const down = verbs("-f --file -p --project-name", "compose down")(call);
  return down && readOptions(call.args).has("-v", "--volumes", "--rmi") ? down : undefined;
}
