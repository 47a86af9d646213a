#!/bin/sh
# Folders in builds that compile every file they find: objects of two lie in one folder, a product's
# main() is the only one, and no libm is asked for. Usage: together.sh FOLDER
. "$(dirname "$0")/lib.sh"

cat >layers.lua <<'END'
linear 'a' { d_model = 3, d_out = 5, backward = true }
ffn 'b' { variant = 'gelu', d_model = 6, d_out = 2, d_ff = 8 }
END
echo "mlp 'c' { d_model = 3, layers = { { 2, 'tanh' } }, optimise = 'size' }" >embedded.lua
head -c 24 /dev/zero >embedded.bin

# make FOLDER OPTIONS...
make() {
  folder=$1
  shift
  "$root/ffngen" vendor --out "$folder" --isa c "$@" >vendor.log 2>&1 || {
    cat vendor.log
    fail "ffngen vendor $*"
  }
}

# main PREFIX...: a product's.
main() {
  for prefix in "$@"; do echo "#include \"$prefix.h\""; done
  echo 'int main(void) {'
  for prefix in "$@"; do echo "  if (!${prefix}_a() || !${prefix}_b()) return 1;"; done
  printf '  return 0;\n}\n'
}

# What two folders call their files: none like the other's, on systems without case, too; but for
# those of build systems and of whoever reads them.
for shape in '' --single-file --header-only; do
  rm -rf one two
  # shellcheck disable=SC2086 -- options are meant to be split
  make one layers.lua --prefix one --threads team,pthreads,openmp,pthreadpool --cpp $shape
  # shellcheck disable=SC2086
  make two layers.lua --prefix two --threads team,pthreads,openmp,pthreadpool --cpp $shape
  (ls -A one && ls -A two) | tr '[:upper:]' '[:lower:]' | sort | uniq -d | tr '\n' ' ' >same
  test "$(cat same)" = '.gitattributes cmakelists.txt license meson.build meson_options.txt readme.md ' ||
    fail "$shape: files of one name: $(cat same)"
done
make lone layers.lua
! find lone -name '*.[ch]' -o -name '*.hpp' | grep -v '/\(lone\|ffn\|linear_\)' ||
  fail "files without the prefix"
pass "names of files"

# Their objects in one folder.
rm -rf one two
make one layers.lua --prefix one
make two layers.lua --prefix two
mkdir flat
main one two >main.c
(cd flat && gcc -O0 -DONE_NO_MAIN -DTWO_NO_MAIN -I../one -I../two -c ../one/*.c ../two/*.c ../main.c)
test "$(find flat -name '*.o' | wc -l)" -eq "$(find main.c one two -name '*.c' | wc -l)" ||
  fail "objects of one name"
gcc flat/*.o -o flat/product || fail "without libm"
flat/product
pass "two folders in a flat build, without libm"

# Every shape without a main(), and without libm: by the macro, and without a self-check.
for shape in '' --single-file --header-only '--no-dispatch --freestanding'; do
  for way in -DMY_NO_MAIN --no-selfcheck; do
    case $way in --*) options="$shape $way" macro= ;; *) options=$shape macro=$way ;; esac
    rm -rf my
    # shellcheck disable=SC2086
    make my layers.lua --prefix my $options
    main my >my/main.c
    case $shape in --header-only) sed -i '1i #define MY_IMPLEMENTATION' my/main.c ;; esac
    # The self-check of a header is an implementation of its own.
    case $shape$macro in --header-only-*) rm my/my_selfcheck.c ;; esac
    # shellcheck disable=SC2086
    (cd my && gcc $strict -O0 $macro ./*.c -o main) || fail "$shape $way"
    my/main
  done
done
pass "every file of a folder with a product's main()"

# The self-check and the reference by themselves.
rm -rf my
make my layers.lua --prefix my
cat >my/main.c <<'END'
#include "my.h"
int main(void) { return my_reference_bytes(my_b()) == 0; }
END
# shellcheck disable=SC2086
(cd my && gcc $strict -O0 -DMY_NO_MAIN -DMY_REFERENCE ./*.c -lm -o main)
my/main
pass "the reference without the self-check"

# Weights in the code, which nothing packs then.
make embedded embedded.lua --prefix embedded --weights embedded.bin --no-selfcheck
(cd embedded && gcc -O0 -c ./*.c)
! nm embedded/*.o | grep -w -e pack -e unpack || fail "what packs is there"
pass "weights in the code"

# Build systems have no self-check to make either.
rm -rf my
make my layers.lua --prefix my --no-selfcheck
main my >main.c
if has cmake; then
  cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(product C)
add_subdirectory(my)
add_executable(product main.c)
target_link_libraries(product PRIVATE my::my)
END
  cmake -S . -B build >log
  cmake --build build >log
  build/product
  pass "CMake"
else
  skip "no cmake"
fi
if has meson && has ninja; then
  meson setup meson my >log
  ninja -C meson >log
  printf 'my_dir = my\nmy_obj = objects\ninclude my/my.ninja\n' >build.ninja
  ninja >log
  gcc -Imy main.c objects/libmy.a -o product
  ./product
  pass "Meson, the Ninja fragment"
else
  skip "no meson"
fi
finish
