/** What can cost more than files: whole disks, the machine, every process, a person's say. */
import { readOptions } from "../reader/invocation.ts";
import { OWN_DANGER_RULES } from "./own_rules.ts";
import { operandsOf, type Rule, verbs } from "./rule.ts";
import { type Arg, hasMarks } from "../reader/words.ts";

const DEVICE =
  /^\/dev\/(?!(null|zero|full|random|urandom|tty\w*|std(in|out|err)|fd|shm|pts|ptmx)(\/|$))/;

/** What programs of disks call it, in lower case. */
const DISK_VERBS =
  "luksformat erase lukserase lukskillslot luksremovekey format sanitize delete-ns remove remove_all wipe_table"
    .split(" ");
const DISK_OPTIONS =
  /(?:^| )(?:--security-erase\S*|-\w*Z|--zap-all|-o|--clear|--delete\S*|--zero-superblock|--create|--remove|-\w*d \d+)(?= |$)/;

export const MAY_DELETE =
  "the command may delete the whole system, a folder of it, or a whole home ({names}): some of what it takes is known only when it runs, or it takes a part of that";
const MOVES_AWAY =
  "the command moves the whole system, a folder of it, or a whole home away ({names})";

export const DANGER_RULES: readonly Rule[] = [
  {
    names:
      "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.exfat mkfs.ntfs" +
      " mkfs.f2fs mke2fs mkntfs blkdiscard diskpart",
    hits: operandsOf("-t --type -L -U"),
    yes: ["mkfs.ext4 /dev/sdb1", "sudo mkfs -t ext4 /dev/sdb1", "diskpart"],
    no: ["mkfs.ext4 --help", "echo mkfs"],
  },
  {
    names: "wipefs mkswap",
    hits: ({ name, args }) => {
      const options = readOptions(args, "-o -t -L -U -p -b --offset --types --label --uuid");
      // without -a and -o wipefs lists; a file made for swap holds nothing else
      const writes = name === "wipefs"
        ? options.has("-a", "--all", "-o", "--offset") && !options.has("-n", "--no-act")
        : options.operands.some(({ text }) => hasMarks(text) || DEVICE.test(text));
      return writes && !options.has("--help", "--version") ? options.operands : undefined;
    },
    yes: [
      "wipefs -a /dev/sdb",
      "wipefs --offset 0x438 /dev/sdb",
      "mkswap /dev/sdb1",
      'mkswap "$d"',
    ],
    no: ["wipefs /dev/sdb", "wipefs --all --no-act /dev/sdb", "mkswap some/file"],
  },
  {
    names: "format format.com format-volume clear-disk initialize-disk",
    hits: ({ name, args }) =>
      name.includes("-") || args.some((arg) => /^[a-z]:$/i.test(arg.text)) ? args : undefined,
    yes: ["format c:", "Format-Volume -DriveLetter D"],
    no: ["format src", "npm run format"],
  },
  {
    names: "dd",
    hits: ({ args }) => {
      const out = args.find((arg) => arg.text.startsWith("of="));
      return out && DEVICE.test(out.text.slice(3)) ? [cut(out, 3)] : undefined;
    },
    yes: ["dd if=/dev/zero of=/dev/sda bs=1M"],
    no: ["dd if=/dev/zero bs=1M count=1 | gzip", "dd if=a of=/dev/null"],
  },
  {
    names: "cp mv tee install",
    hits: ({ args }) => {
      const last = readOptions(args).operands.at(-1);
      return last && DEVICE.test(last.text) ? [last] : undefined;
    },
    yes: ["cp a.img /dev/sda", "tee /dev/nvme0n1 < a"],
    no: ["cp a b", "echo x | tee /dev/stderr"],
  },
  {
    names: "*",
    hits: ({ truncates }) => {
      const devices = truncates.filter((arg) =>
        DEVICE.test(arg.text) || arg.text === "/proc/sysrq-trigger"
      );
      return devices.length > 0 ? devices : undefined;
    },
    yes: ["cat a.img > /dev/sda", "> /dev/sda1", "echo b > /proc/sysrq-trigger"],
    no: ["ls > /dev/null", "echo x > /dev/stderr"],
  },
  {
    names: "shutdown reboot poweroff halt stop-computer restart-computer",
    hits: ({ args }) => args.some((arg) => /^(--help|-c)$/.test(arg.text)) ? undefined : [],
    yes: ["shutdown -h now", "sudo reboot"],
    no: ["shutdown --help", "grep reboot log.txt | wc -l"],
  },
  {
    names: "systemctl loginctl init telinit",
    hits: (call) =>
      call.name.endsWith("init")
        ? call.args.some((arg) => /^[06]$/.test(arg.text)) ? [] : undefined
        : /^(?:cancel|show|)$/.test(readOptions(call.args, "--when").value("--when") ?? "now")
        ? undefined
        : verbs("--when", "poweroff", "reboot", "halt", "kexec", "suspend", "hibernate")(call),
    yes: ["systemctl reboot", "systemctl halt --when +5min", "init 0"],
    no: ["systemctl status nginx", "systemctl restart nginx", "systemctl halt --when cancel"],
  },
  {
    names: "kill",
    hits: ({ args }) => {
      const numbers = args.map((arg) => arg.text);
      if (numbers[0] !== "-0" && numbers.some((text) => /^-?\$PPID$/.test(text))) return [];
      return numbers.slice(1).includes("-1") || (numbers.length === 2 && numbers[0] === "--" &&
          numbers[1] === "-1")
        ? []
        : undefined;
    },
    yes: ["kill -9 -1", "kill -9 $PPID", 'p=$PPID; kill "$p"'],
    no: ["kill -9 123", "kill -1 123", "kill -0 $PPID", "kill $!", "echo $PPID"],
  },
  {
    names: "chmod chown chgrp",
    hits: ({ args }) => {
      const options = readOptions(args);
      const roots = options.operands.slice(1).filter((arg) => /^\/+\*?$/.test(arg.text));
      return options.has("-R", "--recursive") && roots.length > 0 ? roots : undefined;
    },
    yes: ["chmod -R 777 /", "sudo chown -R me /"],
    no: ["chmod -R 755 dist", "chmod +x a.sh"],
  },
  {
    names: "diskutil",
    hits: ({ args }) =>
      /^(erase\w+|partitiondisk|zerodisk|secureerase|reformat|apfs)$/i.test(args[0]?.text ?? "") &&
        !/^list$/.test(args[1]?.text ?? "")
        ? []
        : undefined,
    yes: ["diskutil eraseDisk JHFS+ a disk2", "diskutil apfs deleteVolume disk1s2"],
    no: ["diskutil list", "diskutil apfs list"],
  },
  {
    names:
      "cryptsetup nvme hdparm sgdisk sfdisk fdisk mdadm badblocks debugfs parted bcachefs dmsetup",
    hits: (call) =>
      verbs("", ...DISK_VERBS)(call) ??
        (DISK_OPTIONS.test(call.args.map(({ text }) => text).join(" ")) ||
            call.name === "parted" &&
              call.args.some(({ text }) =>
                /^(?:rm|mklabel|mktable|mkpart|resizepart)$/.test(text)
              ) ||
            /^(?:badblocks|debugfs)$/.test(call.name) && readOptions(call.args).has("-w") ||
            /^s?fdisk$/.test(call.name) && call.hasInput
          ? []
          : undefined),
    yes: [
      "cryptsetup luksFormat /dev/sdb",
      "sgdisk -Z /dev/sdb",
      "sfdisk /dev/sdb < layout",
      "mdadm --zero-superblock /dev/sdb",
      "badblocks -w /dev/sdb",
      "cryptsetup -q luksErase /dev/sdb",
      "cryptsetup luksKillSlot /dev/sdb 0",
      "nvme sanitize /dev/nvme0",
      "sgdisk -d 1 /dev/sdb",
      "fdisk /dev/sdb <<< $'d\\nw'",
      "parted -s /dev/sdb mklabel gpt",
      "mdadm --create /dev/md0 --level=1 /dev/sdb /dev/sdc",
      "dmsetup remove_all",
    ],
    no: [
      "parted -s /dev/sdb print",
      "fdisk -l /dev/sdb",
      "dmsetup ls",
      "mdadm --detail /dev/md0",
      "hdparm -I /dev/sdb",
      "cryptsetup status x",
      "sgdisk -p /dev/sdb",
      "sfdisk -d /dev/sdb",
      "badblocks -v /dev/sdb",
    ],
  },
  {
    names:
      "fastboot esptool esptool.py flashrom avrdude nrfjprog flash_erase ubiformat sg_format sg_sanitize",
    hits: ({ name, args }) =>
      /^(?:flash_erase|ubiformat|sg_\w+)$/.test(name) ||
        args.some(({ text }) => /^(?:erase.*|format.*|-w|-E|-e|--erase|--eraseall)$/.test(text))
        ? []
        : undefined,
    yes: ["fastboot -w", "esptool.py --port a erase_flash", "flashrom -E", "ubiformat /dev/mtd0"],
    no: ["fastboot devices", "esptool.py flash_id", "flashrom -r a.bin"],
  },
  {
    names: "userdel deluser",
    hits: ({ args }) =>
      readOptions(args).has("-r", "--remove", "--remove-home", "--remove-all-files")
        ? []
        : undefined,
    reason: MAY_DELETE,
    yes: ["userdel -r ann", "deluser --remove-home ann"],
    no: ["userdel --help"],
  },
  ...OWN_DANGER_RULES,
];

