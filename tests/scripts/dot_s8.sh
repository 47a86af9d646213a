#!/bin/sh
# The tests of products of bytes on few layers, without the rest of the suite: each kernel against
# the reference of integers; little work is enough for threads. Tiles of AMX have stand-ins, and so
# does what else the CPU lacks (stand_in.sh).
# Usage: [ISAS=c,avx2] [SPECS=FILE] [TESTS="SOURCE..."] [CC=...] [RUNNER=qemu-...] dot_s8.sh FOLDER
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
flag=$(tests/scripts/stand_in.sh "$folder/made")
# gcc takes twice as long for stand-ins.
if test -z "${CC-}" && test "$flag" = -DTEST_AVX512 && command -v clang >/dev/null; then
  CC=clang
fi
export CC="${CC:-gcc}"
tests="tests/kernels/dot_s8.c ${TESTS-}"
# What each source includes first is compiled once: it has all intrinsics, which take longer to read
# than most sources take to compile.
flags="-O1 -w -DFFN_REFERENCE -DFFN_NO_MAIN -DFFN_PARALLEL_FLOP=1 $flag"
mkdir -p "$folder/first"
cp tests/support/stand_in*.h "$folder/first/"
# shellcheck disable=SC2086 # lists are meant to be split
$CC $flags -x c-header "$folder/first/stand_in.h" -o "$folder/first/stand_in.h.gch"
# shellcheck disable=SC2046,SC2086
tests/scripts/program.sh "$folder/dot_s8" $flags -include "$folder/first/stand_in.h" \
  -Itests/support/plain -I"$folder/made" -Itests -Itests/support -- $tests \
  tests/support/plain.c tests/support/stand_in.c $(lua5.4 tests/scripts/sources_of.lua $tests) \
  $(find "$folder/made" -name '*.c' ! -name '*selfcheck*')
# shellcheck disable=SC2086
${RUNNER:-} "$folder/dot_s8" --fail-fast
