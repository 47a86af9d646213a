#!/bin/sh
# Times training on a quiet machine. Usage: training.sh [THREADS]
set -eu
cd "$(dirname "$0")/../.."
folder=build/bench/trained
./ffngen generate tests/bench/trained.lua --out "$folder" --threads pthreads >/dev/null
gcc -std=c11 -O2 -DFFN_NO_MAIN -I"$folder" tests/bench/training.c "$folder"/*.c -lm -pthread \
  -o build/bench/training
exec build/bench/training "${1:-1}"
