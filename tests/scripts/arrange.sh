#!/bin/sh
# The tests of arrangements of 4-bit weights, which need no kernel. Usage: arrange.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2046 # a list is meant to be split
tests/scripts/program.sh "$folder/arrange" -O1 -w -Itests/support/plain -Itests -Iruntime \
  -Igenerated -- tests/kernels/arrange.c tests/support/plain.c \
  $(lua5.4 tests/scripts/sources_of.lua tests/kernels/arrange.c)
"$folder/arrange" --fail-fast
