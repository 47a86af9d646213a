--- `ffngen vendor --flat`: a header that translators of headers take, told from one that has other
--- declarations; names that do not meet; the option in what makes the folder again.
local lists = require 'common.list'
local packed = require 'plan.packed'
local packed_writer = require 'packed_writer'
local pipeline = require 'pipeline'
local unit = require 'luaunit'
local support = require 'support'

local layers = [[
ffn 'gated' { variant = 'swiglu', d_model = 24, d_ff = 40, bias = true }
ffn 'learned' { variant = 'swish', d_model = 3, d_ff = 4, backward = true }
mlp 'head' { d_model = 10, layers = { { 16, 'tanh' }, { 1 } }, backward = true,
  dropout = { hidden = 0.25 } }
linear 'few' { d_model = 10, d_out = 3, max_tokens = 2 }
glu 'gate' { variant = 'glu', d_model = 5, d_out = 7 }
selfgate 'own' { d_model = 6, activation = 'sigmoid' }
]]

local types = lists.set { 'void', 'char', 'float', 'int', 'size_t', 'uint32_t', 'uint64_t' }

--- Whether this declares one thing, or returns nothing: `const float *x`, `size_t n`.
local function is_typed(text, own)
  local rest = text:gsub('^const ', '')
  local kind, name = rest:match '^([%w_]+) %*?([%l][%w_]*)$'
  return kind and name and (types[kind] or own[kind] or false)
end

--- What a header has, by a grammar that allows of C no more than this; its own types so far are in
--- `own`.
local grammar = {
  { '^typedef enum ([%w_]+) (%b{}) ([%w_]+)$', function(own, name, body, again)
    own[name] = true
    for item in body:sub(2, -2):gmatch '[^,]+' do
      if not item:match '^%s*[%u%d_]+ = %d+%s*$' then return false end
    end
    return name == again
  end },
  { '^typedef struct ([%w_]+) (%b{}) ([%w_]+)$', function(own, name, body, again)
    own[name] = true
    for item in body:sub(2, -2):gmatch '%s*([^;]+);' do
      if not item:match '^uint%d%d_t [%l_]+$' then return false end
    end
    return name == again
  end },
  { '^typedef void %(%*([%w_]+)%)(%b())$', function(own, name, arguments)
    for item in arguments:sub(2, -2):gmatch '%s*([^,]+)' do
      if not is_typed(item, own) then return false end
    end
    own[name] = true
    return true
  end },
  { '^([%w_ ]+[ *])([%l][%w_]+)(%b())$', function(own, result, _, arguments)
    if not is_typed(result .. 'x', own) then return false end
    if arguments == '()' then return false end
    for item in (arguments == '(void)' and '' or arguments:sub(2, -2)):gmatch '%s*([^,]+)' do
      if not is_typed(item, own) then return false end
    end
    return true
  end },
}

--- Lines for the preprocessor that stand in every such header, but for constants.
local function around(prefix)
  return lists.set {
    '#ifndef ' .. prefix:upper() .. '_FLAT_H', '#define ' .. prefix:upper() .. '_FLAT_H',
    '#include <stddef.h>', '#include <stdint.h>', '#ifdef __cplusplus', 'extern "C" {', '}',
    '#endif',
  }
end

