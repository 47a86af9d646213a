#!/bin/sh
# Times layers in slices on two ranks of one thread each, on a quiet machine, beside one process of
# two threads; holds scale.lua against that; and lets it say what more nodes like this one would do.
# Usage: mpi.sh [ROUNDS [D_MODEL,D_FF]...]   the nodes' network: BANDWIDTH, GB/s, and LATENCY, us
# Exit status 1 where bits differ; where there are rounds enough to tell, also where ranks take more
# than 1.05 of the time of threads, or a prediction is more than 20 % off.
set -eu
cd "$(dirname "$0")/../.."
if ! problem=$(tests/scripts/mpirun.sh); then
  echo "mpi: $problem: skipped"
  exit 0
fi
rounds=${1:-15}
[ $# -lt 1 ] || shift
[ $# -gt 0 ] || set -- 2048,5632 4096,14336
folder=build/bench/mpi
mkdir -p "$folder"
for sizes; do
  d=${sizes%,*} f=${sizes#*,}
  echo "ffn 'd${d}_f$f' { variant = 'swiglu', d_model = $d, d_ff = $f }"
done >"$folder/layers.lua"
./ffngen generate "$folder/layers.lua" --out "$folder/kernels" --isa avx2,avx512,neon \
  --threads mpi >/dev/null
mpicc -std=c11 -O2 -DFFN_NO_MAIN -I"$folder/kernels" -Itests/bench tests/bench/mpi.c \
  tests/bench/clock.c tests/bench/pool.c tests/bench/turns.c "$folder"/kernels/*.c -lm -pthread \
  -o "$folder/mpi"
[ ! -r /proc/cpuinfo ] || grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: //'
code=0
tests/scripts/mpirun.sh 1800 2 "$folder/mpi" "$folder/scale" "$rounds" || code=1
# shellcheck disable=SC2086 # a list is meant to be split, here and below
grep '^held ' "$folder/scale" | while read -r _ arguments; do
  lua5.4 tests/bench/scale.lua $arguments || echo off
done >"$folder/held"
sed '/^off$/d' "$folder/held"
[ "$rounds" -lt 5 ] || ! grep -q '^off$' "$folder/held" || code=1
network="--bandwidth ${BANDWIDTH:-12.5} --latency ${LATENCY:-2}"
arguments="$(sed -n 's/^nodes //p' "$folder/scale" | tail -n 1) $network"
echo
echo "lua5.4 tests/bench/scale.lua $arguments"
# shellcheck disable=SC2086
lua5.4 tests/bench/scale.lua $arguments
exit $code
