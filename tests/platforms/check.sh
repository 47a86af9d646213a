#!/bin/sh
# One platform: compiles a folder that the generator wrote, then on each of the platform's machines
# runs its self-check, asserts which instruction sets it took, and compares the digests of their
# bits. A compiler or machine that is not there is skipped, and says so.
# Usage: check.sh OUT FOLDER LANGUAGE COMPILE LINK (ISAS RUNNER)...
#   OUT       where programs and logs go, a new folder
#   LANGUAGE  flags for the files of FOLDER alone
#   COMPILE   the compiler and its flags
#   LINK      libraries, and what else is linked
#   ISAS      the instruction sets that this machine has, or `any`
#   RUNNER    what runs a program on the machine; '' for this one. Status 77: it cannot, here
set -eu
cd "$(dirname "$0")/../.."
out=$1 folder=$PWD/$2 language=$3 compile=$4 link=$5
shift 5

# lacks COMMAND LINE: whether its program is not there.
lacks() {
  test -n "$1" && ! command -v "${1%% *}" >/dev/null
}

# skip COMMAND LINE
skip() { echo "no ${1%% *} (./setup.sh --platforms installs it): skipped"; }

if lacks "$compile"; then
  skip "$compile"
  exit 0
fi

# Debian's emcc finds its parser here, whatever Node it runs in.
export NODE_PATH=/usr/share/nodejs
# Names of kernels end with one of these, which may have a _ too.
names=$(lua5.4 -e 'package.path = "generator/?.lua;generator/?/init.lua"
  print(table.concat(require("isa").names, "|"))')
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
rm -rf "$out"
mkdir -p "$out/main" "$out/kernels" "$out/tests"
# Lists are meant to be split, here and below.
# shellcheck disable=SC2086
(
  root=$PWD
  cd "$out/kernels" && $compile $language $warnings -c "$folder"/*.c
  mv selfcheck.o ../main
  digest=tests/kernels/digest.c
  test ! -e "$folder/train.c" || digest=tests/kernels/training_digest.c
  cd "$root"
  sources=$(lua5.4 tests/scripts/sources_of.lua "$digest")
  cd "$out/tests"
  for source in "$digest" $sources; do
    $compile -x c -std=c11 $warnings -I"$folder" -I"$root/tests" -I"$root/tests/support" -c \
      "$root/$source"
  done
)
# shellcheck disable=SC2086
$compile "$out"/main/*.o "$out"/kernels/*.o $link -o "$out/selfcheck.out"
# shellcheck disable=SC2086
$compile "$out"/tests/*.o "$out"/kernels/*.o $link -o "$out/digest.out"

while test $# -gt 0; do
  isas=$1 runner=$2
  shift 2
  status=77
  # shellcheck disable=SC2086
  lacks "$runner" || { status=0 && $runner "$out/selfcheck.out" >"$out/selfcheck.log" || status=$?; }
  if test "$status" -eq 77; then
    skip "$runner"
    continue
  fi
  if test "$status" -ne 0; then
    cat "$out/selfcheck.log"
    echo "${runner:-this machine}: the self-check ends with status $status" >&2
    exit 1
  fi
  took=$(sed -nE "s/.*_($names)(_train)? .*: ok\$/\\1/p" "$out/selfcheck.log" | sort -u |
    tr '\n' ' ')
  tail -n 1 "$out/selfcheck.log"
  if test "$isas" != any && test "$took" != "$isas "; then
    echo "${runner:-this machine}: the instruction sets should be $isas, not $took" >&2
    exit 1
  fi
  # shellcheck disable=SC2086
  ISAS=$took tests/scripts/compare.sh "$out/digest.out" $runner
done
