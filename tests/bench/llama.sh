#!/bin/sh
# Times a whole Llama, the example llama.c, beside transformers and beside plain loops of C, where
# transformers is installed: BENCH_PYTHON, or python3. Usage: llama.sh [usual|small [TURNS]]
set -eu
cd "$(dirname "$0")/../.."
python=${BENCH_PYTHON:-python3}
if ! "$python" -c 'import torch, transformers' 2>/dev/null; then
  echo "llama: $python has no transformers (BENCH_PYTHON names one that has): skipped"
  exit 0
fi
folder=build/bench/llama
rm -rf "$folder"
mkdir -p "$folder"
"$python" tests/bench/llama.py make "$folder/model" "${1:-usual}"
flags='-std=c11 -fPIC -shared -pthread -DFFN_NO_MAIN -w'
for format in f32 q4_0; do
  out=$folder/$format
  ./ffngen import "$folder/model" --out "$out" --also all --weights "$format" --threads pthreads \
    --isa avx2,avx512,neon --file >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  build/ffn-pack "$out/PLAN.json" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  # shellcheck disable=SC2086 -- a list
  gcc $flags -O2 -I"$out" -I"$out/kernels" tests/bench/llama.c "$out"/kernels/*.c -lm \
    -o "$out/kernels.so"
  # shellcheck disable=SC2086 -- a list
  gcc $flags -O3 -march=native -ffast-math -DPLAIN -c -I"$out" -I"$out/kernels" \
    tests/bench/llama.c -o "$out/plain.o"
  # shellcheck disable=SC2086 -- a list
  gcc $flags -O2 -I"$out" -I"$out/kernels" "$out/plain.o" "$out"/kernels/*.c -lm \
    -o "$out/plain.so"
done
exec "$python" tests/bench/llama.py time "$folder" "${2:-7}"
