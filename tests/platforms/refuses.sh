#!/bin/sh
# kernel.h refuses what would change bits in silence: flags, and the x87. Usage: refuses.sh
set -eu
cd "$(dirname "$0")/../.."
for flag in -ffast-math -ffinite-math-only -mfpmath=387; do
  if echo '#include "kernel.h"' |
    LC_ALL=C gcc "$flag" -Iruntime -Igenerated -x c -fsyntax-only - 2>&1 |
    grep -q 'error.*ffn kernels promise exact bits'; then
    echo "refuses $flag"
  else
    echo "kernel.h takes $flag" >&2
    exit 1
  fi
done
