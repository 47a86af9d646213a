#!/bin/sh
# Are these the bits? Runs a digest for every instruction set it has and compares with the committed
# ones. Usage: [ISAS='c avx2'] [FLOP=1e7] compare.sh DIGEST [RUNNER...]
set -eu
digest=$1
shift
compared=0
skipped=0
for isa in ${ISAS:-$("$@" "$digest" list)}; do
  out=$digest.$isa.txt
  status=0
  # Whole batches where the arithmetic is quick, else sampled rows of the large ones.
  case $isa in avx*) flop=${FLOP:-1e13} ;; *) flop=${FLOP:-3e8} ;; esac
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
