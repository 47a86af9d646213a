--- Damaged configs, and tensors that are others than theirs: whatever stands in the files of a
--- model of Hugging Face, import concludes something of it or says what is wrong, in no time.
local unit = require 'luaunit'
local conclude = require 'import.conclude'
local configs = require 'import.config'
local found_records = require 'import.found'
local groups = require 'import.groups'
local huggingface = require 'import.readers.huggingface'
local plan_text = require 'import.plan_text'
local problems = require 'common.problem'
local quantized = require 'import.quantized'
local support = require 'support'

TestImportConfigDamage = {}

--- Numbers by chance, the same in every run: xorshift64*.
local function chance(seed)
  local state = seed
  return function(n)
    state = state ~ state >> 12
    state = state ~ state << 25
    state = state ~ state >> 27
    return (state * 0x2545f4914f6cdd1d >> 33) % n + 1
  end
end

local values = {
  '0', '-1', '1', '3', '9223372036854775807', '-9223372036854775808', '1e300', '1.5', 'null',
  'true', 'false', '""', '"gelu"', '[]', '[0, "x", -1]', '{}', '{"a": 1}', '"%d%s%"', '1e999',
}

local damages = {
  function(text, random) -- another value of a key
    local wanted, count = random(40), 0
    return (text:gsub('(": )([^\n{]-)(,?\n)', function(before, _, behind)
      count = count + 1
      return count == wanted and before .. values[random(#values)] .. behind or nil
    end))
  end,
  function(text, random) -- a key less
    local wanted, count = random(40), 0
    return (text:gsub('\n *"[%w_]+": [^\n{%[]-,(\n)', function(behind)
      count = count + 1
      return count == wanted and behind or nil
    end))
  end,
  function(text, random) -- another name of a key
    local wanted, count = random(40), 0
    return (text:gsub('"[%w_]+":', function()
      count = count + 1
      local names = { '"quantization_config":', '"hidden_size":', '"mlp_x":', '"\\u0000":' }
      return count == wanted and names[random(#names)] or nil
    end))
  end,
  function(text, random) -- another byte
    local at = random(#text)
    return text:sub(1, at - 1) .. string.char(random(256) - 1) .. text:sub(at + 1)
  end,
  function(text, random) -- cut out
    local at = random(#text)
    return text:sub(1, at - 1) .. text:sub(at + random(20))
  end,
}

--- What stands for the file in this test: no disk is asked 200,000 times.
local function concluded(path, text)
  local config = configs.of_text(path, text)
  quantized.of(config)
  return conclude.of(config, function() return false end)
end

function TestImportConfigDamage.test_configs()
  local folder = support.root .. '/tests/data/import/hf'
  local all, texts = support.snapshot(folder), {}
  for _, path in ipairs(support.keys(all)) do
    if path:find 'config%.json$' then texts[#texts + 1] = all[path] end
  end
  local random, taken, count = chance(0xc0f16), 0, support.full and 200000 or 2000
  for i = 1, count do
    local text = texts[random(#texts)]
    for _ = 1, random(3) do
      if #text > 1 then text = damages[random(#damages)](text, random) end
    end
    local before = os.clock()
    local ok, thrown = pcall(concluded, 'config.json', text)
    unit.assertTrue(os.clock() - before < 1, ('number %d takes too long'):format(i))
    if ok then taken = taken + 1 end
    if not ok and not (problems.is(thrown) and thrown.code == 4) then
      unit.fail(('number %d: %s\n%s'):format(i, tostring(thrown), text))
    end
  end
  -- Some of the damage is none, and most of it is some.
  unit.assertTrue(taken > count // 100 and taken < count // 2, ('%d taken'):format(taken))
end

--- Names, shapes and types of tensors that are others.
local of_headers = {
  function(text, random) -- another number
    local wanted, count = random(200), 0
    local numbers = { '0', '1', '2', '3', '8', '12', '24', '-1', '4611686018427387904' }
    return (text:gsub('%d+', function()
      count = count + 1
      return count == wanted and numbers[random(#numbers)] or nil
    end))
  end,
  function(text, random) -- another name
    local wanted, count = random(40), 0
    local names = {
      'model.layers.0.mlp.x', 'h.0.mlp.c_fc.bias', 'model.layers.1.mlp.gate_proj.weight',
      'model.layers.7.mlp.up_proj.weight', 'encoder.layer.0.norm', 'layers.0.x', 'x.999999999.y',
    }
    return (text:gsub('"[%w_.]+":{', function()
      count = count + 1
      return count == wanted and ('"%s":{'):format(names[random(#names)]) or nil
    end))
  end,
  function(text, random) -- another type
    local types = { '"I8"', '"F16"', '"F64"', '"F8_E4M3"', '""', '1' }
    local wanted, count = random(40), 0
    return (text:gsub('"B?F%d+"', function()
      count = count + 1
      return count == wanted and types[random(#types)] or nil
    end))
  end,
}

function TestImportConfigDamage.test_tensors()
  local folder, models = support.root .. '/tests/data/import/hf/', {}
  local all = support.snapshot(folder)
  for _, path in ipairs(support.keys(all)) do
    local name = path:match '^(.*)/model%.safetensors$'
    if name then models[#models + 1] = { all[name .. '/config.json'], all[path] } end
  end
  unit.assertTrue(#models > 50)
  local random, at, taken = chance(0x7e4), support.folder(), 0
  local count = support.full and 5000 or 100
  for i = 1, count do
    local config, file = table.unpack(models[random(#models)])
    local length = string.unpack('<I8', file)
    local header = file:sub(9, 8 + length)
    for _ = 1, random(2) do header = of_headers[random(#of_headers)](header, random) end
    support.write(at .. '/config.json', config)
    support.write(at .. '/model.safetensors',
      string.pack('<s8', header) .. file:sub(9 + length))
    local before = os.clock()
    local ok, thrown = pcall(function()
      local found = found_records.of(huggingface.read(at, { leave = {} }))
      return plan_text.of(found, groups.of(found), 'out', '/h')
    end)
    unit.assertTrue(os.clock() - before < 1, ('number %d takes too long'):format(i))
    if ok then taken = taken + 1 end
    if not ok and not (problems.is(thrown) and thrown.code == 4) then
      unit.fail(('number %d: %s\n%s'):format(i, tostring(thrown), header))
    end
  end
  unit.assertTrue(taken > count // 100 and taken < count // 2, ('%d taken'):format(taken))
end
