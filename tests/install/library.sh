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
echo '#include <ffn.h>
size_t count(void) { size_t n; ffn_all(&n); return n; }
double relu(double x) { return ffn_activation_value(FFN_ACT_RELU, x, 0); }' >shared.c
eval "gcc -shared -fPIC shared.c $flags -o libshared.so -Wl,--no-undefined"
echo '#include <stddef.h>
size_t count(void);
double relu(double x);
int main(void) { return count() < 10 || relu(2) != 2 || relu(-2) != 0; }' >main.c
gcc main.c -L. -lshared -Wl,-rpath,. -o in_shared
./in_shared
