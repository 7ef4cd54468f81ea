#!/bin/sh
# narnat @VERSION@ for @TARGET@, self-extracting: this launcher, then Deno @DENO@ and the program as tar.gz.
set -u
# a PATH can name folders of the project's: what the launcher itself calls is the system's
path=${PATH-}
PATH=/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin
ID=@ID@ SHA=@SHA@ LEN=@LEN@
NAMES="@NAMES@"
SUM="@SUM@"
LINE='
'
die() { printf 'narnat: %s\n' "$*" >&2; exit 70; }

# why nothing can be written, in Chinese or English, as narnat itself would choose
unheard() {
  case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in [zZ][hH]*) lang=zh ;; *) lang=en ;; esac
  before=
  for word do
    case $before$word in --lang[=\ ]zh | --lang[=\ ]en) lang=${word#--lang=} ;; esac
    before=
    [ "$word" != --lang ] || before='--lang '
  done
  case $closed$lang in
    1zh) set -- '无法写到标准输出：它已关闭，什么也没有做；不要回答时用 >/dev/null' ;;
    1en) set -- 'Cannot write to standard output: it is closed, and nothing was done; >/dev/null throws the answer away' ;;
    0zh) set -- '无法写到标准输出：写入失败' ;;
    0en) set -- 'Cannot write to standard output: the write failed' ;;
  esac
  printf 'narnat: %s\n' "$1" >&2
  exit 1
}

# Deno puts /dev/null in the place of a closed stdout: the program could not know that nobody hears it
closed=1
{ true 3>&1; } 2>/dev/null || unheard "$@"
closed=0

case $#$* in 1--version | 1-v)
  { printf 'narnat %s\n' "@VERSION@"; } 2>/dev/null || unheard "$@"
  exit ;;
esac

case ${NARNAT_CACHE:-}:${XDG_CACHE_HOME:-}:${HOME:-} in
  /*) base=$NARNAT_CACHE ;;
  [!:]*) die "NARNAT_CACHE must be an absolute path, not $NARNAT_CACHE" ;;
  :/*) base=$XDG_CACHE_HOME/narnat ;;
  :*:/?*) base=$HOME/.cache/narnat ;;
  *) base= ;;
esac

# the system's own user, who looks like nobody in a user namespace that does not know it
system() {
  [ "$1" != 0 ] || return 0
  [ "$1" = 65534 ] && [ -r /proc/self/uid_map ] || return
  while read -r from _ many; do
    [ "$from" -gt 65534 ] || [ $((from + many)) -le 65534 ] || return
  done </proc/self/uid_map
}

# Whether nobody else can have put anything into folder $1, nor lay another in its place; it is $d then,
# with its links followed, as a link can be turned after it was looked at.
ours() {
  d='' mine=''
  facts=$(
    cd -P "$1" && [ -O . ] || exit
    rest=$PWD up=..
    set -- . cache deno "@ENTRY@" ok
    while [ -n "$rest" ]; do set -- "$@" "$up"; rest=${rest%/*} up=$up/..; done
    printf '%s\n' "$PWD"
    unset QUOTING_STYLE
    LC_ALL=C exec ls -ldn "$@"
  ) 2>/dev/null
  IFS=$LINE; set -f
  for fact in $facts; do
    IFS=' '
    # mode, links, owner, group, ...
    set -- $fact
    case $fact in
      /*) d=$fact; continue ;;
      d*' .') mine=$3; case $1 in drwx--[-S]---*) continue ;; esac ;;
      # the group of the same number is the user's own
      d*..) { [ "$3" = "$mine" ] || system "$3"; } && case $1:$4 in
          d????-??-* | d????????[tT]* | d????w??-*:"$3") continue ;;
        esac ;;
      *) [ "$3" = "$mine" ] && case $1 in [d-]????-??-*) continue ;; esac ;;
    esac
    d=; break
  done
  unset IFS; set +f
  [ -n "$mine" ] && [ -n "$d" ]
}

boot=
if [ -r /proc/sys/kernel/random/boot_id ]; then read -r boot </proc/sys/kernel/random/boot_id
else boot=$(sysctl -n kern.bootsessionuuid 2>/dev/null); fi

# All in $d is older than its mark, which a start since the machine's last boot has made: nobody has
# written there since, and only a crash leaves other bytes behind than were written.
untouched() {
  [ -n "$boot" ] && read -r mark <"$d/ok" && [ "$mark" = "$boot" ] && [ "$d/ok" -nt "$d" ] || return
  for f in $NAMES; do [ "$d/ok" -nt "$d/$f" ] || return; done
}

# the bytes are those that were packed
intact() { [ "$(cd "$d" && LC_ALL=C cat $NAMES 2>/dev/null | cksum)" = "$SUM" ]; }

# the program is in folder $1 as it was packed: a full disk, a crash or a cleaner may have spoilt it
whole() {
  [ -f "$1/ok" ] && [ -x "$1/deno" ] && ours "$1" && { untouched || intact; }
}

# folders of other versions that have not started for a day and that no process runs from
prune() {
  running=$(if [ -d /proc/self ]; then ls -l /proc/[0-9]*/exe; else ps -axo comm=; fi 2>/dev/null)
  [ -n "$running" ] || return
  for ok in $(cd "$base" && find . -mindepth 2 -maxdepth 2 -name ok -mtime +0 2>/dev/null); do
    id=${ok#./}; id=${id%/ok}
    case $id in "$ID" | *[!0-9a-f]*) continue ;; esac
    [ ${#id} -eq 16 ] || continue
    case $running in *"/$id/deno"*) continue ;; esac
    rm -f "$base/$id/ok" && rm -rf "${base:?}/$id"
  done
  find "$base" -mindepth 2 -maxdepth 2 -name '.new.*' -mmin +60 -exec rm -rf {} + 2>/dev/null
}

