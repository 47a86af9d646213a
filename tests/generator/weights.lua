--- Weights that `ffngen vendor --weights` finds in a safetensors file: under the names of those who
--- train models, behind any prefix, in either order; and what it asks back.
local unit = require 'luaunit'
local json = require 'dkjson'
local stored = require 'stored_weights'
local support = require 'support'

local weight_names = require 'tensors.names'

local layers = [[
ffn 'gated' { variant = 'swiglu', d_model = 3, d_ff = 4, d_out = 2 }
ffn 'plain' { variant = 'gelu', d_model = 3, d_ff = 4, d_out = 2, bias = true }
ffn 'square' { variant = 'gelu', d_model = 3, d_ff = 3 }
mlp 'chain' { d_model = 3, layers = { { 4, 'relu' }, { 5, 'relu' }, { 2 } }, bias = true }
linear 'line' { d_model = 3, d_out = 4, bias = true }
glu 'half' { variant = 'glu', d_model = 3, d_out = 4 }
]]

--- The matrices of each, in the order of a bare file: outputs and inputs, then its bias.
local shapes = {
  gated = { { 4, 3 }, { 4, 3 }, { 2, 4 } }, plain = { { 4, 3 }, { 4 }, { 2, 4 }, { 2 } },
  square = { { 3, 3 }, { 3, 3 } }, chain = { { 4, 3 }, { 4 }, { 5, 4 }, { 5 }, { 2, 5 }, { 2 } },
  line = { { 4, 3 }, { 4 } }, half = { { 4, 3 }, { 4, 3 } },
}

local function run(layer, ...)
  return support.ffngen({ 'vendor', 'my.lua', '--out', 'out', '--layer', layer, '--isa', 'c', ... },
    { dir = stored.folder })
end

--- Number i of tensor t of a layer: each another.
local function number(t, i) return t * 100 + i end

