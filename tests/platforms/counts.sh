# shellcheck shell=sh
# What the tests that count instructions share. $1 is a folder of the test's own. A command that
# fails ends the test. `build DEFINES...` makes `program`; `$run $file program` runs it.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
test -z "${CMSIS_NN:-}" || CMSIS_NN=$(cd "$CMSIS_NN" && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
cortex_m4='arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16'
large='-DSTACK=0x20100000u -Wl,-Tbss=0x20000000 -Wl,--section-start=.vectors=0'
board='-nographic -monitor none -serial none -semihosting-config enable=on,target=native'
mps2_m4="qemu-system-arm -M mps2-an386 $board"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# instructions DEFINES...: what runs for one token more; each is a line of the emulator's log
# shellcheck disable=SC2086 # a list is meant to be split
instructions() {
  for times in 1 2; do
    build -DTIMES=$times "$@"
    $run -singlestep -d exec,nochain -D /dev/stderr $file program 2>&1 >/dev/null |
      grep -c '^Trace' >count$times
  done
  echo $(($(cat count2) - $(cat count1)))
}
