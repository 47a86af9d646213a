--- The record of a weight format: what it takes, what it refuses, and where lines lie, of formats
--- that are there and of the shapes of those that many models have.
local unit = require 'luaunit'
local decoding = require 'emit.decoding'
local formats = require 'weights.format'
local groups = require 'weights.group'
local isas = require 'isa'
local lists = require 'common.list'
local record = require 'common.record'
local support = require 'support'
local vector = require 'emit.vector'
local weights = require 'weights'

--- A level or step of lines: { plane, lane } each.
local function part(k, lines, more)
  local made = { k = k, lines = lists.map(lines, function(line)
    return { plane = line[1], lane = line[2] }
  end) }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

local function level(k, lines) return part(k, lines, { open = function() return {} end }) end

--- A format of which nothing is known but its shape.
local function shape(name, step, levels, more)
  local made = {
    name = name, about = name, step = step, levels = levels,
    registers = #levels > 0 and 1 or nil, value = function() end, pack = function() return '' end,
  }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

local function nibbles(k) return part(k, { { 'nibbles', 'u32' } }) end

--- Bytes of a group of 16 outputs, and of what a panel begins with, as the formats' blocks have it.
local shapes = {
  -- 144 bytes for 256: d, dmin, 12 of scales and minima, 128 of nibbles. Each 64 have their own 24
  -- bits of scales and minima in front of them, which are 32 with what fills them up.
  { shape('q4_k', nibbles(8), {
    level(256, { { 'd', 'f16' }, { 'least', 'f16' }, { 'low', 'u32' }, { 'middle', 'u32' },
      { 'high', 'u32' } }),
    level(32, {}),
  }), group = 256, bytes = 144 * 16 },
  { shape('q4_k_near', nibbles(8), {
    level(256, { { 'd', 'f16' }, { 'least', 'f16' } }), level(64, { { 'scales', 'u32' } }),
    level(32, {}),
  }), group = 256, bytes = 148 * 16 },
  -- 210 bytes for 256: 192 of 6 bits, 16 scales, d. Three lines are a step, four scales a line.
  { shape('q6_k', part(16, { { 'first', 'u32' }, { 'second', 'u32' }, { 'third', 'u32' } }), {
    level(256, { { 'd', 'f16' } }), level(64, { { 'scales', 'u32' } }), level(16, {}),
  }), group = 256, bytes = 210 * 16 },
  -- 22 bytes for 32: d, 4 of high bits, 16 of nibbles.
  { shape('q5_0', nibbles(8), { level(32, { { 'd', 'f16' }, { 'high', 'u32' } }) }),
    group = 32, bytes = 22 * 16 },
  -- A scale and a zero point of an output for 128.
  { shape('u4g128', nibbles(8), { level(128, { { 'scale', 'f16' }, { 'zero', 'u16' } }) }),
    group = 128, bytes = 68 * 16 },
  -- A byte, and one scale for all k.
  { shape('i8', part(4, { { 'quants', 'u32' } }), {}, {
    head = part(nil, { { 'scale', 'f32' } }, { open = function() end }), registers = 1,
  }), group = 4, bytes = 64, head = 64 },
  { shape('f16', part(1, { { 'half', 'f16' } }), {}), group = 1, bytes = 32 },
}

TestFormats = {}

