#!/bin/sh
# Runs a program for Windows: wine.sh PROGRAM [ARGUMENT...]. Status 77 without Wine. Its settings
# are a folder of the build, not the user's; lines end as the other platforms' do.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
wine=$(command -v wine64 || command -v /usr/lib/wine/wine64) || exit 77
export WINEPREFIX="$root/build/platforms/wine" WINEDEBUG=-all
mkdir -p "$WINEPREFIX"
status=0
"$wine" "$@" >"$1.lines" || status=$?
tr -d '\r' <"$1.lines"
exit "$status"
