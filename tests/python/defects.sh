#!/bin/sh
# The tests of numbers, of trainers and of several outputs, or those that are named: what seeded
# defects of the Python package meet.
# Usage: defects.sh [TEST...] FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$root/tests/scripts/python_with_numpy.sh") || {
  echo 'no python3 with numpy (setup.sh installs both): skipped'
  exit 0
}
tests=
while test $# -gt 1; do
  tests="$tests $1"
  shift
done
mkdir -p "$1"
FFN_CACHE=$(cd "$1" && pwd)/cache
export FFN_CACHE PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$root/generator/package/python:$root/tests/python"
# shellcheck disable=SC2086 -- a list is meant to be split
"$python" -m unittest --failfast ${tests:-test_scalars test_trainer test_outputs}
