/** Programs that delete by words of their own, which mean nothing among another's arguments. */
import { showsOnly } from "../reader/invocation.ts";
import type { Rule } from "./rule.ts";
import type { Arg } from "../reader/words.ts";

const NO_ARGS: readonly Arg[] = [];

/** Programs, and what their arguments hold where something goes: a blank stands around each. */
const WORDED: readonly (readonly [names: string, words: RegExp])[] = [
  ["zkcli zkcli.sh zookeeper-shell zookeeper-shell.sh", / (?:delete|deleteall|rmr) /],
  ["hdfs hadoop", / -(?:rmr?|rmdir|expunge|deleteSnapshot|format) /],
  ["nodetool", / (?:clearsnapshot|decommission|removenode|assassinate) /],
  ["pgbackrest barman wal-g wal-e", / (?:expire|stanza-delete|delete) /],
  ["pg_resetwal pg_archivecleanup", / (?!-n |--dry-run |--version |-V ).* /],
  ["goose", / (?:reset|down-to) /],
  ["lvresize", / (?:-L|--size)[ =]?-/],
  ["mongoimport", / --drop /],
  ["kubeadm talosctl k0s microk8s rke", / (?:reset|remove|delete) /],
  ["airflow prefect dagster mlflow", / (?:delete|wipe|gc|(?:db|database) (?:reset|clean)) /],
  ["rustic bup bupstash duplicacy attic", / (?:forget|prune\S*|rm|gc|delete) /],
  ["proxmox-backup-client tarsnap", / (?:forget|prune|-d|--nuke) /],
  ["rados rbd ceph-volume cephadm radosgw-admin", / (?:rm\S*|remove|purge|cleanup|zap|empty) /],
  ["gluster drbdadm", / (?:delete|remove-brick|wipe-md|create-md) /],
  ["ossutil ossutil64 coscmd coscli obsutil", / (?:rm|rb|delete\S*) /],
  ["transmission-remote", / (?:--remove(?:-and-delete)?|-rad|-r) /],
  ["chezmoi", / (?:remove|rm|forget|destroy|purge) /],
  ["fclones", /^ remove (?!.*--dry-run)/],
  ["czkawka_cli", / (?:-D|--delete-method) (?!NONE )/],
  ["npkill", / (?:-D|--delete-all) /],
  ["beet calibredb doveadm", / (?:remove|rm|expunge|delete) /],
  ["postsuper", / -\w*d /],
  ["exim exim4", / -Mrm /],
  ["wp drush", / (?:db (?:reset|clean|drop)|site empty|sql[-:]drop|\S*[: ]delete|user:cancel) /],
  ["kamal sst zappa", / (?:remove|undeploy|delete) /],
  // whole folders of what was installed
  [
    "conda mamba micromamba",
    /^ (?:env (?:remove|delete)|(?:remove|uninstall) (?!.*--keep-env).*--all) /,
  ],
  ["pipenv", / --rm /],
  ["poetry", / env remove /],
  ["virtualenv", / --clear /],
  ["rmvirtualenv", / [\w.]/],
  ["systemctl", / clean /],
  ["homectl machinectl", / remove /],
  ["efibootmgr", / (?:-\w*B|--delete-bootnum) /],
  ["mokutil", / --(?:delete|reset) /],
  ["dconf", / reset -f /],
  ["gsettings", / reset-recursively /],
  ["dscl sysadminctl", / -delete\w* /],
  ["plistbuddy", / :?delete /i],
  ["secret-tool keyring", / (?:clear|del) /],
  ["wevtutil fsutil", / (?:cl|clear-log|deletejournal) /i],
  ["kadmin kadmin.local", / (?:delprinc|delete_principal) /],
  ["at", / -[rd] /],
  ["atrm", / \d/],
];

const WORDS: ReadonlyMap<string, RegExp> = new Map(
  WORDED.flatMap(([names, words]) => names.split(" ").map((name) => [name, words] as const)),
);

export const WORDED_RULE: Rule = {
  names: [...WORDS.keys()].join(" "),
  hits: ({ name, args }) => {
    const line = ` ${args.map(({ text }) => text).join(" ")} `;
    return WORDS.get(name)!.test(line) && !showsOnly(args) ? NO_ARGS : undefined;
  },
  yes: [
    "zkCli.sh -server a deleteall /b",
    "hdfs dfs -rm -r /a",
    "hadoop fs -expunge",
    "nodetool clearsnapshot",
    "pgbackrest --stanza=a expire",
    "goose -dir a postgres b reset",
    "lvresize -L -1G a/b",
    "mongoimport --drop -c a b.json",
    "kubeadm reset -f",
    "airflow db reset -y",
    "bupstash gc",
    "rados -p a cleanup",
    "rbd snap rm a@b",
    "transmission-remote -t 1 --remove-and-delete",
    "npx npkill -D",
    "wp --path=a db reset --yes",
    "conda env remove -n a",
    "mamba remove -n a --all",
    "poetry env remove --all",
    "virtualenv --clear a",
    "systemctl clean a",
    "at -d 1",
    "atrm 1",
  ],
  no: [
    "hdfs dfs -ls /a",
    "nodetool status",
    "kubeadm reset --help",
    "airflow db migrate",
    "rados lspools",
    "conda remove numpy",
    "poetry remove a",
    "lvresize -L +1G a/b",
    "goose status",
    "virtualenv a",
    "systemctl status clean-a",
    "at -l",
    "wp post list",
    "chezmoi apply",
    "fclones remove --dry-run < a",
  ],
};
