#!/bin/sh
# Compiles and runs wasm_fma.c with what the generator writes. Usage: wasm_fma.sh FOLDER
set -eu
folder=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
for tool in emcc node; do
  command -v "$tool" >/dev/null || {
    echo "no $tool (./setup.sh --platforms installs it): skipped"
    exit 0
  }
done
./ffngen generate tests/platforms/layers.lua --out "$folder" >/dev/null 2>&1
./ffngen activations --out "$folder"
NODE_PATH=/usr/share/nodejs emcc -O2 -msimd128 -std=c11 -Wall -Wextra -Wno-unused-function -Werror \
  -sSINGLE_FILE -sEXIT_RUNTIME -I"$folder" -Iruntime -Itests \
  -Itests/kernels tests/platforms/wasm_fma.c -o "$folder/wasm_fma.out"
node "$folder/wasm_fma.out"
# The tests of sums in vectors of doubles, as they are.
NODE_PATH=/usr/share/nodejs emcc -O2 -msimd128 -std=c11 -Wall -Wextra -Wno-unused-function -Werror \
  -sSINGLE_FILE -sEXIT_RUNTIME -Itests/support/plain -I"$folder" -Iruntime -Itests \
  tests/kernels/wide.c tests/support/plain.c -o "$folder/wide.out"
node "$folder/wide.out"
