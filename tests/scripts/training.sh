#!/bin/sh
# Examples of training, as a user would compile them: each ends well when it has learned what it
# shall. Usage: training.sh FOLDER SPEC PROGRAM..., names of tests/examples/
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
spec=$2
shift 2

# One instruction set is compiled, as bits are the same on all.
case $(uname -m) in
  x86_64) grep -qw avx2 /proc/cpuinfo && isa=avx2 || isa=c ;;
  aarch64) isa=neon ;;
  *) isa=c ;;
esac
"$root/ffngen" generate "$root/tests/examples/$spec.lua" --out kernels --isa $isa >/dev/null

rm -f ./*.o
for file in kernels/*.c; do
  case $file in */reference*.c | */selfcheck.c) ;; *) ${CC:-cc} -O1 -Ikernels -c "$file" ;; esac
done
for program; do
  ${CC:-cc} -std=c11 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Ikernels \
    "$root/tests/examples/$program.c" ./*.o -lm -o "$program"
  "./$program" >"$program.txt" || { cat "$program.txt"; echo "$program: has not learned" >&2; exit 1; }
  tail -n 1 "$program.txt"
  script=$root/tests/examples/$program.gp
  if test -e "$script" && ! command -v gnuplot >/dev/null; then
    echo "$program: no gnuplot (setup.sh installs it): picture skipped"
  elif test -e "$script"; then
    gnuplot -d "$script"
    grep -q '</svg>' "$program.svg"
  fi
done
