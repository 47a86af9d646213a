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
# shellcheck disable=SC2046 # a list is meant to be split
tests/scripts/program.sh "$folder/$test" -O1 -w -DFFN_PARALLEL_FLOP=1 -I"$folder/made" \
  -Itests/support/plain -Itests -Itests/support -Iruntime -- "tests/kernels/$test.c" \
  tests/support/plain.c $(lua5.4 tests/scripts/sources_of.lua "tests/kernels/$test.c") \
  $(find "$folder/made" -name '*.c' ! -name selfcheck.c) "$@"
"$folder/$test" --fail-fast
