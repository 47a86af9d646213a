#!/bin/sh
# Runs the part of a suite whose turn it is; with TURNS=all every part.
# Usage: quarters.sh SUITE OFFSET PART...   such as: quarters.sh build/gcc/quick_suite 0 1/4 3/4
set -eu
suite=$1 offset=$2
shift 2
for part in $(printf '%s\n' "$@" | "$(dirname "$0")/take_turn.sh" $# "$offset"); do
  "$suite" "$part"
done
