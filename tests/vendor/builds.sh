#!/bin/sh
# What builds a vendored folder: CMake as a part of a product and installed, Meson, a Ninja
# fragment, pkg-config. Usage: builds.sh FOLDER
. "$(dirname "$0")/lib.sh"

vendor acme --layer head --prefix acme --isa c,avx2 --threads pthreads --flat
cat >main.c <<'END'
#include "acme.h"
#include "acme_flat.h"
#include "acme_parallel_pthreads.h"
int main(void) { return acme_head() == 0 || acme_head_packed_bytes() != ACME_HEAD_PACKED_BYTES; }
END

if has cmake; then
  mkdir part
  cat >part/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(product C)
add_subdirectory(../acme acme)
add_executable(product ../main.c)
target_link_libraries(product PRIVATE acme::acme pthread)
END
  cmake -S part -B part/build >log
  cmake --build part/build --target product acme_selfcheck acme_example >log
  part/build/product
  part/build/acme/acme_selfcheck >run.log
  part/build/acme/acme_example
  pass "CMake: add_subdirectory"

  cmake -S acme -B installed/build -DCMAKE_INSTALL_PREFIX="$PWD/installed/root" >log
  cmake --build installed/build >log
  (cd installed/build && ctest) >log
  cmake --install installed/build >log
  cat >installed/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(product C)
find_package(acme 0.1.0 REQUIRED)
find_package(acme 99.0 QUIET)
if(acme_FOUND)
  message(FATAL_ERROR "acme passes for another version")
endif()
find_package(acme 0.1.0 REQUIRED)
add_executable(product ../main.c)
target_link_libraries(product PRIVATE acme::acme pthread)
END
  cmake -S installed -B installed/product -DCMAKE_PREFIX_PATH="$PWD/installed/root" >log
  cmake --build installed/product >log
  installed/product/product
  pass "CMake: find_package, and its version"

  vendor lone --layer head --prefix lone --isa c --header-only
  cmake -S lone -B lone/build >log
  cmake --build lone/build >log
  (cd lone/build && ctest) >log
  pass "CMake: a header"
else
  skip "no cmake"
fi

if has meson && has ninja; then
  meson setup meson acme >log
  ninja -C meson >log
  meson test -C meson >log
  meson/example >log
  vendor lone --layer head --prefix lone --isa c --header-only
  meson setup meson_lone lone >log
  ninja -C meson_lone >log
  pass "Meson"
else
  skip "no meson"
fi

if has ninja; then
  cat >build.ninja <<'END'
acme_dir = acme
acme_obj = objects
include acme/acme.ninja
rule product
  command = cc -Iacme $in -pthread -o $out
build product: product main.c $acme_obj/libacme.a
END
  ninja >log
  objects/selfcheck >run.log
  ./product
  test "$(ninja -n)" = 'ninja: no work to do.'
  pass "the Ninja fragment"
else
  skip "no ninja"
fi

if has pkg-config; then
  sed -e "s|@PREFIX@|$PWD|" -e "s|@LIBDIR@|$PWD/pc|" -e "s|@INCLUDEDIR@|$PWD/acme|" \
    acme/acme.pc.in >acme.pc
  mkdir pc
  (cd pc && cc -O1 -c ../acme/acme.c ../acme/acme_[cfm]*.c && ar crs libacme.a ./*.o)
  # shellcheck disable=SC2046 -- flags are meant to be split
  cc main.c $(PKG_CONFIG_PATH=. pkg-config --cflags --libs acme) -pthread -o pc/product
  pc/product
  test "$(PKG_CONFIG_PATH=. pkg-config --modversion acme)" = 0.1.0
  pass "pkg-config"
else
  skip "no pkg-config"
fi
finish
