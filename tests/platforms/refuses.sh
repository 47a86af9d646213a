#!/bin/sh
# kernel.h refuses what would change bits in silence: flags, and the x87. Usage: refuses.sh
set -eu
cd "$(dirname "$0")/../.."
for flag in -ffast-math -ffinite-math-only -funsafe-math-optimizations -mfpmath=387; do
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
echo '#include "kernel.h"' | gcc -funsafe-math-optimizations -fno-associative-math -Iruntime \
  -Igenerated -x c -fsyntax-only -
echo "takes -fno-associative-math"
