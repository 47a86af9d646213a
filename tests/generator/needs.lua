--- Forms of code, and the formats of weights that they take or refuse.
local unit = require 'luaunit'
local arithmetics = require 'arithmetic'
local formats = require 'weights.format'
local lists = require 'common.list'
local needs = require 'plan.needs'
local support = require 'support'
local weights = require 'weights'
local with_formats = require 'with_formats'

TestNeeds = {}

--- A format of the project, or of the tests.
local function format_of(name)
  return weights.by_name[name]
    or formats.record(name, dofile(with_formats.folder .. name .. '.lua'))
end

--- Why forms refuse a format, by form.
---@param format Format
---@param takes string|nil  what its arithmetic multiplies
---@param take function|nil  how its input is laid
---@return table<string, string>
local function reasons(format, takes, take)
  local stage = { name = 'down', stream = { format = format }, arithmetic = {
    name = 'toy', takes = takes or 'value',
  }, operand = { format = { name = 'toy8', take = take or false } } }
  local found = {}
  for _, form in ipairs(support.keys(needs.forms)) do
    local refused = needs.refused(stage, { form })
    unit.assertEquals(needs.takes(form, stage), #refused == 0, form)
    if #refused > 0 then
      unit.assertEquals({ refused[1].form, refused[1].stage }, { needs.forms[form].about, 'down' })
      found[form] = refused[1].why
    end
  end
  return found
end

--- All forms take f32; what a form lacks decides for the others, and the reason says it.
function TestNeeds.test_reasons()
  unit.assertEquals(reasons(weights.by_name.f32), {})
  local of_bytes = reasons(weights.by_name.f32, 'bytes')
  unit.assertEquals(of_bytes.straight, 'toy multiplies bytes')
  local laid = reasons(weights.by_name.f32, 'value', print)
  unit.assertEquals(laid.abreast, 'its input is laid as toy8')
  for _, refused in ipairs { laid, of_bytes } do -- but for fetching ahead, scratch and few bytes
    unit.assertEquals(#support.keys(refused), #support.keys(needs.forms) - 3)
    unit.assertNil(refused.ahead)
    unit.assertNil(refused.scratch)
    unit.assertNil(refused.size)
  end
  local stored = 'weights of f16 are no f32 as they lie'
  unit.assertEquals(reasons(format_of 'f16'), { dots = stored, wide = stored })
  local function all(why)
    return { dots = why, wide = why, sparse = why, straight = why, together = why }
  end
  unit.assertEquals(reasons(format_of 'bf16'), all 'lines of bf16 hold 2 k')
  unit.assertEquals(reasons(format_of 'q32'), all 'weights of q32 lie in groups of 32')
  unit.assertEquals(reasons(format_of 'k64'), all 'weights of k64 lie in groups of 64')
  -- Panels abreast are visited in whole groups, which may be too large.
  local large = dofile(with_formats.folder .. 'q32.lua')
  large.levels[1].k = 128
  local why = all 'weights of q32 lie in groups of 128'
  why.abreast = 'weights of q32 lie in groups of 128, of at most 64'
  unit.assertEquals(reasons(formats.record('q32', large)), why)
end

--- A page says of each form that would suit a kernel why it was not taken, and of no other.
function TestNeeds.test_explained()
  local project, folder = with_formats.project { 'k64', 'q32' }, support.folder()
  support.write(folder .. '/my.lua', [[
mlp 'a' { d_model = 16, layers = { { 32, 'relu' }, { 1 } }, weights = 'f16' }
ffn 'b' { variant = 'relu', d_model = 640, d_ff = 1920, weights = 'f16' }
mlp 'c' { d_model = 16, layers = { { 32, 'relu' }, { 1 } } }
ffn 'd' { variant = 'silu', d_model = 640, d_ff = 1920, weights = { up = 'q32', down = 'q8_0' } }
]])
  local function refused(name)
    local page = support.run({ project .. '/ffngen', 'explain', name, 'my.lua' }, { dir = folder })
    support.assert_code(page, 0, name)
    local found, isa = {}, nil
    for line in page.out:gmatch('[^\n]+') do
      isa = line:match('^plan [%w_]+_(%w+)$') or isa
      local form, reason = line:match('^  ([%l ]+): not taken (.+)$')
      if form then found[#found + 1] = ('%s: %s %s'):format(isa, form, reason) end
    end
    table.sort(found)
    return found
  end
  local why = 'weights of f16 are no f32 as they lie'
  unit.assertEquals(refused 'a', {
    'avx2: dot products in lanes for layer2: ' .. why,
    'avx512: dot products in lanes for layer2: ' .. why,
    'neon: dot products in lanes for layer2: ' .. why,
  })
  unit.assertEquals(refused 'b', {
    'c: vectors of doubles for down: ' .. why, 'c: vectors of doubles for up: ' .. why,
    'wasm: vectors of doubles for down: ' .. why, 'wasm: vectors of doubles for up: ' .. why,
  })
  unit.assertEquals(refused 'c', {})
  local abreast = lists.filter(refused 'd', function(line) return line:find('abreast', 1, true) end)
  unit.assertEquals(abreast, {
    'avx2: panels abreast for down: with weights of q8_0 it takes 17 registers of 16',
  })
end

--- Texts with such words that ask something else.
local of_others = {
  -- Types of lanes and accumulators.
  "lane == 'f32'", "lane == 'f16'", "lane ~= 'f32'", "type ~= 'f32'",
  'arithmetic.name == arithmetics.names[1]', -- what functions are called
}

--- What a format can is said by its fields: no stage compares its name, or that of an arithmetic.
function TestNeeds.test_nothing_asks_a_name()
  local count, words = 0, lists.append({ table.unpack(weights.names) }, arithmetics.names)
  for _, folder in ipairs { 'generator', 'templates' } do
    local files = support.snapshot(support.root .. '/' .. folder)
    for _, path in ipairs(support.keys(files)) do
      local text = path:match('^weights/format%.lua$') and '' or files[path]
      for _, other in ipairs(of_others) do text = text:gsub(other:gsub('%p', '%%%0'), '') end
      for line in text:gmatch('[^\n]+') do
        count = count + 1
        local asks = line:match '[=~]= *[%w_.]*format%.name' or line:match 'format%.name *[=~]='
          or line:match '[=~]= *[%w_.]*arithmetic%.name' or line:match 'arithmetic%.name *[=~]='
        for _, name in ipairs(words) do
          asks = asks or line:match("[=~]= *'" .. name .. "'")
        end
        unit.assertNil(asks, ('%s/%s: %s'):format(folder, path, line))
      end
    end
  end
  unit.assertTrue(count > 10000)
end
