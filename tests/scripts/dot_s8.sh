#!/bin/sh
# The tests of products of bytes on few layers, without the rest of the suite: each kernel against
# the reference of integers; little work is enough for threads. Tiles of AMX are played
# (support/amx_stand_in.h).
# Usage: [ISAS=c,avx2] [SPECS=FILE] [TESTS="SOURCE..."] [CC=gcc] [RUNNER=qemu-...] dot_s8.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
case $(uname -m) in
  x86_64) isas=c,avx2,avx_vnni,avx512_vnni,avx512_amx ;;
  aarch64) isas=c,neon,neon_dotprod,neon_i8mm ;;
  *) isas=c ;;
esac
./ffngen generate "${SPECS:-tests/mutants/dot_s8.lua}" --isa "${ISAS:-$isas}" --out "$folder/made" >"$folder/said" 2>&1
tests="tests/kernels/dot_s8.c ${TESTS-}"
# shellcheck disable=SC2046,SC2086 # lists are meant to be split
printf '%s\n' $tests tests/support/plain.c tests/support/amx_stand_in.c \
  $(lua5.4 tests/scripts/sources_of.lua $tests) "$folder"/made/*.c |
  grep -v selfcheck.c >"$folder/sources"
rm -rf "$folder/objects"
mkdir "$folder/objects"
# What each source includes first is compiled once: it has all intrinsics, which take longer to read
# than most sources take to compile.
cp tests/support/amx_stand_in.h "$folder/objects/"
flags='-O1 -w -DFFN_REFERENCE -DFFN_NO_MAIN -DFFN_PARALLEL_FLOP=1'
# shellcheck disable=SC2086 # lists are meant to be split
${CC:-gcc} $flags -x c-header "$folder/objects/amx_stand_in.h" \
  -o "$folder/objects/amx_stand_in.h.gch"
# shellcheck disable=SC2016 # the shell that xargs starts expands it
FOLDER=$folder CC=${CC:-gcc} FLAGS=$flags xargs -P 2 -I {} sh -c '$CC $FLAGS \
  -include "$FOLDER/objects/amx_stand_in.h" \
  -Itests/support/plain -I"$FOLDER/made" -Itests -Itests/support -c {} \
  -o "$FOLDER/objects/$(basename {}).o"' <"$folder/sources"
# shellcheck disable=SC2086 # lists are meant to be split
${CC:-gcc} "$folder"/objects/*.o -lm -pthread -o "$folder/dot_s8"
# shellcheck disable=SC2086
${RUNNER:-} "$folder/dot_s8" --fail-fast
