--- What maps packed weights, in generated and vendored folders, and what a plan says of a kernel.
local unit = require 'luaunit'
local support = require 'support'
local emit = require 'emit.emit'
local isas = require 'isa'
local lists = require 'common.list'
local naming = require 'emit.naming'
local packed = require 'plan.packed'
local pipeline = require 'pipeline'
local plan = require 'plan.plan'
local scaled_rows = require 'import.scaled_rows'
local weights = require 'weights'

TestPackedFiles = {}

local layer = "ffn 'my_layer' { variant = 'swiglu', d_model = 24, d_ff = 64, bias = true }\n"

--- What a kernel's own C says of its packed weights is what a plan says: of awkward layers, those
--- of f32 each third.
function TestPackedFiles.test_plan_is_what_kernels_say()
  local seen = 0
  for _, file in ipairs { 'awkward', 'outputs' } do
    local specs = pipeline.read { ('%s/tests/specs/%s.lua'):format(support.root, file) }
    for _, wanted in ipairs(lists.filter(pipeline.lower(specs, { 'c' }), function(w)
      return not w.layer.packed:find '_f32$' or #w.layer.packed % 3 == 0
    end)) do
      local kernel = packed.of(wanted.layer)
      local text = emit.kernel(support.root .. '/', plan.plan(wanted.layer, isas.by_name.c),
        naming.of_file '').sizes
      local function says(name, value)
        support.assert_has(text, ('%s = %d'):format(name, value), kernel.packed)
      end
      says('WEIGHT_BYTES', kernel.packed_bytes)
      for _, stage in ipairs(kernel.stages) do
        local N = stage.name:upper()
        says(N .. '_INPUTS', stage.inputs)
        says(N .. '_OUTPUTS', stage.outputs)
        says(N .. '_WIDTH', stage.width)
        says(N .. '_AT', stage.at)
        if stage.bias then says(N .. '_BIAS_AT', stage.bias_at) end
      end
      seen = seen + 1
    end
  end
  unit.assertTrue(seen > 30)
end

