#!/bin/sh
# ffn-pack: its bytes are those of pack(), for every small layer and all ways that weights lie in a
# file; what it refuses; how it writes. Usage: run.sh FOLDER FFN_PACK EQUAL SPEC, EQUAL as equal.c is
# linked with the kernels of SPEC; beside FFN_PACK are FFN_PACK-named, with writer.c of FFN_PACK_NAMED,
# and FFN_PACK-contradictions, of contradictions.c
set -eu
rm -rf "$1"
mkdir -p "$1"
lua5.4 tests/pack/plans.lua "$1" "$4"
"$2" "$1/PLAN.json" 2>"$1/log"
grep -q "bytes for $1/model.ffn, .* of memory beside the maps" "$1/log"
"$3" "$1"
lua5.4 tests/pack/refusals.lua "$2" "$1"
lua5.4 tests/pack/finite.lua "$2" "$1"
lua5.4 tests/pack/errors.lua "$2" "$1"
"$2-contradictions" "$1"
lua5.4 tests/pack/writing.lua "$2" "$2-named" "$1"
