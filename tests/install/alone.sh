#!/bin/sh
# uninstall.sh in a copy of the project in which nothing is built: what is installed are stand-ins.
# Usage: alone.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ ! -e "$root/build/libffn.a" ]; then
  mkdir -p "$root/build/packaging"
  for file in ffn-pack libffn.a packaging/ffn_layers.h packaging/ffn.pc packaging/ffngen.bash \
    packaging/_ffngen packaging/ffngen.fish packaging/ffngen.1 packaging/ffngen-list.1; do
    echo "$file" >"$root/build/$file"
  done
fi
exec "$root/tests/install/uninstall.sh" "$1"
