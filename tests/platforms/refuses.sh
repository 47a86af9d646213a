#!/bin/sh
# kernel.h refuses what would change bits in silence: flags, and the x87. Usage: refuses.sh
set -eu
cd "$(dirname "$0")/../.."
for flag in -ffast-math -ffinite-math-only -funsafe-math-optimizations -freciprocal-math \
  -fno-signed-zeros -mfpmath=387; do
  if echo '#include "kernel.h"' |
    LC_ALL=C gcc "$flag" -Iruntime -Igenerated -x c -fsyntax-only - 2>&1 |
    grep -q 'error.*ffn kernels promise exact bits'; then
    echo "refuses $flag"
  else
    echo "kernel.h takes $flag" >&2
    exit 1
  fi
done
# clang does not tell, but obeys: an emulated fma that forgot its error would be off by one here.
program=$(mktemp)
trap 'rm -f "$program"' EXIT
printf '%s\n' '#include "kernel.h"' 'volatile float a = 0x1.001p0f, c = 0x1p-80f;' \
  'int main(void) { return !(ffn_fma(a, a, c) > ffn_fma(a, a, 0.0f)); }' |
  clang -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math -Iruntime -Igenerated -x c - \
    -o "$program"
"$program" || { echo "clang reorders sums in kernel.h" >&2; exit 1; }
echo "clang keeps the order of sums"
# What the message says helps.
echo '#include "kernel.h"' | gcc -funsafe-math-optimizations -fno-associative-math \
  -fno-reciprocal-math -fsigned-zeros -Iruntime -Igenerated -x c -fsyntax-only -
echo "takes what it asks for"

# refuses_float WHAT MACRO VALUE: as a compiler whose floats are others would show itself, also
# where there is no libc.
refuses_float() {
  for file in kernel.h reference.h train_walk.h; do
    for free in '' -ffreestanding; do
      # shellcheck disable=SC2086 -- nothing, or a flag
      if printf '#include "ffn.h"\n#include <float.h>\n#undef %s\n%s\n#include "%s"\n' "$2" \
        "${3:+#define $2 $3}" "$file" |
        LC_ALL=C gcc $free -w -Iruntime -Igenerated -x c -fsyntax-only - 2>&1 |
        grep -q 'error.*ffn kernels promise exact bits'; then
        continue
      fi
      echo "$file takes $1 $free" >&2
      exit 1
    done
  done
  echo "refuses $1"
}
refuses_float 'a double of 4 bytes' DBL_MANT_DIG 24
refuses_float 'a double of 10 bytes' DBL_MANT_DIG 64
refuses_float 'a decimal float' FLT_RADIX 10
refuses_float 'a float of 2 bytes' FLT_MANT_DIG 11
refuses_float 'a char of 16 bits' UINT8_MAX ''
# And such a compiler itself, in the folder of a product.
if command -v avr-gcc >/dev/null; then
  made=$(mktemp -d)
  ./ffngen vendor tests/platforms/small.lua --prefix my --isa c --freestanding --single-file \
    --no-dispatch --out "$made/my" >"$made/log" 2>&1
  if LC_ALL=C avr-gcc -mmcu=atmega1284p -std=c11 -Os -ffreestanding -c "$made/my/my.c" \
    -o "$made/my.o" 2>&1 | grep -q 'error.*a double of 8 bytes'; then
    echo "refuses avr-gcc"
  else
    echo "avr-gcc compiles kernels with a double of 4 bytes" >&2
    exit 1
  fi
  rm -rf "$made"
else
  echo "no avr-gcc (./setup.sh --platforms installs it): skipped"
fi
