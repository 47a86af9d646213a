#!/bin/sh
# Flat functions: the header stands alone and keeps to what translators of headers take; they have
# the bits of the structs, and say what is wrong; with weights in the code, in one file, without a
# libc, of two prefixes in one program; called from Rust and from Go.
# Usage: flat.sh FOLDER
. "$(dirname "$0")/lib.sh"
specs=$root/tests/vendor/flat.lua

# flat FOLDER PREFIX OPTIONS...
flat() {
  folder=$1 prefix=$2
  shift 2
  "$root/ffngen" vendor "$specs" --flat --out "$folder" --prefix "$prefix" "$@" >vendor.log 2>&1 || {
    cat vendor.log
    fail "ffngen vendor --flat $*"
  }
}

# library FOLDER PREFIX FLAGS...: libPREFIX.a in it, without a warning.
library() {
  folder=$1 prefix=$2 macro=$(echo "$2" | tr a-z A-Z)
  shift 2
  # shellcheck disable=SC2086 -- lists are meant to be split, here and below
  (cd "$folder" && rm -f ./*.o && gcc $strict -Wredundant-decls "-D${macro}_NO_MAIN" "$@" -c ./*.c &&
    ar crs "lib$prefix.a" ./*.o)
}

# The header alone, as it is and beside the others, which say the same of sizes.
flat net net --isa c
printf '#include "net_flat.h"\n#include "net_flat.h"\n' >alone.c
printf '#include "net.h"\n#include "net_train.h"\n#include "net_flat.h"\n' >beside.c
for file in alone beside; do
  cp $file.c $file.cpp
  # shellcheck disable=SC2086
  gcc $strict -Inet -fsyntax-only $file.c
  # shellcheck disable=SC2086
  g++ -std=c++11 $warnings -Inet -fsyntax-only $file.cpp
done
clang -std=c11 -Weverything -Werror -Inet -fsyntax-only alone.c
clang++ -std=c++11 -Weverything -Wno-c++98-compat-pedantic -Werror -Inet -fsyntax-only alone.cpp
pass "a header that stands alone"

library net net -O1 -DNET_PARALLEL_FLOP=1
# shellcheck disable=SC2086
gcc $strict -g -O1 -Inet "$root/tests/vendor/flat.c" net/libnet.a -lm -o flat
./flat
pass "the bits of the structs, and errors"

# What is left out is told; who does not train links none of it. Who packs nothing trains nothing.
cat >left.c <<'END'
#include "net_flat.h"
static float w[960], y[48];
static _Alignas(64) unsigned char packed[16384], work[65536];
int main(void) {
  return net_gated_pack(packed, sizeof packed, w, w, w, w, w, w) != NET_FLAT_LEFT_OUT ||
         net_gated_add(y, 24, 1, w, 24, 1, packed, sizeof packed, work, sizeof work) !=
             NET_FLAT_LEFT_OUT;
}
END
gcc -Inet left.c net/libnet.a -o linked
! nm linked | grep -e train -e grad || fail "training is linked by who does not train"
for without in '-DNET_NO_PACK -DNET_NO_MAIN' -DNET_NO_ADD '-DNET_NO_TRAIN -DNET_NO_MAIN'; do
  # shellcheck disable=SC2086
  (cd net && clang $strict $without -fsyntax-only ./net_flat*.c)
done
library net net -O0 -DNET_NO_PACK -DNET_NO_ADD
# shellcheck disable=SC2086 -- all of its files, as a product that compiles *.c has them
gcc -Inet left.c net/*.o -lm -o left
./left
! nm left | grep ' net_block_.*_\(train\|grad\)' || fail "training is left in"
pass "what is left out"

# Two prefixes in one program, one as a file; C++17, too.
flat one one --isa c --single-file --layer gated,block
flat two two_b --isa c --single-file --layer gated,block
cat >both.c <<'END'
#include "one_flat.h"
#include "two_b_flat.h"
#include <string.h>
static float w[960], y[2][24];
static _Alignas(64) unsigned char packed[2][ONE_GATED_PACKED_BYTES], work[65536];
int main(void) {
  for (int i = 0; i < 960; i++)
    w[i] = (float)(i * 37 % 101 - 50) / 64;
  one_gated_pack(packed[0], sizeof packed[0], w, w, w, w, w, w);
  two_b_gated_pack(packed[1], sizeof packed[1], w, w, w, w, w, w);
  one_gated_run(y[0], 24, w, 24, 1, packed[1], sizeof packed[1], work, sizeof work);
  two_b_gated_run(y[1], 24, w, 24, 1, packed[0], sizeof packed[0], work, sizeof work);
  return memcmp(packed[0], packed[1], sizeof packed[0]) || memcmp(y[0], y[1], sizeof y[0]) || !y[0][0];
}
END
for each in one/one two/two_b; do
  # shellcheck disable=SC2086
  gcc $strict -O1 -c $each.c -o $each.o
done
nm -g --defined-only one/one.o two/two_b.o | grep ' [A-Z] ' >symbols
test "$(grep -c '_gated_\|_flat_' symbols)" -gt 20
! grep -v -e ' one_' -e ' two_b_' symbols || fail "symbols without the prefix"
# shellcheck disable=SC2086
gcc $strict -Ione -Itwo both.c one/one.o two/two_b.o -lm -o both
./both
# shellcheck disable=SC2086
g++ -x c++ -std=c++17 $warnings -fsyntax-only one/one.c
pass "two prefixes in one program"

# Weights in the code: nothing to pack, and nothing packed to give.
"$root/ffngen" vendor "$root/tests/vendor/specs.lua" --layer head --isa c --prefix net --flat \
  --weights "$root/tests/data/mlp_10_64_32_1.safetensors" --out inside >vendor.log 2>&1
! grep -e '_pack(' -e 'void \*packed' inside/net_flat.h || fail "something to pack"
cat >inside.c <<'END'
#include "net_flat.h"

#include "net.h"
static float x[20], y[2], y_too[2];
static _Alignas(64) unsigned char work[1 << 16];
int main(void) {
  for (int i = 0; i < 20; i++)
    x[i] = (float)i / 16;
  net_run(net_head(), y_too, 1, x, 10, 2, net_head_packed(), work, sizeof work, NULL);
  return net_head_run(y, 1, x, 10, 2, work, sizeof work) || y[0] != y_too[0] || y[1] != y_too[1] ||
         y[0] == 0 || net_head_run(y, 1, x, 10, 2, work, 64) != NET_FLAT_WORK;
}
END
library inside net -O0
# shellcheck disable=SC2086
gcc $strict -Iinside inside.c inside/libnet.a -o weights
./weights
pass "weights in the code"

# Without a libc.
flat free net --isa c --layer gated,few --freestanding --no-dispatch --single-file
for compiler in gcc clang; do
  # shellcheck disable=SC2086
  $compiler -ffreestanding $strict -O2 -c free/net.c -o free/net.o
  test -z "$(nm -u free/net.o)" || fail "$compiler: asks for $(nm -u free/net.o)"
done
! grep -q alloc free/net_flat.h || fail "memory of a libc"
pass "freestanding"

# From other languages.
cp "$root"/tests/examples/flat.* .
"$root/ffngen" vendor flat.lua --prefix net --flat --isa c,avx2 --out hosts/net >vendor.log 2>&1
cp "$root"/tests/examples/flat.* hosts
library hosts/net net -O1
cd hosts
rustc=no
# rustup's may have no compiler to call.
! rustc --version >/dev/null 2>&1 || rustc=yes
if [ $rustc = yes ]; then
  rustc --edition 2021 -O -D warnings -L net flat.rs -o rust
  ./rust
  pass "Rust"
else
  skip "no rustc"
fi
if has bindgen && [ $rustc = yes ]; then
  bindgen net/net_flat.h >bindings.rs
  for name in net_layer_run net_layer_pack net_layer_work_bytes net_flat_text NET_LAYER_INPUTS \
    net_flat_status_NET_FLAT_WORK; do
    grep -q "$name" bindings.rs || fail "bindgen: no $name"
  done
  rustc --edition 2021 -A warnings --crate-type lib bindings.rs # names are those of C
  pass "bindgen"
else
  skip "no bindgen"
fi
if has go; then
  HOME=$PWD/home GO111MODULE=off go build -o in_go flat.go
  ./in_go
  pass "Go"
else
  skip "no go"
fi
finish
