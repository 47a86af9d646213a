--- Damaged configs, and tensors that are others than theirs: whatever stands in the files of a
--- model of Hugging Face, import concludes something of it or says what is wrong, in no time.
local unit = require 'luaunit'
local activation_names = require 'import.activations'
local conclude = require 'import.conclude'
local configs = require 'import.config'
local damage = require 'damage'
local families = require 'import.families'
local found_records = require 'import.found'
local groups = require 'import.groups'
local huggingface = require 'import.readers.huggingface'
local plan_text = require 'import.plan_text'
local problems = require 'common.problem'
local quantized = require 'import.quantized'
local record = require 'common.record'
local support = require 'support'

TestImportConfigDamage = {}

local values = {
  '0', '-1', '1', '3', '9223372036854775807', '-9223372036854775808', '1e300', '1.5', 'null',
  'true', 'false', '""', '"gelu"', '[]', '[0, "x", -1]', '{}', '{"a": 1}', '"%d%s%"', '1e999',
}

local damages = {
  function(text, random) -- another value of a key
    return damage.other(text, random, 40, '(": )([^\n{]-)(,?\n)', function(before, _, behind)
      return before .. values[random(#values)] .. behind
    end)
  end,
  function(text, random) -- a key less
    return damage.other(text, random, 40, '\n *"[%w_]+": [^\n{%[]-,(\n)', function(behind)
      return behind
    end)
  end,
  function(text, random) -- another name of a key
    local names = { '"quantization_config":', '"hidden_size":', '"mlp_x":', '"\\u0000":' }
    return damage.other(text, random, 40, '"[%w_]+":', function() return names[random(#names)] end)
  end,
  damage.byte,
  damage.cut,
}

--- What stands for the file in this test: no disk is asked 200,000 times.
local function concluded(path, text)
  local config = configs.of_text(path, text)
  quantized.of(config)
  return conclude.of(config, function() return false end)
end

--- The config.json of every model, in one order.
---@return string[]
local function config_texts()
  local all, texts = support.snapshot(support.root .. '/tests/data/import/hf'), {}
  for _, path in ipairs(support.keys(all)) do
    if path:find 'config%.json$' then texts[#texts + 1] = all[path] end
  end
  return texts
end

function TestImportConfigDamage.test_configs()
  local texts = config_texts()
  local random, taken, count = damage.chance(0xc0f16), 0, support.full and 200000 or 2000
  for i = 1, count do
    local text = damage.several(texts[random(#texts)], random, damages, 3)
    local function shown() return text end
    if damage.is_taken(i, shown, concluded, 'config.json', text) then taken = taken + 1 end
  end
  damage.assert_some(taken, count)
end

--- false in place of a number says something, and is no lack of it: what is read as a number is
--- refused by its name, wherever it stands.
function TestImportConfigDamage.test_false_is_no_number()
  local refused, number = {}, ': %-?[%d.e-]+(,?\n)'
  local function try(text, key)
    local other = text:gsub(('"%s"'):format(key) .. number, ('"%s": false%%1'):format(key))
    local ok, thrown = pcall(concluded, 'config.json', other)
    unit.assertTrue(ok or problems.is(thrown), ('%s: %s\n%s'):format(key, tostring(thrown), other))
    if not ok and tostring(thrown):find(key .. ' is false', 1, true) then refused[key] = true end
  end
  for _, text in ipairs(config_texts()) do
    for key in text:gmatch('"([%w_]+)"' .. number) do try(text, key) end
  end
  for _, key in ipairs { 'hidden_size', 'shared_expert_intermediate_size', 'n_shared_experts',
    'num_nextn_predict_layers' } do
    unit.assertTrue(refused[key], key)
  end
end

--- Names, shapes and types of tensors that are others.
local of_headers = {
  function(text, random) -- another number
    local numbers = { '0', '1', '2', '3', '8', '12', '24', '-1', '4611686018427387904' }
    return damage.other(text, random, 200, '%d+', function() return numbers[random(#numbers)] end)
  end,
  function(text, random) -- another name
    local names = {
      'model.layers.0.mlp.x', 'h.0.mlp.c_fc.bias', 'model.layers.1.mlp.gate_proj.weight',
      'model.layers.7.mlp.up_proj.weight', 'encoder.layer.0.norm', 'layers.0.x', 'x.999999999.y',
    }
    return damage.other(text, random, 40, '"[%w_.]+":{', function()
      return ('"%s":{'):format(names[random(#names)])
    end)
  end,
  function(text, random) -- another type
    local types = { '"I8"', '"F16"', '"F64"', '"F8_E4M3"', '""', '1' }
    return damage.other(text, random, 40, '"B?F%d+"', function() return types[random(#types)] end)
  end,
}

--- The models of a folder of tests/data/import.
---@return string[][] { config.json, model.safetensors } each
local function models_in(folder)
  local models, all = {}, support.snapshot(support.root .. '/tests/data/import/' .. folder)
  for _, path in ipairs(support.keys(all)) do
    local name = path:match '^(.*)/model%.safetensors$'
    if name then models[#models + 1] = { all[name .. '/config.json'], all[path] } end
  end
  return models
end

--- Does what import does before it writes, with damaged models.
---@param models string[][]
---@param options table of import
---@param seed integer
---@param count integer
---@param change fun(i: integer, random: fun(n: integer): integer, config: string,
---  header: string): string, string
local function assert_taken_or_refused(models, options, seed, count, change)
  local at = support.folder()
  local function import()
    local found = found_records.of(huggingface.read(at, options))
    return plan_text.of(found, groups.of(found), 'out', '/h')
  end
  local random, taken = damage.chance(seed), 0
  for i = 1, count do
    local whole, file = table.unpack(models[random(#models)])
    local length = string.unpack('<I8', file)
    local config, header = change(i, random, whole, file:sub(9, 8 + length))
    support.write(at .. '/config.json', config)
    support.write(at .. '/model.safetensors', string.pack('<s8', header) .. file:sub(9 + length))
    local function shown() return config .. header end
    if damage.is_taken(i, shown, import) then taken = taken + 1 end
  end
  damage.assert_some(taken, count)
end

function TestImportConfigDamage.test_tensors()
  local models = models_in 'hf/'
  unit.assertTrue(#models > 50)
  assert_taken_or_refused(models, { leave = {} }, 0x7e4, support.full and 5000 or 100,
    function(_, random, config, header)
      return config, damage.several(header, random, of_headers, 2)
    end)
end

local of_packed = {
  of_headers[1],
  function(text, random) -- another name of a module's tensor
    local names = { 'weight', 'qzeros', 'weight_scale', 'g_idx', 'weight_zero_point', 'bias', 'x' }
    return damage.other(text, random, 20, '_proj([._])[%w_]+":{', function(mark)
      return ('_proj%s%s":{'):format(mark, names[random(#names)])
    end)
  end,
  function(text, random) -- another type
    local types = { 'I8', 'F16', 'I32', 'U8', 'F8_E4M3', 'BF16', 'I64', 'F32', 'F8_E8M0' }
    return damage.other(text, random, 20, '"dtype":"[%w_]+"', function()
      return ('"dtype":"%s"'):format(types[random(#types)])
    end)
  end,
}

--- The same of models whose rows are packed: of every second one the config, else the tensors.
function TestImportConfigDamage.test_packed()
  local models = models_in 'packed/'
  unit.assertEquals(#models, 7)
  local options = { leave = {}, decode = true, float_activations = true }
  assert_taken_or_refused(models, options, 0x9ac, support.full and 5000 or 300,
    function(i, random, config, header)
      if i % 2 == 0 then return damage.several(config, random, damages, 2), header end
      return config, damage.several(header, random, of_packed, 2)
    end)
end

-- Words where others stand ------------------------------------------------------------------------

--- What a field may say: every word of the vocabularies, and what is no word.
local function words()
  local list = { '""', '"no"', '"../x"', 'null', 'false', '-1', '4', '1.5', '[]', '["a"]', '{}',
    '{"a": 1}', '[{}]' }
  for _, names in ipairs {
    record.sorted_keys(activation_names.by_name), families.model_types, quantized.names,
    record.sorted_keys(quantized.by_method),
    { 'gptq_v2', 'gemm', 'gated-gelu', 'swiglu', 'geglu', 'bitsandbytes', 'greedy', 'dynamic',
      'group_limited_greedy', 'group', 'channel', 'float-quantized', 'int', 'float' },
  } do
    for _, name in ipairs(names) do list[#list + 1] = ('"%s"'):format(name) end
  end
  return list
end

--- Where in a config's text the value of a key stands: what is in front, and behind; nested ones
--- and those of lists, too.
---@return { before: string, behind: string, is_text: boolean }[]
local function places(text)
  local list = {}
  for _, value in ipairs { '()[^\n{%[]-(),?\n', '()%b{}()', '()%b[]()' } do
    for from, to in text:gmatch('": ' .. value) do
      list[#list + 1] = { before = text:sub(1, from - 1), behind = text:sub(to),
        is_text = text:find('^"', from) ~= nil }
    end
  end
  return list
end

--- Fields of every model's config with words in their place: by chance, and in the full form every
--- text with every word, of which then no more than the config is judged.
function TestImportConfigDamage.test_words()
  local all, list = words(), {}
  for _, folder in ipairs { 'hf/', 'packed/' } do
    for _, model in ipairs(models_in(folder)) do
      for _, place in ipairs(places(model[1])) do list[#list + 1] = { place, model[2] } end
    end
  end
  unit.assertTrue(#all > 130 and #list > 1900, ('%d words, %d places'):format(#all, #list))
  local at, random = support.folder(), damage.chance(0x3a7)
  local options = { leave = {}, decode = true, float_activations = true }
  local taken, count = 0, 0
  local function look(place, word, file)
    local text = place.before .. word .. place.behind
    local function shown() return text end
    count = count + 1
    if not damage.is_taken(count, shown, concluded, 'config.json', text) or not file then return end
    support.write(at .. '/config.json', text)
    support.write(at .. '/model.safetensors', file)
    if damage.is_taken(count, shown, function()
      local found = found_records.of(huggingface.read(at, options))
      return plan_text.of(found, groups.of(found), 'out', '/h')
    end) then taken = taken + 1 end
  end
  for _ = 1, support.full and 2000 or 120 do
    local entry = list[random(#list)]
    look(entry[1], all[random(#all)], entry[2])
  end
  for _, entry in ipairs(support.full and list or {}) do
    for _, word in ipairs(entry[1].is_text and all or {}) do look(entry[1], word) end
  end
  unit.assertTrue(taken > 0 and taken < count)
  -- An activation with learned numbers in every family.
  for _, model in ipairs(models_in 'hf/') do
    local text = model[1]:gsub('("%w*act%w*": )"[%w_]+"', '%1"xielu"')
    damage.is_taken(0, function() return text end, concluded, 'config.json', text)
  end
end
