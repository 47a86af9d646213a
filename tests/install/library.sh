#!/bin/sh
# Programs from a clean folder that know the installed files alone, through pkg-config; and a shared
# library that takes the static one in. Usage: library.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1/clean"
cd "$1"
DESTDIR="$(pwd)/the stage" PREFIX='/opt/my tools' "$root/generator/package/install.sh" >log
cp "$root/tests/examples/pthreads.c" "$root/tests/examples/layer.cpp" clean
mv 'the stage' 'moved to here' # so that no path of the installation is left
cd clean
PKG_CONFIG_PATH="$(dirname "$PWD")/moved to here/opt/my tools/lib/pkgconfig"
export PKG_CONFIG_PATH

test "$(pkg-config --modversion ffn)" = "$("$root/ffngen" --version | cut -d ' ' -f 2)"
# Paths with spaces come quoted, hence eval.
flags=$(pkg-config --cflags --libs ffn)
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
eval "gcc -std=c11 -D_DEFAULT_SOURCE $warnings pthreads.c $flags -pthread -o in_c"
./in_c
eval "g++ -std=c++17 $warnings layer.cpp $flags -o in_cxx"
./in_cxx
# A program that names its layer takes that one, by C and by C++; ffn_all() takes all of them.
cat >named.c <<'END'
#include <ffn_layers.h>
int main(void) {
  const ffn_kernel *k = ffn_layer_notebook_swiglu(ffn_cpu());
  void *packed = k ? ffn_alloc(k->packed_bytes) : NULL;
  const int fits = packed && ffn_packed_problem(k, packed, k->packed_bytes) == NULL;
  ffn_free(packed);
  return k && ffn_layer_notebook_swiglu(0) == NULL ? fits : 2;
}
END
echo '#include <ffn.h>
int main(void) { size_t n; return ffn_all(&n)[n] != NULL; }' >every.c
eval "gcc -std=c11 -O0 $warnings named.c $flags -o named"
eval "g++ -x c++ -std=c++17 -O0 $warnings named.c -x none $flags -o named_cxx"
eval "gcc -std=c11 $warnings every.c $flags -o every"
./named
./named_cxx
./every
bytes() { size "$1" | awk 'NR == 2 { print $1 }'; }
# Descriptors of the layer: one of portable C, five of AVX2, four of AVX-512, for any CPU and for
# those with a profile.
for program in named named_cxx; do
  test "$(nm $program | grep -c ' [RrDd] .*_f32_')" -le 10
  test "$(bytes $program)" -lt 165000 || { size $program; exit 1; }
done
test "$(bytes every)" -gt $((4 * $(bytes named)))
echo "one layer: $(bytes named) bytes of code; all: $(bytes every)"
echo '#include <ffn.h>
size_t count(void) { size_t n; ffn_all(&n); return n; }
double relu(double x) { return ffn_activation_value(FFN_ACT_RELU, x, 0, NULL); }' >shared.c
eval "gcc -shared -fPIC shared.c $flags -o libshared.so -Wl,--no-undefined"
echo '#include <stddef.h>
size_t count(void);
double relu(double x);
int main(void) { return count() < 10 || relu(2) != 2 || relu(-2) != 0; }' >main.c
gcc main.c -L. -lshared -Wl,-rpath,. -o in_shared
./in_shared

# A shared library where it is asked for: by the name of its ABI, with the symbols of the other one,
# all that it needs in it; pkg-config and CMake know it.
cd ..
prefix=$PWD/with
PREFIX=$prefix SHARED=1 "$root/generator/package/install.sh" >log
abi=$(sed -n 's/^#define FFN_ABI //p' "$root/runtime/ffn.h")
test "$(readlink with/lib/libffn.so)" = "libffn.so.$abi"
readelf -d "with/lib/libffn.so.$abi" >dynamic
grep -q "SONAME.*\[libffn.so.$abi\]" dynamic || { cat dynamic; exit 1; }
grep 'NEEDED' dynamic | grep -v -e 'libc.so' -e 'libm.so' && exit 1
nm -g --defined-only with/lib/libffn.a | awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u >symbols
nm -D --defined-only with/lib/libffn.so | awk '{ print $3 }' | LC_ALL=C sort -u | diff symbols -
grep -qx ffn_find symbols
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
for program in named every; do
  eval "gcc -std=c11 clean/$program.c $(pkg-config --cflags --libs ffn) -o ${program}_shared"
  readelf -d ${program}_shared | grep -q "NEEDED.*\[libffn.so.$abi\]"
  LD_LIBRARY_PATH=$prefix/lib ./${program}_shared
done
if command -v cmake >/dev/null; then
  mkdir product
  cat >product/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(product C)
find_package(ffngen REQUIRED)
add_executable(product ../clean/named.c)
target_link_libraries(product PRIVATE ffngen::ffn_shared)
END
  cmake -S product -B product/build -DCMAKE_PREFIX_PATH="$prefix" >log
  cmake --build product/build >log
  readelf -d product/build/product | grep -q "NEEDED.*\[libffn.so.$abi\]"
  product/build/product
fi
# Without it what an earlier one put there is gone; and so is all of it in the end.
PREFIX=$prefix "$root/generator/package/install.sh" >log
for file in libffn.so "libffn.so.$abi"; do
  test ! -e "with/lib/$file" && test ! -L "with/lib/$file" || { echo "$file is left"; exit 1; }
done
PREFIX=$prefix SHARED=1 "$root/generator/package/install.sh" >log
PREFIX=$prefix "$root/generator/package/uninstall.sh" >log
test ! -e with || { find with; exit 1; }
