--- `ffngen import --weights`: which matrices get another format than the file's, what the plan says
--- of it, and what is refused.
local gguf_file = require 'gguf_file'
local json = require 'dkjson'
local support = require 'support'
local unit = require 'luaunit'

TestImportWeights = {}

--- A folder with a model of blocks whose gate and up are of one type, and down of another.
local function model(types, d, f)
  local folder = support.folder()
  support.write(folder .. '/m.gguf', (gguf_file.text(gguf_file.typed(types, d, f))))
  return folder
end

local function import(folder, ...)
  return support.ffngen({ 'import', 'm.gguf', '--out', 'out', '--spec-only', ... },
    { dir = folder })
end

--- What a plan says of a layer: the formats of its stages, and what each matrix is in the file.
local function said(folder, layer)
  local plan = json.decode(support.read(folder .. '/out/PLAN.json'))
  local own, formats, encodings = plan.layers[layer], {}, {}
  for i, stage in ipairs(plan.kernels[own.kernel + 1].stages) do formats[i] = stage.format end
  for i, m in ipairs(own.matrices) do encodings[i] = m.weight.encoding end
  return table.concat(formats, ' ') .. ': ' .. table.concat(encodings, ' ')
end

function TestImportWeights.test_formats()
  for _, case in ipairs {
    { 'q4_0', "'q4_0'", 'q4_0 q4_0: f32 f32 bf16' },
    { 'up=q4_K,down=q8_0', "{ down = 'q8_0', gate = 'q4_K', up = 'q4_K' }",
      'q4_K q8_0: f32 f32 bf16' },
    { 'up=q4_0', "{ down = 'bf16', gate = 'q4_0', up = 'q4_0' }", 'q4_0 bf16: f32 f32 bf16' },
    { 'down=f8_e4m3', "{ down = 'f8_e4m3', gate = 'f32', up = 'f32' }",
      'f32 f8_e4m3: f32 f32 bf16' },
    { 'u4g64', "'u4g64'", 'u4g64 u4g64: f32 f32 bf16' },
    { 'bf16', "'bf16'", 'bf16 bf16: f32 f32 bf16' },
  } do
    local folder = model({ { 'F32', 'BF16' } }, 256, 64)
    support.assert_code(import(folder, '--weights', case[1]), 0, case[1])
    support.assert_has(support.read(folder .. '/out/model.lua'),
      ('\n  weights = %s,\n'):format(case[2]), case[1])
    unit.assertEquals(said(folder, 1), case[3])
  end
end

--- The reason stands in the spec and in lists; of what the file has already nothing is said.
function TestImportWeights.test_told()
  local folder = model { { 'F32', 'BF16' }, { 'F32', 'Q4_0' } }
  local result = import(folder, '--weights', 'q4_0')
  support.assert_code(result, 0, 'import')
  local text = support.read(folder .. '/out/model.lua')
  support.assert_has(text,
    '  -- weights: gate is f32, packed as q4_0, up is f32, packed as q4_0', 'spec')
  local listed = import(folder, '--weights', 'q4_0', '--list').out
  support.assert_has(listed, 'weights: gate is f32, packed as q4_0, up is f32, packed as q4_0, '
    .. 'down is bf16, packed as q4_0 (--weights)', 'list')
  unit.assertEquals(said(folder, 2), 'q4_0 q4_0: f32 f32 q4_0')
  result = support.ffngen { 'import', support.root .. '/tests/data/import/packed/origin_gptq',
    '--list', '--weights', 'u4g32' }
  support.assert_code(result, 0, 'nothing to do')
  support.assert_lacks(result.out, '--weights', 'nothing to do')
  folder = model { { 'Q4_0', 'Q4_0' } }
  support.assert_code(import(folder, '--weights', 'q4_0'), 0, 'nothing to do')
  support.assert_lacks(support.read(folder .. '/out/model.lua'), '--weights', 'spec')
end

--- An arithmetic multiplies the formats that are asked for.
function TestImportWeights.test_with_an_arithmetic()
  local folder = model { { 'F32', 'F16' } }
  support.assert_code(import(folder, '--arithmetic', 'dot_s8'), 4, 'floats')
  support.assert_code(import(folder, '--arithmetic', 'dot_s8', '--weights', 'q8_0'), 0, 'q8_0')
  support.assert_has(support.read(folder .. '/out/model.lua'),
    "  weights = 'q8_0',\n  arithmetic = 'dot_s8',\n", 'spec')
end

function TestImportWeights.test_refused()
  for _, case in ipairs {
    { { 'F32', 'F32' }, 'q5_K', 4, 'no encoder makes q5_K of floats; there is one for f32, bf16, '
      .. 'f16, i8, i8z, q8_0, q4_0, ' },
    { { 'F32', 'F32' }, 'q4_K', 4, 'gate has 64 inputs, and q4_K has groups of 256 inputs; these '
      .. 'formats fit: f32, bf16, f16, i8, i8z, q8_0, q4_0, u4g32, ' },
    { { 'F32', 'F32' }, 'up=q8_0,down=u4g64', 4, 'down has 96 inputs, and u4g64 has groups of 64' },
    { { 'Q8_0', 'F32' }, 'q4_0', 4, '"blk.0.ffn_gate.weight" is quantised already, as q8_0: leave '
      .. 'out --weights, or import the model in f32, bf16 or f16' },
    { { 'Q8_0', 'Q8_0' }, 'down=f32', 4, '"blk.0.ffn_down.weight" is quantised already' },
    { { 'F32', 'F32' }, 'q4', 2, 'unknown format "q4" (choose from: f32, bf16, ' },
    { { 'F32', 'F32' }, 'gate=q4_0', 2, '"gate" has the word of "up"' },
  } do
    local folder = model { case[1] }
    local result = import(folder, '--weights', case[2])
    support.assert_code(result, case[3], case[2])
    support.assert_has(result.err, case[4], case[2])
    unit.assertFalse(support.exists(folder .. '/out'), case[2])
  end
  local data = support.root .. '/tests/data/import/'
  for _, case in ipairs {
    { 'packed/origin_gptq', 'f32', 'is quantised already, as u4_in8' },
    { 'onnx/batch_norm.onnx', 'bf16', 'a BatchNormalization is folded into "' },
    { 'onnx/mlp_dynamo.onnx', 'down=bf16', 'no layer has a matrix down: write one word for all '
      .. 'matrices, --weights bf16' },
  } do
    local result = support.ffngen { 'import', data .. case[1], '--list', '--weights', case[2] }
    support.assert_code(result, 4, case[1])
    support.assert_has(result.err, case[3], case[1])
  end
end
