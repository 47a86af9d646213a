#!/bin/sh
# The self-check of layers whose products are of bytes, in Node: with SIMD, and with relaxed SIMD,
# which has a stand-in where Emscripten has none (tests/support/stand_in_wasm.h).
# Usage: dot_s8_wasm.sh [relaxed] FOLDER; `relaxed`: that alone.
set -eu
only=
if [ "$1" = relaxed ]; then
  only=$1
  shift
fi
folder=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
for tool in emcc node; do
  command -v "$tool" >/dev/null || {
    echo "no $tool (./setup.sh --platforms installs it): skipped"
    exit 0
  }
done
export NODE_PATH=/usr/share/nodejs

# run FLAG ISA NODE...: compiles all for a flag, and runs it; kernels of an instruction set take part.
run() {
  flag=$1 isa=$2
  shift 2
  # shellcheck disable=SC2086 # the compiler's, with its options
  (cd "$folder" && emcc -O2 -std=c11 -I. $flag -sSINGLE_FILE -sALLOW_MEMORY_GROWTH -sEXIT_RUNTIME \
    ./*.c -o "$isa.out")
  node "$@" "$folder/$isa.out" >"$folder/$isa.log" || {
    cat "$folder/$isa.log"
    exit 1
  }
  grep -q "_$isa .*: ok" "$folder/$isa.log"
  echo "$isa: $(tail -n 1 "$folder/$isa.log")"
}

./ffngen generate tests/mutants/dot_s8.lua --isa wasm,wasm_relaxed --out "$folder" >/dev/null 2>&1
[ -n "$only" ] || run -msimd128 wasm
cat >"$folder/relaxed.h" <<'END'
#include <wasm_simd128.h>
v128_t relaxed(v128_t a, v128_t b, v128_t c);
v128_t relaxed(v128_t a, v128_t b, v128_t c) {
  return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(a, b, c);
}
END
if emcc -mrelaxed-simd -Werror -x c -c "$folder/relaxed.h" -o "$folder/relaxed.o" 2>/dev/null; then
  # Node 20 has it behind an option, and only its second compiler computes it right.
  relaxed=-mrelaxed-simd option=--experimental-wasm-relaxed-simd
  node $option -e 0 2>/dev/null || option=
  option="$option --no-liftoff"
else
  cp tests/support/stand_in_wasm.h "$folder"
  relaxed='-msimd128 -include stand_in_wasm.h' option=
fi
# Both in one file.
./ffngen vendor tests/mutants/dot_s8.lua --layer scales --isa wasm,wasm_relaxed --single-file \
  --out "$folder/one" >/dev/null 2>&1
# shellcheck disable=SC2086 # lists are meant to be split
emcc -O1 -std=c11 -Wall -Wextra -Werror -I"$folder" $relaxed -c "$folder/one/ffn.c" -o "$folder/one.o"
# shellcheck disable=SC2086
run "$relaxed" wasm_relaxed $option
