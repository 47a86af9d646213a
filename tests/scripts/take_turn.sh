#!/bin/sh
# Of the lines of stdin those whose turn it is (tests/turn), one in PARTS; with TURNS=all every one.
# OFFSET is for who begins elsewhere.
# Usage: ... | take_turn.sh PARTS [OFFSET]
awk -v parts="$1" -v turn="$(($(head -n 1 "$(dirname "$0")/../turn") + ${2:-0}))" -v turns="${TURNS:-}" \
  'turns == "all" || (NR + turn) % parts == 0'
