#!/bin/sh
# Are these the bits? Runs a digest for every instruction set it has and compares with the committed
# ones; with FULL=1 in every layer, else without the largest in portable C and on emulators, and
# without whole large batches.
# Usage: [ISAS='c avx2'] [FULL=1] compare.sh DIGEST [RUNNER...]
set -eu
digest=$1
shift
compared=0
skipped=0
for isa in ${ISAS:-$("$@" "$digest" list)}; do
  out=$digest.${FULL:+full.}$isa.txt
  status=0
  # Whole batches where the arithmetic is quick, else sampled rows of the large ones.
  case ${FULL:-}$isa in
    1*avx*) flop=1e13 ;;
    *avx*) flop=1e10 ;;
    1*) flop=1e9 ;;
    *) flop=3e7 ;;
  esac
  "$@" "$digest" "$isa" "$flop" >"$out" || status=$?
  case $status in
    0)
      if grep -vxFf "$(dirname "$0")/../data/bits.txt" "$out"; then
        echo "$digest $isa: the lines above are not in tests/data/bits.txt" >&2
        exit 1
      fi
      compared=$((compared + $(wc -l <"$out")))
      ;;
    1) skipped=$((skipped + 1)) ;;
    *) exit "$status" ;;
  esac
done
echo "$compared passed, 0 failed, $skipped skipped"
test "$compared" -gt 0
