--- Names that users give, beside those that C, its headers and the runtime have: each is refused by
--- name, or the C compiles.
local unit = require 'luaunit'
local identifier = require 'read.identifier'
local lists = require 'common.list'
local support = require 'support'
local words = require 'common.system_words'

TestCNames = {}

--- Macros of headers and of compilers, functions, types, words of the runtime.
local plain = {
  'NULL', 'EOF', 'NAN', 'INFINITY', 'HUGE_VAL', 'I', 'RAND_MAX', 'CHAR_BIT', 'SIZE_MAX', 'EDOM',
  'BUFSIZ', 'CLOCKS_PER_SEC', 'errno', 'stdin', 'stdout', 'assert', 'linux', 'unix', 'i386',
  'near', 'far', 'major', 'minor', 'isnan', 'signbit', 'sin', 'exp', 'malloc', 'main', 'size_t',
  'uint32_t', 'float_t', 'complex', 'wide_enum', 'h', 'selfcheck', 'layer', 'layers', 'layers_h',
  'moes', 'moes_h', 'implemented', 'dot_halves', 'traced', 'abi', 'isa_c', 'act', 'act_relu',
  'version', 'pack', 'x', 'y', 'w', 'p', 'rows', 'tokens', 'packed', 'work', 'sum', 'norm',
  'model', 'list', 'name', 'mixtures', 'inputs', 'd', 'f32', 'moe',
}

--- Names of the C API behind ffn_, each of which a vendored layer may not have.
local of_api = {
  'wide', 'min', 'max', 'free', 'kernel', 'find', 'find_layer', 'run', 'add', 'query', 'cpu',
  'alloc', 'reference', 'weights', 'isa', 'variant', 'task', 'outputs',
}

--- What a header of a user's includes beside the folder's.
local beside = [[
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
]]

--- What a C compiler takes for each file: itself, or a line that includes it.
local script = [[
check() { gcc -std=gnu17 -Wall -Werror -Wno-unused-function -fsyntax-only "$@"; }
for file in *.c; do check $file || exit 1; done
for file in $headers; do echo "#include \"$file\"" | check -I. -xc - || exit 1; done
for file in *.hpp; do
  test ! -e $file || echo "#include \"$file\"" | g++ -std=gnu++17 -Wall -Werror -I. -xc++ \
    -fsyntax-only - || exit 1
done]]

--- Compiles each file of a folder alone, and all headers behind those of a system.
local function assert_compiles(folder, what)
  local headers = lists.filter(support.keys(support.snapshot(folder)), function(path)
    return path:find '^ffn.*%.h$' ~= nil or path == 'moes.h'
  end)
  support.write(folder .. '/all.c', beside .. table.concat(lists.map(headers, function(path)
    return ('#include "%s"\n'):format(path)
  end)))
  local outcome = support.run({ 'sh', '-c', script }, { dir = folder,
    env = { 'headers=' .. table.concat(headers, ' ') } })
  support.assert_code(outcome, 0, what)
end

--- Layers' names become functions, constants and comments.
function TestCNames.test_layers()
  local step = support.full and 1 or 9
  local function specs_of(names)
    return table.concat(lists.map(names, function(name)
      return ("linear '%s' { d_model = 2, d_out = 2 }\n"):format(name)
    end))
  end
  local function vendor(names, ...)
    local folder = support.user_folder(specs_of(names))
    return support.ffngen({ 'vendor', 'my.lua', '--isa', 'c', '--out', 'v', ... },
      { dir = folder }), folder
  end
  local keywords = support.keys(words.keywords)
  for i = 1, #keywords, step do
    support.assert_has(vendor { keywords[i] }.err, ('"%s": the name is a keyword of C or C++')
      :format(keywords[i]), 'a keyword')
  end
  for i = 1, #of_api, step do
    support.assert_has(vendor({ of_api[i] }, '--flat').err,
      ('"%s": the name is taken in C'):format(of_api[i]), 'the C API')
  end
  for _, shapes in ipairs { { '--cpp', '--flat', '--file' }, { '--header-only' } } do
    local outcome, folder = vendor(plain, table.unpack(shapes))
    support.assert_code(outcome, 0, shapes[1])
    assert_compiles(folder .. '/v', shapes[1])
  end
end

--- Activations' names become enumerators, and functions of the reference.
function TestCNames.test_activations()
  local names = lists.filter(lists.append(lists.append({}, plain), of_api), function(word)
    return (pcall(identifier.activation, 'my.lua:1', word, {}))
  end)
  unit.assertTrue(#names > 20)
  local lines = {}
  for i, name in ipairs(names) do
    lines[i] = ("activation '%s' (function(x) return %d * x end)\n"):format(name, i + 1)
  end
  for i = 1, #names, 12 do
    local widths = lists.map({ table.unpack(names, i, math.min(i + 11, #names)) }, function(name)
      return ("{ 1, '%s' }"):format(name)
    end)
    lines[#lines + 1] = ("mlp 'l%d' { d_model = 1, layers = { %s } }\n"):format(i,
      table.concat(widths, ', '))
  end
  local folder = support.user_folder(table.concat(lines) .. "moe 'm' { d_model = 2, experts = 2, "
    .. "top_k = 1, expert = { variant = 'relu', d_ff = 2 }, router = {} }\n")
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--isa', 'c', '--file', '--out', 'k' },
    { dir = folder }), 0, table.concat(names, ' '))
  assert_compiles(folder .. '/k', 'activations')
end

--- A constant of a layer is no enumerator of an activation.
function TestCNames.test_both()
  local folder = support.user_folder "activation 'my_inputs' (function(x) return 2 * x end)\n"
  support.write(folder .. '/my.lua', support.read(folder .. '/my.lua')
    .. "selfgate 'my' { activation = 'my_inputs', d_model = 2 }\n")
  local outcome = support.ffngen({ 'vendor', 'my.lua', '--isa', 'c', '--out', 'v' },
    { dir = folder })
  support.assert_code(outcome, 4, 'a constant')
  support.assert_has(outcome.err, 'layer "my": the name is taken in C: FFN_MY_INPUTS is another',
    'a constant')
end
