#!/bin/sh
# Kernels with tiles of AMX, which are played where the CPU has none: against the reference of
# integers. And what is played, against a CPU that has them.
# Usage: [SPECS=FILE] amx.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
warnings='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
# shellcheck disable=SC2086 # a list is meant to be split
gcc -O2 $warnings -Iruntime -Igenerated -Itests -Itests/support tests/kernels/tiles.c \
  tests/support/amx_stand_in.c runtime/cpu.c -o "$folder/tiles"
"$folder/tiles"
if ! grep -qw avx512_vnni /proc/cpuinfo; then
  echo 'amx: a CPU without AVX-512 and VNNI, which its kernels have, too: skipped'
  exit 0
fi
TESTS='tests/kernels/memory.c tests/kernels/threads.c tests/kernels/add.c' ISAS=avx512_amx \
  tests/scripts/dot_s8.sh "$folder"
