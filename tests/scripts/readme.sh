#!/bin/sh
# The README's example, as a reader would try it: its spec, its program and its commands, in a new
# folder. Usage: readme.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"

# The n-th block of a language.
block() {
  awk -v want="\`\`\`$1" -v n="$2" '
    $0 == want { seen++; inside = seen == n; next }
    $0 == "```" { inside = 0 }
    inside' "$root/README.md"
}

block lua 1 >my.lua
block c 1 >main.c
test -s my.lua && test -s main.c
"$root/ffngen" generate my.lua --out kernels/
block sh 2 >compile.sh
grep -q '^cc ' compile.sh
sh -eu compile.sh | tee output
grep -q 'ffn_swiglu_d512_f1365_f32_.*: y\[0\]\[0\] = 0$' output

# Each ninja target that README names is one.
for target in $(grep -o 'ninja [a-z]\+' "$root/README.md" | cut -d' ' -f2 | sort -u); do
  (cd "$root" && ninja -t query "$target" >/dev/null)
done
