#!/bin/sh
# The tests of products of bytes on few layers, without the rest of the suite: each kernel against
# the reference of integers; little work is enough for threads.
# Usage: [ISAS=c,avx2] dot_s8.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
isas=c
[ "$(uname -m)" != x86_64 ] || isas=c,avx2,avx512_vnni
./ffngen generate tests/mutants/dot_s8.lua --isa "${ISAS:-$isas}" --out "$folder/made" >"$folder/said" 2>&1
# shellcheck disable=SC2046 # a list is meant to be split
printf '%s\n' tests/kernels/dot_s8.c tests/support/plain.c \
  $(lua5.4 tests/scripts/sources_of.lua tests/kernels/dot_s8.c) "$folder"/made/*.c |
  grep -v selfcheck.c >"$folder/sources"
rm -rf "$folder/objects"
mkdir "$folder/objects"
# shellcheck disable=SC2016 # the shell that xargs starts expands it
FOLDER=$folder xargs -P 2 -I {} sh -c 'gcc -O1 -w -DFFN_REFERENCE -DFFN_NO_MAIN -DFFN_PARALLEL_FLOP=1 \
  -Itests/support/plain -I"$FOLDER/made" -Itests -Itests/support -c {} \
  -o "$FOLDER/objects/$(basename {}).o"' <"$folder/sources"
gcc "$folder"/objects/*.o -lm -pthread -o "$folder/dot_s8"
"$folder/dot_s8" --fail-fast
