#!/bin/sh
# Times a step of training beside PyTorch, where it is installed: BENCH_PYTHON, or python3.
# Usage: step.sh [THREADS [TURNS]]
set -eu
cd "$(dirname "$0")/../.."
python=${BENCH_PYTHON:-python3}
if ! "$python" -c 'import numpy, torch' 2>/dev/null; then
  echo "step: $python has no torch (BENCH_PYTHON names one that has): skipped"
  exit 0
fi
folder=build/bench/step
mkdir -p "$folder"
cat >"$folder/step.lua" <<'END'
ffn 'gpt2' { variant = 'gelu_tanh', d_model = 768, d_ff = 3072, bias = true, backward = true }
END
./ffngen generate "$folder/step.lua" --out "$folder/kernels" --isa avx2,avx512,neon \
  --threads pthreads >/dev/null
gcc -std=c11 -O2 -fPIC -shared -DFFN_NO_MAIN -I"$folder/kernels" tests/bench/step.c \
  "$folder"/kernels/*.c -lm -pthread -o "$folder/step.so"
exec "$python" tests/bench/step.py "$folder/step.so" "${1:-1}" "${2:-15}"
