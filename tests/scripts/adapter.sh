#!/bin/sh
# The test and the example of an adapter to a library that need not be there: without it they are
# skipped. The test is linked with the kernels and the support of the suite in build/gcc_criterion,
# the example with what ships.
# Usage: adapter.sh NAME HEADER 'COMPILER FLAGS' 'LIBRARIES'
set -eu
cd "$(dirname "$0")/../.."
name=$1 header=$2 compile=$3 libraries=$4
folder=build/adapters/$name-${compile%% *}
objects=build/gcc_criterion
mkdir -p "$folder"

# shellcheck disable=SC2086 -- lists are meant to be split, here and below
if ! printf '#include <%s>\nint main(void) { return 0; }\n' "$header" |
  $compile -x c - $libraries -o "$folder/probe" 2>"$folder/probe.log"; then
  echo "$name with $compile: no $header or its library (setup.sh installs both): skipped"
  exit 0
fi

warnings='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
# shellcheck disable=SC2086
$compile -O2 $warnings -Iruntime -Igenerated -Itests -Itests/support "tests/kernels/parallel_$name.c" \
  $objects/libtest.a $objects/runtime.a $objects/kernels.a -lcriterion $libraries \
  -lm -pthread -o "$folder/suite"
# shellcheck disable=SC2086
$compile -O2 $warnings -Iruntime -Igenerated "tests/examples/$name.c" build/libffn.a $libraries \
  -lm -o "$folder/example"
tests/scripts/suite.sh "$folder/suite"
"$folder/example"
