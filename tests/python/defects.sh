#!/bin/sh
# The tests of numbers, of trainers and of several outputs: what seeded defects of the Python
# package meet.
# Usage: defects.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$root/tests/scripts/python_with_numpy.sh") || {
  echo 'no python3 with numpy (setup.sh installs both): skipped'
  exit 0
}
mkdir -p "$1"
FFN_CACHE=$(cd "$1" && pwd)/cache
export FFN_CACHE PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$root/generator/package/python:$root/tests/python"
"$python" -m unittest --failfast test_scalars test_trainer test_outputs
