#!/bin/sh
# The tests of mixtures of experts on few layers, all compiled here. Usage: moe.sh FOLDER
set -eu
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
cat >"$folder/few.lua" <<'END'
ffn 'few' { variant = 'swiglu', d_model = 24, d_ff = 40, d_out = 17 }
glu 'pairs' { variant = 'reglu', d_model = 37, d_out = 53, weights = 'bf16' }
linear 'zeros' { d_model = 16, d_out = 16 }
linear 'blocks' { d_model = 96, d_out = 49, bias = true, weights = 'q8_0' }
END
./ffngen generate "$folder/few.lua" --out "$folder/kernels" --isa c >/dev/null
./ffngen activations --out "$folder/activations" >/dev/null
# shellcheck disable=SC2046 # lists are meant to be split
gcc -std=c11 -O1 -w -Itests/support/plain -Itests -Itests/support -I"$folder/kernels" \
  -I"$folder/activations" -I. -Iruntime tests/kernels/moe_route.c tests/kernels/mixtures.c \
  tests/support/plain.c \
  $(lua5.4 tests/scripts/sources_of.lua tests/kernels/moe_route.c tests/kernels/mixtures.c) \
  runtime/moe.c runtime/moe_run.c "$folder/activations/act_c.c" \
  $(find "$folder/kernels" -name '*.c' ! -name '*selfcheck*') -lm -pthread -o "$folder/moe"
"$folder/moe" --fail-fast
