#!/bin/sh
# Slices over MPI: bits of several numbers of ranks, what is told where ranks differ, what a call
# gives that fails, and a rank that dies; and the example. Skipped where there is no MPI.
# Usage: mpi.sh
set -eu
cd "$(dirname "$0")/../.."
folder=build/adapters/mpi
objects=build/gcc_criterion
mkdir -p "$folder"

if ! printf '#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n' |
  mpicc -x c - -o "$folder/probe" 2>"$folder/probe.log" || ! command -v mpirun >/dev/null; then
  echo "mpi: no mpicc with mpi.h, or no mpirun (setup.sh --mpi installs both): skipped"
  exit 0
fi

# Open MPI as root, with more ranks than cores, and without ssh.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
command -v ssh >/dev/null || command -v rsh >/dev/null || export OMPI_MCA_plm=isolated
# What nothing here may take: a hang is a failure.
most=20

# ranks N PROGRAM [ARGUMENT]
ranks() {
  count=$1
  shift
  timeout -k 5 $most mpirun -n "$count" "$@"
}

warnings='-std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
# shellcheck disable=SC2086 -- a list is meant to be split, here and below
mpicc -O2 $warnings -Iruntime -Igenerated -Itests -Itests/support tests/kernels/parallel_mpi.c \
  $objects/libtest.a $objects/runtime.a $objects/kernels.a -lm -pthread -o "$folder/ranks"
# shellcheck disable=SC2086
mpicc -O2 $warnings -Iruntime -Igenerated tests/examples/mpi.c build/libffn.a -lm \
  -o "$folder/example"

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
