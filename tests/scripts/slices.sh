#!/bin/sh
# The tests of slices. Usage: slices.sh FOLDER
exec "$(dirname "$0")/alone.sh" slices ../mutants/slices "$1" runtime/slice.c
