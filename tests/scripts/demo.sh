#!/bin/sh
# The demo of this CPU's kernels alone: every layer is there in its best instruction set, beside
# another, and right. Usage: demo.sh PROGRAM ISA
set -eu
log=$1.log
"$1" >"$log" || { cat "$log"; exit 1; }
test "$(grep -c "^  $2  *[0-9]* .* ok$" "$log")" -eq 9
test "$(grep -c 'ok$' "$log")" -eq 18
grep -q 'all answers lie within their bounds' "$log"
echo "demo: 3 layers passed, 0 failed, 0 skipped"
