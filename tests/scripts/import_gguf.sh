#!/bin/sh
# Models of the gguf package, imported and packed: ffn-pack's bytes are those of pack() on numbers
# where the package finds them, and mean the floats that it reads; products beside the feed-forward
# layers give the y that the package's floats give.
# Usage: import_gguf.sh FOLDER FFN_PACK, from the project's folder
set -eu
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
pack=$2
data=tests/data/import/gguf
whole='qwen2 falcon t5 deepseek2' # with all products
models="llama phi3 bert gpt2 gpt_oss levels gemma $whole"

files_of() { (cd "$data" && ls "$1.gguf" "$1"-*.gguf 2>/dev/null || true); }

for model in $models; do
  set -- $(files_of "$model")
  also=
  case " $whole " in *" $model "*) also='--also all' ;; esac
  ./ffngen import "$data/$1" --out "$folder/$model" --spec-only $also >/dev/null
  "$pack" "$folder/$model/PLAN.json"
  lua5.4 tests/import/gguf_cases.lua "$folder/$model" "$data" "$@"
done
# Floats that ffn-pack quantises.
./ffngen import "$data/bert.gguf" --out "$folder/quantised" --spec-only \
  --weights up=i8,down=f8_e4m3 >/dev/null
"$pack" "$folder/quantised/PLAN.json"
lua5.4 tests/import/gguf_cases.lua "$folder/quantised" "$data" bert.gguf
./ffngen generate $(printf "$folder/%s/model.lua " $models quantised) --isa c --out "$folder/made"
for source in "$folder"/made/*.c runtime/ffn_file.c; do
  case $source in */selfcheck.c) continue ;; esac
  gcc -O0 -w -I"$folder/made" -Iruntime -c "$source" -o "$folder/$(basename "$source").o"
done
for program in tests/pack/equal tests/import/values tests/import/products; do
  gcc -O1 -w -I"$folder/made" -Iruntime "$program.c" "$folder"/*.o -lm -o \
    "$folder/$(basename $program)"
done
# Weights that are packed once serve either arithmetic: files differ in the plan's hash alone, which
# is 16 digits of their words, and in the hash of these words, of 8 bytes.
for model in llama levels gemma; do
  set -- $(files_of "$model")
  own=$folder/${model}_dot_s8
  ./ffngen import "$data/$1" --out "$own" --spec-only --arithmetic dot_s8 >/dev/null
  "$pack" "$own/PLAN.json"
  test "$(wc -c <"$folder/$model/model.ffn")" = "$(wc -c <"$own/model.ffn")"
  test "$(cmp -l "$folder/$model/model.ffn" "$own/model.ffn" | wc -l)" -le 24
  [ "$model" = llama ] || continue
  ./ffngen generate "$folder/$model/model.lua" "$own/model.lua" --isa c,avx2,avx512_vnni \
    --out "$own/made" >/dev/null
  rm "$own/made/selfcheck.c"
  gcc -O0 -w -I"$own/made" -Iruntime tests/import/arithmetics.c runtime/ffn_file.c \
    "$own"/made/*.c -lm -o "$own/arithmetics"
  layer=$(grep -o '"layer":"[^"]*"' "$folder/$model/PLAN.json" | head -1 | cut -d'"' -f4)
  "$own/arithmetics" "$own/model.ffn" "$layer" "${layer}_dot_s8"
done
"$folder/equal" "$folder/quantised"
# gate and up of two formats: f32 of them is what the package's floats are packed as.
for model in mixed mixed_decoded; do
  ./ffngen import "$data/$model.gguf" --out "$folder/$model" --spec-only --decode >/dev/null
  "$pack" "$folder/$model/PLAN.json"
done
# The first bytes have hashes; 16 digits behind them are the plan's.
test "$(wc -c <"$folder/mixed/model.ffn")" = "$(wc -c <"$folder/mixed_decoded/model.ffn")"
test "$(cmp -l -i 96 "$folder/mixed/model.ffn" "$folder/mixed_decoded/model.ffn" | wc -l)" -le 16
for model in $whole; do
  "$folder/products" "$folder/$model" "$model" "$data/products.txt"
done
python=$(python3 -c 'import gguf, numpy' 2>/dev/null && echo python3 || true)
[ -n "$python" ] || echo 'skipped: no python3 with gguf and numpy'
for model in $models; do
  "$folder/equal" "$folder/$model"
  "$folder/values" "$folder/$model"
  set -- $(files_of "$model")
  [ -z "$python" ] || (cd "$data" && "$python" "$OLDPWD/tests/import/values.py" "$folder/$model" "$@")
done
