#!/bin/sh
# Models of Hugging Face whose rows are packed, imported, packed by ffn-pack and unpacked by kernels:
# the floats are those that their schemes mean, as a program in Python that knows nothing of ours
# made them, and those of public packages (tests/data/import/packed).
# Usage: import_packed.sh FOLDER FFN_PACK, from the project's folder
set -eu
rm -rf "$1"
mkdir -p "$1/out"
folder=$(cd "$1" && pwd)
pack=$2
python3 tests/import/packed_models.py make "$folder"
cp -r tests/data/import/packed/* "$folder/"
(cd tests/data/import/packed && ls -d origin_*) >>"$folder/models"
while read -r model options; do
  # shellcheck disable=SC2086 -- a list
  ./ffngen import "$folder/$model" --out "$folder/out/$model" --spec-only $options \
    >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  "$pack" "$folder/out/$model/PLAN.json" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  lua5.4 tests/import/plan_layers.lua "$folder/out/$model"
done <"$folder/models"
# Layers of many models, each once.
awk '/^ffn /{ first = !seen[$0]++ } first; /^}/{ first = 0 }' "$folder"/out/*/model.lua \
  >"$folder/all.lua"
./ffngen generate "$folder/all.lua" --isa c --out "$folder/made" --file >"$folder/log"
gcc -O0 -w -I"$folder/made" -DFFN_NO_MAIN tests/import/values.c "$folder"/made/*.c -lm \
  -o "$folder/values"
while read -r model options; do
  "$folder/values" "$folder/out/$model" || { echo "$model"; exit 1; }
done <"$folder/models"
python3 tests/import/packed_models.py compare "$folder"
