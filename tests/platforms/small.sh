#!/bin/sh
# What the chain 10-64-32-1 takes on small devices, its weights in flash: text, RAM, stack and
# instructions a token, for few bytes and for speed, beside a plain loop; and for few bytes with
# weights of 4 and of 8 bits, multiplied as floats and as bytes. Prints the table of
# tests/platforms/README.md; fails where a limit is passed, or a bit is another. Then cmsis_nn.sh
# prints the table of CMSIS-NN.
# Usage: [CMSIS_NN=TREE] small.sh FOLDER
. "$(dirname "$0")/counts.sh"
weights=$root/tests/data/mlp_10_64_32_1.safetensors
flags='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -DMY_NO_MAIN -DMY_NO_ADD'
flags="$flags -DBATCH=1"
few="optimise = 'size', weights ="
nibbles="$few { 'f32', 'q4_0', 'q4_0' }"

# made AIM SAID: the folder of an aim, for which the spec says something else than optimise = 'size',
# and the hash of its results
made() {
  sed "s/optimise = 'size'/$2/" "$root/tests/platforms/small.lua" >"$1.lua"
  "$root/ffngen" vendor "$1.lua" --isa c --prefix my --freestanding --single-file \
    --no-dispatch --weights "$weights" --out "$1" >>log 2>&1
  # shellcheck disable=SC2086 # a list is meant to be split
  gcc $flags -O1 -DHOSTED -I"$1" "$root/tests/platforms/bare.c" "$1/my.c" -o hosted
  ./hosted >"$1.digest"
}
made size_f32 "optimise = 'size'"
made speed_f32 "optimise = 'speed'"
made floats_q4_0 "$nibbles"
made bytes_q4_0 "$nibbles, arithmetic = { 'fma_f32', 'dot_s8', 'dot_s8' }"
for format in i8 i8z; do
  made floats_$format "$few '$format'"
  made bytes_$format "$few '$format', arithmetic = 'dot_s8'"
done
cmp size_f32.digest speed_f32.digest || fail 'for speed: other bits'

# build DEFINES...: the program `program` for the machine, level and aim at hand
# shellcheck disable=SC2086 -- lists are meant to be split, here and below
build() {
  $compile $flags $level -ffreestanding -nostdlib -I$own "$@" "$root/tests/platforms/bare.c" \
    $own/my.c $start -lgcc -o program 2>>log || {
    tail -n 20 log >&2
    fail "$machine: the program does not build"
  }
}

# measure: sets text, ram, stack, tokens and plain of the machine, level and aim at hand
measure() {
  # shellcheck disable=SC2086
  $compile $flags $level -ffreestanding -fstack-usage -I$own -c $own/my.c -o my.o
  ! ${prefix}nm -u my.o | grep -v -e ' __aeabi_' -e ' __[a-z]*[sd]f[0-9]*$' ||
    fail "$machine $level: it asks for the symbols above"
  packed=$(${prefix}nm -S my.o | awk '/my_head_values$/ { print $2, $3 }')
  case $packed in *' r') ;; *) fail "$machine: weights are no constants" ;; esac
  # shellcheck disable=SC2046
  set -- $(${prefix}size my.o | tail -n 1)
  text=$(($1 - 0x${packed% r}))
  printf '#include "my.h"\nchar work[MY_HEAD_WORK_BYTES(1)];\n' >work.c
  # shellcheck disable=SC2086
  $compile -ffreestanding -I$own -c work.c -o work.o
  work=$(${prefix}nm -S work.o | awk '$4 == "work" { print $2 }')
  test -n "$work" || fail "$machine: no work memory"
  ram=$(($2 + $3 + 0x$work))
  # The frames of run() and of all that it may call.
  stack=$(awk -F '\t' '$1 ~ /_(run_forward|rows|task|sums|finish|once|fma|columns|walk_[a-z]*|(take|lay)_[a-z0-9]*)$/ { n += $2 }
    END { print n }' my.su)
  build -DDIGEST="$(cat $own.digest)"
  # shellcheck disable=SC2086
  $run $file program >/dev/null || fail "$machine $level: other bits"
  tokens=$(instructions -DTOKENS=1 -DDIGEST=0u)
  plain=$(instructions -DTOKENS=1 -DDIGEST=0u -DPLAIN)
}

