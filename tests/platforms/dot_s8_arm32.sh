#!/bin/sh
# The tests of products of bytes on an emulated 32-bit Arm, whose SMLAD multiplies two halves of a
# number at once, as a Cortex-M4's does. Usage: dot_s8_arm32.sh FOLDER
set -eu
for tool in arm-linux-gnueabihf-gcc qemu-arm; do
  command -v "$tool" >/dev/null || {
    echo "no $tool (./setup.sh --platforms=arm installs it): skipped"
    exit 0
  }
done
ISAS=c CC='arm-linux-gnueabihf-gcc -mfpu=neon-vfpv4 -static' RUNNER=qemu-arm \
  exec "$(dirname "$0")/../scripts/dot_s8.sh" "$1"
