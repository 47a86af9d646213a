#!/bin/sh
# The tests of gradients on a few layers, compiled for them alone: what seeded defects of training
# meet. Usage: gradients.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
./ffngen generate tests/mutants/trained.lua --out "$folder/made"
./ffngen activations --out "$folder/activations"
tests=$(ls tests/kernels/gradient*.c)
# shellcheck disable=SC2086 # a list is meant to be split
for source in "$folder"/made/*.c "$folder"/activations/act_c.c $tests tests/support/plain.c \
  $(lua5.4 tests/scripts/sources_of.lua $tests); do
  case $source in */selfcheck.c) continue ;; esac
  gcc -O1 -w -DFFN_PARALLEL_FLOP=1 -I"$folder/made" -Itests/support/plain -Itests -Itests/kernels \
    -Itests/support -Iruntime -c "$source" -o "$folder/$(basename "$source").o"
done
gcc "$folder"/*.o -lm -pthread -o "$folder/gradients"
"$folder/gradients" --fail-fast
