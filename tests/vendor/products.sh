#!/bin/sh
# Products that compile with -Ofast and install themselves: a vendored folder in them keeps its bits,
# and installs nothing unless asked to. By CMake and by Meson. Usage: products.sh FOLDER
. "$(dirname "$0")/lib.sh"

vendor acme --layer head --prefix acme --isa c,avx2 --single-file
cat >main.c <<'END'
#include "acme.h"
int main(void) { return acme_head() == 0; }
END

# What is installed below a folder, in one line.
installed() { (cd "$1" && find . -type f | LC_ALL=C sort | tr '\n' ' '); }

# alone FOLDER: the product alone is installed there.
alone() { test "$(installed "$1")" = './bin/product ' || fail "installed: $(installed "$1")"; }

# with FOLDER: the kernels too.
with() {
  installed "$1" | grep -q ' ./include/acme.h .*/libacme.a ' || fail "installed: $(installed "$1")"
}

if has cmake; then
  cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(product C)
add_subdirectory(acme)
add_executable(product main.c)
target_link_libraries(product PRIVATE acme::acme)
install(TARGETS product RUNTIME DESTINATION bin)
END
  for way in 'gcc -Ofast -Werror' 'clang -Ofast -Werror' \
    'gcc -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math'; do
    rm -rf build
    cmake -S . -B build -DCMAKE_C_COMPILER="${way%% *}" -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_C_FLAGS_RELEASE="${way#* }" -DCMAKE_INSTALL_PREFIX="$PWD/usr_alone" >log
    cmake --build build --target all acme_selfcheck >log 2>&1 || { cat log; fail "$way"; }
    build/acme/acme_selfcheck >run.log || { cat run.log; fail "$way: the self-check"; }
    build/product
  done
  cmake --install build >log
  alone usr_alone
  cmake -S . -B build -DACME_INSTALL=ON -DCMAKE_INSTALL_PREFIX="$PWD/usr_with" >log
  cmake --build build >log
  cmake --install build >log
  with usr_with
  pass "CMake: a product with -Ofast and its own installation"
else
  skip "no cmake"
fi

if has meson && has ninja; then
  mkdir subprojects
  cp -R acme subprojects
  cat >meson.build <<'END'
project('product', 'c')
acme_dep = dependency('acme', fallback: ['acme', 'acme_dep'])
executable('product', 'main.c', dependencies: acme_dep, install: true)
END
  # meson FOLDER OPTIONS...
  meson_build() {
    folder=$1
    shift
    meson setup "$folder" --prefix=/usr -Dc_args=-Ofast "$@" >log || { cat log; fail "meson $*"; }
    ninja -C "$folder" >log || { cat log; fail "meson $*"; }
    "$folder/product"
    DESTDIR="$PWD/$folder.stage" meson install -C "$folder" >log
  }
  meson_build meson_alone
  alone meson_alone.stage/usr
  meson_build meson_with -Dacme:install=true
  with meson_with.stage/usr
  meson setup meson_acme acme -Dc_args=-Ofast >log
  ninja -C meson_acme >log
  meson test -C meson_acme >log
  pass "Meson: a product with -Ofast and its own installation"
else
  skip "no meson"
fi
finish
