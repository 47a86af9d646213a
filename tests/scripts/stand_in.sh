#!/bin/sh
# Which instructions of x86-64 this CPU lacks that have stand-ins (tests/support/stand_in.h):
# rewrites the kernels of a folder that use them, and prints the flags to compile everything with.
# Tiles of AMX have stand-ins on every CPU, and no flag. Without AVX2 there are none for AVX-512.
# Usage: flags=$([ALL=1] stand_in.sh [FOLDER])
#   ALL=1   AVX-512 by stand-ins even where the CPU has it
#   FOLDER  without one nothing is rewritten
set -eu
folder=${1-}
has() { grep -qw "$1" /proc/cpuinfo 2>/dev/null; }

# rewrite PATTERN SCRIPT: the kernels of these names.
rewrite() { test -z "$folder" || find "$folder" -name "$1" -exec sed -i "$2" {} +; }

if has avx2 && { test -n "${ALL-}" || ! has avx512_vnni; }; then
  # Other names for vectors of 512 bits and what is done with them; nothing of gcc's own for VNNI.
  vnni='s/_mm256_dpbusd_avx_epi32/test_256_dpbusd_epi32/g; s/_mm_dpbusd_epi32/test_128_dpbusd_epi32/g
    s/^#if defined(__GNUC__) && !defined(__clang__)$/#if 0/'
  rewrite '*_avx512*.c' "$vnni; s/_mm512_/test_512_/g; s/__m512/test_m512/g
    s/\"avx512f[a-z0-9,]*,fma/\"avx2,f16c,fma/"
  rewrite '*_avx_vnni.c' "$vnni; s/,avxvnni\"/\"/"
  echo -DTEST_AVX512
elif has avx512_vnni && ! has avx_vnni; then
  rewrite '*_avx_vnni.c' 's/%{vex%} vpdpbusd/vpdpbusd/g; s/,avxvnni"/,avx512vl,avx512vnni"/'
  echo -DTEST_AVX_VNNI
fi
