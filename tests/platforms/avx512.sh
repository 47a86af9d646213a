#!/bin/sh
# The platform x86-64 with AVX-512, VNNI, AVX-VNNI and AMX on a CPU that may have none of them: each
# instruction has a stand-in (tests/support/stand_in.h), and the bits are the same, or this fails.
# Usage: avx512.sh OUT FOLDER COMPILER
#   OUT     where programs and logs go, a new folder
#   FOLDER  kernels that the generator wrote
set -eu
cd "$(dirname "$0")/../.."
out=$1 folder=$2 compiler=$3
rm -rf "$out"
mkdir -p "$out"
cp -r "$folder" "$out/folder"
flags=$(ALL=1 tests/scripts/stand_in.sh "$out/folder")
if test -z "$flags"; then
  echo 'avx512: a CPU without AVX2, by which instructions have stand-ins: skipped'
  exit 0
fi
compile="$compiler -O1 $flags"
# shellcheck disable=SC2086 # a list is meant to be split
$compile -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -c tests/support/stand_in.c \
  -o "$out/stand_in.o"
tests/platforms/check.sh "$out/made" "$out/folder" \
  '-std=c11' "$compile -include $PWD/tests/support/stand_in.h" "$PWD/$out/stand_in.o -lm" \
  'avx2 avx512 avx512_amx avx512_vnni avx_vnni c' ''
