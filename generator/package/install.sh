#!/bin/sh
# Installs what `ninja install` has built: to PREFIX, /usr/local without it, under DESTDIR.
set -eu
cd "$(dirname "$0")/../.."
prefix=${PREFIX:-/usr/local}
case $prefix in
  /*) ;;
  *) echo "install: PREFIX must be an absolute path, not $prefix" >&2; exit 2 ;;
esac

# put MODE FOLDER FILE...
put() {
  mode=$1 folder=${DESTDIR:-}$prefix/$2
  shift 2
  install -d "$folder"
  install -m "$mode" "$@" "$folder"
}

put 755 bin ffngen
find generator templates runtime -type f ! -name '*.sh' ! -name '.*' ! -name '*.pyc' |
  while read -r file; do
    put 644 "share/ffngen/$(dirname "$file")" "$file"
  done

put 644 include/ffngen runtime/ffn.h runtime/ffn.hpp runtime/parallel_*.h runtime/tasks.h \
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
echo "install: ffngen is in ${DESTDIR:-}$prefix"
