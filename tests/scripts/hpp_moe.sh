#!/bin/sh
# The C++ wrapper of mixtures of experts by two compilers under sanitizers, with the prefix of
# generate and with one of vendor. Usage: hpp_moe.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
"$root/ffngen" generate "$root/tests/examples/experts.lua" --isa c --file --out kernels >generate.log
(cd kernels && rm selfcheck.c && gcc -c -O0 ./*.c)
"$root/ffngen" vendor "$root/tests/examples/experts.lua" --isa c --prefix own --cpp --file \
  --no-selfcheck --out vendored >vendor.log
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
sed 's/ffn::/own::/g; s/ffn_/own_/g; s/FFN_/OWN_/g; s/"moes.h"/"own_moes.h"/' \
  "$root/tests/kernels/hpp_moe.cpp" >own.cpp
for compiler in 'g++ -std=c++17 -fno-exceptions -fno-rtti' 'clang++ -std=c++20'; do
  # shellcheck disable=SC2086 -- lists are meant to be split
  $compiler $warnings -g -fsanitize=address,undefined -fno-sanitize-recover=all -Ikernels \
    "$root/tests/kernels/hpp_moe.cpp" kernels/*.o -lm -o program
  ./program
  # shellcheck disable=SC2086
  $compiler $warnings -Ivendored -fsyntax-only own.cpp
done
