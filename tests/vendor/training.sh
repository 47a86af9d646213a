#!/bin/sh
# Vendored layers that are trained: their self-check looks at gradients, they have the bits of the
# kernels that `generate` makes, and who does not train links none of it. Without FULL=1 portable
# kernels alone. Usage: [FULL=1] training.sh FOLDER
. "$(dirname "$0")/lib.sh"
specs=$root/tests/vendor/trained.lua
isas=c compilers=gcc
! full || isas=c,avx2 compilers='gcc clang'

# trained FOLDER OPTIONS...
trained() {
  folder=$1
  shift
  "$root/ffngen" vendor "$specs" --out "$folder" "$@" >vendor.log 2>&1 || {
    cat vendor.log
    fail "ffngen vendor $*"
  }
}

# Many files: without a warning, with their self-check and example.
trained my --prefix my --isa $isas
# shellcheck disable=SC2086 -- lists are meant to be split, here and below
(cd my && gcc $strict -O1 -c ./*.c && gcc ./*.o -lm -o selfcheck)
my/selfcheck >check.log || { cat check.log; fail "the self-check"; }
test "$(grep -c '_c_train .*: ok' check.log)" -eq 2 || { cat check.log; fail "no gradients"; }
# shellcheck disable=SC2086
(cd my && gcc $strict -O0 -DMY_EXAMPLE -c my_example_main.c my_selfcheck.c && gcc ./*.o -lm -o example)
test "$(my/example | grep -c 'dx\[0\]\[0\] = ')" -eq 2 || fail "the example trains nothing"
pass "many files"

# A gradient that is off, in one instruction set and in all of them, fails the self-check.
for file in my/my_mlp_*_c_train.c my/my_train_walk.h; do
  cp "$file" kept
  case $file in
    *.c) sed -i 's/\(by_x = .*\)1[.]0f/\11.001f/' "$file" ;;
    *) sed -i 's/sum\[i\] += line\[i\]/sum[i] += line[i] * 1.001f/' "$file" ;;
  esac
  ! cmp -s "$file" kept || fail "no defect in $file"
  (cd my && gcc -O0 -w ./*.c -lm -o defect)
  ! my/defect >defect.log || fail "a defect in $file passes"
  cp kept "$file"
done
pass "the self-check sees a gradient that is off"

# Who trains nothing takes nothing of it from a library; and what leaves training out.
(cd my && rm -f my_selfcheck.o my_example_main.o && ar crs libmy.a ./*.o)
cat >main.c <<'END'
#include "my.h"
int main(void) {
  const my_kernel *k = my_block();
  void *packed = my_alloc(k->packed_bytes);
  my_free(packed);
  return k->inputs != MY_BLOCK_INPUTS;
}
END
gcc -Imy main.c my/libmy.a -lm -o inference
./inference
! nm inference | grep -e train -e grad || fail "training is linked by who does not train"
for without in -DMY_NO_TRAIN -DMY_NO_ADD '-DMY_NO_PACK -DMY_NO_MAIN'; do
  # shellcheck disable=SC2086
  (cd my && clang $strict $without -fsyntax-only ./*.c)
done
# shellcheck disable=SC2086
(cd my && rm -f ./*.o && gcc $strict -O0 -DMY_NO_TRAIN -DMY_NO_ADD ./*.c -lm -o without \
  && ./without >check.log)
! grep -q _train my/check.log || fail "training is left in"
! nm my/without | grep -e _train_ || fail "training is left in"
! nm my/without | grep -e _add_ -e _c_add || fail "add() is left in"
pass "without training, without add()"

# One file, and one header: as the kernels that generate makes, in one program; C++17, too.
trained one --prefix one --single-file --cpp --layer block --isa $isas
trained two --prefix two_b --header-only --layer block --isa $isas
"$root/ffngen" generate "$specs" --isa $isas --out plain >log 2>&1
# Lists that are not spelled out ask for machines of which a host's file tells nothing.
# shellcheck disable=SC2086
gcc $strict -Wno-undef -O1 -DFFN_NO_MAIN -Iplain -Ione -Itwo "$root/tests/vendor/trained_prefixes.c" plain/*.c \
  one/one.c -lm -o prefixes
./prefixes
# shellcheck disable=SC2086
(cd one && gcc $strict -O1 ./*.c -lm -o selfcheck && ./selfcheck >check.log)
# shellcheck disable=SC2086
(cd two && gcc $strict -O1 ./*.c -lm -o selfcheck && ./selfcheck >check.log)
grep -q '_train .*: ok' one/check.log && grep -q '_train .*: ok' two/check.log
# shellcheck disable=SC2086
g++ -x c++ -std=c++17 $warnings -O1 -c one/one.c -o one/one.o
trained my_cpp --prefix my --cpp --layer block --isa c
printf '#include "my_train.hpp"\n#include "one_train.hpp"\n' >both.cpp
# shellcheck disable=SC2086
g++ -std=c++17 $warnings -Imy_cpp -Ione -fsyntax-only both.cpp
! grep -n -w -i -e 'ffn[a-z_]*' one/one_train.hpp | grep -v ffngen || fail "words without the prefix"
pass "prefixes in one program, with the bits of plain kernels"

# Without a libc.
trained free --prefix my --layer block --isa c --freestanding --single-file --no-dispatch
for compiler in $compilers; do
  # shellcheck disable=SC2086
  $compiler -ffreestanding $strict -O2 -c free/my.c -o free/my.o
  test -z "$(nm -u free/my.o)" || fail "$compiler: asks for $(nm -u free/my.o)"
done
# shellcheck disable=SC2086
(cd free && gcc $strict -O0 -DMY_EXAMPLE ./*.c -lm -o example && ./example | grep -q 'dx\[0\]')
pass "freestanding"
finish
