#!/bin/sh
# The tests of products of bytes on an emulated Arm. Usage: dot_s8_arm.sh FOLDER
set -eu
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
  command -v "$tool" >/dev/null || {
    echo "no $tool (./setup.sh --platforms installs it): skipped"
    exit 0
  }
done
ISAS=c,neon,neon_dotprod,neon_i8mm CC='aarch64-linux-gnu-gcc -static' RUNNER=qemu-aarch64 \
  exec "$(dirname "$0")/../scripts/dot_s8.sh" "$1"
