#!/bin/sh
# `ninja uninstall` takes back what `ninja install` put into a prefix, and nothing else.
# Usage: uninstall.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
here=$(pwd)
install() { "$root/generator/package/install.sh" >output 2>&1 || { cat output; return 1; }; }
uninstall() { "$root/generator/package/uninstall.sh" >output 2>&1; }
fail() {
  echo "FAILED: $*" >&2
  cat output >&2
  exit 1
}
listed() { sed -n 's/^file [0-9]* [0-9]* //p' "$1/share/ffngen/manifest" | LC_ALL=C sort; }
# All that is in a folder, with its contents.
all() { (cd "$1" && find . -exec sh -c 'test -d "$0" && echo "$0" || cksum "$0"' {} \; | sort); }

# The targets of ninja are the scripts that are tested here.
test ! -e "$root/build.ninja" ||
  test "$(cd "$root" && ninja -t commands uninstall)" = generator/package/uninstall.sh

# A prefix that was not there, staged, with spaces in its name: nothing is left, the prefix itself
# included. The list has every file: completions, the man page, the package for Python.
export DESTDIR="$here/the stage" PREFIX='/opt/my tools'
install
prefix=$DESTDIR$PREFIX
(cd "$prefix" && find . -type f ! -path ./share/ffngen/manifest | sed 's,^\./,,' | LC_ALL=C sort) >files
listed "$prefix" | cmp - files || fail 'the list is not what is there'
for file in bin/ffngen lib/libffn.a share/fish/vendor_completions.d/ffngen.fish \
  share/zsh/site-functions/_ffngen share/bash-completion/completions/ffngen.bash \
  share/ffngen/generator/package/python/ffn/__init__.py; do
  grep -qx "$file" files || fail "no $file"
done
for page in ffngen.1 ffngen-list.1; do
  ! command -v scdoc >/dev/null || grep -qx "share/man/man1/$page" files || fail "no $page"
done
! grep -q "$here" "$prefix/share/ffngen/manifest" || fail 'the list has a path of this machine'
# Python keeps what it compiled beside its sources.
python3 -m compileall -q "$prefix/share/ffngen/generator/package/python" || true
uninstall || fail 'uninstall'
test ! -e "$DESTDIR" || fail "left: $(find "$DESTDIR")"
! uninstall || fail 'it is gone, and uninstalled once more'
grep -q "no $prefix/share/ffngen/manifest: PREFIX and DESTDIR" output || fail 'no word of the prefix'

# Folders in which the prefix lies stay where they were there before, or have something of others.
mkdir -p "$DESTDIR/opt"
install
uninstall || fail 'uninstall'
test -d "$DESTDIR/opt" && test -z "$(find "$DESTDIR/opt" -mindepth 1)" || fail 'a folder of others'
rm -r "$DESTDIR"
install
echo other >"$DESTDIR/opt/other"
install
uninstall || fail 'uninstall'
test "$(cd "$DESTDIR" && find . -mindepth 1 | sort | tr '\n' ' ')" = './opt ./opt/other ' ||
  fail 'what others have beside the prefix is not there'
rm -r "$DESTDIR"

# A prefix that others use, empty folders and folders of the same names included: it is then what it
# was before. Installing twice is installing once.
unset DESTDIR
export PREFIX="$here/usr"
mkdir -p usr/bin usr/lib usr/share/man/man1 usr/share/ffngen/generator/specs usr/share/empty
echo other | tee usr/bin/other usr/share/man/man1/other.1 usr/share/ffngen/generator/specs/mine.lua \
  usr/share/ffngen/generator/mine.lua >output
all usr >before
install
listed usr >once
install
listed usr | cmp - once || fail 'twice is not once'
uninstall || fail 'uninstall'
all usr | diff before - || fail 'what others have is not what it was'

