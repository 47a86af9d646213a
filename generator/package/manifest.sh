# What install.sh and uninstall.sh share: where an installation is, and the list of what it is.
# shellcheck shell=sh
#
# Lines of the list are of paths under the prefix: `folder PATH` for one that install.sh made,
# `file CHECKSUM BYTES PATH` (by cksum) for one that it wrote, or `above COUNT` for so many folders
# in which the prefix lies, `staged COUNT` where that is under DESTDIR. It is written along with them,
# so that an installation that was cut short can be undone, too.
name=$(basename "$0" .sh)
prefix=${PREFIX:-/usr/local}
case $prefix in
  /*) ;;
  *) echo "$name: PREFIX must be an absolute path, not $prefix" >&2; exit 2 ;;
esac
place=${DESTDIR:-}$prefix
manifest=$place/share/ffngen/manifest
above=above
test -z "${DESTDIR:-}" || above=staged

# sum_of FILE: its checksum and bytes.
sum_of() { cksum <"$1"; }

# remove_files LIST: the files of a list that are as install.sh wrote them, and what Python made of
# them; names the others.
remove_files() {
  edited=""
  while read -r kind crc bytes path; do
    test "$kind" = file || continue
    case /$path/ in */../* | *//*)
      echo "$name: $manifest names $path, which is not under $prefix: nothing is done with it" >&2
      continue
      ;;
    esac
    file=$place/$path
    if [ ! -e "$file" ] && [ ! -L "$file" ]; then
      continue
    elif [ -f "$file" ] && [ "$(sum_of "$file")" = "$crc $bytes" ]; then
      rm -f "$file"
      case $path in *.py)
        base=${file##*/}
        rm -f "${file%/*}/__pycache__/${base%.py}".*.pyc
        rmdir "${file%/*}/__pycache__" 2>/dev/null || true
        ;;
      esac
    else
      edited="$edited$file
"
    fi
  done <"$1"
  # In a list of two installations the first of two lines may be the older one.
  printf %s "$edited" | sort -u | while read -r file; do
    if [ -e "$file" ] || [ -L "$file" ]; then
      echo "$name: $file was edited and stays: remove it yourself" >&2
    fi
  done
}

# remove_folders LIST: its folders that are empty, the deepest first.
remove_folders() {
  sed -n 's/^folder //p' "$1" | LC_ALL=C sort -ru | while read -r path; do
    case /$path/ in
      */../* | *//*) continue ;;
      /./) rmdir "$place" 2>/dev/null || true ;;
      *) rmdir "$place/$path" 2>/dev/null || true ;;
    esac
  done
}

# remove_above LIST: the folders in which the prefix lies that were made for it, where they are empty.
remove_above() {
  count=$(sed -n "s/^$above //p" "$1" | sort -n | tail -n 1)
  around=$place
  case ${count:-0} in *[!0-9]*) count=0 ;; esac
  while [ "${count:-0}" -gt 0 ]; do
    around=$(dirname "$around")
    rmdir "$around" 2>/dev/null || break
    count=$((count - 1))
  done
}
