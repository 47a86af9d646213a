#!/bin/sh
# The tests of kernels for few tokens. Usage: few_tokens.sh FOLDER
exec "$(dirname "$0")/alone.sh" few_tokens limited "$1"
