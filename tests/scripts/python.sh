#!/bin/sh
# The example in Python, on a shared library of a generated folder. Usage: python.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! python3 -c 'import numpy' 2>/dev/null; then
  echo "Python: no python3 with numpy (setup.sh installs both): skipped"
  exit 0
fi
rm -rf "$1"
mkdir -p "$1"
cd "$1"
echo "ffn 'layer' { variant = 'swiglu', d_model = 96, d_ff = d_model * 8 // 3 }" >my.lua
"$root/ffngen" generate my.lua --out kernels/ >generate.log
gcc -O2 -shared -fPIC -DFFN_NO_MAIN kernels/*.c -lm -o libkernels.so
python3 "$root/tests/examples/layer.py" ./libkernels.so 96 256
