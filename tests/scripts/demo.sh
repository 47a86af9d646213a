#!/bin/sh
# The demo of this CPU's kernels alone: every layer is there in its best instruction set, beside
# another, and right. Usage: demo.sh PROGRAM 'ISAS', the best one first
set -eu
log=$1.log
"$1" >"$log" || { cat "$log"; exit 1; }
isas=$(echo "$2" | tr ' ' '|')
test "$(grep -cE "^  ($isas)  *[0-9]+ .* ok$" "$log")" -eq 12
test "$(grep -c 'ok$' "$log")" -eq 24
# The last layer is in dot_s8: this CPU's best kernel of it, its error of some thousandths, and f32.
block=$(sed -n '/^ffn_.*_dot_s8:/,$p' "$log")
for isa in $2; do case $isa in avx512_vnni | avx2 | c) break ;; esac; done
test "$(echo "$block" | grep -cE "^  $isa +(1|16|128) +[1-9]\.[0-9]e-0[23] .* ok$")" -eq 3
test "$(echo "$block" | grep -c '^  f32 .* ok$')" -eq 3
echo "$block" | grep -q '^  Bits: those of ffn_reference_s8()'
grep -q 'all answers are right' "$log"
echo "demo: 4 layers passed, 0 failed, 0 skipped"
