#!/bin/sh
# Kernels with tiles of AMX, by stand-ins where the CPU has none: against the reference of
# integers. And the stand-ins, against a CPU that has tiles.
# Usage: [SPECS=FILE] amx.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
warnings='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
# shellcheck disable=SC2086 # a list is meant to be split
gcc -O2 $warnings -Iruntime -Igenerated -Itests -Itests/support tests/kernels/tiles.c \
  tests/support/stand_in.c runtime/cpu.c -o "$folder/tiles"
"$folder/tiles"
if ! grep -qw avx2 /proc/cpuinfo; then
  echo 'amx: a CPU without AVX2, by which instructions have stand-ins: skipped'
  exit 0
fi
TESTS='tests/kernels/memory.c tests/kernels/threads.c tests/kernels/add.c' ISAS=avx512_amx \
  tests/scripts/dot_s8.sh "$folder"
