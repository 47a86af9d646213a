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

--- Each enumeration of each header, where short ones are the rule and where a flag asks for them.
function TestEnumerations.test_as_wide_as_int()
  local folder = support.user_folder("moe 'm' { d_model = 8, experts = 4, top_k = 2,\n"
    .. "  expert = { variant = 'swiglu', d_ff = 8 }, router = {} }\n")
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--file', '--isa', 'c', '--out', 'k' },
    { dir = folder }), 0, 'generate')
  local lines, count = {}, 0
  for path, text in pairs(support.snapshot(folder .. '/k')) do
    if path:find '%.h$' then
      for name in text:gmatch 'typedef enum ([%w_]+)' do
        lines[#lines + 1] = ('#include "%s"\n_Static_assert(sizeof(%s) == sizeof(int), "");\n')
          :format(path, name)
        count = count + 1
      end
    end
  end
  unit.assertEquals(count, 16)
  support.write(folder .. '/k/all.c', table.concat(lines))
  for _, compiler in ipairs {
    'cc -fshort-enums', 'clang --target=arm-none-eabi -fshort-enums -ffreestanding',
    'arm-none-eabi-gcc -ffreestanding',
  } do
    if support.capture(('command -v %s || true'):format(compiler:match '^%S+')) ~= '' then
      local result = support.run({ 'sh', '-c', compiler .. ' -fsyntax-only all.c' },
        { dir = folder .. '/k' })
      support.assert_code(result, 0, compiler)
    end
  end
end
