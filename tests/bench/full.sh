#!/bin/sh
# Times every layer, each in a run of its own, and joins them: full.sh [options of bench].
# What an earlier call has timed stays, unless the benchmark, its options or peers changed.
set -eu
cd "$(dirname "$0")/../.."
folder=build/bench/full
mkdir -p "$folder"
asked="$* ${BENCH_PYTHON-}"
if [ -z "$(find "$folder/asked" -newer build/bench/bench 2>/dev/null)" ] ||
  [ "$(cat "$folder/asked")" != "$asked" ]; then
  rm -f "$folder"/*
  echo "$asked" >"$folder/asked"
fi
# Models first: join.lua takes theirs from the first run.
echo none >"$folder/layers"
sed -n 's/^BENCH_SPEC(\(.*\),.*/\1/p' build/bench/layers.inc >>"$folder/layers"
status=0
while read -r layer; do
  if [ ! -e "$folder/$layer.json" ]; then
    build/bench/bench "$@" --layers "$layer" --json "$folder/part" </dev/null || status=$?
    # A peer that failed is told in it; a wrong answer ends all.
    tail -n 1 "$folder/part" | grep -q '"wrong": 0}$'
    mv "$folder/part" "$folder/$layer.json"
  fi
done <"$folder/layers"
sed "s|.*|$folder/&.json|" "$folder/layers" | xargs lua5.4 tests/bench/join.lua >"$folder/part"
mv "$folder/part" build/bench/results.json
exit "$status"
