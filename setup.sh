#!/bin/sh
# Installs what is missing, then builds and runs the demo, and builds ffn-pack: ./setup.sh
#   --no-demo     only install; `ninja` builds
#   --hosts       also the languages that call kernels in tests: Rust, Go; half a GB, 100 MB to load
#   --models      also models' files that tests read where they are there: ONNX's own, 6 MB
#   --mpi         also Open MPI, for the tests of slices over processes
#   --platforms   also what `ninja platforms` takes: cross compilers, emulators; half a GB to load
#   --platforms=LIST  only those for some of them, such as --platforms=cortex,arm: arm (32-bit
#                 Linux), avr, cortex (bare-metal Arm, with newlib), riscv, wasm, windows
# Debian and Ubuntu: by apt. Elsewhere: says what to install.
set -eu
cd "$(dirname "$0")"

demo=1 platforms="" hosts="" models="" mpi=""

# packages_for NAME: what a platform takes, its emulator included.
packages_for() {
  case $1 in
    arm) echo gcc-arm-linux-gnueabihf libc6-dev-armhf-cross ;;
    avr) echo gcc-avr ;;
    cortex) echo gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm ;;
    riscv) echo gcc-riscv64-linux-gnu libc6-dev-riscv64-cross ;;
    wasm) echo emscripten ;;
    windows) echo gcc-mingw-w64-x86-64-posix wine64 ;;
    *)
      echo "setup.sh: unknown platform \"$1\" (choose from: $all_platforms)" >&2
      return 2
      ;;
  esac
}
all_platforms="arm avr cortex riscv wasm windows"

for argument in "$@"; do
  case $argument in
    --no-demo) demo=0 ;;
    --hosts)
      # A rustc of rustup's does as well.
      hosts="golang-go bindgen"
      rustc --version >/dev/null 2>&1 || hosts="$hosts rustc"
      ;;
    --models) models="libonnx-testdata" ;;
    --mpi) mpi="openmpi-bin libopenmpi-dev" ;;
    --platforms | --platforms=*)
      chosen=${argument#--platforms}
      chosen=${chosen#=}
      test "$argument" != --platforms || chosen=$all_platforms
      test -n "$chosen" || packages_for "" || exit
      for name in $(echo "$chosen" | tr ',' ' '); do
        more=$(packages_for "$name") || exit
        platforms="$platforms $more"
      done
      ;;
    *)
      echo "setup.sh: unknown option $argument (there are --no-demo, --hosts, --models, --mpi, --platforms, --platforms=LIST)" >&2
      exit 2
      ;;
  esac
done

# What each package is for: generator; ffn-pack; build; baseline and second oracle; more baselines of the
# benchmark; plots; tests; adapters to hosts' threads; Arm tests; builds of vendored folders; man
# page, completions, rock and the package for Python; lints; seeded defects.
packages="
  lua5.4 lua-argparse lua-dkjson lua-filesystem
  libjansson-dev
  gcc g++ binutils libc6-dev ninja-build pkg-config
  libopenblas-dev
  libblis-openmp-dev libdnnl-dev libxsmm-dev
  gnuplot-nox
  libcriterion-dev libmpfr-dev lua-unit clang libclang-rt-14-dev valgrind strace
  libomp-dev libpthreadpool-dev
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
  cmake meson
  scdoc zsh fish luarocks liblua5.4-dev python3-numpy python3-venv
  lua-check clang-format pyflakes3
  ccache
"

if ! command -v apt-get >/dev/null 2>&1; then
  cat >&2 <<'TEXT'
setup.sh: no apt-get here. Please install, by your system's own means:
  Lua 5.4 with argparse, dkjson and luafilesystem     (luarocks install argparse dkjson luafilesystem)
  gcc or clang, binutils, ninja, pkg-config, OpenBLAS with cblas.h; Jansson for ffn-pack
  gnuplot for ffngen plot; for the benchmark, each as you like: BLIS, oneDNN 2, LIBXSMM
  for the tests: Criterion 2.4, MPFR, luaunit, clang with its sanitizers, valgrind, strace,
  libomp and pthreadpool (their tests are skipped without), an aarch64 cross compiler and
  qemu-user; CMake, Meson, scdoc, zsh, fish, luarocks with Lua's headers, Python 3 with numpy, pip
  and venv (their tests are skipped without); for the lints: luacheck, clang-format, pyflakes; ccache for seeded defects
  for the tests of other languages, each as you like: rustc, Go, bindgen; of slices: Open MPI
  for `ninja platforms`, each as you like: cross compilers for 32-bit Arm, bare-metal Arm, AVR,
  RISC-V and Windows, with qemu-system-arm and Wine; Emscripten and Node
then run:  ninja demo && ninja test
setup.sh: nothing was installed
TEXT
  exit 1
fi

missing=""
for package in $packages $hosts $models $mpi $platforms; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing="$missing $package"
done

if [ -n "$missing" ]; then
  root=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
      echo "setup.sh: needs root to install:$missing" >&2
      exit 1
    }
    root=sudo
  fi
  echo "setup.sh: installing$missing"
  $root apt-get update -qq
  # shellcheck disable=SC2086 -- the list is meant to be split
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
    >/dev/null
fi

# The kernels of this CPU first: a number is there before the others are compiled.
if [ "$demo" -ne 0 ]; then
  ninja demo-first
  ninja
  ninja demo
fi
echo "setup.sh: ready. Next: ninja test; for any folder, link what is built into your PATH:"
echo "  ln -s '$PWD/ffngen' '$PWD/build/ffn-pack' ~/.local/bin/"
