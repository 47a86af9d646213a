#!/bin/sh
# No kernel holds a function that nothing calls: clang says so of inline ones, too, and of every
# machine that it knows. Small layers of every form, and of those of the folders given a fifth, whose
# turn it is (TURNS=all: all of them); with FULL=1 each for every machine that may compile it, and with
# what leaves parts of it out.
# Usage: [FULL=1] unused.sh FOLDER [KERNELS...]
set -eu
rm -rf "$1"
mkdir -p "$1/libc"
folder=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/../.."
isas=c,neon,avx512
[ "${FULL:-}" != 1 ] || isas=c,neon,avx2,avx512,wasm
for spec in tests/mutants/specs tests/vendor/trained; do
  ./ffngen generate $spec.lua --isa $isas --out "$folder/$(basename $spec)" >"$folder/log" 2>&1
done

# What kernels take of a libc, for machines whose own is not here.
echo '#define assert(condition) ((void)(condition))' >"$folder/libc/assert.h"
echo '#include <stddef.h>' >"$folder/libc/string.h"
echo 'void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);' \
  >>"$folder/libc/string.h"

options="-std=c11 -ffreestanding -Werror=unused-function -isystem $folder/libc -Iruntime"

# precompile MACHINE HEADER: intrinsics, which take longer to read than a kernel, are read once.
precompile() {
  echo "#include <$2>" >"$folder/$1.h"
  # shellcheck disable=SC2086 # a list is meant to be split
  clang $options --target="$1" -x c-header "$folder/$1.h" -o "$folder/$1.pch"
}
precompile x86_64 immintrin.h
precompile aarch64 arm_neon.h

# ways FILE: options of clang, a line each.
ways() {
  case $1 in
    *_neon*) machines="--target=aarch64 -include-pch $folder/aarch64.pch" ;;
    *_wasm*) machines='--target=wasm32 -msimd128' ;;
    *_avx*) machines="--target=x86_64 -include-pch $folder/x86_64.pch" ;;
    *)
      machines=--target=x86_64
      [ "${FULL:-}" != 1 ] || machines='--target=x86_64
--target=x86_64 -mfma
--target=aarch64
--target=wasm32 -msimd128'
      ;;
  esac
  echo "$machines"
  [ "${FULL:-}" != 1 ] || echo "$machines" | sed -e 's/$/ -DFFN_NO_ADD -DFFN_NO_PACK/' -e 1q
}

# list_of FOLDER: what is compiled of its kernels, a line each.
list_of() {
  for file in $(grep -l '^  *\* Templates ' "$1"/*.c); do
    ways "$file" | sed "s|\$| -I$1 $file|"
  done
}
{ list_of "$folder/specs" && list_of "$folder/trained"; } >"$folder/list"
for kernels in "$@"; do
  [ ! -d "$kernels" ] || list_of "$kernels"
done | tests/scripts/take_turn.sh 10 >>"$folder/list"
# shellcheck disable=SC2086 # a list is meant to be split
xargs -P 2 -L 1 clang $options -fsyntax-only <"$folder/list"
echo "unused: $(wc -l <"$folder/list") passed, 0 failed, 0 skipped"
