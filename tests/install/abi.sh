#!/bin/sh
# A generated kernel refuses the headers of another ABI when it is compiled, and names the remedy.
# Usage: abi.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
echo "linear 'my_layer' { d_model = 24, d_out = 3 }" >my.lua
"$root/ffngen" generate my.lua --out kernels >log
abi=$("$root/ffngen" --version | sed 's/.*ABI \([0-9]*\).*/\1/')
grep -qx "#define FFN_ABI $abi" kernels/ffn.h
remedy="made for ABI $abi of kernel.h: generate this file anew, or use its own kernel.h"

for compiler in gcc clang g++; do
  for kernel in kernels/linear_*.c; do
    $compiler -fsyntax-only -Ikernels "$kernel"
  done
done
for other in $((abi - 1)) $((abi + 1)); do
  sed -i "s/^#define FFN_ABI .*/#define FFN_ABI $other/" kernels/ffn.h
  for compiler in gcc clang g++; do
    for kernel in kernels/linear_*.c; do
      if $compiler -fsyntax-only -Ikernels "$kernel" 2>errors; then
        echo "$kernel, for ABI $abi, compiles with $compiler and ABI $other"
        exit 1
      fi
      grep -qF "$remedy" errors || { cat errors; exit 1; }
    done
  done
done
