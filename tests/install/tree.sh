#!/bin/sh
# What `ninja install` puts into a prefix runs from anywhere, and makes what the source tree makes.
# Usage: tree.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1/elsewhere"
cd "$1"
here=$(pwd)
echo "ffn 'my_layer' { variant = 'swiglu', d_model = 24, d_ff = d_model * 8 // 3 }" >elsewhere/my.lua

# fails CODE TEXT COMMAND...: an error that says TEXT.
fails() {
  code=$1 text=$2 status=0
  shift 2
  "$@" >output 2>&1 || status=$?
  if [ "$status" -ne "$code" ] || ! grep -qF -- "$text" output; then
    echo "$*: exit $status, not $code with \"$text\":"
    cat output
    return 1
  fi
}

# The target of ninja is the script that is tested here.
test "$(cd "$root" && ninja -t commands install | tail -n 1)" = generator/package/install.sh

# Staged under DESTDIR, for a prefix with spaces; and without DESTDIR.
touch before
sleep 0.01
DESTDIR="$here/the stage" PREFIX='/opt/my tools' "$root/generator/package/install.sh"
PREFIX="$here/plain" "$root/generator/package/install.sh"
# same A B: but for the folders in which the prefix lies, which were made for one of them alone.
same() {
  diff -r -x manifest "$1" "$2"
  grep -v '^staged 2$' "$1/share/ffngen/manifest" | diff - "$2/share/ffngen/manifest"
}
same "the stage/opt/my tools" plain
# It copies: in the source tree nothing is made, so that another user may install than built it.
for folder in build/packaging generator templates runtime; do
  test -z "$(find "$root/$folder" -newer before)" ||
    { echo "install makes $(find "$root/$folder" -newer before)"; exit 1; }
done
fails 2 'PREFIX must be an absolute path, not usr' env PREFIX=usr "$root/generator/package/install.sh"

# From another folder, through a link, and after a move: the same as from the source tree.
"$root/ffngen" generate elsewhere/my.lua --out expected >log
ln -s "$here/the stage/opt/my tools/bin/ffngen" link
mkdir moved
mv plain 'moved/to here'
cd elsewhere
for ffngen in "$here/the stage/opt/my tools/bin/ffngen" ../link '../moved/to here/bin/ffngen'; do
  rm -rf kernels
  "$ffngen" generate my.lua --out kernels >../log
  diff -r kernels ../expected
  test "$("$ffngen" --version)" = "$("$root/ffngen" --version)"
  "$ffngen" explain gpt2_124m >../log
  "$(dirname "$(readlink -f "$ffngen")")/ffn-pack" --help >../log
done
(PATH="$here/moved/to here/bin:$PATH" && ffngen list >../log && ffngen --help >../help)

# What belongs to the source tree alone is refused, and nothing is written to the prefix.
fails 2 'ffngen generate my.lua --out' "$ffngen" generate
fails 2 'source tree of ffngen' "$ffngen" check
same "$here/the stage/opt/my tools" '../moved/to here'

# The man pages: one of ffngen, and one of each command. They name every command and option.
cd "$here/the stage/opt/my tools"
if [ -e share/man/man1/ffngen.1 ]; then
  sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p' "$here/help" >"$here/verbs"
  test "$(wc -l <"$here/verbs")" -gt 10
  while read -r verb; do
    test -s "share/man/man1/ffngen-$verb.1" || { echo "no man page of $verb"; exit 1; }
  done <"$here/verbs"
  test "$(ls share/man/man1 | wc -l)" -eq $(($(wc -l <"$here/verbs") + 1))
  ! command -v man >/dev/null || test -z "$(man --warnings=w -l share/man/man1/*.1 2>&1 >/dev/null)"
  sed 's/\\&//g; s/\\-/-/g' share/man/man1/*.1 >"$here/page"
  grep -qF "ffngen $("$root/ffngen" --version | cut -d ' ' -f 2)" "$here/page"
  sed -n 's/.*opts="\(.*\)"/\1/p; s/.*compgen -W "\([a-z ]*\)".*/\1/p' \
    share/bash-completion/completions/ffngen.bash | tr ' ' '\n' | grep -v '[$]' | sort -u >"$here/words"
  test "$(wc -l <"$here/words")" -gt 10
  while read -r word; do
    grep -qF -e "$word" "$here/page" || { echo "the man page lacks $word"; exit 1; }
  done <"$here/words"
else
  echo 'man page: no scdoc (setup.sh installs it): skipped'
fi
