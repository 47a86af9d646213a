#!/bin/sh
# The tests of several outputs. Usage: outputs.sh FOLDER
exec "$(dirname "$0")/alone.sh" outputs outputs "$1"
