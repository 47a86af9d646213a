#!/bin/sh
# Every shape of a vendored folder compiles without a warning, passes its self-check and runs its
# example; a header is C++17 too; bytes of code are as estimated. Without FULL=1 one of the usual
# shapes and builds, in turns.
# Usage: [FULL=1] layouts.sh FOLDER
. "$(dirname "$0")/lib.sh"

# Layers of the self-check's last line, kernels that this machine cannot run among them.
checked() { awk -v want="$1" '/passed, / { sum = $1 + $5 } END { exit sum != want }' "$2"; }

# shape FOLDER KERNELS OPTIONS...
shape() {
  folder=$1 kernels=$2
  shift 2
  vendor "$folder" --prefix my "$@"
  (
    cd "$folder"
    # shellcheck disable=SC2086 -- lists are meant to be split, here and below
    ! full || clang $strict -fsyntax-only ./*.c
    # shellcheck disable=SC2086
    gcc $strict -O1 -c ./*.c
    gcc ./*.o -lm -o selfcheck
    ./selfcheck >selfcheck.log
    checked "$kernels" selfcheck.log
    for file in my_selfcheck my_example_main; do
      # shellcheck disable=SC2086
      gcc $strict -O1 -DMY_EXAMPLE -c $file.c
    done
    gcc ./*.o -lm -o example
    ./example >example.log
    test "$(grep -c -e ' = ' -e 'this CPU has none' example.log)" -eq "$layers"
    # shellcheck disable=SC2086
    if [ -e my_kernel.h ] || [ -e my.c ]; then
      printf '#include "my.h"\nint main() { return my_isa_name(MY_ISA_C) == 0; }\n' >t.cc
      set --
    else
      printf '#define MY_IMPLEMENTATION\n#include "my.h"\nint main() { return 0; }\n' >t.cc
      set -- -DMY_IMPLEMENTATION
    fi
    # shellcheck disable=SC2086
    ! full || clang++ -std=c++17 $warnings -fsyntax-only t.cc
    # shellcheck disable=SC2086 -- what C++26 refuses
    g++ -std=c++2b $warnings -fsyntax-only t.cc
    # shellcheck disable=SC2086 -- with code, which some warnings are about
    g++ -std=c++17 $warnings -O1 -c t.cc -o t.o
    # shellcheck disable=SC2086
    [ ! -e my.c ] || g++ -x c++ -std=c++17 $warnings -O1 -c my.c -o t.o
  )
  pass "$folder: $*"
}

# A host's own headers, which hide madvise() under -std=c11, come before the implementation: huge
# pages are asked for all the same.
behind_headers() {
  vendor behind --layer block --header-only --isa c --prefix my
  printf '#include <stdio.h>\n#define MY_IMPLEMENTATION\n#include "my.h"\n' >behind.c
  for compiler in gcc clang; do
    # shellcheck disable=SC2086
    $compiler $strict -O1 -Ibehind -c behind.c
    nm -u behind.o | grep -q madvise || fail "$compiler: no huge pages behind a host's headers"
  done
  pass "huge pages behind a host's headers"
}

# A debug build of weights that come from memory, which more is written for. Clang 14 has crashed
# where nothing is optimised.
unoptimised() {
  "$root/ffngen" vendor "$root/generator/specs/lessons.lua" --layer notebook_swiglu --prefix my \
    --out unoptimised >vendor.log 2>&1
  # shellcheck disable=SC2086
  (cd unoptimised && clang $strict -O0 ./*.c -lm -o selfcheck && ./selfcheck >selfcheck.log)
  pass "nothing optimised"
}

usual=$(printf '%s\n' files single header behind_headers unoptimised)
full || usual=$(echo "$usual" | "$root/tests/scripts/take_turn.sh" 5)
for one in $usual; do
  layers=1
  case $one in
    files) layers=2 && shape files 6 --file ;;
    single) shape single 3 --layer block --single-file --file ;;
    header) shape header 3 --layer block --header-only --file --threads openmp,pthreadpool,pthreads,team ;;
    *) $one ;;
  esac
done
if ! full; then
  finish
  exit 0
fi
shape direct 1 --layer block --no-dispatch --isa avx2
shape single_direct 1 --layer block --single-file --no-dispatch --isa avx512
shape header_direct 1 --layer block --header-only --no-dispatch --isa c
shape freestanding 3 --layer block --freestanding
shape single_freestanding 2 --layer block --single-file --freestanding --isa c,avx2
shape weights 2 --header-only --layer head --isa c,avx2 \
  --weights "$root/tests/data/mlp_10_64_32_1.safetensors"

# Kernels of another machine leave nothing, and nothing to complain of.
for isa in neon avx2; do
  vendor other_$isa --layer block --prefix my --isa $isa --single-file
  # shellcheck disable=SC2086
  (cd other_$isa && clang $strict -fsyntax-only ./*.c && gcc $strict -O0 ./*.c -lm -o selfcheck &&
    ./selfcheck >selfcheck.log)
done
pass "one file for one kind of machine"

# An activation of a graph: nothing of its arithmetic is there that nothing calls, or clang warns.
echo "ffn 'leaky' { variant = 'leaky_relu', d_model = 8, d_ff = 32 }" >leaky.lua
"$root/ffngen" vendor leaky.lua --prefix my --isa c --out leaky >vendor.log 2>&1
# shellcheck disable=SC2086
(cd leaky && clang $strict -O1 ./*.c -lm -o selfcheck && ./selfcheck >selfcheck.log &&
  checked 1 selfcheck.log)
pass "an activation of a graph"

# Translation units of limited size: none is longer, and together they are the same kernels.
most=26000
"$root/ffngen" vendor "$root/generator/specs/lessons.lua" --layer notebook_swiglu --prefix my \
  --isa avx2,c --max-tu-bytes $most --out split >vendor.log 2>&1
test "$(find split -name '*_part*.c' | wc -l)" -gt 3
for file in split/*.c; do
  test "$(wc -c <"$file")" -le $most || fail "$file has more than $most bytes"
done
# shellcheck disable=SC2086
(cd split && gcc $strict -O1 ./*.c -lm -o selfcheck && ./selfcheck >selfcheck.log &&
  checked 6 selfcheck.log)
pass "split into files of at most $most bytes"

# The same of a kernel of few bytes.
cat >few.lua <<'LUA'
mlp 'few' {
  d_model = 10, bias = true, optimise = 'size',
  layers = { { 64, 'relu' }, { 32, 'gelu' }, { 32, 'mish' }, { 16, 'tanh' }, { 1, 'sigmoid' } },
}
LUA
"$root/ffngen" vendor few.lua --prefix my --isa c --max-tu-bytes 23000 --out split_few \
  >vendor.log 2>&1
test "$(find split_few -name '*_part*.c' | wc -l)" -gt 1
# shellcheck disable=SC2086
(cd split_few && gcc $strict -O1 ./*.c -lm -o selfcheck && ./selfcheck >selfcheck.log &&
  checked 1 selfcheck.log)
pass "few bytes, split"

# One instruction set of a SwiGLU layer, runtime included: under 100 KiB of code. The runtime is some
# bytes of it, which estimates leave out.
runtime=5000
for isa in avx2 avx512 c; do
  "$root/ffngen" vendor "$root/generator/specs/models.lua" --layer tinyllama_1_1b --isa $isa \
    --no-dispatch --single-file --json --out size_$isa >size_$isa.json 2>vendor.log
  begin=$(date +%s%N)
  gcc -O2 -c size_$isa/ffn.c -o size_$isa/ffn.o
  took=$((($(date +%s%N) - begin) / 1000000))
  text=$(size size_$isa/ffn.o | awk 'NR == 2 { print $1 }')
  estimate=$(sed -n 's/.*"text_bytes":\([0-9]*\).*/\1/p' size_$isa.json)
  test "$text" -lt 102400 || fail "$isa: $text bytes of code"
  test $((text - runtime)) -lt $((2 * estimate)) && test "$estimate" -lt $((2 * text)) ||
    fail "$isa: $estimate bytes of code estimated, $text measured"
  pass "$isa: $text bytes of code, $estimate estimated for the kernel; compiled in $took ms," \
    "$(sed -n 's/.*"compile_ms":\([0-9]*\).*/\1/p' size_$isa.json) estimated"
done

# Portable C alone, where FMAs are most of the code: those of this CPU are emulated, those of a
# Cortex-M4 are not.
"$root/ffngen" vendor "$root/generator/specs/lessons.lua" --isa c --prefix my --json --out lessons \
  >lessons.json 2>vendor.log
# estimated FIELD COMPILER...: every kernel within a factor of 1.5.
estimated() {
  field=$1
  shift
  awk -F'[:",]+' -v field="$field" '$2 == "name" { name = $3 } $2 == field { print name, $3 }' \
    lessons.json >estimates
  test "$(wc -l <estimates)" -gt 3
  while read -r name estimate; do
    "$@" -O2 -DNDEBUG -c "lessons/$name.c" -o kernel.o
    text=$(size kernel.o | awk 'NR == 2 { print $1 }')
    test $((2 * text)) -lt $((3 * estimate)) && test $((2 * estimate)) -lt $((3 * text)) ||
      fail "$name: $estimate bytes of code estimated, $text measured by $1"
  done <estimates
  pass "estimates for $1"
}
if [ "$(uname -m)" = x86_64 ]; then estimated text_bytes gcc; fi
if has arm-none-eabi-gcc; then
  estimated text_bytes_fma arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard
else
  skip "estimates for a Cortex-M4: no arm-none-eabi-gcc"
fi
finish
