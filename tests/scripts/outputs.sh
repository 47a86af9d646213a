#!/bin/sh
# The tests of several outputs on portable C, compiled for them alone: what seeded defects meet.
# Usage: outputs.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
./ffngen generate tests/specs/outputs.lua --isa c --out "$folder/made"
for source in "$folder"/made/*.c tests/kernels/outputs.c \
  $(printf 'tests/support/%s.c ' each guard kernels model plain pool); do
  case $source in */selfcheck.c) continue ;; esac
  gcc -O1 -w -DFFN_PARALLEL_FLOP=1 -I"$folder/made" -Itests/support/plain -Itests -Itests/support \
    -Iruntime -c "$source" -o "$folder/$(basename "$source").o"
done
gcc "$folder"/*.o -lm -pthread -o "$folder/outputs"
"$folder/outputs" --fail-fast
