#!/bin/sh
# The tests of mixtures of experts on few layers, all compiled here so that little work is enough
# for threads, and few rows are a group. Usage: moe.sh FOLDER
set -eu
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
cat >"$folder/few.lua" <<'END'
ffn 'few' { variant = 'swiglu', d_model = 24, d_ff = 40, d_out = 17 }
glu 'pairs' { variant = 'reglu', d_model = 37, d_out = 53, weights = 'bf16' }
linear 'router' { d_model = 64, d_out = 72 }
linear 'router_and_gate' { d_model = 64, d_out = { { logits = 72 }, { gate = 1 } } }
linear 'zeros' { d_model = 16, d_out = 16 }
linear 'blocks' { d_model = 96, d_out = 49, bias = true, weights = 'q8_0' }
ffn 'bytes' { variant = 'geglu', d_model = 64, d_ff = 96, d_out = 81, weights = 'q4_0',
  arithmetic = 'dot_s8' }
ffn 'rows' { variant = 'geglu', d_model = 40, d_ff = 100, d_out = 81, weights = 'i8',
  arithmetic = 'dot_s8' }
ffn 'given' { variant = 'geglu', d_model = 41, d_ff = 100, d_out = 81, weights = 'i8',
  arithmetic = 'dot_s8', operand_scales = 'static' }
ffn 'pages' { variant = 'swiglu', d_model = 64, d_ff = 1280 }
ffn 'golden' { variant = 'swiglu', d_model = 16, d_ff = 24 }
linear 'chosen' { d_model = 16, d_out = 8 }
linear 'chosen_and_gate' { d_model = 16, d_out = 9 }
mlp 'chain' { d_model = 40, layers = { { 48, 'relu' }, { 100, 'tanh' }, { 65 } }, bias = true }
END
./ffngen generate "$folder/few.lua" --out "$folder/kernels" --isa c --file >/dev/null
./ffngen activations --out "$folder/activations" >/dev/null
tests="tests/kernels/moe_route.c tests/kernels/mixtures.c tests/kernels/phases.c
  tests/kernels/moe_goldens.c tests/kernels/moe_values.c tests/kernels/on_demand.c"
# shellcheck disable=SC2046,SC2086 # lists are meant to be split
tests/scripts/program.sh "$folder/moe" -std=c11 -O1 -w -DFFN_PARALLEL_FLOP=20000 \
  -DFFN_MOE_GROUP=4096 -Itests/support/plain -Itests -Itests/support -I"$folder/kernels" \
  -I"$folder/activations" -I. -Iruntime -- $tests tests/support/plain.c \
  $(lua5.4 tests/scripts/sources_of.lua $tests) \
  runtime/moe.c runtime/moe_run.c "$folder/activations/act_c.c" \
  $(find "$folder/kernels" -name '*.c' ! -name '*selfcheck*')
"$folder/moe" --fail-fast
