#!/bin/sh
# The example of a whole Llama against transformers: saved models, the same as GGUF files, and, where
# transformers is installed, models that are made now. Usage: run.sh FOLDER FFN_PACK
set -eu
rm -rf "$1"
mkdir -p "$1/made"
folder=$(cd "$1" && pwd)
pack=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$(dirname "$0")/../../.."
here=tests/examples/llama
flags='-std=c11 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

# Imports a model, packs it, runs it, and compares: its path, its file of logits, options of import.
run() {
  model=$1
  logits=$2
  shift 2
  out=$folder/out/$(basename "$logits")
  mkdir -p "$out"
  ./ffngen import "$model" --out "$out" --also all --isa avx2,c --threads pthreads --file "$@" \
    >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  "$pack" "$out/PLAN.json" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  # shellcheck disable=SC2086 -- a list
  ${CC:-cc} $flags -pthread -DFFN_NO_MAIN -I"$out" -I"$out/kernels" $here/llama.c \
    "$out"/kernels/*.c -lm -o "$out/llama"
  prompt=$(sed -n 1p "$logits")
  follow=$(sed -n 2p "$logits" | wc -w)
  # shellcheck disable=SC2086 -- lists
  {
    "$out/llama" "$out/model.ffn" logits $prompt >"$out/said"
    "$out/llama" "$out/model.ffn" decode "$follow" $prompt >"$out/followed"
    "$out/llama" "$out/model.ffn" draft "$follow" $prompt >"$out/drafted"
  }
  lua5.4 $here/compare.lua "$logits" "$out/said" "$out/followed" "$out/drafted"
}

for name in llama mistral qwen2 qwen3; do
  run tests/data/import/hf/$name $here/logits/$name
done
for name in llama qwen2 qwen3; do
  lua5.4 $here/gguf.lua tests/data/import/hf/$name "$folder/$name.gguf"
  cp $here/logits/$name "$folder/$name.gguf.logits"
  run "$folder/$name.gguf" "$folder/$name.gguf.logits"
done

# A call that has no sense ends with a message.
llama=$folder/out/llama/llama
! "$llama" "$folder/out/llama/model.ffn" decode 3 1 8 2>"$folder/log"
grep -q '^llama: a token: ' "$folder/log"
! "$llama" "$folder/log" decode 3 1 2>"$folder/said"
grep -q "^llama: $folder/log: " "$folder/said"

python=${PYTHON:-python3}
if ! "$python" -c 'import transformers' 2>"$folder/log"; then
  echo 'no transformers: models that are made now are skipped'
  exit 0
fi
"$python" $here/models.py make "$folder/made"
for logits in "$folder"/made/*.logits; do
  model=${logits%.logits}
  run "$model" "$logits"
done
