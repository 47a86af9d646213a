#!/bin/sh
# Runs a bare-metal program on an emulated Cortex-M4F board, which prints and ends through the
# emulator (semihosting): cortex_m.sh PROGRAM [ARGUMENT]. Status 77 without qemu-system-arm.
set -eu
command -v qemu-system-arm >/dev/null || exit 77
exec qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -kernel "$1" \
  -semihosting-config "enable=on,target=native,arg=program${2:+,arg=$2}"
