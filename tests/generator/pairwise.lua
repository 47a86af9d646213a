--- The few layers that the quick form compiles.
local json = require 'dkjson'
local lists = require 'common.list'
local unit = require 'luaunit'
local support = require 'support'

local pairwise = dofile(support.root .. '/tests/support/pairwise.lua')

--- Of the quick form's kernels: how many take turns.
local parts = 5

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

--- What meets in layers or kernels: features by pairs, and formats.
---@param features_of fun(item: any): string[], string[]
local function met_in(items, features_of)
  local met = {}
  for _, item in ipairs(items) do
    local alone, features = features_of(item)
    for _, word in ipairs(alone) do met[word] = true end
    for i, a in ipairs(features) do
      for j = i + 1, #features do met[a .. ' with ' .. features[j]] = true end
    end
  end
  return support.keys(met)
end

--- The kernels of a set that a registry lists.
---@return table<string, boolean>
local function listed_in(registry, set)
  local path, listed = ('%s/tests/registry/%s/%s.inc'):format(support.root, registry, set), {}
  for name in support.read(path):gmatch 'FFN_KERNEL%(([%w_]+)%)' do listed[name] = true end
  return listed
end

--- Where kernels multiply bytes, a registry has the activations that their reference computes:
--- generated/ has none, with which every hidden value would be NaN.
function TestPairwise.test_activations_of_bytes()
  local registries, found = support.root .. '/tests/registry/', 0
  for path, text in pairs(support.snapshot(registries)) do
    local folder = path:match '^(.*/)kernels%.inc$'
    for set in folder and text:gmatch 'build/kernels/([%w_]+)/' or function() end do
      local edges = support.read(('%s/tests/ninja/kernels/%s.ninja'):format(support.root, set))
      if edges:find '_dot_s8_' then
        unit.assertTrue(support.exists(registries .. folder .. 'activations_f32.inc'), path)
        found = found + 1
      end
    end
  end
  unit.assertTrue(found > 3)
end

--- What meets in any layer meets in one of the few; instruction sets meet all of them, as a layer
--- has all of its kernels. And each has the layer that its bits are compared with.
function TestPairwise.test_all_meet()
  local layers, names = awkward()
  local few = pairwise.choose(layers, names)
  local function features_of(name) return pairwise.features(layers[name]) end
  unit.assertEquals(met_in(few, features_of), met_in(names, features_of))
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
  local listed = listed_in('quick', 'awkward')
  for _, name in ipairs(names) do
    for _, kernel in ipairs(layers[name]) do
      if kernel.isa:sub(1, 4) ~= 'wasm' then
        unit.assertEquals(listed[kernel.name] or false, is_chosen[name] or false, kernel.name)
      end
    end
  end
end

--- The parts that take turns: in each all meets that meets in the quick form, instruction sets
--- included, in much fewer kernels; all parts together are the quick form. What is compared with a
--- kernel in f32 has it in its part.
function TestPairwise.test_parts()
  local layers, names = awkward()
  local quick, kernels, seen, twins = listed_in('quick', 'awkward'), {}, {}, 0
  for _, name in ipairs(names) do
    for _, kernel in ipairs(layers[name]) do
      if quick[kernel.name] then kernels[#kernels + 1] = kernel end
    end
  end
  local whole = met_in(kernels, pairwise.features_of_kernel)
  for _, word in ipairs { 'format q4_0 dot_s8', 'kind glu with isa avx512',
    'weights compressed with isa avx2', 'small code true with isa c' } do
    unit.assertTrue(lists.has(whole, word), word)
  end
  for part, own in ipairs(pairwise.deal(layers, kernels, parts)) do
    local listed = listed_in('quick_' .. part, 'awkward')
    unit.assertEquals(lists.set(lists.map(own, function(kernel) return kernel.name end)), listed)
    unit.assertEquals(met_in(own, pairwise.features_of_kernel), whole, 'part ' .. part)
    unit.assertTrue(#own <= 0.4 * #kernels, #own .. ' of ' .. #kernels)
    for _, kernel in ipairs(own) do
      local twin = pairwise.plain_kernel(layers, kernel)
      unit.assertTrue(not twin or listed[twin.name], kernel.name)
      twins, seen[kernel.name] = twins + (twin and 1 or 0), true
    end
  end
  unit.assertEquals(support.keys(seen), support.keys(quick))
  unit.assertTrue(twins > 5 * parts)
end

--- Of layers that are few each part has one whole, by turns.
function TestPairwise.test_parts_of_layers()
  local kernels = {}
  for i, layer in ipairs { 'a', 'a', 'b', 'c', 'c' } do kernels[i] = { layer = layer } end
  local dealt = pairwise.deal_layers({}, kernels, 4)
  unit.assertEquals(dealt, {
    { kernels[1], kernels[2] }, { kernels[3] }, { kernels[4], kernels[5] },
    { kernels[1], kernels[2] },
  })
  unit.assertEquals(pairwise.deal_layers({}, kernels, 2), {
    { kernels[1], kernels[2], kernels[4], kernels[5] }, { kernels[3] },
  })
  local whole, seen = listed_in('quick', 'models'), {}
  for part = 1, parts do
    local own = support.keys(listed_in('quick_' .. part, 'models'))
    unit.assertTrue(#own > 1, 'part ' .. part)
    for _, name in ipairs(own) do seen[name] = true end
  end
  unit.assertEquals(seen, whole)
end

--- Ninja has the parts, one a turn. The suite takes two turns: an odd number of parts, so that in
--- twice as many turns each part meets both.
function TestPairwise.test_turns_of_parts()
  local made, groups = {}, {}
  for part in support.read(support.root .. '/tests/ninja/ways/gcc.ninja')
    :gmatch 'part = (%d+)\ninclude tests/ninja/quick_part%.ninja\n' do
    made[#made + 1] = tonumber(part)
    groups[#groups + 1] = ('bits spills suite_1 suite_2'):gsub('%g+', 'gcc/quick_' .. part .. '/%0')
  end
  unit.assertEquals(made, { 1, 2, 3, 4, 5 })
  unit.assertEquals(#made, parts)
  unit.assertEquals(parts % 2, 1)
  local said = support.read(support.root .. '/tests/ninja/tests.ninja')
  local group = said:match "target = test\n  turns = %$\n *'([^']*)'"
  unit.assertEquals(group:gsub(' %$\n *', ' '), table.concat(groups, ' | '))
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
