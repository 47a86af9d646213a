#!/bin/sh
# The C++ wrapper by two compilers, as C++17 and as C++20, with exceptions and without, under
# sanitizers, on a kernel of every form of layer; and its example.
# Usage: hpp.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
for format in q8_0 q5_K i8z u4g64 f8_e4m3; do
  echo "linear 'of_$format' { d_model = 256, d_out = 5, bias = true, weights = '$format' }"
done >blocks.lua
echo "linear 'given' { d_model = 40, d_out = 5, bias = true, weights = 'i8', arithmetic = 'dot_s8'," \
  "operand_scales = 'static' }" >>blocks.lua
"$root/ffngen" generate "$root/tests/mutants/specs.lua" blocks.lua --isa c --out kernels \
  >generate.log
(cd kernels && rm selfcheck.c && gcc -c -O0 ./*.c)
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'

{
  cat "$root/tests/vendor/trained.lua"
  echo "linear 'wide' { d_model = 1, d_out = 16, backward = true }"
} >trained.lua
"$root/ffngen" generate trained.lua --isa c --out trained >generate.log
(cd trained && rm selfcheck.c && gcc -c -O0 ./*.c)

echo "ffn 'example' { variant = 'swiglu', d_model = 512, d_ff = 1365 }" >example.lua
"$root/ffngen" generate example.lua --isa c --out of_example >generate.log
(cd of_example && rm selfcheck.c && gcc -c -O2 ./*.c)

# try COMPILER OPTION...
try() {
  # shellcheck disable=SC2086 -- a list is meant to be split
  "$@" $warnings -g -fsanitize=address,undefined -fno-sanitize-recover=all -Ikernels \
    "$root/tests/kernels/hpp.cpp" kernels/*.o -lm -o program
  ./program
  # shellcheck disable=SC2086
  "$@" $warnings -g -fsanitize=address,undefined -fno-sanitize-recover=all -Itrained \
    "$root/tests/kernels/hpp_train.cpp" trained/*.o -lm -o program
  ./program
}

# A host's macros of one letter.
letters=$(printf -- '-D%s=1 ' A B C D E F G H I J K L M N O P Q R S T U V W X Y Z)

for compiler in g++ clang++; do
  # shellcheck disable=SC2086
  printf '#include "ffn.hpp"\n#include "ffn_train.hpp"\n' |
    $compiler -x c++ -std=c++17 $letters $warnings -fsyntax-only -Itrained -
  try $compiler -std=c++17 -fno-exceptions -fno-rtti
  try $compiler -std=c++20
  # shellcheck disable=SC2086
  $compiler -std=c++2b $warnings -fsyntax-only -Ikernels -Itrained "$root/tests/kernels/hpp.cpp" \
    "$root/tests/kernels/hpp_train.cpp"
  # shellcheck disable=SC2086
  $compiler -std=c++17 $warnings -Iof_example "$root/tests/examples/layer.cpp" of_example/*.o -lm \
    -o example
  ./example
done
