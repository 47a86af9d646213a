#!/bin/sh
# A C++ product over a vendored folder: the header for C++17 in its prefix, beside another's; it
# packs, writes, maps and runs. Usage: cpp.sh FOLDER
. "$(dirname "$0")/lib.sh"

cat >my.lua <<'END'
ffn 'my_layer' { variant = 'swiglu', d_model = 512, d_ff = d_model * 8 // 3 }
END
"$root/ffngen" vendor my.lua --prefix my --isa c,avx2 --cpp --out my >vendor.log 2>&1
grep -q 'my.hpp' my/README.md && grep -q 'my.hpp' my/CMakeLists.txt || fail "nobody tells of my.hpp"
! grep -n -w -i -e 'ffn[a-z_]*' my/my.hpp | grep -v 'ffngen' || fail "words without the prefix"
sed 's/\<ffn\(::\|\.hpp\|_\)/my\1/g; s/\<FFN_/MY_/g' "$root/tests/examples/mapped.cpp" >mapped.cpp
(cd my && cc -O1 -c -DMY_NO_MAIN ./*.c)
vendor other --layer head --prefix other --isa c --header-only --cpp
printf '%s\n' '#define OTHER_IMPLEMENTATION' '#include "other/other.hpp"' '#include "my/my.hpp"' \
  'other::span<float> to_other(my::span<float> x) { return x; }' >both.cpp
for compiler in g++ clang++; do
  # shellcheck disable=SC2086 -- a list is meant to be split
  $compiler -std=c++17 $warnings -Imy mapped.cpp my/*.o -lm -o mapped
  ./mapped weights >run.log || { cat run.log; fail "$compiler"; }
  test "$(wc -c <weights)" -eq "$(sed -n 's/.*_PACKED_BYTES //p' my/my.h)" || fail "the file's size"
  # shellcheck disable=SC2086
  $compiler -std=c++17 $warnings -fsyntax-only both.cpp
done
pass "C++ over packed weights that it mapped"

# A file of another kind, or a part of one, is told.
head -c 1000 weights >part
head -c "$(wc -c <weights)" /dev/zero >zeros
sed 's/auto packed = pack(path), mapped/auto mapped/; s/!packed || !mapped/!mapped/; s/packed ? //
  s/ : packed.problem()//; s/packed->/mapped->/g' mapped.cpp >only.cpp
g++ -std=c++17 -Imy only.cpp my/*.o -lm -o only
./only weights >run.log || { cat run.log; fail "mapped alone"; }
for case in 'part fewer bytes' 'zeros does not begin' 'none cannot be read'; do
  ! ./only "${case%% *}" >run.log || fail "$case: taken"
  grep -q "${case#* }" run.log || { cat run.log; fail "$case"; }
done
pass "other files are refused"
finish
