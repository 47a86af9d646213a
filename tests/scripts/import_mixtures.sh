#!/bin/sh
# Small models of transformers' classes of mixtures of experts, imported with their routers, packed
# and run: y of a whole layer is what the class gave (tests/data/import/mixtures.py).
# Usage: import_mixtures.sh FOLDER FFN_PACK, from the project's folder
set -eu
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
pack=$2
data=tests/data/import/moe
for model in "$data"/*; do
  name=$(basename "$model" | tr . _)
  ./ffngen import "$model" --out "$folder/$name" --spec-only --also router >"$folder/log" 2>&1 ||
    { cat "$folder/log"; exit 1; }
  "$pack" "$folder/$name/PLAN.json" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  sed -i "s/^moe 'mixture'/moe '$name'/" "$folder/$name/model.lua"
  lua5.4 tests/import/mixture_cases.lua "$folder/$name" "$name" "${model%.gguf}/expected" \
    >>"$folder/cases.txt"
done
# Dense layers of many models, each once.
awk '/^(ffn|moe) /{ first = !seen[$0]++ } first; /^}/{ first = 0 }' "$folder"/*/model.lua \
  >"$folder/all.lua"
./ffngen generate "$folder/all.lua" --isa c --out "$folder/made" --file >"$folder/log" 2>&1 ||
  { cat "$folder/log"; exit 1; }
sed 's/ .*//; s/.*/\&ffn_moe_&,/' "$folder/cases.txt" >"$folder/made/cases.inc"
g++ -O0 -w -std=c++17 -I"$folder/made" -c tests/import/mixtures.cpp -o "$folder/cpp.o"
gcc -O0 -w -I"$folder/made" -DFFN_NO_MAIN tests/import/mixtures.c "$folder"/made/*.c "$folder/cpp.o" \
  -lm -lstdc++ -o "$folder/mixtures"
"$folder/mixtures" "$folder/cases.txt"
