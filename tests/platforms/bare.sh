#!/bin/sh
# Freestanding kernels on bare metal: they ask for nothing but what is in libgcc, as the page of
# their folder says; and a program with embedded weights that is linked with nothing else runs on a
# Cortex-M4F, with the bits of this machine. Usage: bare.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
passed=0 skipped=0
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
cortex='arm-none-eabi-gcc -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16'
options='--isa c --prefix my --freestanding'

# What kernels ask for: of small layers, and of every format in every arithmetic.
(cd "$root" && lua5.4 tests/platforms/formats.lua .) >formats.lua
# shellcheck disable=SC2086 -- lists are meant to be split, here and below
for folder in layers formats; do
  spec=formats.lua
  test $folder = formats || spec=$root/tests/vendor/specs.lua
  "$root/ffngen" vendor "$spec" $options --single-file --out $folder 2>log
  grep -q 'no memcpy, memmove, memset or memcmp' $folder/README.md || fail "the page says nothing"
  for compiler in gcc clang aarch64-linux-gnu-gcc "$cortex"; do
    if ! command -v "${compiler%% *}" >/dev/null; then
      echo "no ${compiler%% *} (./setup.sh --platforms installs it): skipped"
      skipped=$((skipped + 1))
      continue
    fi
    for level in -Os -O1 -O2 -O3; do
      test $folder != formats || test $level = -Os || continue
      $compiler -std=c11 -ffreestanding -fno-stack-protector $level -c $folder/my.c -o code.o
      nm=nm
      test "$compiler" != "$cortex" || nm=arm-none-eabi-nm
      ! $nm -u code.o | grep -v '__aeabi_' || fail "$compiler $level of $folder asks for these"
      passed=$((passed + 1))
    done
  done
done

"$root/ffngen" vendor "$root/tests/vendor/specs.lua" --layer head $options --single-file \
  --no-dispatch --weights "$root/tests/data/mlp_10_64_32_1.safetensors" --out head 2>log
lean='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -O2 -DMY_NO_MAIN'
lean="$lean -DMY_NO_PACK -DMY_NO_ADD -Ihead"
gcc $lean -DHOSTED "$root/tests/platforms/bare.c" head/my.c -o hosted
digest=$(./hosted)
! nm hosted | grep -e '_pack$' -e '_unpack$' -e '_add$' || fail "what is left out is there"
if command -v arm-none-eabi-gcc >/dev/null && command -v qemu-system-arm >/dev/null; then
  for wanted in "$digest" 0u; do
    $cortex -ffreestanding -nostdlib $lean -DDIGEST="$wanted" "$root/tests/platforms/bare.c" \
      head/my.c "$root/tests/platforms/cortex_m.c" -Wl,--section-start=.vectors=0 -lgcc -o bare.out
    status=0
    "$root/tests/platforms/cortex_m.sh" "$PWD/bare.out" || status=$?
    test "$wanted" = 0u || test "$status" -eq 0 || fail "a Cortex-M4F gives other bits"
  done
  test "$status" -ne 0 || fail "the test passes whatever comes of the layer"
  passed=$((passed + 1))
else
  echo "no arm-none-eabi-gcc or qemu-system-arm (./setup.sh --platforms=cortex installs them): skipped"
  skipped=$((skipped + 1))
fi
echo "$passed passed, 0 failed, $skipped skipped"
