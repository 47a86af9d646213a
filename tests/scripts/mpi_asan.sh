#!/bin/sh
# Slices over MPI under AddressSanitizer and UndefinedBehaviorSanitizer: layers that defects meet,
# what is told where ranks differ, what MPI returns, and the example; no leaks but MPI's own. A rank
# that loses memory shows that these are seen. Skipped where there is no MPI.
# Usage: mpi_asan.sh
set -eu
cd "$(dirname "$0")/../.."
folder=build/adapters/mpi_asan
mkdir -p "$folder"
if ! problem=$(tests/scripts/mpirun.sh); then
  echo "mpi_asan: $problem: skipped"
  exit 0
fi
# Clang, as in ninja/ways/clang_asan.ninja, whatever MPI was compiled with.
export OMPI_CC=clang MPICH_CC=clang
if ! printf 'int main(void) { return 0; }\n' |
  mpicc -fsanitize=address,undefined -x c - -o "$folder/probe" 2>"$folder/probe.log" ||
  ! "$folder/probe"; then
  echo "mpi_asan: mpicc takes no clang with its sanitizers: skipped"
  exit 0
fi
flags='-std=c11 -D_DEFAULT_SOURCE -O1 -g1 -w -DFFN_PARALLEL_FLOP=1 -DFFN_NO_MAIN -DFFN_REFERENCE
  -fsanitize=address,undefined -fno-sanitize=alignment,null,pointer-overflow
  -fno-sanitize-recover=all -mllvm -asan-instrumentation-with-call-threshold=0
  -Wno-unused-command-line-argument'

# program NAME SPEC SOURCE...: what is made of a spec, with a program of these sources
program() {
  name=$1 made=$folder/$1
  ./ffngen generate "$2" --isa c,avx2 --threads mpi --out "$made" >/dev/null
  shift 2
  # shellcheck disable=SC2086 # a list is meant to be split
  for source in "$@" "$made"/*.c; do
    echo "-c $source -o $folder/$name.$(basename "$source" .c).o"
  done | xargs -P 2 -L 1 mpicc $flags -I"$made" -Itests/support/plain -Itests -Itests/support
  # shellcheck disable=SC2086
  mpicc $flags "$folder/$name".*.o -lm -pthread -o "$folder/$name.out"
}
rm -f "$folder"/*.o
# shellcheck disable=SC2046 # a list is meant to be split
program ranks tests/mutants/slices.lua tests/kernels/parallel_mpi.c \
  $(lua5.4 tests/scripts/sources_of.lua tests/kernels/parallel_mpi.c)
echo "ffn 'my' { variant = 'swiglu', d_model = 512, d_ff = 1365 }" >"$folder/example.lua"
program example "$folder/example.lua" tests/examples/mpi.c

# Whole stacks, also through libraries without frame pointers.
export ASAN_OPTIONS=fast_unwind_on_malloc=0
export LSAN_OPTIONS="suppressions=$PWD/tests/support/mpi.supp:print_suppressions=0"
ranks() { tests/scripts/mpirun.sh 60 "$@"; }
ranks 1 "$folder/ranks.out" bits
ranks 3 "$folder/ranks.out" bits
ranks 3 "$folder/ranks.out" differs
ranks 2 "$folder/ranks.out" error
ranks 2 "$folder/example.out"
if ranks 2 "$folder/ranks.out" leaks >"$folder/leaks.log" 2>&1 ||
  ! grep -q '1000 byte(s)' "$folder/leaks.log"; then
  cat "$folder/leaks.log"
  echo "mpi_asan: a rank loses memory, and nobody says so"
  exit 1
fi
echo "no leaks but those of MPI itself"
