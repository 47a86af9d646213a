#!/bin/sh
# ffngen_add_layer() for CMake: by FetchContent of the source tree, and by find_package() of an
# installed one; what it generates, when it does so again, and what it says where it cannot.
# Usage: cmake.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1/product"
cd "$1"
log=$PWD/log
if ! command -v cmake >/dev/null; then
  echo 'no cmake (setup.sh installs it): skipped'
  exit 0
fi
fail() {
  echo "FAILED: $*" >&2
  cat "$log" >&2
  exit 1
}
version=$("$root/ffngen" --version | cut -d ' ' -f 2)

cd product
echo "mlp 'head' { d_model = 10, layers = { { 64, 'relu' }, { 1 } }, bias = true }" >my.lua
cat >main.c <<'END'
#include "net.h"
#include <stdio.h>
int main(void) { return printf("%s %d\n", net_head()->layer, NET_HEAD_INPUTS) < 0; }
END

# product HOW: a project that takes ffngen so.
product() {
  {
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(product C)\n%s\n' "$1"
    cat <<'END'
ffngen_add_layer(net my.lua ARGS --isa c,avx2)
add_executable(product main.c)
target_link_libraries(product PRIVATE net)
END
  } >CMakeLists.txt
}

# make FOLDER OPTIONS...
make() {
  build=$1
  shift
  cmake -S . -B "../$build" "$@" >"$log" 2>&1 && cmake --build "../$build" >"$log" 2>&1
}

product "include(FetchContent)
FetchContent_Declare(ffngen SOURCE_DIR $root SOURCE_SUBDIR generator/package/cmake)
FetchContent_MakeAvailable(ffngen)"
make fetched || fail "FetchContent"
test "$(../fetched/product)" = 'mlp_10_relu64_identity1_bias_f32 10' || fail "the wrong layer"
cmake --build ../fetched --target net_selfcheck >"$log"
../fetched/ffngen/net.build/net_selfcheck | tail -n 1 | grep -q ' 0 failed' || fail "self-check"
# Nothing to do; then another spec, which the build alone notices.
make fetched
! grep -q Building "$log" || fail "what has not changed is built anew"
sleep 1
sed -i 's/64/32/' my.lua
cmake --build ../fetched >"$log"
test "$(../fetched/product)" = 'mlp_10_relu32_identity1_bias_f32 10' || fail "the spec of before"
# Targets of names that C does not take, and headers of the system's: a name in C is made of them, or
# asked for.
named=$(cat CMakeLists.txt)
# as TARGET PREFIX ARGS: a target in place of net.
as() {
  echo "$named" | sed -e "s/ffngen_add_layer(net my.lua ARGS/ffngen_add_layer($1 my.lua ARGS $3/" \
    -e "s/PRIVATE net)/PRIVATE $4)/" >CMakeLists.txt
  sed -e "s/net\.h/$2.h/" -e "s/net_head/$2_head/" \
    -e "s/NET_HEAD/$(echo "$2" | tr '[:lower:]' '[:upper:]')_HEAD/" main.c >named.c
  sed -i 's/main\.c/named.c/' CMakeLists.txt
  rm -rf ../named
}
# target, its name in C, options, what is linked
while read -r target prefix args linked; do
  as "$target" "$prefix" "$(echo "$args" | tr , ' ')" "$linked"
  make named || fail "ffngen_add_layer($target $args)"
  test "$(../named/product)" = 'mlp_10_relu32_identity1_bias_f32 10' || fail "$target: another layer"
  test -e "../named/ffngen/$target/$prefix.h" || fail "$target: no $prefix.h"
  cmake --build ../named --target "${target}_selfcheck" >"$log" || fail "${target}_selfcheck"
done <<'END'
my-net my_net --isa,c my-net
My.Net my_net --isa,c My.Net::My.Net
string text --prefix,text string
net other --prefix=other net::net
END
cmake -S . -B ../named >"$log"
grep -q 'ffngen_add_layer(net): other.h; names in C begin with other_' "$log" || fail "no word of it"
as string string '' string
! make named || fail "string.h stands before the system's"
grep -q my_string "$log" || fail "no remedy"
grep -q 'ARGS --prefix' "$log" || fail "no word of another prefix"
as my-net my_net '' my-net
echo 'ffngen_add_layer(my.net my.lua)' >>CMakeLists.txt
! make named || fail "two targets are one in C"
grep -q 'there is a target my_net already' "$log" || fail "no word of the two"
as my-net my_net --out=x my-net
! make named || fail "--out"
grep -q 'not with --out=x' "$log" || fail "no word of --out"
echo "$named" >CMakeLists.txt

# What is wrong with a spec is said, with its place, and by the build, too.
sleep 1
echo "linear 'head' { d_model = 0, d_out = 1 }" >my.lua
! cmake --build ../fetched >"$log" 2>&1 || fail "a bad spec is taken"
grep -q 'my.lua:1: .*d_model' "$log" || fail "no place of the mistake"
for lua in /nowhere/lua /bin/false; do
  ! make no_lua -DFFNGEN_LUA=$lua || fail "$lua will do"
  grep -q 'ffngen needs Lua 5.4 with argparse' "$log" || fail "no word of Lua"
done

echo "mlp 'head' { d_model = 7, layers = { { 64, 'relu' }, { 1 } }, bias = true }" >my.lua
DESTDIR="$PWD/../the stage" PREFIX=/usr "$root/generator/package/install.sh" >"$log"
product "find_package(ffngen 99.0 QUIET)
if(ffngen_FOUND)
  message(FATAL_ERROR \"it passes for another version\")
endif()
find_package(ffngen $version REQUIRED)
file(WRITE \${CMAKE_BINARY_DIR}/count.c
  \"#include <ffn.h>\\nint main(void) { size_t n; ffn_all(&n); return n < 10; }\")
add_executable(count \${CMAKE_BINARY_DIR}/count.c)
target_link_libraries(count PRIVATE ffngen::ffn)"
make found -DCMAKE_PREFIX_PATH="$PWD/../the stage/usr" || fail "find_package"
test "$(../found/product)" = 'mlp_7_relu64_identity1_bias_f32 7' || fail "the wrong layer"
../found/count || fail "the installed library"
echo '2 passed, 0 failed, 0 skipped'
