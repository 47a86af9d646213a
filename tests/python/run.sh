#!/bin/sh
# The tests of the Python package, as it lies in the tree. Usage: run.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$root/tests/scripts/python_with_numpy.sh") || {
  echo "Python: no python3 with numpy (setup.sh installs both): skipped"
  exit 0
}
rm -rf "$1"
mkdir -p "$1"
export FFN_CACHE="$(cd "$1" && pwd)/cache" PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$root/generator/package/python"
"$python" "$root/tests/python/run.py"