--- The sizes of a kernel of several outputs, which all take x, and of one that takes parameters.
function TestPackedFiles.test_records()
  local folder = support.user_folder [[
linear 'several' { d_model = 8, d_out = { q = 8, k = 4 }, weights = 'bf16' }
ffn 'with_beta' { variant = 'swiglu_beta', d_model = 8, d_ff = 20, bias = true }
]]
  local kernels = lists.map(pipeline.lower(pipeline.read { folder .. '/my.lua' }, { 'c' }),
    function(wanted) return packed.of(wanted.layer) end)
  local beta, several = kernels[1], kernels[2]
  unit.assertEquals({ several.kind, several.inputs, several.hidden, several.outputs },
    { 'linear', 8, 0, 12 })
  unit.assertEquals(lists.map(several.stages, function(s) return s.outputs end), { 4, 8 })
  unit.assertEquals(several.stages[2].matrices, { 'chain' })
  unit.assertEquals({ beta.parameters, beta.hidden, #beta.stages[1].matrices }, { 1, 20, 2 })
  unit.assertEquals(beta.stages[1].matrices, { 'gate', 'up' })
  unit.assertTrue(beta.stages[1].bias)
  for _, field in ipairs(packed.fields) do unit.assertNotNil(beta[field], field) end
  for _, field in ipairs(packed.stage_fields(beta.stages[1])) do
    unit.assertNotNil(beta.stages[1][field], field)
  end
end

--- ffn-pack has the functions of every format.
function TestPackedFiles.test_all_packings()
  local folder = support.folder()
  support.assert_code(support.ffngen({ 'packaging', '--out', 'made' }, { dir = folder }), 0, 'made')
  local text = support.read(folder .. '/made/packings.inc')
  for _, name in ipairs(weights.names) do
    support.assert_has(text, ('FFN_PACKING(%s, %s)\n'):format(name:upper(), name), name)
    unit.assertNotNil(text:find(('ffn_packing%%s+packing_%s%%s+='):format(name)), name)
  end
end

--- And what import/scaled.lua says of scales in arrays of their own, whole.
function TestPackedFiles.test_scaled_rows()
  local text = scaled_rows.text()
  for _, row in ipairs {
    'UNIT(u4_out8, 1, 8, 4, 1)', 'UNIT(e2m1_in2, 2, 1, 1, 0)', 'SCALE(i8, bf16)', 'ZERO(u8, u8)',
    'HELD(u4g64_bf16, u4_in8, 64, bf16, 1)', 'HELD(f8_e4m3_row, e4m3, 0, f16, 0)',
    'HELD(i8, i8, 0, f32, 0)', 'HELD(i8z, i8, 0, f32, 1)', 'HELD(i8z, u8, 0, f32, 0)',
  } do
    support.assert_has(text, 'FFN_PACK_' .. row .. '\n', row)
  end
  for _, row in ipairs { 'SCALE(e2m1_in2, f16)', 'ZERO(e4m3, e4m3)', 'ZERO(i8, u8)' } do
    support.assert_lacks(text, row, row)
  end
end

function TestPackedFiles.test_vendor()
  local folder = support.user_folder(layer)
  local shapes = {
    { {}, { 'my_file.c', 'my_file.h' } }, { { '--single-file' }, { 'my_file.h' } },
    { { '--header-only' }, {} },
  }
  for _, shape in ipairs(shapes) do
    support.sh('rm -rf', folder .. '/out')
    local made = support.vendor(folder, '--file', '--isa', 'c', '--prefix', 'my',
      table.unpack(shape[1]))
    local own = lists.filter(support.keys(made), function(path)
      return path:find '_file%.' ~= nil
    end)
    unit.assertEquals(own, shape[2])
    local all = {}
    for _, path in ipairs(support.keys(made)) do
      all[#all + 1] = made[path]
      -- Its own words have the prefix of the folder.
      support.assert_lacks(made[path], 'ffn_file', path)
      support.assert_lacks(made[path], 'ffn_xxh64', path)
    end
    support.assert_has(table.concat(all), 'my_file_status my_file_open(my_file *file,', 'open()')
    support.assert_has(made['README.md'], '--file', 'the command')
    support.assert_has(made['README.md'], '`my_file.h` maps', 'its page')
  end
  support.sh('rm -rf', folder .. '/out')
  for path, text in pairs(support.vendor(folder, '--isa', 'c', '--prefix', 'my')) do
    support.assert_lacks(text, 'my_file_', path)
  end
end

function TestPackedFiles.test_no_file_without_a_system()
  local folder = support.user_folder(layer)
  local result = support.ffngen(
    { 'vendor', 'my.lua', '--out', 'out', '--file', '--freestanding' }, { dir = folder })
  support.assert_code(result, 2, '--freestanding')
  support.assert_has(result.err, '--freestanding has none', '--freestanding')
end

--- A generated folder has it where it is asked for, and loses it where it is not.
function TestPackedFiles.test_generate()
  local folder = support.user_folder(layer)
  local words = { 'generate', 'my.lua', '--out', 'out', '--isa', 'c' }
  local function made(...)
    support.assert_code(support.ffngen(lists.append({ table.unpack(words) }, { ... }),
      { dir = folder }), 0, 'generate')
    return support.snapshot(folder .. '/out')
  end
  local with = made '--file'
  unit.assertNotNil(with['ffn_file.c'])
  unit.assertNotNil(with['ffn_file.h'])
  for path, text in pairs(with) do
    if path:find '^ffn_swiglu' then support.assert_has(text, '--file', path) end
  end
  support.write(folder .. '/out/ffn_file.hpp', 'mine')
  local without = made()
  unit.assertNil(without['ffn_file.c'])
  unit.assertNil(without['ffn_file.h'])
  unit.assertEquals(without['ffn_file.hpp'], 'mine')
end
