#!/bin/sh
# Times training on a quiet machine, beside what is installed of OpenBLAS and PyTorch (BENCH_PYTHON,
# or python3). Usage: training.sh [THREADS [ROUNDS [LAYER]]]; LAYER: part of a name
set -eu
cd "$(dirname "$0")/../.."
folder=build/bench/trained
./ffngen generate tests/bench/trained.lua --out "$folder" --threads pthreads >/dev/null
rm -f build/bench/training_openblas.so
if echo '#include <cblas.h>' | gcc -E -x c - >/dev/null 2>&1; then
  gcc -std=c11 -O3 -march=native -ffast-math -fPIC -c -I"$folder" tests/bench/training_openblas.c \
    -o build/bench/training_openblas.o
  # Linked without -ffast-math, which would change the rounding of denormals for all.
  gcc -shared build/bench/training_openblas.o -lopenblas -lmvec -lm \
    -o build/bench/training_openblas.so
fi
gcc -std=c11 -O2 -DFFN_NO_MAIN -rdynamic -I"$folder" tests/bench/training.c \
  tests/bench/training_scene.c tests/bench/training_table.c tests/bench/training_python.c \
  tests/bench/child.c tests/bench/clock.c "$folder"/*.c -ldl -lm -pthread -o build/bench/training
grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: //'
exec build/bench/training "$@"
