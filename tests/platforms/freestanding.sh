#!/bin/sh
# A kernel links and works by itself: compiled freestanding, for a microcontroller, it needs nothing
# but what gcc asks of every environment. Usage: freestanding.sh OUT FOLDER
set -eu
cd "$(dirname "$0")/../.."
if ! command -v arm-none-eabi-gcc >/dev/null; then
  echo "no arm-none-eabi-gcc (./setup.sh --platforms installs it): skipped"
  exit 0
fi
mkdir -p "$1"
count=0
for file in "$2"/*_c.c; do
  object=$1/$(basename "$file" .c).o
  arm-none-eabi-gcc -std=c11 -O2 -ffreestanding -DNDEBUG -mcpu=cortex-m4 -mfloat-abi=hard \
    -mfpu=fpv4-sp-d16 -c "$file" -o "$object"
  if arm-none-eabi-nm --undefined-only "$object" | grep -vwE 'mem(cpy|move|set|cmp)'; then
    echo "$file: the symbols above are not there on bare metal" >&2
    exit 1
  fi
  count=$((count + 1))
done
echo "$count passed, 0 failed, 0 skipped"
test "$count" -gt 0
