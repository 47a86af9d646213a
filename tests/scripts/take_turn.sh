#!/bin/sh
# Of the lines of stdin those whose turn it is (support/turn.lua), one in PARTS; with TURNS=all every
# one. OFFSET is for who begins elsewhere.
# Usage: ... | take_turn.sh PARTS [OFFSET]
set -eu
turn=$(lua5.4 "$(dirname "$0")/../support/turn.lua")
awk -v parts="$1" -v turn="$((turn + ${2:-0}))" -v turns="${TURNS:-}" \
  'turns == "all" || (NR + turn) % parts == 0'
