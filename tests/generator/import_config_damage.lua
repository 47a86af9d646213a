--- Damaged configs: whatever stands in a config.json, import concludes something of it or says what
--- is wrong, in no time.
local unit = require 'luaunit'
local conclude = require 'import.conclude'
local configs = require 'import.config'
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
