#!/bin/sh
# A vendored folder in a product that builds all of its parts in unity builds: by CMake, Meson and
# ffngen_add_layer(). One file is a part of a larger one. Usage: unity.sh FOLDER
. "$(dirname "$0")/lib.sh"

echo "linear 'a' { d_model = 10, d_out = 5 }" >lone.lua
"$root/ffngen" vendor lone.lua --prefix lone --out lone >vendor.log 2>&1
vendor both --prefix both --isa c,avx2,avx512
cat >main.c <<'END'
#include "both.h"
#include "lone.h"
int main(void) { return both_head() == 0 || both_block() == 0 || lone_a() == 0; }
END

if has cmake; then
  cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.16)
project(product C)
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)
add_subdirectory(lone)
add_subdirectory(both)
include($root/generator/package/cmake/ffngen.cmake)
ffngen_add_layer(made lone.lua $root/tests/vendor/specs.lua ARGS --isa c,avx2)
file(WRITE \${CMAKE_BINARY_DIR}/other.c "#include \"made.h\"\nint made(void);\n"
  "int made(void) { return made_head() == 0; }\n")
add_executable(product main.c \${CMAKE_BINARY_DIR}/other.c)
target_link_libraries(product PRIVATE lone::lone both::both made::made)
END
  cmake -S . -B build >log
  cmake --build build --target product lone_selfcheck both_selfcheck both_example made_selfcheck >log
  build/product
  build/lone/lone_selfcheck >run.log
  build/both/both_selfcheck >run.log
  build/both/both_example >run.log
  find build -name made_selfcheck -type f -exec {} \; >run.log
  grep -q ' 0 failed' run.log
  test -e build/CMakeFiles/product.dir/Unity/unity_0_c.c || fail "the product is no unity build"
  pass "CMake, ffngen_add_layer()"
else
  skip "no cmake"
fi

if has meson && has ninja; then
  for folder in lone both; do
    meson setup --unity on meson_$folder $folder >log
    ninja -C meson_$folder >log
    meson test -C meson_$folder >log
  done
  pass "Meson"
else
  skip "no meson"
fi

# One file of each of two prefixes, and the product's own code, in one.
vendor one --prefix one --single-file
vendor two --prefix two --single-file --layer block
printf '#include "one/one.c"\n#include "two/two.c"\n#include "lone/lone.h"\n' >whole.c
echo 'int main(void) { return one_head() == 0 || two_block() == 0; }' >>whole.c
for compiler in gcc clang; do
  # shellcheck disable=SC2086 -- lists are meant to be split
  $compiler $strict -O1 whole.c -lm -o whole
  ./whole
done
pass "files of two prefixes in one"
finish