# limit NAME VALUE MOST
limit() {
  test "$2" -le "$3" || fail "$machine $level, $own: $1 $2 is above $3"
}

# row MACHINE TEXT WAYS PREFIX COMPILE START RUN: TEXT is the most bytes of it; a way is an aim, a
# format and a level
row() {
  machine=$1 most=$2 ways=$3 prefix=$4 compile=$5 start=$6 run=$7 file=
  case $run in qemu-system*) file=-kernel ;; esac
  if ! command -v "${compile%% *}" >>log || ! command -v "${run%% *}" >>log; then
    echo "no ${compile%% *} or ${run%% *} (./setup.sh --platforms=cortex,riscv installs them): skipped" >&2
    skipped=$((skipped + 1))
    return
  fi
  for way in $ways; do
    own=${way%-*} level=-${way#*-}
    aim=${own%%_*} format=${own#*_}
    test $aim = size || level="$level -DMY_NO_PACK"
    measure
    if test $aim = floats; then
      floats=$tokens
    elif test $aim = bytes; then
      limit text "$text" 6143
      limit RAM "$ram" 1023
      limit stack "$stack" 1023
      limit instructions "$tokens" $((floats - 1))
      case $machine-$format in
        Cortex-M4F-i8)
          limit text "$text" 4500
          limit instructions "$tokens" $((floats * 9 / 20))
          ;;
      esac
    elif test $aim = size; then
      limit text "$text" "$most"
      limit RAM "$ram" 1023
      limit stack "$stack" 1023
      test "$machine" = Cortex-M0+ || limit instructions "$tokens" $((plain - 1))
      test "$machine" != Cortex-M4F || limit instructions "$tokens" 7799
    fi
    test $format = f32 || format="\`$format\`"
    echo "| $machine, \`${level% -D*}\` | $aim | $format | $text | $ram | $stack | $tokens | $plain |"
    passed=$((passed + 1))
  done
}

passed=0 skipped=0
all='size_f32-O2 size_f32-Os speed_f32-O2'
bytes='floats_q4_0-O2 bytes_q4_0-O2 floats_q4_0-Os bytes_q4_0-Os floats_i8-O2 bytes_i8-O2 floats_i8-Os
  bytes_i8-Os floats_i8z-Os bytes_i8z-Os'
echo '| CPU, flags | aim | weights | text | RAM | stack | instructions | of a plain loop |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- |'
arm='-DSTACK=0x20004000u -Wl,-Tbss=0x20000000 -Wl,--section-start=.vectors=0'
begin=$root/tests/platforms/cortex_m.c
gcc='arm-none-eabi-gcc -mthumb'
row Cortex-M4F 4095 "$all" arm-none-eabi- "$cortex_m4" "$begin $large" "$mps2_m4"
row Cortex-M7F 4095 "$all" arm-none-eabi- "$gcc -mcpu=cortex-m7 -mfloat-abi=hard \
  -mfpu=fpv5-sp-d16" "$begin $large" "qemu-system-arm -M mps2-an500 $board"
row RV32IMFC 4095 "$all" riscv64-linux-gnu- \
  'riscv64-linux-gnu-gcc -march=rv32imfc -mabi=ilp32f -mno-relax -fno-pie -static' '' qemu-riscv32
row Cortex-M0+ 5119 'size_f32-O2 size_f32-Os' arm-none-eabi- "$gcc -mcpu=cortex-m0plus" "$begin $arm" \
  "qemu-system-arm -M microbit $board"
row Cortex-M4F 0 "$bytes" arm-none-eabi- "$cortex_m4" "$begin $large" "$mps2_m4"
row RV32IMFC 0 "$bytes" riscv64-linux-gnu- \
  'riscv64-linux-gnu-gcc -march=rv32imfc -mabi=ilp32f -mno-relax -fno-pie -static' '' qemu-riscv32
row Cortex-M0+ 0 'floats_q4_0-Os bytes_q4_0-Os floats_i8-Os bytes_i8-Os' arm-none-eabi- "$gcc -mcpu=cortex-m0plus" "$begin $arm" \
  "qemu-system-arm -M microbit $board"
"$root/tests/platforms/cmsis_nn.sh" cmsis_nn
echo "$passed passed, 0 failed, $skipped skipped"
