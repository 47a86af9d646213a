#!/bin/sh
# ffn-pack: its bytes are those of pack(), for every small layer and all ways that weights lie in a
# file; what it refuses; how it writes. Usage: run.sh FOLDER FFN_PACK EQUAL SPEC, EQUAL as equal.c is
# linked with the kernels of SPEC; beside FFN_PACK are FFN_PACK-named, with writer.c of FFN_PACK_NAMED,
# and FFN_PACK-contradictions, of contradictions.c
set -eu
rm -rf "$1"
mkdir -p "$1"
lua5.4 tests/pack/plans.lua "$1" "$4"
# A call that waits for ever is an error, too.
limited=$1/ffn-pack
printf '#!/bin/sh\nexec timeout 120 "%s" "$@"\n' "$2" >"$limited"
chmod +x "$limited"
"$limited" "$1/PLAN.json" 2>"$1/log"
grep -q "bytes for $1/model.ffn, .* of memory beside the maps" "$1/log"
# Threads: the same bytes, and what is told of them; an odd number, and more than there are parts.
grep -v 'bytes of memory' "$1/log" >"$1/told"
for threads in 3 64; do
  "$limited" "$1/PLAN.json" --threads "$threads" --out "$1/threads.ffn" >/dev/null 2>"$1/log"
  cmp "$1/model.ffn" "$1/threads.ffn"
  grep -v 'bytes of memory' "$1/log" | cmp - "$1/told"
done
for threads in 0 65 x 1x 99999999999999999999; do
  status=0
  "$limited" "$1/PLAN.json" --threads "$threads" 2>"$1/log" || status=$?
  [ "$status" = 2 ]
  grep -q -e '--threads: write a number from 1 to 64' "$1/log"
done
"$3" "$1"
lua5.4 tests/pack/refusals.lua "$limited" "$1"
lua5.4 tests/pack/finite.lua "$limited" "$1"
lua5.4 tests/pack/errors.lua "$limited" "$1"
"$2-contradictions" "$1"
lua5.4 tests/pack/writing.lua "$2" "$2-named" "$1"
