--- Fields of enumerations are as wide as int: half of a program may be compiled with -fshort-enums,
--- which bare Arm has by itself, and the other half without.
local unit = require 'luaunit'
local support = require 'support'

TestEnumerations = {}

--- Every struct that both halves see, by the self-check of a layer that is trained: the library in
--- one half, the check and its reference in the other.
function TestEnumerations.test_short_in_a_half()
  local folder = support.folder()
  support.write(folder .. '/my.lua',
    "glu 'l' { variant = 'swiglu_beta', d_model = 6, d_out = 5, bias = true, backward = true }\n")
  support.assert_code(support.ffngen({ 'vendor', 'my.lua', '--isa', 'c', '--out', 'v' },
    { dir = folder }), 0, 'vendor')
  local script = [[
    cd v && rm ffn_example_main.c && mkdir short int || exit 9
    for file in *.c; do
      cc -O0 -fshort-enums -c $file -o short/$file.o && cc -O0 -c $file -o int/$file.o || exit 9
    done
    check() {
      of_check="$2/ffn_selfcheck.c.o $2/ffn_reference.c.o $2/ffn_reference_grad.c.o"
      others=$(ls $1/*.o | grep -v -e check -e reference)
      cc $others $of_check -lm -o $1_$2 && ./$1_$2 | tail -n 1
    }
    check int int && check short short && check short int && check int short]]
  local result = support.run({ 'sh', '-c', script }, { dir = folder })
  support.assert_code(result, 0, result.out .. result.err)
  unit.assertEquals(result.out, ('2 passed, 0 failed, 0 skipped\n'):rep(4))
end
