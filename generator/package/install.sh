#!/bin/sh
# Installs what ninja has built: to PREFIX, /usr/local without it, under DESTDIR; with SHARED=1 a
# shared library, too. It copies and makes nothing. First all of it is looked at: where anything is
# not there or cannot be written, nothing is. What an earlier installation put there and this one
# does not is removed.
set -eu
cd "$(dirname "$0")/../.."
. generator/package/manifest.sh
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT

stop() {
  echo "install: $*: nothing was installed" >&2
  exit 1
}

# folder PATH: makes a folder under the prefix and those around it; lists those that were not there.
folder() {
  made=$1 lines="" count=0
  while [ ! -d "$place/$made" ]; do
    lines="${lines}folder $made
"
    test "$made" != . || break
    made=$(dirname "$made")
  done
  around=$(dirname "$place")
  while [ ! -d "$around" ]; do
    count=$((count + 1))
    around=$(dirname "$around")
  done
  install -d "$place/$1"
  test $count -eq 0 || echo "$above $count" >>"$manifest"
  test -z "$lines" || printf %s "$lines" >>"$manifest"
}

# check FOLDER FILE...: whether they can be put there.
check() {
  to=$place/$1
  shift
  for file in "$@"; do
    if [ ! -f "$file" ] || [ ! -r "$file" ]; then stop "$file is not built (ninja install.files)"; fi
    test ! -d "$to/${file##*/}" || stop "$to/${file##*/} is a folder"
  done
  while [ ! -e "$to" ] && [ ! -L "$to" ]; do to=$(dirname "$to"); done
  test -d "$to" || stop "$to is no folder"
  if [ ! -w "$to" ] || [ ! -x "$to" ]; then stop "$to cannot be written to"; fi
}

# write MODE FOLDER FILE...
write() {
  mode=$1 to=$2
  shift 2
  folder "$to"
  cksum "$@" | while read -r crc bytes source; do
    echo "file $crc $bytes $to/${source##*/}"
  done >>"$manifest"
  install -m "$mode" "$@" "$place/$to"
}

# all PUT: every file, by `PUT MODE FOLDER FILE...`.
all() {
  put=$1
  $put 755 bin ffngen build/ffn-pack
  while read -r source; do
    set --
    for file in "$source"/*; do
      case $file in *.sh | *.pyc) continue ;; esac
      test ! -f "$file" || set -- "$@" "$file"
    done
    test $# -eq 0 || $put 644 "share/ffngen/$source" "$@"
  done <"$lists/sources"

  $put 644 include/ffngen runtime/ffn.h runtime/ffn.hpp runtime/ffn_arrange.h runtime/ffn_file.h \
    runtime/ffn_moe.h runtime/ffn_slice.h runtime/parallel_*.h runtime/tasks.h \
    generated/activations.inc generated/isas.inc generated/kinds.inc generated/formats.inc \
    generated/profiles.inc build/packaging/ffn_layers.h
  $put 644 lib build/libffn.a
  $put 644 lib/cmake/ffngen generator/package/cmake/ffngenConfig*.cmake
  $put 644 lib/pkgconfig build/packaging/ffn.pc

  $put 644 share/bash-completion/completions build/packaging/ffngen.bash
  $put 644 share/zsh/site-functions build/packaging/_ffngen
  $put 644 share/fish/vendor_completions.d build/packaging/ffngen.fish
  $put 644 share/doc/ffngen LICENSE README.md
  test ! -s build/packaging/ffngen.1 || $put 644 share/man/man1 build/packaging/*.1
  test "${SHARED:-}" != 1 || $put 755 lib "build/shared/$soname"
}

# The name that programs ask for, of the ABI that they were compiled for.
soname=libffn.so.$(sed -n 's/^#define FFN_ABI \([0-9]*\)$/\1/p' runtime/ffn.h)
find generator templates runtime -path runtime/pack -prune -o -type d -print >"$lists/sources"

looked_at() { shift && check "$@"; }
all looked_at
check share/ffngen
if [ -e "$manifest" ] && [ ! -w "$manifest" ]; then stop "$manifest cannot be written to"; fi

folder share/ffngen
touch "$manifest"
earlier=$(wc -l <"$manifest")
all write
if [ "${SHARED:-}" = 1 ]; then
  # What -lffn finds; the list has it as the library that it leads to.
  echo "file $(sum_of "build/shared/$soname") lib/libffn.so" >>"$manifest"
  ln -sf "$soname" "$place/lib/libffn.so"
fi
test -s build/packaging/ffngen.1 || echo "install: no scdoc, so no man pages"

# The list of this installation: its lines, and the folders of earlier ones.
head -n "$earlier" "$manifest" >"$lists/earlier"
tail -n +$((earlier + 1)) "$manifest" >"$lists/now"
awk '{ path = $0; sub(/^file [0-9]+ [0-9]+ /, "", path) }
  NR == FNR { now[path] = 1; next }
  /^file / && !(path in now)' "$lists/now" "$lists/earlier" >"$lists/gone"
remove_files "$lists/gone"
remove_folders "$lists/earlier"
{ grep -v '^file ' "$lists/earlier" || true; cat "$lists/now"; } | LC_ALL=C sort -u >"$manifest"
chmod 644 "$manifest"
echo "install: ffngen is in $place"