unpack() {
  [ "$(uname -s)-$(uname -m)" = "@UNAME@" ] || die "this build is for @UNAME@, not $(uname -s)-$(uname -m)"
  t=
  trap '[ -z "$t" ] || rm -rf "$t"' EXIT; trap 'exit 129' HUP; trap 'exit 130' INT; trap 'exit 143' TERM
  t=$(mktemp -d "$d/.new.XXXXXX") || die "cannot write $d"
  payload() { tail -c "$LEN" "$0"; }
  if command -v sha256sum >/dev/null; then got=$(payload | sha256sum)
  elif command -v shasum >/dev/null; then got=$(payload | shasum -a 256)
  else got=$SHA; fi
  [ "${got%% *}" = "$SHA" ] || die "this file is damaged (its checksum differs); download it again"
  payload | gzip -dc | tar -xmof - -C "$t" || die "cannot unpack into $d (disk full?)"
  "$t/deno" --version >/dev/null 2>&1 ||
    die "cannot run programs from $d: if it is mounted noexec set NARNAT_CACHE to another folder; on Linux glibc 2.27 or newer is needed"
  # file by file, the mark last: several first runs at once all end with a whole folder
  for f in "$t"/*; do mv -f "$f" "$d/" || die "cannot install into $d"; done
  mkdir -p "$d/cache"; : >"$d/ok"; rmdir "$t"; trap - EXIT HUP INT TERM
  prune
}

# makes folder $1/$ID, anew where it is not ours alone
folder() {
  [ ! -L "$1" ] && mkdir -p "$1/$ID" || return
  ours "$1/$ID" || { rm -rf "$1/$ID" && mkdir "$1/$ID" && ours "$1/$ID"; } && [ -w "$d" ]
} 2>/dev/null

start() {
  if [ -n "$base" ]; then whole "$base/$ID" && return; fi
  spare=${TMPDIR:-/tmp}/narnat-$(id -u)
  whole "$spare/$ID" && return
  mask=$(umask); umask 077
  if [ -z "$base" ] || ! folder "$base"; then
    folder "$spare" || die "cannot use $spare: set NARNAT_CACHE to a folder of your own that nobody else can write"
  fi
  base=${d%/*}
  if [ -t 2 ]; then
    case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in
      zh*) echo "narnat: 首次启动，正在解包…" ;;
      *) echo "narnat: unpacking once…" ;;
    esac >&2
  fi
  unpack; umask "$mask"
}
start
# its time says when this version last started, for prune
[ ! -w "$d/ok" ] || printf '%s\n' "$boot" >"$d/ok"
# Deno ends with a backtrace where HOME is no folder but a file
[ ! -e "${HOME:-}" ] || [ -d "$HOME" ] || unset HOME
# A program's environment stands open to all it starts (/proc/PID/environ): keys go through a pipe instead.
_keys=
IFS=$LINE; set -f
for name in $(export -p); do
  name=${name%%=*}; name=${name##* }
  case $name in
    '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;;
    *[Kk][Ee][Yy]* | *[Tt][Oo][Kk][Ee][Nn]* | *SECRET* | *PASS* | *AUTH*) ;;
    *) continue ;;
  esac
  eval "_value=\${$name-}"
  case $_value in '' | *"$LINE"*) continue ;; esac
  _keys=$_keys$name=$_value$LINE
  unset "$name"
done
unset IFS; set +f
[ -n "$_keys" ] && exec 9<<KEYS
$_keys
KEYS
# the program puts DENO_DIR back to NARNAT_DENO_DIR and MALLOC_ARENA_MAX to NARNAT_ARENAS, so that tools
# see the user's own; a pool of memory for each thread would hold 3 MB more; without the last one Deno,
# where PATH has no node, puts a folder before it in which node is Deno
export NARNAT_KEYS="${_keys:+9}" NARNAT_DENO_DIR="${DENO_DIR:-}" DENO_DIR="$d/cache" \
  NARNAT_ARENAS="${MALLOC_ARENA_MAX:-}" MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}" \
  DENO_NO_UPDATE_CHECK=1 DENO_DISABLE_NODE_SHIM=1
PATH=$path
# a small young generation, and an old one that is collected when it has grown by a fifth, keep the memory
# of a long session down, at no cost in speed; compiled eagerly, functions come from the code cache at
# later starts
exec "$d/deno" run -q -A --no-prompt --no-config --no-lock --no-remote --no-npm \
  --v8-flags=--max-semi-space-size=2,--heap-growing-percent=20,--no-lazy "$d/@ENTRY@" "$@"
