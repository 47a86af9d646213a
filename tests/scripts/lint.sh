#!/bin/sh
# luacheck, pyflakes, clang-format, gcc and clang with -Werror, and the freshness of generated/.
set -eu
cd "$(dirname "$0")/../.."
luacheck --quiet generator tests
pyflakes3 generator tests
find runtime generator tests '(' -name '*.[ch]' -o -name '*.[ch]pp' ')' \
  -exec clang-format --dry-run -Werror {} +
warnings='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
includes='-Itests/registry/all -Itests/registry/trained -I. -Iruntime -Igenerated -Ibuild/packaging -Itests -Itests/kernels -Itests/support -Ibuild/bench -Ibuild/lint -Ibuild/lint_experts'
# The example of a whole model has a header that import makes.
./ffngen import tests/data/import/hf/llama --out build/lint --spec-only --also all \
  >build/lint.log 2>&1 ||
  { cat build/lint.log; exit 1; }
# So has that of a mixture of experts.
./ffngen generate tests/examples/experts.lua --out build/lint_experts >build/lint.log 2>&1 ||
  { cat build/lint.log; exit 1; }
# Two programs about mixtures have mixtures of their own, and a list of these.
tests/bench/moe.sh kernels
echo '&ffn_moe_qwen3,' >build/bench/moe/kernels/cases.inc
about_mixtures='tests/bench/moe.c tests/import/mixtures.c'
# Programs of tests/vendor, tests/platforms, tests/data/rooms and tests/data/batches are for folders
# and machines that their tests make; a peer of the benchmark reads ggml's own headers.
sources() {
  find runtime generator tests generated build/activations \
    '(' -path tests/vendor -o -path tests/platforms -o -path tests/data/rooms \
    -o -path tests/data/batches -o -path tests/bench/moe.c -o -path tests/import/mixtures.c \
      -o -path tests/bench/peer_ggml_native.c ')' \
    -prune -o -name '*.c' -print
}
# The kernels of tests take turns: of four one is gcc's and another clang's.
kernels() {
  find build/kernels -name '*.c' | LC_ALL=C sort | tests/scripts/take_turn.sh 4 "$1"
}
offset=0
for compiler in gcc clang; do
  offset=$((offset + 1))
  # shellcheck disable=SC2086 -- lists are meant to be split
  { sources && kernels $offset; } | grep -v -e 'openmp\.c$' -e '[/_]mpi\.c$' |
    xargs -P 2 -n 24 $compiler $warnings $includes -fsyntax-only
  # shellcheck disable=SC2086
  $compiler $warnings -Ibuild/bench/moe/kernels $includes -fsyntax-only $about_mixtures
  # shellcheck disable=SC2086
  sources | grep 'openmp\.c$' | xargs $compiler $warnings -fopenmp $includes -fsyntax-only
done
# What products have at home beside these: floats that become doubles unseen, constants as floats,
# names that belong to the compiler.
products() {
  # shellcheck disable=SC2086
  find runtime generated -name '*.c' | xargs -n 8 "$@" $warnings $includes -fsyntax-only
}
products gcc -Wdouble-promotion
products gcc -fsingle-precision-constant
products clang -Wdouble-promotion -Wreserved-identifier -Wreserved-macro-identifier
./ffngen check
echo "lint: clean"
