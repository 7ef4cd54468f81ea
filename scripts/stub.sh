#!/bin/sh
# narnat @VERSION@ for @TARGET@, self-extracting: this launcher, then Deno @DENO@ and the program as tar.gz.
set -u
ID=@ID@ SHA=@SHA@ LEN=@LEN@
NAMES="@NAMES@"
SIZES="@SIZES@"
die() { printf 'narnat: %s\n' "$*" >&2; exit 70; }

# Deno puts /dev/null in the place of a closed stdout: the program could not know that nobody hears it
if ! { true 3>&1; } 2>/dev/null; then
  printf 'narnat: standard output is closed: nothing was done; >/dev/null throws the answer away\n' >&2
  exit 1
fi

case ${NARNAT_CACHE:-}:${XDG_CACHE_HOME:-}:${HOME:-} in
  /*) base=$NARNAT_CACHE ;;
  [!:]*) die "NARNAT_CACHE must be an absolute path, not $NARNAT_CACHE" ;;
  :/*) base=$XDG_CACHE_HOME/narnat ;;
  :*:/?*) base=$HOME/.cache/narnat ;;
  *) base= ;;
esac
# a folder of ours: another user's, or a link, could hold another program
usable() { mkdir -p "$1" 2>/dev/null && [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ] && [ -w "$1" ]; }

same() { want=$1; shift; [ "$*" = "$want" ]; }

# every file is there at its size: a full disk, a crash or a cleaner may have spoilt what was unpacked
whole() {
  [ -f "$d/ok" ] && [ -x "$d/deno" ] || return
  sizes=$(cd "$d" && LC_ALL=C exec wc -c $NAMES 2>/dev/null)
  # without wc on the PATH there is no telling
  [ $? -ne 127 ] || return 0
  same "$SIZES" $sizes
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
  umask 077
  usable "$d" || die "cannot use $d: it must be a folder of your own"
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
  : >"$d/ok"; rmdir "$t"; trap - EXIT HUP INT TERM
  prune
}

if [ -z "$base" ] || { [ ! -f "$base/$ID/ok" ] && ! usable "$base"; }; then
  base=${TMPDIR:-/tmp}/narnat-$(id -u)
  usable "$base" || die "cannot use $base: set NARNAT_CACHE to a folder of your own"
fi
d=$base/$ID
if whole; then
  # its time says when this version last started, for prune
  [ -w "$d/ok" ] && : >"$d/ok"
else
  if [ -t 2 ]; then
    case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in
      zh*) echo "narnat: 首次启动，正在解包…" ;;
      *) echo "narnat: unpacking once…" ;;
    esac >&2
  fi
  mask=$(umask); unpack; umask "$mask"
fi
# Deno ends with a backtrace where HOME is no folder but a file
[ ! -e "${HOME:-}" ] || [ -d "$HOME" ] || unset HOME
# the program puts DENO_DIR back to NARNAT_DENO_DIR, so that tools see the user's own
export NARNAT_DENO_DIR="${DENO_DIR:-}" DENO_DIR="$d/cache" DENO_NO_UPDATE_CHECK=1
# a small young generation keeps the memory of a long session down, at no cost in speed; compiled
# eagerly, functions come from the code cache at later starts
exec "$d/deno" run -q -A --no-prompt --no-config --no-lock --no-remote --no-npm \
  --v8-flags=--max-semi-space-size=2,--no-lazy "$d/@ENTRY@" "$@"
