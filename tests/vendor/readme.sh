#!/bin/sh
# The vendoring page's product, as a reader would try it. Usage: readme.sh FOLDER
. "$(dirname "$0")/lib.sh"
page=generator/vendor/README.md

lines=$(sed -n '/^cat >CMakeLists.txt/,/^END$/p' "$root/$page" | wc -l)
test "$lines" -gt 2 || fail "$page has no CMake product"
test "$lines" -le 12 || fail "its CMake product has more than ten lines"
"$root/tests/scripts/pages.sh" . $page >log || { cat log; fail "its commands"; }
folder=pages/generator_vendor_README.md output=pages/generator_vendor_README.md/output

if has cmake; then
  grep -q '^llama_.*: ok$\|^llama_.*: skipped' $output || fail "no self-check"
  grep -q ' passed, 0 failed, ' $output || fail "the self-check fails"
  grep -q 'y\[0\]\[0\] = \|this CPU has none' $output || fail "no example"
  # A second run leaves every file alone.
  find $folder/llama -type f -exec touch -d '2001-01-01' {} +
  sed -n '/^ffngen vendor/,/--out/p' $folder/script | sed '/--out llama/q' >$folder/again
  (cd $folder && FFNGEN=$root PATH="$root:$PATH" sh -eu ./again)
  test -z "$(find $folder/llama -newermt '2001-01-02' -type f)" || fail "files were touched"
  pass "the page's product"
else
  skip "the page's product: no cmake"
fi
finish
