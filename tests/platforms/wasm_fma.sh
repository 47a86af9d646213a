#!/bin/sh
# Compiles and runs wasm_fma.c. Usage: wasm_fma.sh OUT
set -eu
cd "$(dirname "$0")/../.."
for tool in emcc node; do
  command -v "$tool" >/dev/null || {
    echo "no $tool (./setup.sh --platforms installs it): skipped"
    exit 0
  }
done
NODE_PATH=/usr/share/nodejs emcc -O2 -msimd128 -std=c11 -Wall -Wextra -Wno-unused-function -Werror -sSINGLE_FILE -sEXIT_RUNTIME \
  -Iruntime -Igenerated -Itests -Ibuild/activations tests/platforms/wasm_fma.c -o "$1"
node "$1"
