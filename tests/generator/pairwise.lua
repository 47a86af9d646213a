--- The few layers that the quick form compiles.
local json = require 'dkjson'
local unit = require 'luaunit'
local support = require 'support'

local pairwise = dofile(support.root .. '/tests/support/pairwise.lua')

TestPairwise = {}

--- The awkward layers: kernels by layer, and their names.
local function awkward()
  local specs = support.root .. '/tests/specs/'
  local listed = support.ffngen { 'list', '--json', specs .. 'awkward.lua', specs .. 'dot_s8.lua' }
  support.assert_code(listed, 0, 'list')
  local layers, names = {}, {}
  for _, kernel in ipairs(json.decode(listed.out).kernels) do
    if not layers[kernel.layer] then
      layers[kernel.layer] = {}
      names[#names + 1] = kernel.layer
    end
    table.insert(layers[kernel.layer], kernel)
  end
  return layers, names
end

--- What meets in layers: features by pairs, and formats.
local function met_in(layers, names)
  local met = {}
  for _, name in ipairs(names) do
    local alone, features = pairwise.features(layers[name])
    for _, word in ipairs(alone) do met[word] = true end
    for i, a in ipairs(features) do
      for j = i + 1, #features do met[a .. ' with ' .. features[j]] = true end
    end
  end
  return support.keys(met)
end

--- What meets in any layer meets in one of the few; instruction sets meet all of them, as a layer
--- has all of its kernels. And each has the layer that its bits are compared with.
function TestPairwise.test_all_meet()
  local layers, names = awkward()
  local few = pairwise.choose(layers, names)
  unit.assertEquals(met_in(layers, few), met_in(layers, names))
  unit.assertTrue(#few <= 0.65 * #names, #few .. ' of ' .. #names)
  local is_chosen = {}
  for _, name in ipairs(few) do is_chosen[name] = true end
  local twins = 0
  for _, name in ipairs(few) do
    local twin = pairwise.plain_twin(layers, name)
    unit.assertTrue(not twin or is_chosen[twin], name)
    twins = twins + (twin and 1 or 0)
    unit.assertTrue(twin ~= nil or name:match '_f32$' ~= nil
      or pairwise.has_own_sums(layers[name]), name)
  end
  unit.assertTrue(twins > 5)
  -- The registry lists them and no other.
  local list = support.read(support.root .. '/tests/registry/quick/awkward.inc')
  local listed = {}
  for name in list:gmatch 'FFN_KERNEL%(([%w_]+)%)' do listed[name] = true end
  for _, name in ipairs(names) do
    for _, kernel in ipairs(layers[name]) do
      if kernel.isa:sub(1, 4) ~= 'wasm' then
        unit.assertEquals(listed[kernel.name] or false, is_chosen[name] or false, kernel.name)
      end
    end
  end
end

--- The rule: what adds most is taken, nothing that adds none.
function TestPairwise.test_rule()
  local function layer(kind, format, inputs, arithmetic)
    return { { kind = kind, formats = { format }, arithmetics = { arithmetic or 'fma_f32' },
      bias = false, optimise = 'speed', inputs = inputs, outputs = 32 } }
  end
  local layers = {
    a_f32 = layer('linear', 'f32', 16), b_f32 = layer('linear', 'f32', 32),
    c_bf16 = layer('linear', 'bf16', 16), c_f32 = layer('linear', 'f32', 48),
    d_f32 = layer('glu', 'f32', 17), c_bf16_dot = layer('linear', 'bf16', 16, 'dot'),
  }
  local names = { 'a_f32', 'b_f32', 'c_bf16', 'c_bf16_dot', 'c_f32', 'd_f32' }
  -- b is as a; c in f32 as well, but for c in halves, which is compared with it.
  unit.assertEquals(pairwise.choose(layers, names),
    { 'a_f32', 'c_bf16', 'c_bf16_dot', 'c_f32', 'd_f32' })
  unit.assertEquals(pairwise.plain_twin(layers, 'c_bf16'), 'c_f32')
  unit.assertNil(pairwise.plain_twin(layers, 'c_bf16_dot'))
  unit.assertNil(pairwise.plain_twin(layers, 'c_f32'))
  unit.assertNil(pairwise.plain_twin(layers, 'e_bf16'))
end
