#!/bin/sh
# The completions of bash, zsh and fish: each shell takes its own. Usage: completions.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
PREFIX="$(pwd)/prefix" "$root/generator/package/install.sh" >log

# expect 'WORDS' COMMAND...: its first words, one a line.
expect() {
  wanted=$1
  shift
  found=$("$@" | cut -f 1 | sort | tr '\n' ' ')
  test "$found" = "$wanted " || { echo "$1: $found instead of $wanted"; exit 1; }
}

# bash WORD...: what comes after these words.
in_bash() {
  bash --norc -c '. prefix/share/bash-completion/completions/ffngen.bash
    COMP_WORDS=(ffngen "$@") COMP_CWORD=$#
    _ffngen
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# shell NAME: whether it is there.
shell() {
  command -v "$1" >/dev/null || { echo "completions of $1: no $1 (setup.sh installs it): skipped"; return 1; }
}

if shell bash; then
  expect generate in_bash gen
  expect '--isa' in_bash generate --i
  expect '--json' in_bash list --j
fi
if shell zsh; then
  zsh -fn prefix/share/zsh/site-functions/_ffngen
  # shellcheck disable=SC2016 -- zsh's own variables
  expect _ffngen zsh -fc 'fpath=($PWD/prefix/share/zsh/site-functions $fpath)
    autoload -U compinit && compinit -u -D && echo $_comps[ffngen]'
fi
if shell fish; then
  export HOME="$PWD" # where fish keeps its files
  complete='source prefix/share/fish/vendor_completions.d/ffngen.fish; complete -C'
  expect generate fish -c "$complete 'ffngen gen'"
  expect '--isa' fish -c "$complete 'ffngen generate --i'"
  expect '--json' fish -c "$complete 'ffngen list --j'"
fi
