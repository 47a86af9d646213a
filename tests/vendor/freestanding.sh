#!/bin/sh
# Freestanding kernels link without a libc and without its headers, and ask for nothing but what
# the macros name. Usage: freestanding.sh FOLDER
. "$(dirname "$0")/lib.sh"
here=$root/tests/vendor

vendor free --layer head --prefix my --freestanding --single-file

cat >copy.c <<'END'
#include "free/my.c"
void copy(float *restrict to, const float *restrict from, size_t count);
void copy(float *restrict to, const float *restrict from, size_t count) {
  MY_MEMCPY(to, from, count * sizeof *to);
}
END

# The headers of the compiler alone.
for compiler in gcc clang; do
  headers=$($compiler -print-file-name=include)
  [ -e "$headers/stdint.h" ] || headers=$($compiler -print-resource-dir)/include
  # shellcheck disable=SC2086 -- lists are meant to be split, here and below
  $compiler -ffreestanding -nostdinc -isystem "$headers" $strict -O2 -c free/my.c -o free/my.o
  test -z "$(nm -u free/my.o)" || fail "$compiler: asks for $(nm -u free/my.o)"
  # Nor without that flag, where the compiler knows that what is copied does not overlap.
  # shellcheck disable=SC2086
  $compiler $strict -O2 -c copy.c -o copy.o
  test -z "$(nm -u copy.o)" || fail "$compiler: a copy asks for $(nm -u copy.o)"
  # shellcheck disable=SC2086
  $compiler -ffreestanding -nostdinc -isystem "$headers" $strict -O2 -include "$here/product_copy.h" \
    -c free/my.c -o free/my.o
  test "$(nm -u free/my.o | tr -d ' U\n')" = product_copy || fail "$compiler: $(nm -u free/my.o)"
  pass "$compiler: nothing is asked for but what FFN_MEMCPY names"
done
grep -h -o '#include <.*>' free/my.[ch] | sort -u >includes
! grep -v -e stddef.h -e stdint.h -e float.h -e intrin.h -e cpuid.h -e arm_neon.h -e wasm_simd128.h includes ||
  fail "headers of a libc"
pass "headers: no libc's"

if [ "$(uname -sm)" = 'Linux x86_64' ]; then
  cp "$here/start.c" .
  # shellcheck disable=SC2086
  gcc -O2 -ffreestanding -nostdlib -static -fno-stack-protector $strict -Ifree start.c free/my.c \
    -o start
  ./start || fail "the program without a libc ends with $?"
  pass "a program without a libc"
else
  skip "a program without a libc on $(uname -sm)"
fi
finish
