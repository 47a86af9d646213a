#!/bin/sh
# The tests of decoders of blocks, which need no kernel. Usage: decoders.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2046 # a list is meant to be split
tests/scripts/program.sh "$folder/decoders" -O1 -w -Itests/support/plain -Itests -Iruntime -- \
  tests/kernels/decoders.c tests/support/plain.c \
  $(lua5.4 tests/scripts/sources_of.lua tests/kernels/decoders.c)
"$folder/decoders" --fail-fast
