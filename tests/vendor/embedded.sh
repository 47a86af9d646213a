#!/bin/sh
# Weights of a packed file in the code: an imported model, packed by ffn-pack, embedded, and compared
# with the mapped file in bytes and results. Usage: embedded.sh FOLDER FFN_PACK
case $2 in /*) pack=$2 ;; *) pack=$PWD/$2 ;; esac
. "$(dirname "$0")/lib.sh"

mkdir model wide
lua5.4 "$root/tests/vendor/embedded_model.lua" model 64 96
lua5.4 "$root/tests/vendor/embedded_model.lua" wide 256 256

# embedded NAME MODEL OPTIONS...: options of `ffngen import`.
embedded() {
  name=$1 model=$2
  shift 2
  "$root/ffngen" import "$model" --out "$name" --spec-only "$@" >log 2>&1 || fail "$(cat log)"
  "$pack" "$name/PLAN.json" >log 2>&1 || fail "$(cat log)"
  sed "s/^ffn '[^']*'/ffn 'layer'/" "$name/model.lua" >"$name/layer.lua"
  for entry in model.layers.0.mlp model.layers.1.mlp; do
    rm -rf my
    "$root/ffngen" vendor "$name/layer.lua" --out my --prefix my --file --no-selfcheck --isa c \
      --weights "$name/model.ffn" --weights-prefix "$entry" >log 2>&1 || fail "$(cat log)"
    # shellcheck disable=SC2086
    gcc $strict -O0 -Imy my/*.c "$root/tests/vendor/embedded.c" -o main
    ./main "$name/model.ffn" "$entry" || fail "$name, $entry"
  done
  pass "$name"
}

embedded f32 model
embedded q8_0 model --weights q8_0
embedded q4_K wide --weights q4_K
embedded i8 model --weights i8
embedded dot_s8 model --weights q4_0 --arithmetic dot_s8

# Numbers that the encoder in Lua makes are those that ffn-pack makes.
for name in f32 q8_0 i8; do
  "$root/ffngen" vendor "$name/layer.lua" --out packed --isa c --weights "$name/model.ffn" \
    --weights-prefix model.layers.0.mlp >log 2>&1
  "$root/ffngen" vendor "$name/layer.lua" --out numbers --isa c \
    --weights model/model.safetensors --weights-prefix model.layers.0.mlp. >log 2>&1
  cmp packed/ffn_weights.c numbers/ffn_weights.c
done
pass "ffn-pack and the encoder in Lua"

# Two entries fit, and the file is of another model.
! "$root/ffngen" vendor f32/layer.lua --out none --isa c --weights f32/model.ffn 2>log ||
  fail "two entries"
grep -q 'choose one by --weights-prefix: model.layers.0.mlp, model.layers.1.mlp' log
! "$root/ffngen" vendor f32/layer.lua --out none --isa c --weights i8/model.ffn 2>log ||
  fail "another format"
grep -q 'no weights of ffn_swiglu_d64_f96_f32: it has those of ffn_swiglu_d64_f96_i8' log
test ! -e none
pass "refusals"
finish
