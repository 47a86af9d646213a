#!/bin/sh
# Headers and generated kernels are also C++17, and ffn.h is C99 too.
set -eu
cd "$(dirname "$0")/../.."
warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'
includes='-Iruntime -Igenerated'

# cxx COMPILER FILE...
cxx() {
  compiler=$1
  shift
  # shellcheck disable=SC2086 -- lists are meant to be split
  $compiler -x c++ -std=c++17 -fopenmp -fsyntax-only $warnings "$@" $includes
}

for compiler in g++ clang++; do
  for file in runtime/ffn.c runtime/registry.c runtime/cpu.c runtime/reference.c generated/*.c; do
    cxx $compiler "$file"
  done
  # The activations of a spec are in the registry of the layers that are trained.
  for file in runtime/train.c runtime/dropout.c runtime/reference_grad.c \
    build/kernels/trained/ffn_swi*_train.c; do
    cxx $compiler -Itests/registry/trained -I. "$file"
  done
  for adapter in openmp:omp.h pthreadpool:pthreadpool.h pthreads:pthread.h team:stddef.h; do
    name=${adapter%:*} header=${adapter#*:}
    if printf '#include <%s>\n' "$header" | cxx $compiler - 2>/dev/null; then
      printf '#include "parallel_%s.h"\n' "$name" | cxx $compiler -
    else
      echo "parallel_$name.h with $compiler: no $header: skipped"
    fi
  done
done
# shellcheck disable=SC2086
printf '#include "ffn.h"\nint main(void) { return ffn_cpu() == 0; }\n' |
  gcc -x c -std=c99 -fsyntax-only $warnings $includes -
