#!/bin/sh
# The tests of ffn-pack and of the loader on few layers, all compiled here. Usage: alone.sh FOLDER
set -eu
rm -rf "$1"
mkdir -p "$1/run"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
./ffngen generate tests/pack/layers.lua --out "$folder/kernels" --isa c --file >/dev/null
./ffngen packaging --out "$folder/packaging" >/dev/null
# What reads FOLDER/kernels finds its lists there, ffn-pack those of all formats.
ls "$folder"/kernels/*.c | grep -v selfcheck |
  xargs -P 2 -I {} gcc -O0 -w -I"$folder/kernels" -c {} -o {}.o
for source in runtime/pack/*.c; do
  gcc -std=c11 -O0 -w -Itests/registry/shipped -I. -Iruntime -Igenerated -I"$folder/packaging" \
    -c "$source" -o "$folder/$(basename "$source" .c).o"
done
gcc "$folder"/*.o -ljansson -lm -pthread -o "$folder/ffn-pack"
gcc -std=c11 -O0 -w -DFFN_PACK_NAMED -I. -Iruntime -c runtime/pack/writer.c -o "$folder/writer.o"
gcc "$folder"/*.o -ljansson -lm -pthread -o "$folder/ffn-pack-named"
# shellcheck disable=SC2010,SC2046 # a list is meant to be split
gcc -std=c11 -O0 -w -Itests/registry/shipped -I. -Iruntime -Igenerated -I"$folder/packaging" \
  tests/pack/contradictions.c $(ls "$folder"/*.o | grep -v /main.o) -ljansson -lm -pthread \
  -o "$folder/ffn-pack-contradictions"
gcc -std=c11 -O0 -w -I"$folder/kernels" tests/pack/equal.c "$folder"/kernels/*.o -lm \
  -o "$folder/equal"
tests/pack/run.sh "$folder/run" "$folder/ffn-pack" "$folder/equal" tests/pack/layers.lua
# shellcheck disable=SC2046 # a list is meant to be split
LIBRARIES="$(echo "$folder"/kernels/*.o) -lm -pthread" tests/scripts/program.sh "$folder/file" \
  -std=c11 -O0 -w -Itests/support/plain -Itests -Itests/support -I"$folder/kernels" -Iruntime -- \
  tests/kernels/file.c tests/kernels/file_rows.c tests/support/plain.c \
  $(lua5.4 tests/scripts/sources_of.lua tests/kernels/file.c tests/kernels/file_rows.c)
"$folder/file" --fail-fast
