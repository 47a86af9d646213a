#!/bin/sh
# Times mixtures of experts: one token beside a loop over run(), many tokens beside the bare calls of
# kernels. The answers are compared. Usage: moe.sh [usual|small|kernels [TOKENS [ROUNDS [LAYER]]]]
# `kernels` makes kernels of the small sizes, and times nothing.
set -eu
cd "$(dirname "$0")/../.."
folder=build/bench/moe
mkdir -p "$folder"
part=1
test "${1:-usual}" = usual || part=8
cat >"$folder/moe.lua" <<END
moe 'mixtral' { d_model = 4096 // $part, experts = 8, top_k = 2, router = { normalise = true },
  expert = { variant = 'swiglu', d_ff = 14336 // $part, weights = 'q4_0' } }
moe 'qwen3' { d_model = 2048 // $part, experts = 128, top_k = 8, router = { normalise = true },
  expert = { variant = 'swiglu', d_ff = 768 // $part, weights = 'q4_0' } }
moe 'qwen3_bf16' { d_model = 2048 // $part, experts = 128, top_k = 8, router = { normalise = true },
  expert = { variant = 'swiglu', d_ff = 768 // $part, weights = 'bf16' } }
END
./ffngen generate "$folder/moe.lua" --out "$folder/kernels" --isa avx2,avx512,neon >"$folder/log"
test "${1:-usual}" != kernels || exit 0
# The host's own loops are as fast as the compiler makes them.
gcc -std=c11 -O3 -march=native -w -I"$folder/kernels" -c tests/bench/moe.c -o "$folder/moe.o"
gcc -std=c11 -O2 -w -DFFN_NO_MAIN -I"$folder/kernels" "$folder/moe.o" "$folder"/kernels/*.c -lm \
  -o "$folder/moe"
exec "$folder/moe" "${2:-512}" "${3:-3}" ${4:+"$4"}
