#!/bin/sh
# Nothing that a vendored layer defines lacks its prefix, and two of them share one program, each
# on a pool of its own, under ThreadSanitizer. Usage: prefix.sh FOLDER
. "$(dirname "$0")/lib.sh"
here=$root/tests/vendor

# Macros after a header that are not there after the system's headers that it includes.
macros() {
  sed -n 's/^#include \(<[^>]*>\).*/#if __has_include(\1)\n#include \1\n#endif/p' "$1" >"$2.includes"
  gcc -E -dM -x c "$2.includes" | sort >"$2.without"
  # shellcheck disable=SC2086 -- options are meant to be split
  printf '#include "%s"\n' "$1" | gcc -E -dM $3 -x c - | sort >"$2.with"
  comm -13 "$2.without" "$2.with" | sed 's/^#define \([A-Za-z0-9_]*\).*/\1/'
}

vendor one --layer block --isa c,avx2 --prefix one --single-file --threads pthreads,team,openmp
vendor two --layer block --isa c,avx2 --prefix two_b --header-only --threads pthreads
vendor three --layer block --isa c,avx2 --prefix three

# External symbols.
for compiler in gcc clang; do
  (cd three && for file in *.c; do $compiler -O1 -c "$file"; done && rm three_selfcheck.o)
  $compiler -O1 -c one/one.c -o one/one.o
  $compiler -O1 -DTWO_B_IMPLEMENTATION -x c -c two/two_b.h -o two/two_b.o
  nm -g --defined-only three/*.o one/one.o two/two_b.o >symbols.$compiler
  test "$(grep -c ' [A-Z] ' symbols.$compiler)" -gt 50
  ! grep ' [A-Z] ' symbols.$compiler | grep -v -e ' one_' -e ' two_b_' -e ' three_' ||
    fail "$compiler: symbols without the prefix"
  # What a header keeps to itself lies beside its user's own: all but what is inside a function.
  $compiler -O1 -DNDEBUG -DTWO_B_IMPLEMENTATION -x c -c two/two_b.h -o two/two_b.o
  ! nm --defined-only two/two_b.o | grep -v -e ' two_b_' -e ' \.L' -e '[a-z]\.[a-z0-9_]*$' ||
    fail "$compiler: names of a header without the prefix"
  rm -f three/*.o
done
pass "symbols carry the prefix"

# Macros, types, and words of any other kind.
macros one/one.h one.macros "" | tee one.list | grep -v '^ONE_' && fail "macros of one.h"
macros two/two_b.h two.macros -DTWO_B_IMPLEMENTATION | tee two.list |
  grep -v -e '^TWO_B_' -e '^two_b_fma$' && fail "macros of two_b.h"
test "$(wc -l <one.list)" -gt 10 && test "$(wc -l <two.list)" -gt 20
grep -h -e '^typedef' -e '^} [a-z]' three/*.h >types
test "$(wc -l <types)" -gt 15
grep -v -e '\(enum\|struct\|union\|}\) three_[a-z_]*' \
  -e '^typedef [a-z0-9_]* three_[a-z_]*\( __attribute__\|;\)' types && fail "types of three.h"
cat one/*.[ch] two/*.[ch] three/*.[ch] | sed -e 's/"[^"]*"//g' -e 's/\(one\|two_b\|three\)_ffn_/k_/g' |
  grep -w -e '[fF][fF][nN]_[A-Za-z0-9_]*' | grep -v '^ \*' && fail "words without the prefix"
pass "macros and types carry the prefix"

# Both at once.
cp "$here/two_prefixes.c" .
# shellcheck disable=SC2086 -- options are meant to be split
clang $strict -O1 -g -fsanitize=thread -DONE_PARALLEL_FLOP=1 -DTWO_B_PARALLEL_FLOP=1 -Ione -Itwo \
  two_prefixes.c one/one.c -pthread -lm -o two_prefixes
timeout 100 ./two_prefixes
pass "two prefixes in one program, on two pools"
finish
