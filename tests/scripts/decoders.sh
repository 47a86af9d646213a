#!/bin/sh
# The tests of decoders of blocks, which need no kernel. Usage: decoders.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
gcc -O1 -w -Itests/support/plain -Itests -Iruntime tests/kernels/decoders.c tests/support/guard.c \
  tests/support/plain.c -lm -pthread -o "$folder/decoders"
"$folder/decoders" --fail-fast