# What was edited stays and is named; the rest is gone.
install
echo '-- mine' >>usr/share/ffngen/generator/specs/models.lua
rm usr/share/doc/ffngen/LICENSE
ln -sf /nowhere usr/bin/ffngen
uninstall || fail 'uninstall of an edited one'
for file in usr/share/ffngen/generator/specs/models.lua usr/bin/ffngen; do
  grep -qxF "uninstall: $here/$file was edited and stays: remove it yourself" output ||
    fail "no word of $file"
  rm "$file"
done
test "$(grep -c edited output)" -eq 2 || fail 'others are named'
rmdir usr/share/ffngen/generator/specs 2>/dev/null || true
all usr | diff before - || fail 'more was left than what was edited'

# What an earlier version put there, and this one does not: gone, unless it was edited.
install
for file in old.lua edited.lua; do
  echo old >usr/share/ffngen/generator/$file
  echo "file $(cksum <usr/share/ffngen/generator/$file) share/ffngen/generator/$file" \
    >>usr/share/ffngen/manifest
done
mkdir usr/share/ffngen/old
echo 'folder share/ffngen/old' >>usr/share/ffngen/manifest
echo mine >>usr/share/ffngen/generator/edited.lua
install
test ! -e usr/share/ffngen/generator/old.lua && test ! -e usr/share/ffngen/old ||
  fail 'what the earlier version had is there'
grep -q 'edited.lua was edited and stays' output || fail 'no word of what was edited'
rm usr/share/ffngen/generator/edited.lua

# A list that somebody has written reaches nothing outside of the prefix.
echo mine >outside
echo "file $(cksum <outside) ../outside" >>usr/share/ffngen/manifest
echo "file $(cksum <outside) $here/outside" >>usr/share/ffngen/manifest
mkdir aside
printf 'folder ../aside\nfolder %s\n' "$here/aside" >>usr/share/ffngen/manifest
uninstall || fail 'uninstall with a foreign line'
test -e outside && test -d aside || fail 'it reached out of the prefix'
grep -q 'names ../outside, which is not under' output || fail 'no word of the foreign line'
all usr | diff before - || fail 'something is left'

# All or nothing: what is in the way, and what is not built, is told before anything is written.
echo other >usr/share/fish
! install >/dev/null || fail 'a file in place of a folder, and it says nothing'
grep -q "^install: $here/usr/share/fish is no folder: nothing was installed" output ||
  fail 'what is in the way is not told'
rm usr/share/fish
all usr | diff before - || fail 'something was installed'
mkdir -p usr/lib/libffn.a
! install >/dev/null || fail 'a folder in place of a file, and it says nothing'
rmdir usr/lib/libffn.a
all usr | diff before - || fail 'something was installed beside a folder'
mkdir unbuilt
for part in generator templates runtime generated README.md LICENSE ffngen; do
  ln -s "$root/$part" unbuilt
done
rm unbuilt/generator
mkdir -p unbuilt/generator unbuilt/build
cp -R "$root/generator/package" unbuilt/generator
! unbuilt/generator/package/install.sh >output 2>&1 || fail 'what is not built is installed'
grep -q 'build/ffn-pack is not built (ninja install.files): nothing was installed' output ||
  fail 'what is not built is not told'
all usr | diff before - || fail 'something was installed of what is not built'

# An installation that was cut short can be undone: here the disk is full at the twentieth file.
mkdir bin
cat >bin/install <<'END'
#!/bin/sh
echo x >>"$0.count"
test "$(wc -l <"$0.count")" -lt 20 || { echo 'install: No space left on device' >&2; exit 1; }
exec /usr/bin/install "$@"
END
chmod +x bin/install
! PATH="$here/bin:$PATH" install >/dev/null || fail 'it was not cut short'
test -e usr/bin/ffngen || fail 'it came to nothing'
uninstall || fail 'uninstall of a part'
all usr | diff before - || fail 'a part is left'

status=0
PREFIX=usr uninstall || status=$?
test $status -eq 2 && grep -q 'PREFIX must be an absolute path, not usr' output || fail 'a relative PREFIX'
