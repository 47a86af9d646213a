#!/bin/sh
# Models of families from end to end: import, ffn-pack, kernels, and each layer gives what the code
# gave that the model comes from: a model of each form, or with TURNS=all every one.
# Usage: origin.sh FOLDER FFN_PACK
set -eu
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
pack=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$(dirname "$0")/../.."
models='llama_shards gpt2 bert phi3 gpt_oss apertus t5_gated gemma2 qwen2_moe modernbert opt clip'
[ "${TURNS:-}" != all ] || models=$(cd tests/data/import/hf && ls -d -- */expected | cut -d/ -f1)
# shellcheck disable=SC2086 -- a list
lua5.4 tests/pack/origin.lua "$folder" $models
for model in $models; do
  ./ffngen import "tests/data/import/hf/$model" --out "$folder/$model" --spec-only \
    >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  "$pack" "$folder/$model/PLAN.json" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
done
# Layers of many models, each once.
awk '/^ffn /{ first = !seen[$0]++ } first; /^}/{ first = 0 }' "$folder"/*/model.lua \
  >"$folder/all.lua"
./ffngen generate "$folder/all.lua" --out "$folder/kernels" --isa c --file >"$folder/log"
flags='-std=c11 -O0 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
# shellcheck disable=SC2086 -- a list
${CC:-cc} $flags -DFFN_NO_MAIN -I"$folder/kernels" tests/pack/origin.c "$folder"/kernels/*.c -lm \
  -o "$folder/origin"
"$folder/origin" "$folder" | tee "$folder/log"
grep -q '^[0-9]* layers give what their origin gives, 0 do not' "$folder/log"
