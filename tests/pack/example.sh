#!/bin/sh
# The example of a model whose packed weights are mapped: a plan, its file, a vendored folder, a
# program. Usage: example.sh FOLDER FFN_PACK
set -eu
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
pack=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$(dirname "$0")/../.."
lua5.4 tests/pack/plans.lua --small "$folder" tests/pack/example.lua
# A linear is the product behind attention, in the layer in front of it.
PLAN="$folder/PLAN.json" lua5.4 -e "
  local json, path = require 'dkjson', os.getenv 'PLAN'
  local file = assert(io.open(path))
  local plan = json.decode(file:read 'a', 1, json.null)
  for i, layer in ipairs(plan.layers) do
    if plan.kernels[layer.kernel + 1].kind == 'linear' then
      layer.index, layer.part = plan.layers[i - 1].index, 0x80000001
    end
  end
  io.open(path, 'w'):write(json.encode(plan)):close()"
"$pack" "$folder/PLAN.json" 2>"$folder/log"
./ffngen vendor tests/pack/example.lua --out "$folder/kernels" --threads pthreads --file \
  --no-selfcheck >"$folder/log" 2>&1
flags='-std=c11 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
# shellcheck disable=SC2086 -- a list
${CC:-cc} $flags -pthread -I"$folder/kernels" tests/examples/packed_model.c "$folder"/kernels/*.c \
  -o "$folder/packed_model"

# The same bits from the mapping and from a copy of it.
"$folder/packed_model" "$folder/model.ffn" 24 >"$folder/mapped"
"$folder/packed_model" "$folder/model.ffn" 24 copy >"$folder/copied"
cmp "$folder/mapped" "$folder/copied"
cat "$folder/mapped"
grep -q '^7 of 7 layers for 24 tokens: -*0x' "$folder/mapped"
"$pack" "$folder/PLAN.json" --list | grep -q 'layers.7  linear_d64_o64_f32'

# A byte of a layer that is another, and a file that is cut short, end it before it runs.
head -c 16500 "$folder/model.ffn" >"$folder/bad.ffn"
printf x >>"$folder/bad.ffn"
tail -c +16502 "$folder/model.ffn" >>"$folder/bad.ffn"
! "$folder/packed_model" "$folder/bad.ffn" 2>"$folder/log"
grep -q '^layers.0: it is corrupted' "$folder/log"
size=$(wc -c <"$folder/model.ffn")
head -c $((size - 1)) "$folder/model.ffn" >"$folder/bad.ffn"
printf x >>"$folder/bad.ffn"
! "$folder/packed_model" "$folder/bad.ffn" 2>"$folder/log"
grep -q '^rows.q8_0.4: it is corrupted' "$folder/log"
head -c 20000 "$folder/model.ffn" >"$folder/bad.ffn"
! "$folder/packed_model" "$folder/bad.ffn" 2>"$folder/log"
grep -q 'it is cut short' "$folder/log"
