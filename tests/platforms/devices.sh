#!/bin/sh
# The files of runtime/devices.md by clang, which knows the CPU without a compiler for it: no warning,
# and by its linker script vectors are what flash begins with, RAM has what is written, and nothing
# of a libc is asked for but fmaf(), which this compiler calls. The page's own commands, and what
# they give on an emulated board, are tests/scripts/pages.sh's. Usage: devices.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
for tool in clang ld.lld; do
  if ! command -v $tool >/dev/null; then
    echo "no $tool: skipped"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
  fi
done
awk '!inside && /^```/ { inside = 1; file = $2 ~ /^[a-z_]+\.[a-z]+$/ ? $2 : ""; next }
  /^```$/ { inside = 0; next }
  inside && file != "" { print >file }' "$root/runtime/devices.md"
"$root/ffngen" vendor my.lua --isa c --prefix my --freestanding --single-file --no-dispatch \
  --weights "$root/tests/data/mlp_10_64_32_1.safetensors" --out my >log 2>&1

target='--target=thumbv7em-none-eabihf -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16'
flags='-std=c11 -Os -Wall -Wextra -Wpedantic -Wshadow -Werror -ffreestanding'
for source in main.c start.c my/my.c fma.c; do
  # shellcheck disable=SC2086 -- lists are meant to be split
  clang $target $flags -DMY_NO_MAIN -DMY_NO_ADD -DSEMIHOSTING -Imy -c $source
done
ld.lld --fatal-warnings -T device.ld main.o start.o my.o fma.o -o device.elf
nm device.elf >names
at() { grep -q "^$1 . $2\$" names || fail "$2 is not at $1: $(grep " $2\$" names)"; }
at 00000000 vectors
at 20000000 bss_begin
at 20010000 stack_top
grep -q '^2000.* probability$' names || fail 'probability is not in RAM'
! grep '^2000.*_values$' names || fail 'weights are in RAM'
echo '1 passed, 0 failed, 0 skipped'
