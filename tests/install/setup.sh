#!/bin/sh
# What ./setup.sh would install, where nothing is there: all platforms, those that are named, or none.
# Nothing is installed here: what it calls for that only notes what it is told. Usage: setup.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1/bin"
cd "$1"
here=$(pwd)
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
# shellcheck disable=SC2016 -- for the script
printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "ninja $*" >>"%s/built"\n' "$here" >bin/ninja
printf '#!/bin/sh\necho "$@" >>"%s/asked"\n' "$here" >bin/apt-get
chmod +x bin/*

# asks OPTIONS...: what is asked for, in `asked`
asks() {
  rm -f asked
  PATH="$here/bin:$PATH" "$root/setup.sh" --no-demo "$@" >output 2>&1
}
has() { grep -q -e " $1\( \|$\)" asked || { echo "no $1 of: $(cat asked)"; exit 1; }; }
lacks() { ! grep -q -e " $1\( \|$\)" asked || { echo "$1 is asked for"; exit 1; }; }
all='gcc-arm-linux-gnueabihf gcc-avr gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm
  gcc-riscv64-linux-gnu emscripten gcc-mingw-w64-x86-64-posix wine64'

asks
has lua5.4
has libjansson-dev
for package in $all; do lacks "$package"; done
lacks openmpi-bin
asks --mpi
for package in lua5.4 openmpi-bin libopenmpi-dev; do has $package; done
asks --platforms
for package in lua5.4 $all; do has "$package"; done
asks --platforms=cortex
for package in lua5.4 gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm; do has $package; done
for package in wine64 emscripten gcc-riscv64-linux-gnu gcc-arm-linux-gnueabihf; do lacks $package; done
asks --platforms=cortex,riscv
has gcc-arm-none-eabi && has gcc-riscv64-linux-gnu && lacks wine64
for list in '' cortx cortex,arn; do
  status=0
  asks "--platforms=$list" || status=$?
  test $status -eq 2 && test ! -e asked && grep -q 'choose from: arm avr cortex' output ||
    { echo "--platforms=$list is taken"; exit 1; }
done

# A number of this CPU first, then all that a user needs: ffn-pack among it.
test ! -e built || { echo '--no-demo builds'; exit 1; }
PATH="$here/bin:$PATH" "$root/setup.sh" >output 2>&1
printf 'ninja demo-first\nninja \nninja demo\n' | diff built -
grep -q "ln -s '$root/ffngen' '$root/build/ffn-pack'" output
grep -q '^default .*build/ffn-pack' "$root/build.ninja"
# Both by links in a PATH, from any folder.
mkdir -p links elsewhere
ln -s "$root/ffngen" "$root/build/ffn-pack" links
(
  cd elsewhere
  PATH="$here/links:$PATH"
  ffngen --version >../output
  ffn-pack --help >../output
)
