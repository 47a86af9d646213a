#!/bin/sh
# Times FFNs in dot_s8 beside packages for Python that multiply bytes, too: those that BENCH_PYTHON
# has, or a python3 with numpy. Usage: integers.sh [usual|small [ROUNDS [FORMAT...]]]
# `integers.sh logic` times nothing, and tests what needs no clock.
set -eu
cd "$(dirname "$0")/../.."
python=${BENCH_PYTHON:-$(tests/scripts/python_with_numpy.sh || echo python3)}
if ! "$python" -c 'import numpy' 2>/dev/null; then
  echo 'no python3 with numpy (BENCH_PYTHON names one that has): skipped'
  exit 0
fi
export PYTHONPATH="$PWD/generator/package/python" FFN_CACHE="$PWD/build/bench/integers"
export PYTHONDONTWRITEBYTECODE=1
test "${1-}" != logic || exec "$python" tests/bench/integers_logic.py
size=${1:-usual} rounds=${2:-15}
if [ $# -gt 2 ]; then shift 2; else set --; fi
exec "$python" tests/bench/integers.py "$size" "$rounds" "$@"
