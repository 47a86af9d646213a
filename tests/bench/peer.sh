#!/bin/sh
# Makes the shared object of a peer, or says why not: a library that is not installed is skipped.
# Usage: peer.sh OUT.so PACKAGE LIBS SOURCE OBJECT... -- COMPILER [OPTION...]
#   PACKAGE  the Debian package with the library's header
#   SOURCE   the peer's own file; OBJECT: compiled files to link with it
# Leaves OUT.so or OUT.why, and OUT.ok for ninja.
set -eu
out=$1 package=$2 libs=$3 source=$4
shift 4
objects=
while [ "$1" != -- ]; do
  objects="$objects $1"
  shift
done
shift
stem=${out%.so}
rm -f "$out" "$stem.why" "$stem.ok"
if "$@" -E "$source" -o /dev/null 2>"$stem.log"; then
  # shellcheck disable=SC2086 -- lists are meant to be split
  "$@" -fPIC -shared -o "$out" "$source" $objects $libs
else
  error=$(grep -m 1 'error:' "$stem.log" | sed 's/.*error: //')
  echo "$error (package $package)" >"$stem.why"
fi
touch "$stem.ok"
