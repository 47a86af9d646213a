#!/bin/sh
# libFuzzer on what ffn-pack and the loader of packed files read, under AddressSanitizer and
# UndefinedBehaviorSanitizer. Usage: c_targets.sh FOLDER SECONDS [TARGET...], plan_fuzzer and
# file_fuzzer without. FOLDER keeps what was found; SECONDS are of each.
set -eu
mkdir -p "$1/plans" "$1/files"
folder=$(cd "$1" && pwd) seconds=$2
cd "$(dirname "$0")/../.."
shift 2
test $# -gt 0 || set -- plan_fuzzer file_fuzzer
flags='-std=c11 -O1 -g -w -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all'
includes="-Itests/registry/shipped -I. -Iruntime -Igenerated -I$folder/packaging"
./ffngen packaging --out "$folder/packaging" >/dev/null

# Seeds: a plan of each small layer, and what ffn-pack makes of two.
lua5.4 tests/fuzz/plan_seeds.lua "$folder" tests/specs/awkward.lua

for target; do
  case $target in
    plan_fuzzer)
      # All of ffn-pack but its files, which are the fuzzer's, and its command line.
      sources=$(ls runtime/pack/*.c | grep -v '/sources\.c$\|/main\.c$')
      libs='-ljansson -lm -pthread' seeds=$folder/plans
      ;;
    file_fuzzer) sources='runtime/ffn_file.c runtime/ffn.c' libs='' seeds=$folder/files ;;
  esac
  # shellcheck disable=SC2086 -- lists are meant to be split
  clang $flags $includes "tests/fuzz/$target.c" $sources $libs -o "$folder/$target"
  mkdir -p "$folder/$target.found"
  "$folder/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -seed=1 \
    -artifact_prefix="$folder/$target.found/" -print_final_stats=1 "$seeds" >"$folder/$target.log" 2>&1 ||
    { tail -n 40 "$folder/$target.log"; exit 1; }
  echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$target.log") inputs," \
    "$(grep -o 'cov: [0-9]*' "$folder/$target.log" | tail -n 1)"
done
