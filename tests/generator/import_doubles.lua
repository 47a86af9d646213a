--- What import knows of the numbers and names that ffn-pack takes: doubles that no f32 is, and
--- names that no plan holds, are refused before anything is written, by tensor and by what helps.
local unit = require 'luaunit'
local json = require 'dkjson'
local model_files = require 'model_files'
local support = require 'support'

local doubles = require 'import.doubles'
local limits = require 'import.limits'

local folder

TestImportDoubles = {}

function TestImportDoubles.setUp()
  folder = support.folder()
  support.sh('mkdir', folder .. '/model')
end

local function packed(list)
  local parts = {}
  for i, x in ipairs(list) do parts[i] = string.pack('<d', x) end
  return table.concat(parts)
end

--- Numbers that an f32 is, among them the least, the largest and those that are none.
local function floats(count)
  local own = { 0.0, -0.0, 0x1p-149, -0x1p-126, 0x1.fffffep127, 1 / 0, -1 / 0, 0 / 0, 1.5 }
  local list = {}
  for i = 1, count do list[i] = own[(i - 1) % #own + 1] end
  return list
end

local function import(data, ...)
  support.write(folder .. '/model/model.safetensors', (model_files.text({
    'm.fc1.bias F64 6', 'm.fc1.weight F64 6 4', 'm.fc2.bias F32 4', 'm.fc2.weight F64 4 6' },
    data)))
  return support.ffngen({ 'import', 'model', '--out', 'out', '--spec-only', '--variant', 'relu',
    ... }, { dir = folder })
end

--- The encodings of all matrices and of the first bias.
local function encodings()
  local matrices = json.decode(support.read(folder .. '/out/PLAN.json')).layers[1].matrices
  return { matrices[1].weight.encoding, matrices[1].bias.encoding, matrices[2].weight.encoding }
end

function TestImportDoubles.test_floats()
  for _, option in ipairs { '--json', '--decode' } do
    local result = import({ ['m.fc1.weight'] = packed(floats(24)),
      ['m.fc1.bias'] = packed(floats(6)) }, option)
    support.assert_code(result, 0, option)
    unit.assertEquals(encodings(), { 'f64', 'f64', 'f64' })
    support.assert_lacks(support.read(folder .. '/out/model.lua'), 'rounded', option)
  end
end

--- At each place of a matrix, whichever way it lies, and of a bias.
function TestImportDoubles.test_others()
  local others = { 0.1, 1e-300, 0x1.8p-149, 1 + 0x1p-24, -0x1.0000001p-126 }
  for at = 1, 24, 5 do
    for _, order in ipairs { 'out-in', 'in-out' } do
      local list = floats(24)
      -- Its neighbours are plain: nothing else has them looked at.
      for n = at - 4, at + 4 do list[n] = list[n] and 1.5 end
      list[at] = others[at // 5 + 1]
      local name = order == 'out-in' and 'm.fc1.weight' or 'm.c_fc.weight'
      local lines = order == 'out-in' and { 'm.fc1.weight F64 6 4', 'm.fc2.weight F64 4 6' }
        or { 'm.c_fc.weight F64 4 6', 'm.c_proj.weight F64 6 4' }
      support.write(folder .. '/model/model.safetensors', (model_files.text(lines,
        { [name] = packed(list) })))
      local function run(...)
        return support.ffngen({ 'import', 'model', '--out', 'out', '--spec-only', '--variant',
          'relu', '--order', order, ... }, { dir = folder })
      end
      local row = order == 'out-in' and 4 or 6
      local o, i = (at - 1) // row, (at - 1) % row
      if order == 'in-out' then o, i = i, o end
      local result = run()
      support.assert_code(result, 4, order)
      support.assert_has(result.err, ('"%s": the number of output %d, input %d is %.17g, which is '
        .. 'not an f32: add --decode, which rounds each number once')
          :format(name, o, i, list[at]), order)
      unit.assertFalse(support.exists(folder .. '/out'))
      result = run '--decode'
      support.assert_code(result, 0, order)
      support.sh('rm', '-r', folder .. '/out')
    end
  end
  local bias = floats(6)
  bias[5] = 0.1
  local result = import { ['m.fc1.bias'] = packed(bias) }
  support.assert_code(result, 4, 'bias')
  support.assert_has(result.err, '"m.fc1.bias": the number of output 4 is 0.10000000000000001',
    'bias')
end

--- A plan says which numbers are rounded; the spec and --list say it, too.
function TestImportDoubles.test_rounded()
  local list = floats(24)
  list[7] = 0.1
  local data = { ['m.fc2.weight'] = packed(list) }
  support.assert_code(import(data, '--decode'), 0, 'rounded')
  unit.assertEquals(encodings(), { 'f64', 'f64', doubles.rounded })
  local told = 'weights: numbers of 64 bits, each rounded once to f32 (--decode)'
  support.assert_has(support.read(folder .. '/out/model.lua'), '-- ' .. told, 'rounded')
  support.assert_has(import(data, '--decode', '--list').out, told, 'rounded')
end

--- What is larger than every f32 is nothing that rounding helps, wherever it stands.
function TestImportDoubles.test_beyond()
  for _, value in ipairs { 1e300, -0x1.ffffffp127, 0x1p128 } do
    for _, option in ipairs { '--json', '--decode' } do
      local list = floats(24)
      list[2], list[23] = 0.1, value
      local result = import({ ['m.fc2.weight'] = packed(list) }, option)
      support.assert_code(result, 4, option)
      support.assert_has(result.err, ('"m.fc2.weight": the number of output 3, input 4 is %.17g, '
        .. 'which is larger than every f32'):format(value), option)
    end
  end
end

--- Names that no plan holds; paths, which stand in it, too.
function TestImportDoubles.test_names()
  local function refused(module, words)
    local lines = model_files.behind(module, { 'fc1.weight 6 4', 'fc2.weight 4 6' })
    support.write(folder .. '/model/model.safetensors', (model_files.text(lines)))
    local result = support.ffngen({ 'import', 'model', '--out', 'out', '--spec-only', '--variant',
      'relu' }, { dir = folder })
    support.assert_code(result, 4, words)
    support.assert_has(result.err, words, words)
    unit.assertFalse(support.exists(folder .. '/out'))
  end
  refused('m\\u0000.', 'is no name of at most 4096 bytes of UTF-8 without a zero')
  refused(('m'):rep(limits.name) .. '.', 'bytes')
  -- A folder that is no UTF-8 stands in a plan elsewhere.
  local odd = folder .. '/a\xff'
  support.sh('mkdir', odd)
  support.write(odd .. '/model.safetensors', (model_files.text {
    'm.fc1.weight 6 4', 'm.fc2.weight 4 6' }))
  local function run(out)
    return support.ffngen({ 'import', odd .. '/model.safetensors', '--out', out, '--spec-only',
      '--variant', 'relu' }, { dir = folder })
  end
  local result = run 'out'
  support.assert_code(result, 4, 'a path')
  support.assert_has(result.err, 'without a zero, as plans have them: move the model', 'a path')
  unit.assertFalse(support.exists(folder .. '/out'))
  support.assert_code(run(odd .. '/out'), 4, 'a path that is not under the plan\'s folder')
  support.assert_code(run(odd), 0, 'a path that is')
  unit.assertTrue(json.decode(support.read(odd .. '/PLAN.json')) ~= nil)
end

--- One set of limits: what ffn-pack is compiled with is made of import's.
function TestImportDoubles.test_limits()
  local result = support.ffngen({ 'packaging', '--out', 'made' }, { dir = folder })
  support.assert_code(result, 0, 'packaging')
  local text = support.read(folder .. '/made/plan_limits.h')
  for _, name in ipairs { 'text', 'size', 'bytes', 'name', 'index', 'read' } do
    support.assert_has(text, ('#define PLAN_MOST_%s UINT64_C(%d)\n'):format(name:upper(),
      limits[name]), name)
  end
  -- And nothing in C says another one.
  for _, source in ipairs { 'plan.c', 'plan_fields.c', 'plan_numbers.c', 'plan.h' } do
    local own = support.read(support.project .. '/runtime/pack/' .. source)
    unit.assertNil(own:find '#define PLAN_MOST', source)
    unit.assertNil(own:find '4096', source)
  end
end
