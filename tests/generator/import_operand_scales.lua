--- Models of Hugging Face that round what their modules multiply by a scale of each
--- (compressed-tensors, W8A8): kernels with operand_scales = 'static' do the same. What is rounded
--- otherwise is refused, with the reason.
local found_records = require 'import.found'
local groups = require 'import.groups'
local huggingface = require 'import.readers.huggingface'
local json = require 'dkjson'
local model_files = require 'model_files'
local plan_text = require 'import.plan_text'
local refusal = require 'refusal'
local support = require 'support'
local unit = require 'luaunit'

TestImportScales = {}

local d, f = 64, 32
local mlp = 'model.layers.0.mlp.'

local function merged(list, changes)
  local result = {}
  for key, value in pairs(list) do result[key] = value end
  for key, value in pairs(changes or {}) do result[key] = value end
  return result
end

--- A Llama of one layer in bytes. Its config says how x and h are rounded ahead, and modules have
--- scales of that.
---@param activations table  what is other than usual
---@param scales number[]    of gate, up and down, as far as they have some
---@param changes table|nil  tensors, by what is behind the layer's module
local function written(activations, scales, changes)
  local at, tensors = support.folder(), {}
  local group = { targets = { 'Linear' }, weights = { num_bits = 8, strategy = 'channel' } }
  group.input_activations = merged({ num_bits = 8, type = 'int', symmetric = true, dynamic = false,
    strategy = 'tensor', group_size = json.null, block_structure = json.null, observer = 'minmax',
    observer_kwargs = {}, actorder = json.null }, activations)
  support.write(at .. '/config.json', json.encode { model_type = 'llama', hidden_size = d,
    intermediate_size = f, num_hidden_layers = 1, hidden_act = 'silu', rms_norm_eps = 1e-6,
    quantization_config = { quant_method = 'compressed-tensors', format = 'int-quantized',
      ignore = { 'lm_head' }, config_groups = { group_0 = group } } })
  for i, name in ipairs { 'gate_proj', 'up_proj', 'down_proj' } do
    local outputs, inputs = i < 3 and f or d, i < 3 and d or f
    tensors[mlp .. name .. '.weight'] = { 'I8', 1, { outputs, inputs } }
    tensors[mlp .. name .. '.weight_scale'] = { 'F32', 4, { outputs, 1 } }
    if scales[i] then
      tensors[mlp .. name .. '.input_scale'] = { 'F32', 4, { 1 }, string.pack('<f', scales[i]) }
    end
  end
  tensors['model.layers.0.post_attention_layernorm.weight'] = { 'F16', 2, { d } }
  for name, tensor in pairs(changes or {}) do tensors[mlp .. name] = tensor end
  model_files.store(at .. '/model.safetensors', tensors)
  return at
end

local function read(at, options)
  return found_records.of(huggingface.read(at, options or { leave = {} }))
end

--- Scales of what modules multiply are those of kernels: of gate and up one.
function TestImportScales.test_read()
  local found = read(written({}, { 0.5, 0.5, 0.25 }, {
    ['down_proj.input_scale'] = { 'BF16', 2, {}, '\x80\x3e' },
    ['up_proj.input_zero_point'] = { 'I8', 1, { 1 }, '\0' } }))
  local scales = {}
  for i, m in ipairs(found.layers[1].matrices) do scales[i] = m.operand_scale end
  unit.assertEquals(scales, { 0.5, 0.5, 0.25 })
  local named = groups.of(found)
  support.assert_has(named.text, "  arithmetic = 'dot_s8',\n")
  support.assert_has(named.text, "  operand_scales = 'static',\n")
  support.assert_has(named.text:gsub('\n *%-%-', ''), 'operand_scales: the origin rounds x and h '
    .. 'before each product to 8 bits, by a scale of the model (input_scale), and so do the '
    .. 'kernels; what lies below -127.5 times the scale is -128 there, and -127 here')
  support.assert_has(plan_text.of(found, named, '/', '/'), '"operand_scales":[0.5,0.25],"matrices"')
  -- The scales are a part of what was read: another file is told by them.
  local function hashes(scale)
    local parts = {}
    for i, file in ipairs(read(written({}, { 0.5, 0.5, scale })).files) do parts[i] = file.xxh64 end
    return table.concat(parts, ' ')
  end
  unit.assertNotEquals(hashes(0.125), hashes(0.25))
  -- Where x stays f32 they are not read.
  found = read(written({}, { 0.5, 0.25, 0.0 }), { leave = {}, float_activations = true })
  unit.assertFalse(found.layers[1].matrices[1].operand_scale)
  unit.assertNil(groups.of(found).text:find('operand_scales', 1, true))
end

--- What is missing, wrong, or rounded otherwise.
function TestImportScales.test_refused()
  for _, case in ipairs {
    { {}, { 0.5, 0.5 }, 'there is no tensor "' .. mlp .. 'down_proj.input_scale", by which' },
    { {}, { 0.5, 0.5, 0x1p-101 }, 'down_proj.weight" multiplies: its scale is 3.94430453e-31' },
    { {}, { 0.5, 0.5, -0.5 }, 'its scale is -0.5, and the scale of an operand is finite and at' },
    { {}, { 0.5, 0.5, 1 / 0 }, 'down_proj.input_scale" is inf: no scale of an operand' },
    { {}, { 0.5, 0.5, 0.5 }, 'up_proj.input_zero_point" is not 0, and kernels round without a zero',
      { ['up_proj.input_zero_point'] = { 'I8', 1, { 1 }, '\1' } } },
    { {}, { 0.5, 0.5, 0.5 }, 'input_scale" is not a single number in F32, BF16 or F16',
      { ['up_proj.input_scale'] = { 'F32', 4, { 2 } } } },
    { { num_bits = 4 }, {}, 'a static scale would keep it, but quantization_config.config_groups.'
      .. 'group_0.input_activations.num_bits is 4' },
    { { type = 'float' }, {}, 'input_activations.type is "float"' },
    { { symmetric = false }, {}, 'input_activations.symmetric is false' },
    { { dynamic = true, strategy = 'token' }, {}, 'input_activations.dynamic is true' },
    { { strategy = 'token' }, {}, 'input_activations.strategy is "token"' },
    { { group_size = 32 }, {}, 'input_activations.group_size is 32' },
    { { strange = 1 }, { 0.5, 0.5, 0.5 }, 'input_activations.strange" is a key that no rule' },
  } do
    support.assert_has(refusal.of(case[3], read, written(case[1], case[2], case[4])), case[3])
  end
  local text = refusal.of('gate and up', function()
    groups.of(read(written({}, { 0.5, 0.25, 0.5 })))
  end)
  support.assert_has(text, 'gate_proj.weight" and "' .. mlp .. 'up_proj.weight" multiply one x, '
    .. 'which is rounded by one scale; of these it is 0.5 and 0.25')
end
