#!/bin/sh
# Headers and generated kernels are also C++17, and ffn.h is C99 too.
set -eu
cd "$(dirname "$0")/.."
warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'
includes='-Iruntime -Igenerated'
for compiler in g++ clang++; do
  for file in runtime/ffn.c runtime/cpu.c runtime/reference.c generated/*.c; do
    # shellcheck disable=SC2086 -- lists are meant to be split
    $compiler -x c++ -std=c++17 -fsyntax-only $warnings $includes "$file"
  done
done
# shellcheck disable=SC2086
printf '#include "ffn.h"\nint main(void) { return ffn_cpu() == 0; }\n' |
  gcc -x c -std=c99 -fsyntax-only $warnings $includes -