/** What takes a thing from its place: asked about where that is the system or a home. */
export const MOVE_RULES: readonly Rule[] = [
  {
    names: "mv rename mmv gmv",
    hits: ({ args }) => {
      const options = readOptions(args, "-S --suffix -t --target-directory");
      return options.has("-t", "--target-directory")
        ? options.operands
        : options.operands.slice(0, -1);
    },
    reason: MOVES_AWAY,
    yes: [
      "mv ~ /tmp/x",
      "mv -t /tmp/x ~/*",
      'mv "$HOME"/.[!.]* x/',
      "mv /usr /usr.old",
      "cd / && mv * x",
      "find ~ -mindepth 1 -maxdepth 1 -exec mv -t /tmp/x {} +",
    ],
    no: ["mv ~/a ~/b", "mv a ~", "mv * old/", "mv /tmp/x ~/x", 'mv "$f" "$f.bak"'],
  },
  {
    names: "rsync",
    hits: ({ args }) =>
      args.some(({ text }) => text === "--remove-source-files")
        ? readOptions(args, "-e -f --rsh --filter --exclude --include").operands.slice(0, -1)
        : undefined,
    reason: MOVES_AWAY,
    yes: ["rsync -a --remove-source-files ~/ x/"],
    no: ["rsync -a ~/ x/"],
  },
  {
    names: "python python2 python3 perl ruby node nodejs deno bun php lua",
    hits: ({ args, stdin, files }) => {
      const code = [...args.map(({ text }) => text), stdin ?? "", ...files].join("\n");
      return /\brename(?:s|Sync)?\b|\bshutil\s*\.\s*move\b|\bos\s*\.\s*replace\b|\bFileUtils\s*\.\s*mv\b/
          .test(code)
        ? []
        : undefined;
    },
    reason: MAY_DELETE,
    yes: [`python3 -c "import os, shutil; shutil.move(os.path.expanduser('~'), 'x')"`],
    no: [`python3 -c "import os; os.rename('a', 'b')"`, 'perl -e \'rename "a", "b"\''],
  },
];

/** The deny list of the `guarded` mode: never run, not even after a yes. */
export const GUARDED_RULES: readonly Rule[] = [
  {
    names: "rm",
    hits: (call) =>
      readOptions(call.args).has("-r", "-R", "-f", "--recursive", "--force")
        ? readOptions(call.args).operands
        : undefined,
    yes: ["rm -r a", "rm -rf a", "rm -f a", "sudo rm a -rf"],
    no: ["rm a", "git rm -r --cached a"],
  },
  {
    names: "dd",
    hits: ({ args }) => args.some((arg) => arg.text.startsWith("if=")) ? [] : undefined,
    yes: ["dd if=a of=b"],
    no: ["dd --help"],
  },
  {
    names: "format",
    hits: operandsOf(),
    yes: ["format x"],
    no: ["npm run format"],
  },
];

function cut(arg: Arg, from: number): Arg {
  return { text: arg.text.slice(from), source: arg.source.slice(from) };
}
