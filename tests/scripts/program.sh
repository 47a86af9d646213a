#!/bin/sh
# Makes a program, each source compiled by itself, two at a time: a compiler whose results are kept
# (ccache) then compiles again only what changed. Objects are in PROGRAM.objects.
# Usage: [CC=gcc] [LIBRARIES=-lm] program.sh PROGRAM FLAG... -- SOURCE...
set -eu
program=$1 flags=
shift
while test "$1" != --; do
  flags="$flags $1"
  shift
done
shift
rm -rf "$program.objects"
mkdir "$program.objects"
# shellcheck disable=SC2016 # the shell that xargs starts expands it
printf '%s\n' "$@" | CC=${CC:-gcc} FLAGS=$flags OBJECTS=$program.objects xargs -P 2 -I {} sh -c \
  '$CC $FLAGS -c {} -o "$OBJECTS/$(echo {} | tr / _).o"'
# shellcheck disable=SC2086 # a list is meant to be split
${CC:-gcc} "$program.objects"/*.o ${LIBRARIES:--lm -pthread} -o "$program"