--- What is wrong with a header by the grammar, or nil; and its names.
local function problem(text, prefix)
  local code, known, names, own = {}, around(prefix), {}, {}
  for line in text:gsub('/%*.-%*/', ''):gmatch '[^\n]+' do
    local constant = line:match '^#define ([%u%d_]+) %d+%s*$'
    names[#names + 1] = constant
    if not constant and not known[line] then
      if line:find '^%s*#' then return line, names end
      code[#code + 1] = line
    end
  end
  local joined = table.concat(code, ' ')
  while joined:find '%S' do
    local one = joined:match '^%s*(typedef %l+ [%w_]+ %b{} [%w_]+);' or joined:match '^%s*([^;]+);'
    if not one then return joined, names end
    local from, to = joined:find(one .. ';', 1, true)
    unit.assertTrue(from ~= nil)
    joined = joined:sub(to + 1)
    one = one:gsub('%s+', ' '):gsub('%( ', '(')
    local taken = false
    for _, rule in ipairs(grammar) do
      local found = { one:match(rule[1]) }
      if #found > 0 then
        if not rule[2](own, table.unpack(found)) then return one, names end
        taken = true
        names[#names + 1] = one:match '([%w_]+)%b()$'
        break
      end
    end
    if not taken then return one, names end
  end
  return nil, names
end

TestFlat = {}

function TestFlat.test_grammar()
  local folder = support.user_folder(layers)
  for _, case in ipairs {
    { options = {}, names = 60 },
    { options = { '--single-file', '--freestanding', '--layer', 'head,few' }, names = 20 },
    { options = { '--no-dispatch', '--layer', 'own' }, names = 8 },
  } do
    local what = table.concat(case.options, ' ')
    support.sh('rm -rf', folder .. '/out')
    local made = support.vendor(folder, '--flat', '--prefix', 'my', '--isa', 'c',
      table.unpack(case.options))
    local wrong, names = problem(made['my_flat.h'], 'my')
    unit.assertNil(wrong, what)
    unit.assertEquals(#lists.unique(names), #names, what)
    unit.assertTrue(#names >= case.names, what)
    for _, name in ipairs(names) do
      unit.assertTrue(name:find '^my_' == 1 or name:find '^MY_' == 1, name)
    end
  end
end

--- The grammar refuses what translators leave out.
function TestFlat.test_grammar_refuses()
  for _, text in ipairs {
    '#define MY_BYTES(tokens) 4\n', '#define MY_BYTES (4 * 4)\n', '#if MY_A\n',
    'static inline int my_run(void) { return 0; }\n', 'int my_run();\n',
    'typedef struct my_k { void (*run)(void); } my_k;\n', 'my_kernel *my_find(void);\n',
    'int my_run(float y[4]);\n', 'extern int my_count;\n', 'int my_run(long n);\n',
  } do
    unit.assertNotNil(problem(text, 'my'), text)
  end
  unit.assertNil(problem('#define MY_BYTES 4\nint my_run(const float *x, size_t n);\n', 'my'))
end

--- Sizes that two headers have are written alike, or C would refuse them beside each other.
function TestFlat.test_constants()
  local made = support.vendor(support.user_folder(layers), '--flat', '--isa', 'c')
  local others, count = {}, 0
  for _, header in ipairs { 'ffn.h', 'ffn_train.h' } do
    for name, value in made[header]:gmatch '#define (FFN_[%u%d_]+) (%d+)' do
      others[name] = value
    end
  end
  for name, value in made['ffn_flat.h']:gmatch '#define (FFN_[%u%d_]+) (%d+)' do
    if others[name] then
      count = count + 1
      unit.assertEquals(value, others[name], name)
    end
  end
  unit.assertEquals(count, 1 + 6 * 3 + 2 * 2)
  for _, line in ipairs { 'FFN_GATED_W_DOWN_FLOATS 960', 'FFN_FEW_MAX_TOKENS 2',
    'FFN_LEARNED_PARAMETERS 1' } do
    support.assert_has(made['ffn_flat.h'], '#define ' .. line, line)
  end
end

--- The folder says how it is made again, and without the option loses the files.
function TestFlat.test_remake()
  local folder = support.user_folder(layers)
  local made = support.vendor(folder, '--flat', '--layer', 'learned', '--isa', 'c',
    '--prefix', 'my')
  local flat = lists.filter(support.keys(made), function(path) return path:find 'flat' ~= nil end)
  unit.assertEquals(flat, { 'my_flat.c', 'my_flat.h', 'my_flat_checks.h', 'my_flat_train.c' })
  local page = made['README.md']
  support.assert_has(page, 'vendor ../my.lua --layer learned --isa c --prefix my --flat --out .\n',
    'the command')
  for _, part in ipairs { '## Other languages', '    my_flat.c\n', '`my_learned_grad()`' } do
    support.assert_has(page, part, 'its page')
  end
  for _, file in ipairs { 'CMakeLists.txt', 'meson.build', 'my.ninja' } do
    support.assert_has(made[file], 'my_flat.c', file)
  end
  local words = { 'vendor', '../my.lua', '--layer', 'learned', '--isa', 'c', '--prefix', 'my',
    '--out', '.' }
  local function again(...)
    return support.ffngen(lists.append({ table.unpack(words) }, { ... }),
      { dir = folder .. '/out' })
  end
  local result = again '--check'
  support.assert_code(result, 3, 'without --flat')
  support.assert_has(result.err, 'my_flat.h is left over', 'without --flat')
  support.assert_code(again('--flat', '--check'), 0, 'with it')
  support.sh('rm -rf', folder .. '/out')
  local plain = support.vendor(folder, '--layer', 'learned', '--isa', 'c', '--prefix', 'my')
  for path, text in pairs(plain) do support.assert_lacks(text, '_flat', path) end
end

--- Names that meet: a function of one layer and another layer, or the words of every header.
function TestFlat.test_names()
  local linear = "linear '%s' { d_model = 3, d_out = 4 }\n"
  for _, case in ipairs {
    { { 'a', 'a_run' }, 'ffn_a_run is another\'s' },
    { { 'a_add_threads', 'a' }, 'ffn_a_add_threads is another\'s' },
    { { 'a', 'a_W_1' }, nil },
    { { 'flat_text' }, 'ffn_flat_text is another\'s' },
    { { 'flat_status' }, 'ffn_flat_status is another\'s' },
    { { 'flat' }, 'ffn_flat_packed is another\'s' },
    { { 'flat_dropout' }, 'ffn_flat_dropout is another\'s' },
    { { 'Flat' }, nil },
  } do
    local folder, text = support.folder(), ''
    for _, name in ipairs(case[1]) do text = text .. linear:format(name) end
    support.write(folder .. '/my.lua', text)
    local what = table.concat(case[1], ' ')
    local result = support.ffngen({ 'vendor', 'my.lua', '--isa', 'c', '--flat', '--out', 'out' },
      { dir = folder })
    support.assert_code(result, case[2] and 4 or 0, what)
    if case[2] then
      support.assert_has(result.err, case[2], what)
      unit.assertFalse(support.exists(folder .. '/out'), what)
      if case[1][2] then
        support.assert_code(support.ffngen({ 'vendor', 'my.lua', '--isa', 'c', '--out', 'out' },
          { dir = folder }), 0, what .. ' without --flat')
      end
    end
  end
end

--- In one file, what kernels keep to themselves says more than a layer's functions.
function TestFlat.test_names_of_kernels()
  local folder = support.user_folder([[
linear 'run_forward' { d_model = 3, d_out = 4 }
linear 'avx2' { d_model = 3, d_out = 5, bias = true }
]])
  support.vendor(folder, '--flat', '--single-file', '--isa', 'c,avx2')
  support.assert_code(support.run({ 'gcc', '-std=c11', '-Wall', '-Werror', '-fsyntax-only',
    'ffn.c' }, { dir = folder .. '/out' }), 0, 'one file')
end

--- Several outputs have no plain function: told with the place, and what helps does.
function TestFlat.test_several_outputs()
  local folder = support.user_folder [[
linear 'one' { d_model = 3, d_out = 4 }
linear 'heads' { d_model = 3, d_out = { q = 4, k = 2 } }
]]
  local command = { 'vendor', 'my.lua', '--isa', 'c', '--flat', '--out', 'out' }
  local result = support.ffngen(command, { dir = folder })
  support.assert_code(result, 4, 'several outputs')
  support.assert_has(result.err, 'my.lua:2: "heads" has several outputs', 'the place')
  support.assert_has(result.err, 'leave out --flat, or choose other layers with --layer '
    .. 'NAME', 'help')
  unit.assertFalse(support.exists(folder .. '/out'), 'nothing is written')
  support.assert_code(support.ffngen(lists.append(command, { '--layer', 'one' }),
    { dir = folder }), 0, 'the other layer')
end

function TestFlat.test_blocks()
  local folder = support.user_folder [[
linear 'blocks' { d_model = 256, d_out = 4, weights = 'q5_K' }
]]
  local result = support.ffngen({ 'vendor', 'my.lua', '--isa', 'c', '--flat', '--out', 'out' },
    { dir = folder })
  support.assert_code(result, 4, 'blocks')
  support.assert_has(result.err, 'my.lua:1: "blocks" has weights of q5_K', 'the place')
  unit.assertFalse(support.exists(folder .. '/out'), 'nothing is written')
  -- In the code they need no function that packs.
  local layer = pipeline.lower(pipeline.read { folder .. '/my.lua' }, { 'c' })[1].layer
  local kernel = packed.of(layer)
  local own = packed_writer.weights(kernel, function() return 0 end, 1)
  support.write(folder .. '/w.ffn',
    packed_writer.text({ packed_writer.entry('a', 0, kernel, own) }, {}))
  support.vendor(folder, '--flat', '--isa', 'c', '--prefix', 'my', '--weights', 'w.ffn')
  support.assert_lacks(support.read(folder .. '/out/my_flat.h'), 'my_blocks_pack(', 'pack()')
  support.assert_code(support.run({ 'sh', '-c',
    'gcc -std=c11 -O0 -Wall -Wextra -Werror -DMY_NO_MAIN -c out/my_*.c out/my.c 2>&1' },
    { dir = folder }), 0, 'gcc')
end

function TestFlat.test_header_only()
  local folder = support.user_folder(layers)
  local before = support.snapshot(folder)
  local result = support.ffngen({ 'vendor', 'my.lua', '--out', 'out', '--flat', '--header-only' },
    { dir = folder })
  support.assert_code(result, 2, '--flat --header-only')
  support.assert_has(result.err, '--header-only no file that has them: choose one', 'the message')
  support.assert_same(support.snapshot(folder), before, 'nothing is written')
end
