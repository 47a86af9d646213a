#!/bin/sh
# Undoes install.sh, for the same PREFIX and DESTDIR: removes the files that it wrote, but those
# that somebody has edited since, which it names, and then the folders that it made, where they are
# empty. Nothing else is touched.
set -eu
cd "$(dirname "$0")/../.."
. generator/package/manifest.sh

if [ ! -f "$manifest" ]; then
  echo "uninstall: no $manifest: PREFIX and DESTDIR are those of ninja install; what was installed" \
    "before there was such a list gets one by ninja install" >&2
  exit 1
fi
list=$(mktemp)
trap 'rm -f "$list"' EXIT
cp "$manifest" "$list"
remove_files "$list"
rm -f "$manifest"
remove_folders "$list"
remove_above "$list"
echo "uninstall: ffngen is gone from $place"
