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

# The record: candidates with their verdicts, the default and the control, of the best kernel of
# this CPU; what the budget does not hold is counted. It takes the place of one of another version.
# The plan's own choices are compiled whatever the budget, and much else may run: the allowance is
# for that.
tune --dry-run >plan
test ! -e record.lua
echo "return { schema = 1, generator = '0.0.0' }" >record.lua
seconds=$(date +%s)
tune --budget 40 --threads 1,all 2>log
seconds=$(($(date +%s) - seconds))
cat log
grep -q 'use it: ffngen generate my.lua --out DIR --tuned record.lua --tuned-for test-cpu$' log
[ $seconds -le 120 ] || fail "a budget of 40 took $seconds s"
nothing_left "a run"
kernel=$(sed -n '1s/,.*//p' plan)
grep -q "name = '$kernel'" record.lua
grep -q 'left  .*: measuring prefill, stage 1 of ' log
grep -q "from = '$(sed -n '1s/.*from //p' plan)'" record.lua
in_regimes() { sed "/name = 'all'/,\$d" record.lua | grep -c "verdict = $1"; }
untried=$(sed -n 's/.*untried = \([0-9]*\),$/\1/p' record.lua)
[ $(($(in_regimes "'\(wins\|loses\)'") + untried)) -eq $(($(wc -l <plan) - 2)) ] ||
  fail "other candidates than --dry-run tells"
# Of batch, since the layer's weights might be far, and of prefill.
[ "$(in_regimes "'default'")" -eq 2 ] || fail "defaults in other than two regimes"
[ "$(in_regimes "'control'")" -eq 2 ] || fail "controls in other than two regimes"

# Generation takes it, and no choice changes a bit: the self-check compares with the kernel in
# portable C, which was not measured.
generate() {
  "$root/ffngen" generate my.lua --out kernels --isa "c,${kernel##*_}" \
    --tuned record.lua --tuned-for test-cpu
}
selfcheck() { (cd kernels && ${CC:-cc} -O2 -I. ./*.c -lm -o selfcheck && ./selfcheck); }
generate
selfcheck
cp record.lua measured.lua
changes='fetch_ahead=64 fetch_level=2 few_ahead=32 few_l2_ahead=64 few_rows=2 main_columns=32'
changes="$changes near_bytes=7 rows_per_walk=5 reread=1 stream_rows=1 streams=2 sum_bytes=1"
# shellcheck disable=SC2086 # a word each
code=$(lua5.4 "$root/tests/scripts/code_of.lua" my.lua "$kernel" $changes)
edits="s/code = '.*'/code = '$code'/"
for change in $changes; do
  edits="$edits; s/${change%=*} = [0-9]*/${change%=*} = ${change#*=}/"
done
sed "/code = /,/from = / { $edits; }" measured.lua >record.lua
generate
grep -q 'Choices    for test-cpu: .*few_ahead = 32' kernels/*.c
grep -q '^ \* .*few_l2_ahead = 64,' kernels/*.c
grep -q '^ \* .*few_rows = 2,' kernels/*.c
grep -q '^ \* .*rows_per_walk = 5,' kernels/*.c
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
grep -q 'record.lua: it is the record of the CPU test-cpu' log
cmp record.lua before.lua
kept --tuned-for test-cpu --out my.lua
grep -q 'my.lua:1: ' log

# Nor does generation take one of another version.
sed "s/^  generator = '.*'/  generator = '0.0.0'/" record.lua >before.lua
status=0
"$root/ffngen" generate my.lua --out kernels --tuned before.lua --tuned-for test-cpu 2>log ||
  status=$?
[ $status -eq 4 ]
grep -q 'before.lua: the record is of ffngen 0.0.0' log
cp record.lua before.lua

# Candidates that give other bits than the first are found out, however few a busy machine tries;
# and a compiler that fails has its say.
cat >bad_cc <<TEXT
#!/bin/sh
for c in candidate_[2-9].c; do
  [ ! -e \$c ] || sed -i 's/^  ffn_pass_run(.*call);/& call->y[call->tokens - 1] += 1.0f;/' \$c
done
exec ${CC:-cc} "\$@"
TEXT
chmod +x bad_cc
refused() {
  status=0
  (export CC="$1" && tune --budget 40) 2>log || status=$?
  [ $status -eq 1 ] || fail "CC=$1: exit status $status"
  grep -q "$2" log || fail "CC=$1: $(cat log)"
  nothing_left "CC=$1"
  cmp record.lua before.lua
}
refused "$PWD/bad_cc" 'the results have other bits'
refused false 'the compiler failed'
[ "$(find . -maxdepth 1 -type f | wc -l)" -eq 6 ] || fail "files besides what the test made: $(ls)"
echo "tune: the record, generation, bits, and stopping hold"
