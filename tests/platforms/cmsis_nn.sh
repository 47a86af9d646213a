#!/bin/sh
# Instructions for a token on a Cortex-M4F, of layers with weights of 8 bits: in dot_s8, and by
# arm_fully_connected_s8 of CMSIS-NN, whose source tree CMSIS_NN names. Prints the second table of
# tests/platforms/README.md, Small devices; fails where an answer is another than plain loops give.
# Usage: [CMSIS_NN=TREE] cmsis_nn.sh FOLDER
. "$(dirname "$0")/counts.sh"
here=$root/tests/platforms
tree=${CMSIS_NN:-}
run=$mps2_m4 file=-kernel
start="$here/cortex_m.c $large -lgcc"
flags='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -nostdlib'
if ! command -v arm-none-eabi-gcc >log || ! command -v qemu-system-arm >>log; then
  echo "no arm-none-eabi-gcc or qemu-system-arm (./setup.sh --platforms=cortex installs them): skipped" >&2
  exit
fi

# text FILES...: bytes of code and constants
text() { arm-none-eabi-size "$@" | awk 'NR > 1 { bytes += $1 } END { print bytes }'; }

# spec INPUTS OUTPUTS...: the chain of these sizes, with ReLU between its layers
spec() {
  printf "mlp 'head' {\n  d_model = %s, bias = true, optimise = 'size', weights = 'i8',\n" "$1"
  printf "  arithmetic = 'dot_s8', layers = { "
  shift
  while test $# -gt 1; do
    printf "{ %s, 'relu' }, " "$1"
    shift
  done
  printf "{ %s, 'identity' } },\n}\n" "$1"
}

# numbers INPUTS OUTPUTS...: its weights and biases, floats
numbers() {
  lua5.4 -e 'local count = 0
    for n = 2, #arg do count = count + (arg[n - 1] + 1) * arg[n] end
    for i = 1, count do io.write(string.pack("<f", (i * 29 % 251 - 125) / 512)) end' /dev/null "$@"
}

# dot_s8 INPUTS OUTPUTS...: sets bytes and count of the layer in dot_s8
# shellcheck disable=SC2086 # lists are meant to be split, here and below
dot_s8() {
  build() {
    $cortex_m4 $flags $level -ffreestanding -DMY_NO_MAIN -DMY_NO_ADD -Ihead "$@" "$here/bare.c" \
      head/my.c $start -o program
  }
  spec "$@" >head.lua
  numbers "$@" >weights.bin
  "$root/ffngen" vendor head.lua --isa c --prefix my --freestanding --single-file --no-dispatch \
    --weights weights.bin --out head >>log 2>&1 || fail "$(cat log)"
  gcc -O1 -DHOSTED -DMY_NO_MAIN -DMY_NO_ADD -Ihead "$here/bare.c" head/my.c -o hosted
  build -DDIGEST="$(./hosted)"
  $run $file program || fail "$* $level: other bits"
  $cortex_m4 $flags $level -ffreestanding -DMY_NO_MAIN -DMY_NO_ADD -Ihead -c head/my.c -o my.o
  weights=$(arm-none-eabi-nm -S my.o | awk '/my_head_values$/ { print $2 }')
  bytes=$(($(text my.o) - 0x$weights))
  count=$(instructions -DTOKENS=1 -DDIGEST=0u)
}

# cmsis_nn INPUTS OUTPUTS...: the same of CMSIS-NN
# shellcheck disable=SC2086
cmsis_nn() {
  build() {
    $cortex_m4 $flags $level -isystem "$tree/Include" -DSIZES="$sizes" "$@" "$here/cmsis_nn.c" \
      layer.o product.o $start -o program
  }
  sizes=$(echo "$*" | tr ' ' ',')
  $cortex_m4 -w $level -I"$tree/Include" -c -o layer.o \
    "$tree/Source/FullyConnectedFunctions/arm_fully_connected_s8.c"
  $cortex_m4 -w $level -I"$tree/Include" -c -o product.o \
    "$tree/Source/NNSupportFunctions/arm_nn_vec_mat_mult_t_s8.c"
  build
  $run $file program || fail "CMSIS-NN, $* $level: another answer than plain loops give"
  build -DOFF=1
  ! $run $file program 2>>log || fail 'CMSIS-NN: any answer passes'
  bytes=$(text layer.o product.o)
  count=$(instructions)
}

# row MOST INPUTS OUTPUTS...: MOST is the most instructions in dot_s8
row() {
  most=$1
  shift
  for level in -O2 -Os; do
    dot_s8 "$@"
    test "$count" -le "$most" || fail "$* $level: $count instructions are above $most"
    theirs='- | -'
    ours="$bytes | $count"
    if test -n "$tree"; then
      cmsis_nn "$@"
      theirs="$bytes | $count"
    fi
    echo "| $(echo "$*" | tr ' ' '-'), \`$level\` | $ours | $theirs |"
  done
}

test -n "$tree" || echo 'CMSIS_NN names no source tree: the columns of CMSIS-NN are left out' >&2
echo '| layer, flags | text | instructions | text of CMSIS-NN | instructions of CMSIS-NN |'
echo '| --- | --- | --- | --- | --- |'
row 12000 10 64 32 1
row 6600 64 32
row 131072 256 256
