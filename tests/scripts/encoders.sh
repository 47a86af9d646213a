#!/bin/sh
# The self-checks of formats whose encoders search, on many blocks: the reference has encoders of
# its own. Usage: encoders.sh FOLDER
set -eu
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
cat >"$folder/searched.lua" <<'END'
linear 'minima' { d_model = 1024, d_out = 80, weights = 'q4_K' }
linear 'signs' { d_model = 256, d_out = 80, weights = 'q6_K' }
END
./ffngen generate "$folder/searched.lua" --out "$folder/kernels" --isa c >/dev/null
tests/scripts/program.sh "$folder/check" -std=c11 -O1 -w -- "$folder"/kernels/*.c
"$folder/check"
