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
# shellcheck disable=SC2046,SC2086 # lists are meant to be split
tests/scripts/program.sh "$folder/gradients" -O1 -w -DFFN_PARALLEL_FLOP=1 -I"$folder/made" \
  -Itests/support/plain -Itests -Itests/kernels -Itests/support -Iruntime -- $tests \
  tests/support/plain.c "$folder"/activations/act_c.c \
  $(find "$folder/made" -name '*.c' ! -name selfcheck.c) \
  $(lua5.4 tests/scripts/sources_of.lua $tests)
"$folder/gradients" --fail-fast
