#!/bin/sh
# The README's "Vendor it into your product", as a reader would try it: in a new folder, with
# ffngen in the PATH. Usage: readme.sh FOLDER
. "$(dirname "$0")/lib.sh"

awk '/^```sh$/ { block = ""; inside = 1; next }
     /^```$/ { if (inside && block ~ /^ffngen vendor/) printf "%s", block; inside = 0 }
     inside { block = block $0 "\n" }' "$root/README.md" >script
grep -q '^ffngen vendor ' script || fail "README.md has no such script"
lines=$(sed -n '/^cat >CMakeLists.txt/,/^END$/p' script | wc -l)
test "$lines" -le 12 || fail "its CMake product has more than ten lines"

if has cmake; then
  mkdir product
  (cd product && FFNGEN=$root PATH="$root:$PATH" sh -eu ../script) >output
  grep -q '^llama_.*: ok$\|^llama_.*: skipped' output || fail "no self-check"
  grep -q ' passed, 0 failed, ' output || fail "the self-check fails"
  grep -q 'y\[0\]\[0\] = \|this CPU has none' output || fail "no example"
  # A second run leaves every file alone.
  touch -d '2001-01-01' product/llama/*
  (cd product && sed -n '1,/--out/p' ../script | FFNGEN=$root PATH="$root:$PATH" sh -eu)
  test -z "$(find product/llama -newermt '2001-01-02' -type f)" || fail "files were touched"
  pass "the README's product"
else
  skip "the README's product: no cmake"
fi
finish
