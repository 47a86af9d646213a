#!/bin/sh
# The kernel that is chosen is one that the CPU and the system allow: with a CPU that is played, and
# on qemu's models of CPUs. Nothing but one pointer per layer is ever written. Usage:
# dispatch.sh FOLDER
. "$(dirname "$0")/lib.sh"
here=$root/tests/vendor
played='-DMY_CPUID=fake_cpuid -DMY_XGETBV=fake_xgetbv -DMY_HWCAP=fake_hwcap -DMY_MIDR=fake_midr'
played="$played -DMY_HWCAP2=fake_hwcap2"

# Weights of more than 1 MiB come from memory, and a kernel has descriptors for several CPUs.
echo "ffn 'far' { variant = 'relu', d_model = 520, d_ff = 520, sparse = false }" >far.lua
"$root/ffngen" vendor far.lua --out far --prefix my --isa c,avx2,avx512,neon 2>vendor.log

# Some instruction sets are there for products of bytes alone.
echo "linear 'bytes' { d_model = 32, d_out = 8, weights = 'q4_0', arithmetic = 'dot_s8' }" >bytes.lua
"$root/ffngen" vendor bytes.lua --out bytes --prefix my 2>vendor.log
echo "linear 'tiles' { d_model = 32, d_out = 16, weights = 'q8_0', arithmetic = 'dot_s8' }" >tiles.lua
"$root/ffngen" vendor tiles.lua --out tiles_of --prefix my --isa c,avx512_vnni,avx512_amx 2>>vendor.log

vendor all --layer block --prefix my
vendor x86 --layer block --prefix my --isa avx2,avx512
vendor direct --layer block --prefix my --isa avx2 --no-dispatch --single-file

# Writable data: sections .data and .bss, in code whose addresses are constants.
writable() { nm "$@" | grep -c ' [bBdD] ' || true; }
(cd all && gcc -O1 -fno-pie -c ./*.c)
test "$(writable all/my.o all/my_cpu.o all/my_ffn*.o)" -eq 1 || fail "variables: $(nm all/*.o)"
nm all/my.o | grep -q ' b published' || fail "the variable is another"
gcc -O1 -fno-pie -c direct/my.c -o direct/my.o
test "$(writable direct/my.o)" -eq 0 || fail "variables without dispatch"
! nm direct/my.o | grep -e my_cpu -e my_find || fail "the CPU is asked without dispatch"
pass "one pointer is written, and none without dispatch"

machine=$(uname -m)
if [ "$machine" = x86_64 ]; then
  # shellcheck disable=SC2086 -- lists are meant to be split, here and below
  gcc $strict -O1 $played -Iall -DMY_NO_MAIN "$here/fake_cpu.c" all/my.c all/my_cpu.c all/my_ffn*.c \
    -o fake
  ./fake
  pass "each missing feature gives the next kernel"
  # shellcheck disable=SC2086
  gcc $strict -O1 $played -Ifar -DMY_NO_MAIN "$here/fake_profile.c" far/my.c far/my_cpu.c \
    far/my_ffn*.c -o profile
  ./profile
  pass "each CPU gets its own descriptor"
  # shellcheck disable=SC2086
  gcc $strict -O1 $played -Ibytes -DMY_NO_MAIN "$here/fake_bytes.c" bytes/my.c bytes/my_cpu.c \
    bytes/my_linear*.c -o bytes_of
  ./bytes_of
  pass "each missing feature gives the next kernel of bytes"
  gcc $strict -O1 $played -DMY_ARCH_PRCTL=fake_arch_prctl -Itiles_of -DMY_NO_MAIN \
    "$here/fake_tiles.c" tiles_of/my.c tiles_of/my_cpu.c tiles_of/my_linear*.c -o tiles
  ./tiles
  pass "tiles are for a process that asks"
else
  skip "CPUs to be played on $machine"
fi

if has aarch64-linux-gnu-gcc && has qemu-aarch64; then
  # shellcheck disable=SC2086
  aarch64-linux-gnu-gcc $strict -O1 -static $played -Iall -DMY_NO_MAIN "$here/fake_cpu.c" \
    all/my.c all/my_cpu.c all/my_ffn*.c -o fake_arm
  qemu-aarch64 ./fake_arm
  # shellcheck disable=SC2086
  aarch64-linux-gnu-gcc $strict -O1 -static $played -Ifar -DMY_NO_MAIN "$here/fake_profile.c" \
    far/my.c far/my_cpu.c far/my_ffn*.c -o profile_arm
  qemu-aarch64 ./profile_arm
  # shellcheck disable=SC2086
  aarch64-linux-gnu-gcc $strict -O1 -static $played -Ibytes -DMY_NO_MAIN \
    "$here/fake_bytes.c" bytes/my.c bytes/my_cpu.c bytes/my_linear*.c -o bytes_arm
  qemu-aarch64 ./bytes_arm
  (cd all && aarch64-linux-gnu-gcc -O1 -static -DMY_EXAMPLE ./*.c -lm -o example_arm)
  qemu-aarch64 all/example_arm | grep -q '_neon: y'
  pass "getauxval on Arm"
else
  skip "no aarch64-linux-gnu-gcc or qemu-aarch64"
fi

if [ "$machine" = x86_64 ] && has qemu-x86_64; then
  (cd all && gcc -O1 -static -DMY_EXAMPLE ./*.c -lm -o example)
  (cd x86 && gcc -O1 -static -DMY_EXAMPLE ./*.c -lm -o example)
  # on CPU KERNEL: qemu knows no AVX-512.
  on() {
    qemu-x86_64 -cpu "$1" all/example 2>qemu.log | grep -q "_$2: y" || fail "qemu -cpu $1: not $2"
    if [ "$2" = c ]; then
      qemu-x86_64 -cpu "$1" x86/example 2>qemu.log | grep -q 'this CPU has none' ||
        fail "qemu -cpu $1: a kernel that it cannot run"
    fi
    pass "qemu -cpu $1: $2"
  }
  on qemu64 c
  on Nehalem c
  on SandyBridge c
  if qemu-x86_64 -cpu Haswell all/example 2>qemu.log | grep -q '_avx2: y'; then
    on Haswell avx2
    on Haswell,-fma c
    on Haswell,-avx2 c
    on Haswell,-xsave c
    on Skylake-Server avx2
  else
    skip "a qemu without AVX2"
  fi
else
  skip "no qemu-x86_64"
fi
finish
