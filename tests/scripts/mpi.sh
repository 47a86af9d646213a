#!/bin/sh
# Slices over MPI: bits of several numbers of ranks, what is told where ranks differ, what a call
# gives that fails, and a rank that dies; and the example. Skipped where there is no MPI.
# Usage: mpi.sh
set -eu
cd "$(dirname "$0")/../.."
folder=build/adapters/mpi
objects=build/gcc_criterion
mkdir -p "$folder"

if ! problem=$(tests/scripts/mpirun.sh); then
  echo "mpi: $problem: skipped"
  exit 0
fi

# ranks N PROGRAM [ARGUMENT]: nothing here takes half as long.
ranks() { tests/scripts/mpirun.sh 20 "$@"; }

warnings='-std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
# shellcheck disable=SC2086 # a list is meant to be split, here and below
mpicc -O2 $warnings -Iruntime -Igenerated -Itests -Itests/support tests/kernels/parallel_mpi.c \
  $objects/libtest.a $objects/runtime.a $objects/kernels.a -lm -pthread -o "$folder/ranks"
# shellcheck disable=SC2086
mpicc -O2 $warnings -Iruntime -Igenerated tests/examples/mpi.c build/libffn.a -lm \
  -o "$folder/example"
# As C++, too, without MPI's own classes.
echo '#include "parallel_mpi.h"' >"$folder/header.cpp"
! command -v mpicxx >/dev/null ||
  mpicxx -std=c++17 -Wall -Wextra -Wshadow -Werror -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX \
    -Iruntime -Igenerated -fsyntax-only "$folder/header.cpp"

for count in 1 2 3 4 7; do
  ranks "$count" "$folder/ranks" bits
done
ranks 3 "$folder/ranks" differs
ranks 2 "$folder/ranks" error

# A rank that dies: mpirun says so, soon, and no rank goes on.
began=$(date +%s)
code=0
ranks 3 "$folder/ranks" dies >"$folder/dies.log" 2>&1 || code=$?
took=$(($(date +%s) - began))
if [ $code -eq 0 ] || [ $code -ge 124 ] || grep -q 'goes on' "$folder/dies.log"; then
  cat "$folder/dies.log"
  echo "mpi: a rank died, and mpirun ended with $code after $took s"
  exit 1
fi
echo "a rank that dies: mpirun ends with $code after $took s"

ranks 4 "$folder/example"
if ranks 2 "$folder/example" fail >"$folder/fail.log" 2>&1; then
  echo "mpi: the example takes a failure for a result"
  exit 1
fi
grep 'MPI_ERR_COMM' "$folder/fail.log" | sed 1q
