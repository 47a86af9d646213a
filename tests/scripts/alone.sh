#!/bin/sh
# Tests of kernels on portable C, compiled for them alone: what seeded defects meet.
# Usage: alone.sh TEST SPEC FOLDER [SOURCE...]   tests/kernels/TEST.c, and what it needs besides, on the
#                                                layers of tests/specs/SPEC.lua
set -eu
test=$1 spec=$2
mkdir -p "$3"
folder=$(cd "$3" && pwd)
shift 3
cd "$(dirname "$0")/../.."
./ffngen generate "tests/specs/$spec.lua" --isa c --out "$folder/made"
for source in "$folder"/made/*.c "tests/kernels/$test.c" tests/support/plain.c \
  $(lua5.4 tests/scripts/sources_of.lua "tests/kernels/$test.c") "$@"; do
  case $source in */selfcheck.c) continue ;; esac
  gcc -O1 -w -DFFN_PARALLEL_FLOP=1 -I"$folder/made" -Itests/support/plain -Itests -Itests/support \
    -Iruntime -c "$source" -o "$folder/$(basename "$source").o"
done
gcc "$folder"/*.o -lm -pthread -o "$folder/$test"
"$folder/$test" --fail-fast
