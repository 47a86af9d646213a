--- The function that gives the weights of a step, and tiles that share a text: what their C says.
local unit = require 'luaunit'
local support = require 'support'
local emit = require 'emit.emit'
local isas = require 'isa'
local layer = require 'lower.layer'
local naming = require 'emit.naming'
local plan = require 'plan.plan'
local weights = require 'weights'

TestStepValues = {}

--- The C of a layer for an instruction set.
local function text_of(isa, fields)
  local s = { name = 'test', about = '', file = 'test.lua', line = 1, bias = false, sparse = true,
    d_out = fields.d_model, build = { { dtype = 'f32', isa = support.f32_isas() } } }
  for _, key in ipairs(support.keys(fields)) do s[key] = fields[key] end
  s.arithmetics = fields.arithmetics or support.all_fma(s)
  local p = plan.plan(layer.lower(s), isas.by_name[isa])
  return emit.file(support.project .. '/', p, naming.of_file('ffngen generate'))
end

local function linear(isa, format, outputs, arithmetic)
  return text_of(isa, { kind = 'linear', d_model = 1024, d_out = outputs or 4096,
    weights = { format }, arithmetics = arithmetic and { arithmetic } })
end

--- Each weight of a step has a case of its own, the last one the default, and a loop has as many
--- turns.
function TestStepValues.test_cases()
  local count = 0
  for _, name in ipairs(weights.names) do
    local format = weights.by_name[name]
    local text = linear('avx512', name)
    local function_of = text:match(('ffn_%s_value_avx512(%%b() {.-\n}\n)'):format(name))
    local is_told = #format.levels > 0 and format.step.k > 1 and not format.step.by_index
    unit.assertEquals(function_of ~= nil, is_told, name)
    if function_of then
      local seen, last = {}, format.step.k - 1
      for label in function_of:gmatch '\n    (%l+[ %d]*): {' do seen[#seen + 1] = label end
      for i = 0, last do
        unit.assertEquals(seen[i + 1], i < last and 'case ' .. i or 'default', name)
      end
      unit.assertEquals(#seen, format.step.k, name)
      local bodies = {}
      for body in function_of:gmatch ': {(.-)\n    }' do bodies[body] = true end
      unit.assertEquals(#support.keys(bodies), format.step.k, name .. ': of two the same')
      local loops = 0
      for turns in text:gmatch 'FFN_UNROLL\n *for %(size_t i = 0; i < (%d+); %+%+i%)' do
        unit.assertEquals(tonumber(turns), format.step.k, name)
        loops = loops + 1
      end
      unit.assertTrue(loops > 0, name)
      count = count + 1
    end
  end
  unit.assertTrue(count > 8, count)
end

--- Not where a stage has chains, where a weight is a number of its own, or where products are of
--- bytes.
function TestStepValues.test_others()
  unit.assertStrContains(linear('neon', 'q4_K'), 'ffn_q4_K_value_neon(')
  for what, text in pairs {
    chains = linear('avx512', 'q4_K', 64), numbers = linear('c', 'q4_K'),
    bytes = linear('avx512_vnni', 'q4_K', 4096, 'dot_s8'),
  } do
    unit.assertNil(text:find('_value_', 1, true), what)
  end
end

--- One row of gate and up, and of down, reads two bundles by one text. Sums of a bundle's second
--- vector lie behind all of the first branch, or behind the first vector; those of the next bundle
--- the other way round.
function TestStepValues.test_two_bundles()
  local text = text_of('avx512', { kind = 'ffn', variant = 'swiglu', d_model = 1024, d_ff = 2816,
    weights = { 'q4_K', 'q4_K', 'q4_K' } })
  local head, body = text:match 'FFN_INLINE void sums_tile_1x4(%b()) ({.-\n})\n'
  local last = 0
  for i, size in ipairs { 'NEXT_VECTOR', 'NEXT_BUNDLE' } do
    local at = head:find('const size_t ' .. size, 1, true)
    unit.assertTrue(at > last, size)
    last = at
    unit.assertStrContains(body, ('store_ps(sum + %s, s0_%d)'):format(size, i))
  end
  unit.assertStrContains(body, 'store_ps(sum + NEXT_BUNDLE + NEXT_VECTOR, s0_3)')
  local weights_of = body:gsub('%s+', ' ')
  for v, at in ipairs { 'w, 2, i2, i3, i4)', 'w, 2, i2, i3, i4) + 16',
    'w + BUNDLE, 2, i2, i3, i4)', 'w + BUNDLE, 2, i2, i3, i4) + 16' } do
    unit.assertStrContains(weights_of, ('w%d = ffn_q4_K_value_avx512(i, FFN_Q4_K_NIBBLES(%s,')
      :format(v - 1, at))
  end
  local calls = {}
  for arguments in text:gsub('%s+', ' '):gmatch 'sums_tile_1x4(%(sum, a, w, .-%));' do
    calls[#calls + 1] = arguments:match ', (%d+, %d+)%)$'
  end
  unit.assertEquals(calls, { '32, 16', '16, 32' })
end
