--- One text for what is alike in several stages: what is shared, what keeps its name, and that the
--- sizes by which stages are compared are those that a file prints.
local unit = require 'luaunit'
local emit = require 'emit.emit'
local isas = require 'isa'
local layer = require 'lower.layer'
local lists = require 'common.list'
local naming = require 'emit.naming'
local plan = require 'plan.plan'
local spec = require 'read.spec'
local stage_sizes = require 'emit.stage_sizes'
local support = require 'support'
local training = require 'emit.training'

TestShapes = {}

local layers = {
  gated = "ffn 'it' { variant = 'swiglu', d_model = 1024, d_ff = 2816 }",
  uneven = "ffn 'it' { variant = 'swiglu', d_model = 512, d_ff = 1365, backward = true }",
  grouped = "ffn 'it' { variant = 'swiglu', d_model = 1024, d_ff = 2816, weights = 'q4_K' }",
  equal = "linear 'it' { d_model = 512, d_out = { q = 512, k = 512, v = 512 } }",
  unequal = "linear 'it' { d_model = 512, d_out = { q = 512, k = 128, v = 128 } }",
  plain = "ffn 'it' { variant = 'gelu', d_model = 768, d_ff = 3072, bias = true }",
}

local function plan_of(name, isa)
  local path = support.user_folder(layers[name]) .. '/my.lua'
  return plan.plan(layer.lower(spec.read(path, {})[1]), isas.by_name[isa])
end

local function sections(p, of)
  return of(support.project .. '/', p, naming.of_file 'ffngen generate')
end

--- The functions of a kernel by name.
local function by_name(p, of)
  local found = {}
  for _, f in ipairs(sections(p, of).functions) do
    if f.name then
      unit.assertNil(found[f.name], f.name)
      found[f.name] = f
    end
  end
  return found
end

--- A function's code with stages' own names out of it; what it calls are those in `alike`.
local function code_without_names(f, stages, alike)
  local code = f.text:gsub('/%*.-%*/', ''):gsub('%f[%w_]' .. (f.name or '') .. '%f[^%w_]', '')
    :gsub('[%w_]+', alike)
  for _, s in ipairs(stages) do
    code = code:gsub('%f[%w_]' .. s.stage.name:upper() .. '_', '')
  end
  return code
end

--- No two functions of several lines differ in nothing but the names of stages and their sizes.
function TestShapes.test_no_text_twice()
  local count = 0
  local function check(where, p, of, stages)
    local alike, seen = {}, {}
    for _, f in ipairs(sections(p, of).functions) do
      local code = code_without_names(f, stages, alike)
      local _, lines = code:gsub('\n', '')
      -- Thin functions, and what goes over all columns, are each stage's own.
      if f.name and lines > 20 and not f.name:find '_columns$' then
        unit.assertNil(seen[code], ('%s: %s is %s'):format(where, f.name, seen[code] or ''))
        count = count + 1
      end
      if f.name then
        seen[code] = seen[code] or f.name
        alike[f.name] = seen[code]
      end
    end
  end
  for _, name in ipairs(support.keys(layers)) do
    for _, isa in ipairs { 'c', 'avx2', 'avx512', 'neon' } do
      local p = plan_of(name, isa)
      check(name .. ' ' .. isa, p, emit.kernel, p.passes.forward.stages)
      if p.training then
        check(name .. ' ' .. isa .. ' trained', p, training.training,
          lists.append(lists.append({}, p.training.passes.train.stages),
            p.training.passes.grad.stages))
      end
    end
  end
  unit.assertTrue(count > 100, count)
end

--- Stages whose sizes differ keep functions of their names, which hand them to one text.
function TestShapes.test_names_are_kept()
  local functions = by_name(plan_of('gated', 'avx512'), emit.kernel)
  for _, pair in ipairs {
    { 'gate_up_sums_64', 'down_sums_128', 'sums_2x8' },
    { 'gate_up_sums_32', 'down_sums_64', 'sums_6x4' },
    { 'gate_up_sums_16', 'down_sums_32', 'sums_14x2' },
  } do
    for i = 1, 2 do
      local f = functions[pair[i]]
      unit.assertFalse(f.inline, pair[i])
      support.assert_has(f.text, '  ' .. pair[3] .. '(', pair[i])
      unit.assertTrue(lists.has(f.uses, pair[3]), pair[i])
    end
    unit.assertTrue(functions[pair[3]].inline, pair[3])
    support.assert_lacks(functions[pair[3]].text, 'DOWN_', pair[3])
    support.assert_lacks(functions[pair[3]].text, 'GATE_UP_', pair[3])
  end
end

--- Where all sizes are the same, nothing takes them, and one function serves all; where one stage
--- has others, it does not.
function TestShapes.test_equal_stages()
  local equal = by_name(plan_of('equal', 'avx512'), emit.kernel)
  for _, name in ipairs { 'sums_128', 'sums_64', 'sums_32', 'weights', 'finish', 'chunk',
    'columns' } do
    unit.assertNotNil(equal['shared_' .. name], name)
    for _, output in ipairs { 'to_k_', 'to_q_', 'to_v_' } do
      unit.assertNil(equal[output .. name], output .. name)
    end
    support.assert_has(equal['shared_' .. name].text:gsub('\n %* ', ' '),
      'The same for to_q, to_v.', name)
  end
  local unequal = by_name(plan_of('unequal', 'avx512'), emit.kernel)
  unit.assertNotNil(unequal.to_q_chunk)
  unit.assertNotNil(unequal.shared_chunk)
  support.assert_has(unequal.to_q_chunk.text, 'TO_Q_CHUNK', 'to_q')
end

--- The numbers of a text's enumerators, by name.
local function numbers_of(text)
  local numbers = { FFN_TOKEN_BLOCK = 128 }
  for name, value in text:gmatch '\n  ([%u%d_]+) = ([%u%d_ *+]+),' do
    local number = load('return ' .. value, name, 't', numbers)
    local ok, result = pcall(number)
    numbers[name] = ok and result or nil
  end
  return numbers
end

--- What stages are compared by is what their enumerators are.
function TestShapes.test_sizes()
  local compared = {}
  for _, case in ipairs {
    { 'gated', 'avx2' }, { 'uneven', 'avx512' }, { 'grouped', 'avx2' }, { 'plain', 'c' },
    { 'unequal', 'neon' },
  } do
    local p = plan_of(case[1], case[2])
    local numbers = numbers_of(sections(p, emit.kernel).sizes)
    for _, s in ipairs(p.passes.forward.stages) do
      local begins = '^' .. s.stage.name:upper() .. '_([%u_]+)$'
      for _, name in ipairs(support.keys(numbers)) do
        local symbol = name:match(begins)
        local known, value = pcall(stage_sizes.of, s, symbol or '')
        if symbol and known then
          unit.assertEquals(value, tostring(numbers[name]), case[1] .. ' ' .. name)
          compared[symbol] = true
        end
      end
    end
  end
  for _, symbol in ipairs {
    'INPUTS', 'OUTPUTS', 'WIDTH', 'GROUP', 'STEP', 'BUNDLE', 'BLOCK', 'BLOCKS', 'LAST', 'ROW',
    'STREAM_ROWS', 'CHUNK', 'ABREAST', 'SCRATCH_STEP', 'SCRATCH_CHUNK', 'SCRATCH_LEAST',
  } do
    unit.assertTrue(compared[symbol], symbol)
  end
end
