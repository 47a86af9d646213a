#!/bin/sh
# Headers and generated kernels are also C++ from C++17 on, and ffn.h is C99 too. What C++26 refuses
# is an error in what compilers know of it, the C++23 before: sums of enumerators of two enumerations.
set -eu
cd "$(dirname "$0")/../.."
warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'
includes='-Iruntime -Igenerated'

# cxx COMPILER FILE...
cxx() {
  compiler=$1
  shift
  # shellcheck disable=SC2086 -- lists are meant to be split
  $compiler -x c++ -std=$standard -fopenmp -fsyntax-only $warnings "$@" $includes
}

for way in 'g++ c++17' 'g++ c++2b' 'clang++ c++17' 'clang++ c++2b'; do
  compiler=${way% *} standard=${way#* }
  for file in runtime/ffn.c runtime/registry.c runtime/cpu.c runtime/reference.c \
    runtime/reference_s8.c runtime/moe.c runtime/moe_run.c runtime/slice.c generated/*.c; do
    cxx $compiler "$file"
  done
  # The activations of a spec are in the registry of the layers that are trained.
  for file in runtime/train.c runtime/dropout.c runtime/reference_grad.c \
    build/kernels/trained/ffn_swi*_train.c; do
    cxx $compiler -Itests/registry/trained -I. "$file"
  done
  cxx $compiler tests/examples/layer.cpp
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

# A matrix of dense f32 and its bias are {w, b}, in C and in C++.
pairs='#include "ffn.h"
float w[6], b[2];
const ffn_linear one = {w, b}, two = {w};
const ffn_weights all = {{w, b}, {w, b}, {w}, &one, {1}};'
for dialect in 'gcc -x c -std=c11' 'clang -x c -std=c11' 'g++ -x c++ -std=c++17' \
  'clang++ -x c++ -std=c++17'; do
  # shellcheck disable=SC2086
  echo "$pairs" | $dialect -Wall -Wpedantic -Werror -Wno-unused $includes -fsyntax-only -
done
# Where fields that are left out are counted, they are named.
# shellcheck disable=SC2086
printf '#include "ffn.h"\nfloat w;\nffn_weights all = {.gate = {.weight = &w, .bias = &w}};\n' |
  gcc -x c -std=c11 -fsyntax-only $warnings $includes -

# What some products ask of all their code: no float becomes a double unseen, no name that is the
# system's; constants of single precision; and headers for C++ under macros of one letter.
clang="clang -std=c11 -Wdouble-promotion -Wreserved-macro-identifier"
for file in runtime/ffn.c runtime/reference.c runtime/reference_s8.c generated/linear_bias_d10_o5_f32_*.c; do
  for compiler in "$clang" 'gcc -std=c11 -Wdouble-promotion' \
    'gcc -std=c11 -fsingle-precision-constant'; do
    # shellcheck disable=SC2086
    $compiler -Werror -fsyntax-only $includes "$file"
  done
done
letters=''
for letter in A B C D E F G H I J K L M N O P Q R S T U V W X Y Z; do
  letters="$letters#define $letter ($letter)+
"
done
# shellcheck disable=SC2086
printf '#include <array>\n#include <charconv>\n#include <functional>\n#include <memory>
#include <optional>\n%s#include "ffn_train.hpp"\n' "$letters" |
  g++ -x c++ -std=c++17 -fsyntax-only $warnings $includes -