function TestFormats.test_shapes()
  for _, s in ipairs(shapes) do
    local format = formats.record(s[1].name, s[1])
    local placed = groups.place(format)
    local parts = placed.parts
    unit.assertEquals({ format.group, placed.bytes, placed.head_bytes },
      { s.group, s.bytes, s.head or 0 }, format.name)
    unit.assertFalse(format.floats)
    unit.assertEquals(format.divides, #format.levels > 0 and s.group or 1)
    -- Every line has bytes of its own, and all of them together are the group.
    local taken, count = {}, 0
    local function visit(depth, at)
      if not parts[depth] then return end
      for n = 0, parts[depth].count - 1 do
        local begin = depth == 1 and 0 or at + parts[depth].at + n * parts[depth].bytes
        for _, line in ipairs(parts[depth].lines) do
          for byte = begin + line.at, begin + line.at + line.line.bytes - 1 do
            unit.assertNil(taken[byte], format.name)
            taken[byte], count = true, count + 1
          end
        end
        visit(depth + 1, begin)
      end
    end
    visit(1, 0)
    unit.assertEquals(count, s.bytes, format.name)
    for byte = 0, s.bytes - 1 do unit.assertTrue(taken[byte], format.name) end
  end
end

--- Two panels side by side: each line of one is followed by that of the other.
function TestFormats.test_pitch()
  local format = formats.record('q6_k', shapes[3][1])
  local one = groups.place(format)
  local two = groups.place(format, function(line) return 2 * line.bytes end)
  unit.assertEquals(#one.parts, 4)
  for depth, of_two in ipairs(two.parts) do
    local of_one = one.parts[depth]
    unit.assertEquals({ of_two.bytes, of_two.at }, { 2 * of_one.bytes, 2 * of_one.at })
    for i, line in ipairs(of_two.lines) do
      unit.assertEquals(line.at, 2 * of_one.lines[i].at)
    end
  end
  -- And pads: lines of 32 bytes that take 64.
  local padded = groups.place(format, function(line) return (line.bytes + 63) // 64 * 64 end)
  unit.assertEquals(padded.bytes, one.bytes + 32)
end

--- Behind lines of 32 bytes f32 may lie at any multiple of these, where an aligned load would fail;
--- f32 alone lie as vectors do.
function TestFormats.test_loads_from_anywhere()
  local odd = formats.record('odd', shape('odd', part(8, { { 'quants', 'u32' } }), {
    part(32, { { 'scale', 'f16' }, { 'least', 'f32' } }, { open = function(_, lines)
      return { scale = lines.scale, least = lines.least }
    end }),
  }, {
    head = part(nil, { { 'base', 'f32' } }, { open = function(_, lines)
      return { base = lines.base }
    end }),
    registers = 2, value = function(_, _, state) return state.least end,
  }))
  local placed, from = groups.place(odd), { group = 'g', lane = '0', head = 'h' }
  unit.assertEquals({ placed.bytes % 64, placed.parts[1].lines[2].at }, { 32, 32 })
  for _, name in ipairs { 'avx2', 'avx512' } do
    local isa = isas.by_name[name]
    local text = decoding.group(vector.builder(isa), odd, placed, from, function() return '' end)
    unit.assertEquals(select(2, text:gsub('loadu_ps%(%(const float %*%)', '')), 2, text)
    unit.assertNil(text:find('_load_ps', 1, true), text)
    support.assert_has(decoding.expression(isa, weights.by_name.f32, 'at'), '_load_ps(at)', name)
  end
end

--- What values are read with is what `registers` says, whatever levels hold.
function TestFormats.test_registers()
  local function said(registers)
    local format = formats.record('two', shape('two', part(8, { { 'quants', 'u32' } }), {
      part(64, { { 'first', 'f32' }, { 'second', 'f32' } }, { open = function(_, lines)
        return { first = lines.first, second = lines.second }
      end }),
      part(32, {}, { open = function(_, _, outer)
        return { scale = outer.first, least = outer.second }
      end }),
    }, {
      registers = registers, value = function(_, _, state) return state.sum end,
      ready = function(v, group)
        return { sum = v.add(group.scale, group.least), second = group.least }
      end,
    }))
    return pcall(decoding.group, vector.builder(isas.by_name.c), format, groups.place(format),
      { group = 'g', lane = '0', head = 'h' }, function() return '' end)
  end
  unit.assertTrue((said(2)))
  for _, wrong in ipairs { 1, 3 } do
    local ok, problem = said(wrong)
    unit.assertFalse(ok)
    support.assert_has(tostring(problem),
      ('ready() holds 2 vectors, registers says %d'):format(wrong), 'registers')
  end
end

--- Whatever f32 are made with, the innermost level says plainly what a weight is.
function TestFormats.test_states()
  local v, plain = vector.builder(isas.by_name.c), {
    scale = 'f', factor = 'i', zero = 'i', least = 'f', fifths = 'i',
  }
  local fields, count = {}, 0
  for _, name in ipairs(weights.names) do
    local format = weights.by_name[name]
    local placed, state = groups.place(format), {}
    for depth = format.head and 0 or 1, #format.levels do
      local lines = decoding.lines_at(v, placed, depth, { group = 'g', lane = '0', head = 'h' })
      state = (format.levels[depth] or format.head).open(v, lines, state, 0)
    end
    for _, field in ipairs(record.sorted_keys(state)) do
      unit.assertEquals(state[field].kind, plain[field], name .. ': ' .. field)
      fields[field], count = true, count + 1
    end
    unit.assertEquals(state.scale ~= nil, format.registers > 0, name)
  end
  unit.assertEquals({ #support.keys(fields), count }, { 5, 42 })
end

function TestFormats.test_f32()
  local f32 = weights.by_name.f32
  unit.assertTrue(f32.floats)
  unit.assertTrue(f32.trains)
  unit.assertEquals({ f32.c_type, f32.bytes, f32.group, f32.registers },
    { 'float', 4, 1, 0 })
  -- A format with levels has no weight that stands by itself.
  local q5 = formats.record('q5_0', shapes[4][1])
  unit.assertEquals({ q5.c_type, q5.bytes }, { false, false })
end

--- Blocks take no more bytes than in a file, and every width of their groups is told.
function TestFormats.test_blocks()
  local count = 0
  for _, name in ipairs(weights.names) do
    local format = weights.by_name[name]
    local source = format.source
    if source and source.number == 'u8' and source.scale == 0 then
      unit.assertEquals(groups.place(format).bytes,
        16 * format.group // source.k * source.bytes, name)
      unit.assertEquals(format.divides, source.k, name)
      count = count + 1
    end
  end
  unit.assertEquals(count, 11)
end

function TestFormats.test_refused()
  local function refused(problem, change)
    local made = shape('q5_0', nibbles(8), { level(32, { { 'd', 'f16' } }) })
    change(made)
    local ok, said = pcall(formats.record, 'q5_0', made)
    unit.assertFalse(ok, problem)
    support.assert_has(tostring(said), 'weights/q5_0.lua: ' .. problem, problem)
  end
  refused('unknown field "valeu" (did you mean "value"?)', function(f) f.valeu = f.value end)
  refused('its name is "q5"', function(f) f.name = 'q5' end)
  refused('the field "value" is missing', function(f) f.value = nil end)
  refused('value must be a function', function(f) f.value = 'v' end)
  refused('it has neither pack nor numbers of its own', function(f) f.pack = nil end)
  refused('step: k must be one of 1, 2, 4, 8, 16', function(f) f.step.k = 3 end)
  refused('step: k must be', function(f) f.step.k = 32 end)
  refused('step has no lines', function(f) f.step.lines = {} end)
  refused('step: the field "lines" is missing', function(f) f.step.lines = nil end)
  refused('level 1: k must be a multiple of the 8 inside of it', function(f)
    f.levels[1].k = 20
  end)
  refused('level 1: k must be a multiple of the 8', function(f) f.levels[1].k = nil end)
  refused('level 1: k must be a multiple of the 8', function(f) f.levels[1].k = 4 end)
  refused('level 1: k must be a multiple of the 64', function(f)
    f.levels[2] = level(64, {})
  end)
  refused('level 1: k must be a multiple of 8, the chains that a sum may have', function(f)
    f.step.k, f.levels[1].k = 4, 20
  end)
  refused('level 2: k must be a multiple of 8, the chains', function(f)
    f.step.k, f.levels[2] = 4, level(4, {})
  end)
  refused('divides must be a multiple of 8: of a step, and', function(f) f.divides = 4 end)
  refused('divides must be a multiple of 16: of a step, and', function(f)
    f.step.k, f.divides = 16, 8
  end)
  refused('level 1: the field "open" is missing', function(f) f.levels[1].open = nil end)
  refused('level 1: unknown field "line"', function(f) f.levels[1].line = {} end)
  refused('two lines have the plane "nibbles"', function(f)
    f.levels[1].lines[1].plane = 'nibbles'
  end)
  refused('level 1: line 1: plane must be a name of small letters', function(f)
    f.levels[1].lines[1].plane = 'D'
  end)
  refused('level 1: line 1: unknown lane "f64" (did you mean "f16"?)', function(f)
    f.levels[1].lines[1].lane = 'f64'
  end)
  refused('registers must say what value() reads: 0', function(f) f.registers = nil end)
  refused('registers must say what value() reads: 1', function(f) f.levels = {} end)
end

--- What a format says of numbers of its own holds together.
function TestFormats.test_sources()
  local function made(change)
    local format = shape('f15', part(1, { { 'half', 'u16' } }), {}, {
      source = { k = 1, bytes = 2, number = 'u16' }, take = function() return '' end,
      give = function() return '' end, embed = function() return 0 end,
    })
    change(format)
    return pcall(formats.record, 'f15', format)
  end
  unit.assertTrue((made(function() end)))
  local together = 'source, take and give go together'
  for problem, change in pairs {
    [together .. '%f[%W]'] = function(f) f.take = nil end,
    [together] = function(f) f.source = nil end,
    ['neither pack nor numbers of its own'] = function(f)
      f.source, f.take, f.give, f.pack, f.embed = nil, nil, nil, nil, nil
    end,
    ['what is embedded is packed, too'] = function(f) f.pack = nil end,
    ['no whole blocks'] = function(f) f.embed, f.source.k = nil, 2 end,
    ['unknown number "f16" %(did you mean "u16"%?%)'] = function(f) f.source.number = 'f16' end,
    ['at most 256 bytes'] = function(f) f.source.bytes = 258 end,
  } do
    local ok, said = made(change)
    unit.assertFalse(ok, problem)
    unit.assertStrMatches(tostring(said), '.*' .. problem .. '.*')
  end
  for _, name in ipairs { 'bf16', 'f16' } do
    local format = weights.by_name[name]
    unit.assertEquals({ format.source.number, format.trains, format.floats },
      { 'u16', name == 'bf16', false })
  end
end
