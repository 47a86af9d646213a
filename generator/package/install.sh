#!/bin/sh
# Installs what `ninja install` has built: to PREFIX, /usr/local without it, under DESTDIR. What an
# earlier installation put there and this one does not is removed.
set -eu
cd "$(dirname "$0")/../.."
. generator/package/manifest.sh

# folder PATH: makes a folder under the prefix and those around it; lists those that were not there.
folder() {
  made=$1 lines=""
  while [ ! -d "$place/$made" ]; do
    lines="${lines}folder $made
"
    test "$made" != . || break
    made=$(dirname "$made")
  done
  install -d "$place/$1"
  test -z "$lines" || printf %s "$lines" >>"$manifest"
}

# put MODE FOLDER FILE...
put() {
  mode=$1 to=$2
  shift 2
  folder "$to"
  cksum "$@" | while read -r crc bytes source; do
    echo "file $crc $bytes $to/${source##*/}"
  done >>"$manifest"
  install -m "$mode" "$@" "$place/$to"
}

folder share/ffngen
touch "$manifest"
earlier=$(wc -l <"$manifest")

put 755 bin ffngen build/ffn-pack
find generator templates runtime -path runtime/pack -prune -o -type d -print | while read -r source; do
  set --
  for file in "$source"/*; do
    case $file in *.sh | *.pyc) continue ;; esac
    test ! -f "$file" || set -- "$@" "$file"
  done
  test $# -eq 0 || put 644 "share/ffngen/$source" "$@"
done

put 644 include/ffngen runtime/ffn.h runtime/ffn.hpp runtime/ffn_arrange.h runtime/ffn_file.h \
  runtime/ffn_slice.h runtime/parallel_*.h runtime/tasks.h \
  generated/activations.inc generated/isas.inc generated/formats.inc generated/profiles.inc \
  build/packaging/ffn_layers.h
put 644 lib build/libffn.a
put 644 lib/cmake/ffngen generator/package/cmake/ffngenConfig*.cmake
put 644 lib/pkgconfig build/packaging/ffn.pc

put 644 share/bash-completion/completions build/packaging/ffngen.bash
put 644 share/zsh/site-functions build/packaging/_ffngen
put 644 share/fish/vendor_completions.d build/packaging/ffngen.fish
put 644 share/doc/ffngen LICENSE README.md
if command -v scdoc >/dev/null 2>&1; then
  # The page bears the day of its version, not of its installation.
  export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(date -r generator/common/version.lua +%s)}"
  scdoc <build/packaging/ffngen.1.scd >build/packaging/ffngen.1
  put 644 share/man/man1 build/packaging/ffngen.1
else
  echo "install: no scdoc, so no man page"
fi

# The list of this installation: its lines, and the folders of earlier ones.
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
head -n "$earlier" "$manifest" >"$lists/earlier"
tail -n +$((earlier + 1)) "$manifest" >"$lists/now"
awk '{ path = $0; sub(/^file [0-9]+ [0-9]+ /, "", path) }
  NR == FNR { now[path] = 1; next }
  /^file / && !(path in now)' "$lists/now" "$lists/earlier" >"$lists/gone"
remove_files "$lists/gone"
remove_folders "$lists/earlier"
{ grep '^folder ' "$lists/earlier" || true; cat "$lists/now"; } | LC_ALL=C sort -u >"$manifest"
chmod 644 "$manifest"
echo "install: ffngen is in $place"
