#!/bin/sh
# The tests of the reference of integers, which need no kernel: a folder of one has the runtime.
# Usage: integers.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
echo "linear 'any' { d_model = 4, d_out = 4 }" >"$folder/any.lua"
./ffngen generate "$folder/any.lua" --isa c --out "$folder/made" >"$folder/said" 2>&1
# A byte of a number that is not finite is undefined: results alone would not tell of it.
# shellcheck disable=SC2046 # a list is meant to be split
LIBRARIES='-lm -pthread -lubsan' tests/scripts/program.sh "$folder/integers" -O1 -w \
  -DFFN_NO_MAIN -DFFN_REFERENCE -fsanitize=float-cast-overflow -fno-sanitize-recover=all \
  -Itests/support/plain -I"$folder/made" -Itests -Itests/support -- tests/kernels/integers.c \
  tests/support/plain.c "$folder"/made/*.c \
  $(lua5.4 tests/scripts/sources_of.lua tests/kernels/integers.c)
"$folder/integers" --fail-fast

# A vendored reference of rows of bytes alone: a compiler sees whether it reads what nothing wrote.
echo "linear 'rows' { d_model = 40, d_out = 8, weights = 'i8', arithmetic = 'dot_s8' }" >"$folder/rows.lua"
./ffngen vendor "$folder/rows.lua" --prefix my --isa c --out "$folder/rows" >"$folder/said" 2>&1
gcc -O1 -Wall -Wextra -Werror -c "$folder/rows/my_reference.c" -o "$folder/rows/my_reference.o"