--- The constants that a layer has with numbers from a bare file, in order.
local function expected(layer)
  local numbers = {}
  for t, shape in ipairs(shapes[layer]) do
    for i = 1, shape[1] * (shape[2] or 1) do numbers[#numbers + 1] = number(t, i) end
  end
  support.write(stored.folder .. '/w.bin',
    string.pack('<' .. ('f'):rep(#numbers), table.unpack(numbers)))
  support.assert_code(run(layer, '--weights', 'w.bin'), 0, layer)
  return support.read(stored.folder .. '/out/ffn_weights.c')
end

--- Writes w.safetensors: the tensors of a layer under these names, in order; then others.
---@param transposed table<integer, boolean>|nil which are [in][out]
---@param more string[]|nil names of further tensors, matrices of one number
local function write(layer, keys, transposed, more)
  local header, data, at = {}, {}, 0
  local function put(key, shape, numbers)
    local bytes = string.pack('<' .. ('f'):rep(#numbers), table.unpack(numbers))
    header[key] = { dtype = 'F32', shape = shape, data_offsets = { at, at + #bytes } }
    data[#data + 1], at = bytes, at + #bytes
  end
  for t, key in ipairs(keys) do
    local shape, numbers = shapes[layer][t], {}
    local outputs, inputs = shape[1], shape[2] or 1
    for o = 1, outputs do
      for i = 1, inputs do
        local place = transposed and transposed[t] and (i - 1) * outputs + o
          or (o - 1) * inputs + i
        numbers[place] = number(t, (o - 1) * inputs + i)
      end
    end
    if transposed and transposed[t] then shape = { inputs, outputs } end
    put(key, shape, numbers)
  end
  for _, key in ipairs(more or {}) do put(key, { 1, 1 }, { 1 }) end
  local text = json.encode(header)
  support.write(stored.folder .. '/w.safetensors',
    string.pack('<I8', #text) .. text .. table.concat(data))
end

--- The layer is found, and as expected.
local function assert_found(layer, what, ...)
  local result = run(layer, '--weights', 'w.safetensors', ...)
  support.assert_code(result, 0, what)
  unit.assertEquals(support.read(stored.folder .. '/out/ffn_weights.c'), expected(layer), what)
end

local function assert_refused(layer, said, ...)
  local result = run(layer, '--weights', 'w.safetensors', ...)
  support.assert_code(result, 4, said)
  support.assert_has(result.err, said, said)
end

local function with_prefix(prefix, keys)
  local result = {}
  for i, key in ipairs(keys) do result[i] = prefix .. key end
  return result
end

TestWeightNames = stored.tests(layers)

--- Every line of the table, behind prefixes, with tensors that are not behind them.
function TestWeightNames.test_conventions()
  local elsewhere = { 'attn.c_proj.weight', 'norm.weight', 'attention.output.dense.weight', 'w2.x' }
  for i, c in ipairs(weight_names.conventions) do
    for _, prefix in ipairs(i <= 2 and { '', 'a.', 'model.layers.10.mlp.' } or { 'h.3.' }) do
      local others = prefix ~= '' and elsewhere or {}
      if c.gate then
        write('gated', with_prefix(prefix, { c.gate .. '.weight', c.up .. '.weight',
          c.down .. '.weight' }), nil, others)
        assert_found('gated', prefix .. c.gate)
      end
      if not c.gate or c.plain then
        write('plain', with_prefix(prefix, { c.up .. '.weight', c.up .. '.bias',
          c.down .. '.weight', c.down .. '.bias' }), nil, others)
        assert_found('plain', prefix .. c.up)
      end
    end
  end
  write('half', { 'ffn.gate_proj.weight', 'ffn.up_proj.weight' })
  assert_found('half', 'glu')
  write('gated', { 'a.w_gate', 'a.w_up', 'a.w_down' })
  assert_found('gated', 'w_gate')
end

--- Chains by number: those of torch.nn.Sequential count activations, too.
function TestWeightNames.test_numbers()
  for _, form in ipairs { '%s0 %s2 %s4', 'net.%s1 net.%s4 net.%s10', '%s1 %s2 %s3' } do
    for _, word in ipairs(weight_names.numbered) do
      local keys = {}
      for name in form:gsub('%%s', word):gmatch('%S+') do
        keys[#keys + 1] = name .. '.weight'
        keys[#keys + 1] = name .. '.bias'
      end
      write('chain', keys, nil, form:find '^net' and { 'embedding.weight' } or {})
      assert_found('chain', keys[1])
    end
  end
  write('chain', { 'x.w0', 'x.b0', 'x.w1', 'x.b1', 'x.w2', 'x.b2' })
  assert_found('chain', 'w0')
  write('plain', { 'net.0.weight', 'net.0.bias', 'net.2.weight', 'net.2.bias' })
  assert_found('plain', 'a feed-forward layer as Sequential')
  for _, key in ipairs { '', 'anything.', '7.' } do
    write('line', { key .. 'weight', key .. 'bias' })
    assert_found('line', key .. 'weight')
  end
  local keys = { '0.weight', '0.bias', '2.weight', '2.bias', '4.weight', '4.bias' }
  write('chain', keys, nil, { '6.weight' })
  assert_refused('chain', 'it has "6.weight", which the layer does not use')
  write('chain', { table.unpack(keys, 1, 4) })
  assert_refused('chain', 'no tensor for chain[2].weight: ')
end

--- Conv1D of GPT-2 holds [in][out]: its shapes say so, unless all are square.
function TestWeightNames.test_transposed()
  local keys = { 'h.0.mlp.c_fc.weight', 'h.0.mlp.c_fc.bias', 'h.0.mlp.c_proj.weight',
    'h.0.mlp.c_proj.bias' }
  write('plain', keys, { true, false, true, false })
  assert_found('plain', 'Conv1D')
  assert_found('plain', 'Conv1D, said', '--weights-order', 'in-out')
  assert_refused('plain', '"h.0.mlp.c_fc.weight" has the shape [3][4], the layer\'s up.weight has '
    .. '[4][3]: is it --weights-order in-out?', '--weights-order', 'out-in')
  write('square', { keys[1], keys[3] }, { true, true })
  assert_refused('square', 'are square: say --weights-order in-out')
  assert_found('square', 'square Conv1D', '--weights-order', 'in-out')
  write('square', { keys[1], keys[3] })
  assert_found('square', 'square', '--weights-order', 'out-in')
  -- Others hold [out][in], whatever shapes seem to say.
  write('plain', { 'fc1.weight', 'fc1.bias', 'fc2.weight', 'fc2.bias' },
    { true, false, true, false })
  assert_refused('plain', 'is it --weights-order in-out?')
  assert_found('plain', 'fc1 the other way', '--weights-order', 'in-out')
end

--- What could be meant twice, is not there, or has no place in the layer.
function TestWeightNames.test_asks_back()
  write('gated', { 'a.w1.weight', 'a.w3.weight', 'a.w2.weight' }, nil,
    { 'b.w1.weight', 'b.w3.weight', 'b.w2.weight' })
  assert_refused('gated', 'gate.weight could be any of "a.w1.weight", "b.w1.weight": choose by '
    .. '--weights-prefix b.')
  assert_found('gated', 'by prefix', '--weights-prefix', 'a')
  assert_found('gated', 'by prefix with its dot', '--weights-prefix', 'a.')
  assert_refused('gated', 'there is no tensor for gate.weight behind the prefix "c": it has',
    '--weights-prefix', 'c')
  write('gated', { 'w1.weight', 'w3.weight', 'w2.weight' }, nil,
    { 'up.weight', 'gate.weight', 'down.weight' })
  assert_refused('gated', 'choose by --weights-map FILE')
  write('gated', { 'gate_proj.weight', 'up_proj.weight' })
  assert_refused('gated', 'there is no tensor for down.weight: "down_proj.weight" is missing, and '
    .. '"gate_proj.weight", "up_proj.weight" is there')
  write('square', { 'up_proj.weight', 'down_proj.weight' }, nil, { 'gate_proj.weight' })
  assert_refused('square', 'it has "gate_proj.weight", which the layer does not use')
  write('square', { 'w1.weight', 'w2.weight' }, nil, { 'w3.weight' })
  assert_refused('square', 'it has "w3.weight", which the layer does not use')
  write('gated', { 'up.weight', 'gate.weight', 'down.weight' }, nil, { 'up.bias' })
  assert_refused('gated', 'it has "up.bias", which the layer does not use')
  write('plain', { 'up.weight', 'up.bias', 'down.weight' })
  assert_refused('plain', 'there is no tensor for down.bias: "down.bias" is missing; is it a '
    .. 'layer with bias = false?')
  write('gated', {}, nil, { 'x' })
  assert_refused('gated', 'no tensor for gate.weight: it has "x"; ffngen vendor --help lists')
end

--- A map says all of it.
function TestWeightNames.test_map()
  write('plain', { 'a/kernel', 'a#bias', 'b kernel', 'b.bias' }, { false, false, true, false })
  local map = [[
# The first
up.weight = a/kernel
up.bias = a#bias  # and the second

down.weight=b kernel   transposed
down.bias = b.bias]]
  support.write(stored.folder .. '/map', map)
  assert_found('plain', 'a map', '--weights-map', 'map')
  run('plain', '--weights', 'w.safetensors', '--weights-map', 'map')
  unit.assertStrContains(support.read(stored.folder .. '/out/README.md'), '--weights-map ../map')
  for _, case in ipairs {
    { map:gsub('down.bias.*', ''), '--weights-map: the file has no line for down.bias: add a line '
      .. 'down.bias = NAME' },
    { map:gsub('kernel', 'kernels', 1), 'there is no tensor "a/kernels", which the map names for '
      .. 'up.weight' },
    { map:gsub('up.bias', 'up.bios'), 'map:3: the layer has no "up.bios" (did you mean "up.bias"' },
    { map .. '\nup.bias = x', 'map:7: up.bias has two lines' },
    { map .. '\nup.bias', 'map:7: a line must be MATRIX = TENSOR' },
    { map .. '\nup.bias =', 'map:7: a line must be MATRIX = TENSOR' },
    { ('#'):rep(70000), 'map: more than 65536 bytes' },
  } do
    support.write(stored.folder .. '/map', case[1])
    assert_refused('plain', case[2], '--weights-map', 'map')
  end
  assert_refused('plain', 'nowhere: cannot be read', '--weights-map', 'nowhere')
  write('plain', { 'a', 'b', 'c', 'd' }, { true, false, false, false })
  local straight = 'up.weight = a\nup.bias = b\ndown.bias = d\ndown.weight = c'
  support.write(stored.folder .. '/map', straight)
  assert_refused('plain', '"a" has the shape [3][4], the layer\'s up.weight has [4][3]: has its '
    .. 'line in the map the word transposed at its end?', '--weights-map', 'map')
  support.write(stored.folder .. '/map', (straight:gsub('= a', '= a transposed')))
  assert_found('plain', 'as the hint says', '--weights-map', 'map')
  support.write(stored.folder .. '/map', (straight:gsub('= a', '= a transposed')) .. ' transposed')
  assert_refused('plain', '"c" has the shape [2][4], the layer\'s down.weight has [4][2]: is its '
    .. 'line in the map without the word transposed?', '--weights-map', 'map')
  for _, words in ipairs {
    { '--weights-map', 'map' }, { '--weights', 'w.bin', '--weights-prefix', 'a' },
    { '--weights-order', 'in-out' }, { '--weights', 'w.bin', '--weights-leave', 'a' },
    { '--weights', 'w.safetensors', '--weights-leave', 'a,' },
    { '--weights', 'w.safetensors', '--weights-map', 'map', '--weights-prefix', 'a' },
    { '--weights', 'w.safetensors', '--weights-order', 'up' },
  } do
    support.assert_code(run('plain', table.unpack(words)), 2, table.concat(words, ' '))
  end
end

--- What helps is what is taken then: a map in place of a prefix or an order, and not beside it.
function TestWeightNames.test_remedies()
  write('plain', { 'm.a', 'm.b', 'm.c', 'm.d' })
  support.write(stored.folder .. '/map',
    'up.weight = m.a\nup.bias = m.b\ndown.weight = m.c\ndown.bias = m.d')
  for _, case in ipairs {
    { 'give other names with --weights-map FILE\n' },
    { 'with --weights-map FILE, in place of --weights-prefix\n', '--weights-prefix', 'm' },
    { 'with --weights-map FILE, in place of --weights-order\n', '--weights-order', 'out-in' },
    { 'with --weights-map FILE, in place of --weights-prefix and --weights-order\n',
      '--weights-prefix', 'm', '--weights-order', 'out-in' },
  } do
    assert_refused('plain', table.unpack(case))
  end
  assert_found('plain', 'as the hint says', '--weights-map', 'map')
  write('plain', { 'm.fc1.weight', 'm.fc1.bias', 'm.fc2.w', 'm.fc2.bias' })
  assert_refused('plain', 'give other names with --weights-map FILE, in place of '
    .. '--weights-prefix\n',
    '--weights-prefix', 'm')
  write('gated', { 'w1.weight', 'w3.weight', 'w2.weight' }, nil,
    { 'up.weight', 'gate.weight', 'down.weight' })
  assert_refused('gated', 'choose by --weights-map FILE, in place of --weights-order\n',
    '--weights-order', 'out-in')
end

--- Help and manual show the table that finds them.
function TestWeightNames.test_told()
  local help = support.ffngen({ 'vendor', '--help' }).out:gsub(' +', ' ')
  local page = support.read(support.root .. '/generator/vendor/README.md')
  local rows = weight_names.rows()
  unit.assertTrue(#rows > 10)
  for i, row in ipairs(rows) do
    support.assert_has(help, '\n' .. table.concat(row, ' '):gsub('^ ?', ' '), 'help')
    local cells = {}
    for j, cell in ipairs(row) do cells[j] = j < 4 and cell ~= '' and '`' .. cell .. '`' or cell end
    cells = ('| %s |\n'):format(table.concat(cells, ' | ')):gsub(' or none`', '` or none')
      :gsub('|  |', '| |')
    support.assert_has(page, cells .. (i < #rows and '| ' or '\n'), 'manual')
  end
end
