--- Weights without names, for `ffngen vendor --weights`: bare f32 (.bin), and arrays of NumPy
--- (.npy), whose shape is held against the layer.
local unit = require 'luaunit'
local stored = require 'stored_weights'
local support = require 'support'

local layers = [[
linear 'line' { d_model = 10, d_out = 4 }
linear 'biased' { d_model = 10, d_out = 4, bias = true }
linear 'column' { d_model = 1, d_out = 4 }
selfgate 'square' { activation = 'silu', d_model = 3 }
ffn 'plain' { variant = 'gelu', d_model = 3, d_ff = 4, d_out = 2 }
ffn 'gated' { variant = 'swiglu', d_model = 3, d_ff = 4, d_out = 2, bias = true }
ffn 'learned' { variant = 'swish', d_model = 3, d_ff = 4 }
mlp 'chain' { d_model = 3, layers = { { 4, 'relu' }, { 2 } }, bias = true }
]]

TestBareWeights = stored.tests(layers)

local function packed(list) return string.pack('<' .. ('f'):rep(#list), table.unpack(list)) end

--- What numpy.save() writes of an array of these numbers, as they lie in memory.
---@param shape string a tuple of Python
local function npy(list, shape, is_fortran)
  local header = ("{'descr': '<f4', 'fortran_order': %s, 'shape': %s, }"):format(
    is_fortran and 'True' or 'False', shape)
  return '\x93NUMPY\1\0' .. string.pack('<s2', header .. (' '):rep(117 - #header) .. '\n')
    .. packed(list)
end

--- The constants of a layer with a file's weights.
local function constants(layer, path, text, ...)
  support.write(stored.folder .. '/' .. path, text)
  support.assert_code(stored.run(layer, path, ...), 0, layer .. ' ' .. path)
  local taken = support.read(stored.folder .. '/out/ffn_weights.c')
  support.sh('rm -rf', stored.folder .. '/out')
  return taken
end

local function assert_refused(layer, path, text, said, ...)
  support.write(stored.folder .. '/' .. path, text)
  local result = stored.run(layer, path, ...)
  support.assert_code(result, 4, said)
  support.assert_has(result.err, ('%s: %s'):format(path, said), said)
  unit.assertFalse(support.exists(stored.folder .. '/out'), said)
end

--- Numbers 1 to n, and the same as a matrix of rows whose columns lie one after the other.
local function ascending(n)
  local list = {}
  for i = 1, n do list[i] = i end
  return list
end

local function by_column(list, rows, columns)
  local result = {}
  for r = 1, rows do
    for c = 1, columns do result[(c - 1) * rows + r] = list[(r - 1) * columns + c] end
  end
  return result
end

--- A single matrix: [out][in], by rows or by columns, or said to be [in][out].
function TestBareWeights.test_matrix()
  local list = ascending(40)
  local kernel = by_column(list, 4, 10) -- as Keras has it: 10 rows of 4
  local expected = constants('line', 'w.bin', packed(list))
  for _, case in ipairs {
    { list, '(4, 10)' }, { list, '(40,)' }, { list, '(40,)', true }, { kernel, '(4, 10)', true },
    { kernel, '(10, 4)', false, 'in-out' }, { list, '(10, 4)', true, 'in-out' },
    { kernel, '(40,)', false, 'in-out' }, { list, '(4, 10)', false, 'out-in' },
  } do
    local text, order = npy(table.unpack(case, 1, 3)), case[4] and '--weights-order'
    unit.assertEquals(constants('line', 'w.npy', text, order, case[4]), expected, case[2])
  end
  unit.assertEquals(constants('line', 'w.bin', packed(kernel), '--weights-order', 'in-out'),
    expected)
  for _, shape in ipairs { '(10, 4)', '(2, 20)', '(5, 8)', '(40, 1)', '(1, 40)' } do
    for _, is_fortran in ipairs { false, true } do
      local hint = shape == '(10, 4)' and ': is it --weights-order in-out?' or ''
      assert_refused('line', 'w.npy', npy(list, shape, is_fortran), ('its shape is %s, the '
        .. 'layer\'s chain[0].weight has (4, 10)%s\n'):format(shape, hint))
    end
  end
  assert_refused('line', 'w.npy', npy(list, '(4, 10)'), 'its shape is (4, 10), the layer\'s '
    .. 'chain[0].weight has (10, 4): is it --weights-order out-in?', '--weights-order', 'in-out')
  for _, shape in ipairs { '(1, 40, 1)', '(4, 10, 1)', '(1, 4, 10)' } do
    assert_refused('line', 'w.npy', npy(list, shape), ('its shape is %s, the layer has '
      .. 'chain[0].weight (4, 10): reshape it to that'):format(shape))
  end
  assert_refused('column', 'w.npy', npy(ascending(4), '(1, 4)'), 'its shape is (1, 4), the '
    .. 'layer\'s chain[0].weight has (4, 1): is it --weights-order in-out?')
  unit.assertEquals(constants('column', 'w.npy', npy(ascending(4), '(1, 4)'), '--weights-order',
    'in-out'), constants('column', 'w.npy', npy(ascending(4), '(4, 1)')))
  assert_refused('column', 'w.npy', npy({ 1 }, '()'), 'its shape is (), the layer has '
    .. 'chain[0].weight (4, 1)\n')
  assert_refused('column', 'w.npy', npy(ascending(3), '(4, 1)'), '12 bytes behind the header, '
    .. 'whose shape is (4, 1): a file cut short?')
  assert_refused('column', 'w.npy', npy(ascending(5), '(4, 1)'), '20 bytes behind the header, '
    .. 'whose shape is (4, 1): its numbers take 16')
  assert_refused('column', 'w.npy', npy({ 1 }, '(1,)'), '4 bytes, not the 16 of this layer')
end

--- A square array is [out][in], unless the order is said.
function TestBareWeights.test_square()
  local list = ascending(9)
  local expected = constants('square', 'w.bin', packed(list))
  local other = by_column(list, 3, 3)
  unit.assertEquals(constants('square', 'w.npy', npy(list, '(3, 3)')), expected)
  unit.assertEquals(constants('square', 'w.npy', npy(other, '(3, 3)', true)), expected)
  unit.assertEquals(constants('square', 'w.npy', npy(other, '(3, 3)'), '--weights-order', 'in-out'),
    expected)
  unit.assertNotEquals(constants('square', 'w.npy', npy(other, '(3, 3)')), expected)
end

--- Several tensors are one flat array, in the order that a message and the manual tell.
function TestBareWeights.test_several()
  for _, case in ipairs {
    { 'plain', 20, { { 4, 3 }, { 2, 4 } }, 'up.weight (4, 3), down.weight (2, 4)' },
    { 'biased', 44, { { 4, 10 }, { 4 } }, 'chain[0].weight (4, 10), chain[0].bias (4,)' },
    { 'gated', 42, { { 4, 3 }, { 4 }, { 4, 3 }, { 4 }, { 2, 4 }, { 2 } }, 'gate.weight (4, 3), '
      .. 'gate.bias (4,), up.weight (4, 3), up.bias (4,), down.weight (2, 4), down.bias (2,)' },
    { 'chain', 26, { { 4, 3 }, { 4 }, { 2, 4 }, { 2 } }, 'chain[0].weight (4, 3), chain[0].bias '
      .. '(4,), chain[1].weight (2, 4), chain[1].bias (2,)' },
    { 'learned', 25, { { 4, 3 }, { 3, 4 }, { 1 } },
      'up.weight (4, 3), down.weight (3, 4), beta (1,)' },
  } do
    local layer, count = case[1], case[2]
    local list, other = ascending(count), {}
    local expected = constants(layer, 'w.bin', packed(list))
    unit.assertEquals(constants(layer, 'w.npy', npy(list, ('(%d,)'):format(count))), expected)
    -- The same weights where every matrix is [in][out]; biases have one order.
    for _, shape in ipairs(case[3]) do
      local size = shape[1] * (shape[2] or 1)
      local part = { table.unpack(list, #other + 1, #other + size) }
      if shape[2] then part = by_column(part, shape[1], shape[2]) end
      table.move(part, 1, size, #other + 1, other)
    end
    for path, text in pairs { ['w.bin'] = packed(other),
      ['w.npy'] = npy(other, ('(%d,)'):format(count)) } do
      unit.assertEquals(constants(layer, path, text, '--weights-order', 'in-out'), expected)
      unit.assertNotEquals(constants(layer, path, text), expected)
    end
    for _, shape in ipairs { ('(%d, 1)'):format(count), ('(1, %d)'):format(count) } do
      assert_refused(layer, 'w.npy', npy(list, shape), ('its shape is %s, the layer has %s: store '
        .. 'one flat array of these in this order, numpy.concatenate() of each one\'s ravel()')
        :format(shape, case[4]))
    end
  end
end

--- A file of PyTorch, which is called .bin, too, is told from bare numbers.
function TestBareWeights.test_pickles()
  for _, start in ipairs { 'PK\3\4', '\x80\2\x8a\n' } do
    assert_refused('line', 'w.bin', start .. ('\0'):rep(1000), ('%d bytes, not the 160 of this '
      .. 'layer in f32: chain[0].weight [4][10]; it is a file of torch.save(): store it by '
      .. 'safetensors.torch.save_file()'):format(1000 + #start))
  end
end

--- The manual tells the order of a bare file in the words of its messages.
function TestBareWeights.test_told()
  local page = support.read(support.root .. '/generator/vendor/README.md'):gsub('%s+', ' ')
  local function order_of(layer)
    support.write(stored.folder .. '/w.bin', '')
    local names = {}
    for name in stored.run(layer, 'w.bin').err:gmatch '([%w_%[%].]+) %[%d' do
      names[#names + 1] = '`' .. name .. '`'
    end
    return table.concat(names, ', ')
  end
  support.assert_has(page, order_of 'gated', 'of roles')
  support.assert_has(page, order_of 'chain', 'of a chain')
  for _, words in ipairs { '(n, n)', "Fortran's order", '--weights-order in-out' } do
    support.assert_has(page, words, 'manual')
  end
end
