--- `ffngen import config.json --spec-only`: the spec of a model whose tensors are not there is that
--- of the same model with tensors, but for what only these could tell.
local lists = require 'common.list'
local json = require 'dkjson'
local support = require 'support'
local unit = require 'luaunit'

TestImportAlone = {}

local models = support.root .. '/tests/data/import/hf/'

--- A folder with a config.json alone.
local function folder_of(text)
  local folder = support.folder()
  support.sh('mkdir', folder .. '/m')
  support.write(folder .. '/m/config.json', text)
  return folder
end

--- The config.json of a model with other values; false takes a key away.
local function config(name, changes)
  local data = json.decode(support.read(models .. name .. '/config.json'))
  for key, value in pairs(changes or {}) do data[key] = value or nil end
  return json.encode(data)
end

local function import(folder, path, ...)
  return support.ffngen({ 'import', path, '--out', 'out', ... }, { dir = folder })
end

--- A spec without its comments, and its layers' lines about what is the host's.
local function parts_of(text)
  local fields, around = {}, {}
  for line in text:gmatch '[^\n]+' do
    if line:find '^%-%-%- The host' then around[#around + 1] = line end
    if not line:find '^ *%-%-' then fields[#fields + 1] = line end
  end
  return table.concat(fields, '\n'), around
end

--- The models of the fixtures that have tensors, without them; in quick form some.
function TestImportAlone.test_as_with_tensors()
  local names, count = {}, 0
  -- They have a norm, an adapter or scales that only their tensors tell.
  local by_tensors = lists.set { 'falcon', 'falcon_new', 'falcon_old', 'wav2vec2_stable',
    'data2vec_vision' }
  for _, path in ipairs(support.keys(support.snapshot(models))) do
    names[#names + 1] = path:match '^([%w_]+)/model%.safetensors$'
  end
  for i, name in ipairs(names) do
    local is_wanted = support.full or i % 4 == 0 or name == 'falcon' or name == 'clip'
    if name ~= 'bitnet' and is_wanted then
      local folder = folder_of(support.read(models .. name .. '/config.json'))
      support.assert_code(import(folder, models .. name, '--spec-only'), 0, name)
      local wanted, wanted_around = parts_of(support.read(folder .. '/out/model.lua'))
      support.assert_code(import(folder, 'm/config.json', '--spec-only'), 0, name)
      local fields, around = parts_of(support.read(folder .. '/out/model.lua'))
      unit.assertEquals(fields, wanted, name)
      unit.assertFalse(support.exists(folder .. '/out/PLAN.json'), name)
      count = count + 1
      unit.assertEquals(#around ~= #wanted_around, by_tensors[name] or false, name)
    end
  end
  unit.assertTrue(count >= (support.full and 60 or 14), count)
end

--- What is named that only tensors could tell; the next command is that of generate.
function TestImportAlone.test_told()
  local folder = folder_of(config('llama', { dtype = 'bfloat16' }))
  local result = import(folder, 'm', '--spec-only')
  support.assert_code(result, 0, 'a folder')
  local told = {
    'the format in which the tensors are stored: here bf16 (dtype is "bfloat16")',
    'whether each layer has the tensors of its rule, in these shapes, and no others',
  }
  for _, text in ipairs(told) do
    support.assert_has(result.err, 'config.json alone does not tell ' .. text, 'stderr')
    support.assert_has(support.read(folder .. '/out/model.lua'), '\n-- ' .. text .. '\n', 'spec')
  end
  support.assert_has(result.err,
    '2 layers, of 1 kind; what is left to the host: only the tensors can tell\n', 'summary')
  unit.assertEquals(result.out, 'ffngen generate out/model.lua --out out/kernels\n')
  support.assert_has(support.read(folder .. '/out/model.lua'),
    "  -- weights: dtype is \"bfloat16\"; only the tensors can tell\n  weights = 'bf16',\n", 'spec')
  local said = json.decode(import(folder, 'm', '--spec-only', '--json').out)
  unit.assertEquals(said.undecided, told)
  unit.assertEquals(#said.layers, 2)
  unit.assertEquals(said.layers[2].at, 'model.layers.1.mlp')
  unit.assertEquals(#said.files, 1)
end

--- More that only tensors could tell: norms and halves of a model that some files have.
function TestImportAlone.test_told_of_families()
  for name, text in pairs {
    falcon = 'whether the model has ', t5 = 'whether the model has the layers decoder.block.*',
    apertus = 'the learned numbers of the activation',
  } do
    local folder = folder_of(config(name))
    local result = import(folder, 'm', '--spec-only')
    support.assert_code(result, 0, name)
    support.assert_has(result.err, 'config.json alone does not tell ' .. text, name)
  end
end

--- The type that a config says, at its own place or in the part that tells of the layers.
function TestImportAlone.test_types()
  for _, case in ipairs {
    { { dtype = false, torch_dtype = 'float16' }, "  weights = 'f16'," },
    { { dtype = 'torch.bfloat16' }, "  weights = 'bf16'," },
    { { dtype = 'float64' }, '-- weights: dtype is "float64"' },
  } do
    local folder = folder_of(config('llama', case[1]))
    support.assert_code(import(folder, 'm', '--spec-only'), 0, case[2])
    support.assert_has(support.read(folder .. '/out/model.lua'), case[2], 'a type')
  end
  local nested = json.decode(support.read(models .. 'gemma3/config.json'))
  nested.dtype, nested.torch_dtype, nested.text_config.dtype = nil, nil, 'float16'
  local folder = folder_of(json.encode(nested))
  support.assert_code(import(folder, 'm', '--spec-only'), 0, 'nested')
  support.assert_has(support.read(folder .. '/out/model.lua'),
    '-- weights: text_config.dtype is "float16"', 'nested')
end

--- A format that is asked for: what the config says of types is not needed, and else encoded.
function TestImportAlone.test_formats_asked_for()
  local sizes = { hidden_size = 256, intermediate_size = 512 }
  for _, case in ipairs {
    { false, 'q4_0', "'q4_0'" }, { 'bfloat16', 'q4_0', "'q4_0'" },
    { false, 'up=q4_K,down=q8_0', "{ down = 'q8_0', gate = 'q4_K', up = 'q4_K' }" },
    { 'float16', 'up=i8', "{ down = 'f16', gate = 'i8', up = 'i8' }" },
  } do
    sizes.dtype = case[1]
    local folder = folder_of(config('llama', sizes))
    support.assert_code(import(folder, 'm', '--spec-only', '--weights', case[2]), 0, case[2])
    support.assert_has(support.read(folder .. '/out/model.lua'), ('  weights = %s,\n'):format(
      case[3]), case[2])
  end
end

--- A plan of tensors that were there before is taken away: it would be of another spec.
function TestImportAlone.test_stale_plan()
  local folder = folder_of(config 'llama')
  support.assert_code(import(folder, models .. 'llama', '--spec-only'), 0, 'with tensors')
  unit.assertTrue(support.exists(folder .. '/out/PLAN.json'))
  support.assert_code(import(folder, 'm', '--spec-only'), 0, 'alone')
  unit.assertFalse(support.exists(folder .. '/out/PLAN.json'))
  support.write(folder .. '/out/PLAN.json', '{}')
  support.assert_code(import(folder, 'm', '--spec-only'), 0, "somebody's own")
  unit.assertTrue(support.exists(folder .. '/out/PLAN.json'))
end

function TestImportAlone.test_refused()
  local gptq = { quant_method = 'gptq', bits = 4, group_size = 32 }
  for _, case in ipairs {
    { {}, {}, 4, '`ffngen import --spec-only` writes the spec from this file alone' },
    { {}, { '--spec-only', '--decode' }, 2, 'leave out --decode: it is about the numbers of '
      .. 'tensors, and m/config.json is alone' },
    { {}, { '--spec-only', '--float-activations' }, 2, 'leave out --float-activations' },
    { {}, { '--spec-only', '--leave', 'x.weight' }, 4, 'no key "x.weight", and no tensor is '
      .. 'there: leave out the name' },
    { { dtype = false }, { '--spec-only' }, 4, 'config.json does not tell the format of gate: '
      .. 'add --weights, such as --weights f32, or put the .safetensors files beside' },
    { { dtype = false }, { '--spec-only', '--weights', 'down=f32' }, 4, 'the format of gate' },
    { { dtype = false }, { '--spec-only', '--weights', 'q4_0' }, 4, 'gate has 8 inputs' },
    { {}, { '--spec-only', '--weights', 'q5_K' }, 4, 'no encoder makes q5_K of floats' },
    { { dtype = 'int8' }, { '--spec-only' }, 4, 'dtype is "int8", and must be float32, bfloat16' },
    { { quantization_config = gptq }, { '--spec-only' }, 4, 'quantization_config is gptq, ' },
    { {}, { '--spec-only', '--node', 'model.layers.7.mlp' }, 4, 'has no layer' },
  } do
    local folder = folder_of(config('llama', case[1]))
    local result = import(folder, 'm', table.unpack(case[2]))
    support.assert_code(result, case[3], case[4])
    support.assert_has(result.err, case[4], case[4])
    unit.assertFalse(support.exists(folder .. '/out'), case[4])
  end
  local sizes = { hidden_size = 64, intermediate_size = 96, quantization_config = gptq }
  local folder = folder_of(config('llama', sizes))
  -- A file may hold what no encoder makes.
  for _, words in ipairs { 'u4g32', 'q5_0' } do
    support.assert_code(import(folder, 'm', '--spec-only', '--weights', words), 0, words)
    local text = support.read(folder .. '/out/model.lua')
    support.assert_has(text, ("  weights = '%s',\n"):format(words), words)
    support.assert_has(text, '\n-- the format in which the tensors are stored: here that of '
      .. '--weights (quantization_config is gptq)\n', words)
  end
  folder = folder_of(config('llama', { quantization_config = gptq }))
  support.assert_code(import(folder, 'm', '--spec-only', '--leave', 'quantization_config'), 0,
    'told to be plain')
end
