#!/bin/sh
# ffngen tune in earnest, on a small layer: the record, what generation makes of it, and how a run
# ends that is stopped or goes wrong. Usage: tune.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1/scratch" "$1/work"
cd "$1/work"
TMPDIR=$(cd ../scratch && pwd)
export TMPDIR
{
  echo "activation 'mine' (function(x) return x * sigmoid(x + 0.5) end)"
  echo "ffn 'small' { variant = 'mine_glu', d_model = 40, d_ff = 70 }"
} >my.lua

fail() {
  echo "tune.sh: $*" >&2
  exit 1
}

# What a run leaves besides its record: nothing. The folder of one that was killed goes a little
# later.
nothing_left() {
  tries=0
  while [ "$(ls -A "$TMPDIR")" ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  [ -z "$(ls -A "$TMPDIR")" ] || fail "$1: left in the folder for temporary files: $(ls "$TMPDIR")"
}

tune() {
  "$root/ffngen" tune my.lua --tuned-for test-cpu --out record.lua "$@"
}

# Begins a long run as a job with a process group of its own, and waits until it says something.
trap '[ -z "${job:-}" ] || kill -KILL "$job" 2>/dev/null || true' EXIT
begin() {
  : >log # before the job has opened it, the last run's words are in it
  setsid "$root/ffngen" tune my.lua --tuned-for test-cpu --out record.lua --budget 300 2>log &
  job=$!
  until grep -q "$1" log; do
    kill -0 $job || fail "it ended before '$1'"
    sleep 0.05
  done
}

# The record: every candidate, the default and the control, of the best kernel of this CPU. It takes
# the place of one of another version.
tune --dry-run >plan
test ! -e record.lua
echo "return { schema = 1, generator = '0.0.0' }" >record.lua
tune --budget 3 2>log
cat log
nothing_left "a run"
grep -q "name = '$(head -1 plan)'" record.lua
in_sweep() { sed '/final = /,$d' record.lua | grep -c "verdict = $1"; }
[ "$(in_sweep "'[a-z]*'")" -eq "$(wc -l <plan)" ] # its first line is a name, the control is no line
[ "$(in_sweep "'default'")" -eq 1 ]
[ "$(in_sweep "'control'")" -eq 1 ]
[ "$(in_sweep "'\(wins\|loses\)'")" -ge 3 ]

# Generation takes it, and no choice changes a bit: the self-check compares with the kernel in
# portable C, which was not measured.
generate() {
  "$root/ffngen" generate my.lua --out kernels --isa "c,$(sed -n '1s/.*_//p' plan)" \
    --tuned record.lua --tuned-for test-cpu
}
selfcheck() { (cd kernels && ${CC:-cc} -O2 -I. ./*.c -lm -o selfcheck && ./selfcheck); }
generate
selfcheck
cp record.lua measured.lua
code=$(lua5.4 "$root/tests/scripts/code_of.lua" my.lua "$(head -1 plan)" fetch_ahead=64 \
  rows_per_walk=5 stream_rows=1 sum_bytes=1)
awk -v code="$code" '/choices = {/ && !done { print "      choices = { fetch_ahead = 64, rows_per_walk = 5,"
  print "        stream_rows = 1, sum_bytes = 1 },"; done = 1; skip = !/},/; next }
  skip { skip = !/},/; next }
  /^      code = / { print "      code = \047" code "\047,"; next } { print }' measured.lua >record.lua
generate
grep -q 'Choices    for test-cpu: .*rows_per_walk = 5' kernels/*.c
selfcheck
mv measured.lua record.lua
cp record.lua before.lua

# A run that is stopped, while it compiles and while it measures: by Ctrl-C, which reaches all
# processes of the job, and by a signal to ffngen alone.
stopped() {
  what=$1 whom=$2 status=0
  begin "$what"
  if [ "$whom" = all ]; then kill -INT -$job; else kill -INT $job; fi
  wait $job || status=$?
  [ $status -eq 130 ] || fail "stopped at '$what' ($whom): exit status $status"
  grep -q 'stopped: record.lua is as it was' log || fail "stopped at '$what' ($whom): $(cat log)"
  nothing_left "stopped at '$what' ($whom)"
  cmp record.lua before.lua
}
stopped 'compiling 3' all
stopped measuring all
stopped 'compiling 3' one
stopped measuring one

# Killed without a chance to say so.
begin measuring
kill -KILL $job
wait $job 2>/dev/null || true
nothing_left killed
job=

# A record of another CPU, or one that cannot be read, is not lost.
kept() {
  status=0
  "$root/ffngen" tune my.lua "$@" 2>log || status=$?
  [ $status -eq 4 ] || fail "$*: exit status $status"
}
kept --tuned-for other-cpu --out record.lua
grep -q 'record.lua: holds measurements of test-cpu' log
cmp record.lua before.lua
kept --tuned-for test-cpu --out my.lua
grep -q 'my.lua:1: ' log

# Nor does generation take one of another version.
sed "s/^  generator = '.*'/  generator = '0.0.0'/" record.lua >before.lua
status=0
"$root/ffngen" generate my.lua --out kernels --tuned before.lua --tuned-for test-cpu 2>log ||
  status=$?
[ $status -eq 4 ]
grep -q 'before.lua: made by ffngen 0.0.0' log
cp record.lua before.lua

# A candidate that gives other bits is found out, and a compiler that fails has its say.
cat >bad_cc <<TEXT
#!/bin/sh
[ ! -e candidate_2.c ] || sed -i 's/^  ffn_pass_run(.*\$/& y[tokens - 1] += 1.0f;/' candidate_2.c
exec ${CC:-cc} "\$@"
TEXT
chmod +x bad_cc
refused() {
  status=0
  (export CC="$1" && tune --budget 3) 2>log || status=$?
  [ $status -eq 1 ] || fail "CC=$1: exit status $status"
  grep -q "$2" log || fail "CC=$1: $(cat log)"
  nothing_left "CC=$1"
  cmp record.lua before.lua
}
refused "$PWD/bad_cc" 'the results differ in bits'
refused false 'the compiler failed'
[ "$(find . -maxdepth 1 -type f | wc -l)" -eq 6 ] || fail "files besides what the test made: $(ls)"
echo "tune: the record, generation, bits, and stopping hold"
