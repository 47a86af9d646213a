--- Models of Hugging Face whose rows are packed: where the arrays of each scheme lie, what a config
--- and tensors have to say, and what is refused, by its name. That ffn-pack makes of them what they
--- mean is a matter of tests/scripts/import_packed.sh.
local exceptions = require 'import.quantized.exceptions'
local found_records = require 'import.found'
local groups = require 'import.groups'
local harmless = require 'import.quantized.harmless'
local huggingface = require 'import.readers.huggingface'
local json = require 'dkjson'
local model_files = require 'model_files'
local plan_text = require 'import.plan_text'
local quantized = require 'import.quantized'
local refusal = require 'refusal'
local support = require 'support'
local unit = require 'luaunit'

TestImportPacked = {}

local gone = {}

--- The tensors of a module by scheme: { tail = { dtype, bytes, shape } } of outputs and inputs.
local modules = {}

function modules.gptq(o, i)
  return { ['.qweight'] = { 'I32', 4, { i // 8, o } },
    ['.qzeros'] = { 'I32', 4, { i // 32, o // 8 } }, ['.scales'] = { 'F16', 2, { i // 32, o } },
    ['.g_idx'] = { 'I32', 4, { i } } }
end

function modules.awq(o, i)
  return { ['.qweight'] = { 'I32', 4, { i, o // 8 } },
    ['.qzeros'] = { 'I32', 4, { i // 32, o // 8 } }, ['.scales'] = { 'F16', 2, { i // 32, o } } }
end

function modules.pack(o, i)
  return { ['.weight_packed'] = { 'I32', 4, { o, i // 8 } },
    ['.weight_scale'] = { 'BF16', 2, { o, i // 32 } },
    ['.weight_shape'] = { 'I64', 8, { 2 }, string.pack('<i8i8', o, i) } }
end

function modules.bytes(o, i)
  return { ['.weight'] = { 'I8', 1, { o, i } }, ['.weight_scale'] = { 'F32', 4, { o, 1 } } }
end

function modules.fp8(o, i)
  return { ['.weight'] = { 'F8_E4M3', 1, { o, i } },
    ['.weight_scale_inv'] = { 'F32', 4, { (o + 127) // 128, (i + 127) // 128 } } }
end

function modules.fbgemm(o, i)
  return { ['.weight'] = { 'F8_E4M3', 1, { o, i } }, ['.weight_scale'] = { 'F32', 4, { o, 1 } } }
end

function modules.dense(o, i) return { ['.weight'] = { 'F16', 2, { o, i } } } end

local function compressed(format, weights, changes)
  local own = { num_bits = 8, type = 'int', symmetric = true, dynamic = false, observer = 'minmax' }
  for key, value in pairs(weights) do own[key] = value end
  local result = { quant_method = 'compressed-tensors', format = format, ignore = { 'lm_head' },
    config_groups = { group_0 = { weights = own, targets = { 'Linear' } } } }
  for key, value in pairs(changes or {}) do result[key] = value end
  return result
end

local nibbles = { num_bits = 4, strategy = 'group', group_size = 32 }
local configs = {
  gptq = { quant_method = 'gptq', bits = 4, group_size = 32, desc_act = false },
  awq = { quant_method = 'awq', bits = 4, group_size = 32, version = 'gemm', zero_point = true },
  round = { quant_method = 'auto-round', bits = 4, group_size = 32,
    packing_format = 'auto_round:auto_gptq' },
  pack = compressed('pack-quantized', nibbles),
  bytes = compressed('int-quantized', { strategy = 'channel' }),
  fp8 = { quant_method = 'fp8', weight_block_size = { 128, 128 } },
  fbgemm = { quant_method = 'fbgemm_fp8' },
}
local scheme_of = { round = 'gptq' }
local d, f = 64, 32

local mlp = 'model.layers.0.mlp.'

local function merged(list, changes)
  local result = {}
  for key, value in pairs(list) do result[key] = value end
  for key, value in pairs(changes or {}) do
    if value == gone then result[key] = nil else result[key] = value end
  end
  return result
end

--- A Llama of one layer, or a Phi 3, whose gate and up are one matrix.
---@param config table   of `quantization_config`
---@param module fun(o: integer, i: integer): table
---@param changes table|nil  of tensors, by what is behind the layer's module
---@param model table|nil    of the config
local function written(config, module, changes, model)
  local at, tensors = support.folder(), {}
  local told = merged({ model_type = 'llama', hidden_size = d, intermediate_size = f,
    num_hidden_layers = 1, hidden_act = 'silu', rms_norm_eps = 1e-6, quantization_config = config },
    model)
  local function add(name, o, i)
    for tail, tensor in pairs(module(o, i)) do tensors[mlp .. name .. tail] = tensor end
  end
  if told.model_type == 'phi3' then
    add('gate_up_proj', 2 * told.intermediate_size, d)
  else
    add('gate_proj', told.intermediate_size, d)
    add('up_proj', told.intermediate_size, d)
  end
  add('down_proj', d, told.intermediate_size)
  tensors['model.layers.0.post_attention_layernorm.weight'] = { 'F16', 2, { d } }
  for name, tensor in pairs(changes or {}) do
    tensors[mlp .. name] = tensor ~= gone and tensor or nil
  end
  support.write(at .. '/config.json', json.encode(told))
  model_files.store(at .. '/model.safetensors', tensors)
  return at
end

local both = { leave = {}, decode = true, float_activations = true }

local function read(at, options)
  return found_records.of(huggingface.read(at, options or both))
end

--- Whether a model is refused with these words.
local function refused(at, words, options)
  local text = refusal.of(words[1], read, at, options or { leave = {} })
  for _, word in ipairs(words) do support.assert_has(text, word, word) end
end

--- Models of all schemes, and the formats that hold them.
function TestImportPacked.test_formats()
  local count = 0
  for name, formats in pairs {
    gptq = 'u4g32 u4g32 u4g32', awq = 'u4g32 u4g32 u4g32', round = 'u4g32 u4g32 u4g32',
    pack = 'u4g32_bf16 u4g32_bf16 u4g32_bf16', bytes = 'i8 i8 i8',
    fp8 = 'f8_e4m3 f8_e4m3 f8_e4m3', fbgemm = 'f8_e4m3_row f8_e4m3_row f8_e4m3_row',
  } do
    local found = read(written(configs[name], modules[scheme_of[name] or name]))
    local own = {}
    for i, m in ipairs(found.layers[1].matrices) do own[i] = m.weight.format end
    unit.assertEquals(table.concat(own, ' '), formats, name)
    local text = groups.of(found).text
    unit.assertEquals(text:find('float-activations', 1, true) ~= nil,
      name == 'fp8' or name == 'fbgemm', name)
    count = count + 1
  end
  unit.assertEquals(count, 7)
end

--- first of a tensor's own bytes, row_bytes, column_bytes, rows.
local function lies(at, placed)
  local file <close> = assert(io.open(at .. '/model.safetensors', 'rb'))
  local length = string.unpack('<I8', file:read(8))
  local entry = json.decode(file:read(length))[placed.tensor]
  return { placed.first - 8 - length - entry.data_offsets[1], placed.row_bytes,
    placed.column_bytes, rawget(placed, 'rows') }
end

--- Rows of gate and up in one matrix lie one behind the other in every array.
function TestImportPacked.test_halves()
  local phi = { model_type = 'phi3' }
  local function up_of(name, changes, config)
    local at = written(config or configs[name], modules[name], changes, phi)
    local weight = read(at).layers[1].matrices[2].weight
    return at, weight, weight.scaled
  end
  local at, weight, s = up_of 'gptq'
  unit.assertEquals(lies(at, weight), { f * 4, 4, 2 * f * 4 })
  unit.assertEquals(lies(at, s.scales), { f * 2, 2, 2 * f * 2, 1 })
  unit.assertEquals(lies(at, s.zeros), { f // 8 * 4, 4, 2 * f // 8 * 4, 1 })
  unit.assertEquals({ s.zeros.encoding, s.zeros.add, s.every }, { 'u4_out8', 1, 32 })
  unit.assertEquals(s.groups.tensor, mlp .. 'gate_up_proj.g_idx')
  at, weight, s = up_of('gptq', nil, merged(configs.gptq, { checkpoint_format = 'gptq_v2' }))
  unit.assertEquals({ s.zeros.add, #lies(at, weight) }, { 0, 3 })
  at, weight, s = up_of 'awq'
  unit.assertEquals(lies(at, weight), { f // 8 * 4, 4, 2 * f // 8 * 4 })
  unit.assertEquals(lies(at, s.scales), { f * 2, 2, 2 * f * 2, 1 })
  at, weight, s = up_of 'pack'
  unit.assertEquals(lies(at, weight), { f * d // 2, d // 2, 4 })
  unit.assertEquals(lies(at, s.scales), { f * d // 32 * 2, d // 32 * 2, 2, 1 })
  -- One scale for both.
  at, weight, s = up_of('bytes', { ['gate_up_proj.weight_scale'] = { 'F32', 4, { 1 } },
    ['down_proj.weight_scale'] = { 'F32', 4, {} } },
    compressed('int-quantized', { strategy = 'tensor' }))
  unit.assertEquals(lies(at, weight), { f * d, d, 1 })
  unit.assertEquals(lies(at, s.scales), { 0, 4, 4, f })
  -- Outputs that share a word, or a scale, are of one half.
  local odd = merged(phi, { intermediate_size = 36 })
  refused(written(configs.gptq, modules.gptq, { ['gate_up_proj.qzeros'] = { 'I32', 4, { 2, 9 } } },
    odd), { 'gate_up_proj.qzeros" has 8 outputs in one place', 'begins at output 36' })
  refused(written(configs.fp8, modules.fp8, nil, phi),
    { 'weight_scale_inv" has 128 outputs in one place' }, both)
end

local function oss(changes)
  local at, tensors = support.folder(), {}
  for name, shape in pairs { gate_up_proj = { 2, 2 * f, d }, down_proj = { 2, d, f } } do
    local e, o, i = table.unpack(shape)
    tensors[mlp .. 'experts.' .. name .. '_blocks'] = { 'U8', 1, { e, o, i // 32, 16 } }
    tensors[mlp .. 'experts.' .. name .. '_scales'] = { 'U8', 1, { e, o, i // 32 } }
    tensors[mlp .. 'experts.' .. name .. '_bias'] = { 'BF16', 2, { e, o } }
  end
  tensors['model.layers.0.post_attention_layernorm.weight'] = { 'F16', 2, { d } }
  for name, tensor in pairs(changes or {}) do
    tensors[mlp .. 'experts.' .. name] = tensor ~= gone and tensor or nil
  end
  support.write(at .. '/config.json', json.encode { model_type = 'gpt_oss', hidden_size = d,
    intermediate_size = f, num_local_experts = 2, num_experts_per_tok = 1, num_hidden_layers = 1,
    quantization_config = { quant_method = 'mxfp4', modules_to_not_convert =
      { 'model.layers.*.self_attn', 'model.layers.*.mlp.router', 'lm_head' } } })
  model_files.store(at .. '/model.safetensors', tensors)
  return at
end

--- Rows of gate and up in turn, of experts one behind the other.
function TestImportPacked.test_mxfp4()
  local at = oss()
  local layers = read(at, { leave = {} }).layers
  local up, down = layers[2].matrices[2].weight, layers[2].matrices[3].weight
  unit.assertEquals({ #layers, up.format, up.encoding }, { 2, 'mxfp4', 'e2m1_in2' })
  unit.assertEquals(lies(at, up), { 2 * f * d // 2 + d // 2, d, 1 })
  unit.assertEquals(lies(at, up.scaled.scales), { 2 * f * d // 32 + d // 32, d // 32 * 2, 1, 1 })
  unit.assertEquals(lies(at, down), { d * f // 2, f // 2, 1 })
  unit.assertEquals(lies(at, layers[2].matrices[2].bias), { 2 * f * 2 + 2, 0, 4 })
  refused(oss { gate_up_proj_scales = gone }, { 'no tensor "' .. mlp .. 'experts.gate_up_proj_sc' })
  refused(oss { gate_up_proj_blocks = { 'U8', 1, { 2, 2 * f, d // 2 } } },
    { 'gate_up_proj_blocks" is [2][64][32], and by config.json it is [2][64][2][16]' })
  refused(oss { gate_up_proj_scales = { 'F8_E4M3', 1, { 2, 2 * f, 2 } } }, { 'holds F8_E4M3' })
  refused(oss { gate_up_proj_zeros = { 'U8', 1, { 2 } } }, { 'gate_up_proj_zeros" stands in the' })
  local config = support.read(at .. '/config.json'):gsub('quantization_config', '_name_or_path')
  support.write(at .. '/config.json', config)
  local name = mlp .. 'experts.gate_up_proj'
  refused(at, { ('no tensor "%s"; "%s_blocks" is there: rows that a program has packed (mxfp4 '
    .. 'names them so), and config.json has no quantization_config, which tells how: take')
    :format(name, name) })
end

--- What configs say and is not taken: scheme, changes of it, words, options.
function TestImportPacked.test_refused_configs()
  local group = configs.pack.config_groups.group_0
  local function weights(changes)
    return { config_groups = { group_0 = merged(group, { weights = merged(group.weights,
      changes) }) } }
  end
  local function group_with(changes)
    return { config_groups = { group_0 = merged(group, changes) } }
  end
  local count = 0
  for _, case in ipairs {
    { 'gptq', { bits = 8 }, 'quantization_config.bits is 8: of GPTQ nibbles' },
    { 'gptq', { bits = 3 }, 'quantization_config.bits is 3' },
    { 'gptq', { bits = gone }, 'quantization_config.bits is missing' },
    { 'gptq', { group_size = gone }, 'quantization_config.group_size is missing, and '
      .. 'must be the number of inputs to a scale, or -1 for all: correct the file' },
    { 'gptq', { group_size = 0 }, 'quantization_config.group_size is 0' },
    { 'gptq', { desc_act = true }, 're-export with desc_act false' },
    { 'gptq', { desc_act = 1 }, 'desc_act is 1, and must be true or false' },
    { 'gptq', { checkpoint_format = 'marlin' }, 'checkpoint_format is marlin' },
    { 'gptq', { format = 'bitblas' }, 'format is bitblas' },
    { 'gptq', { is_marlin_format = true }, 'is_marlin_format is there' },
    { 'gptq', { dynamic = { ['-:.*up.*'] = {} } }, 'quantization_config.dynamic is there' },
    { 'gptq', { pack_dtype = 'int16' }, 'pack_dtype is int16' },
    { 'gptq', { sym = 'yes' }, 'sym is "yes", and must be true or false' },
    { 'gptq', { static_groups = 1 }, 'static_groups is 1, and must be true or false' },
    { 'gptq', { version = 'gemm' }, 'version is gemm: an order of its own' },
    { 'gptq', { format = 'gptq', version = 'gptq_v2' }, 'these must agree' },
    { 'gptq', { w_bit = 8 }, 'bits is 4 and quantization_config.w_bit is 8' },
    { 'gptq', { adapter = { name = 'lora' } }, 'adapter is there: what it adds' },
    { 'gptq', { meta = 'x' }, 'meta is "x", and must be an object' },
    { 'gptq', { meta = { quantizer = { 'x:1' }, rotation = 'x' } },
      '"quantization_config.meta.rotation" is a key that no rule of gptq knows' },
    -- A key that models have, and no quantization.
    { 'gptq', { sliding_window = 4 }, '"quantization_config.sliding_window" is a key that no' },
    { 'awq', { meta = { x = 1 } }, '"quantization_config.meta.x" is a key that no rule of awq' },
    { 'gptq', { rotation = 'hadamard' }, '"quantization_config.rotation" is a key that no rule of '
      .. 'gptq knows' },
    { 'gptq', { modules_in_block_to_quantize = { { 'self_attn.q_proj' } } },
      'gate_proj" is packed, and quantization_config (gptq) says that it is dense' },
    { 'awq', { version = 'gemv' }, 'version is gemv' },
    { 'awq', { bits = 8 }, 'bits is 8' }, { 'awq', { bits = gone, w_bit = 3 }, 'w_bit is 3' },
    { 'awq', { zero_point = false }, 'zero_point is false' },
    { 'awq', { backend = 'llm-awq' }, 'backend is llm-awq' },
    { 'awq', { modules_to_not_convert = { 'up_proj' } }, 'up_proj" is packed, and' },
    { 'awq', { modules_to_not_convert = 'up_proj' }, 'is "up_proj", and must be a list of names' },
    { 'round', { packing_format = 'auto_round:gptqmodel' }, 'packing_format is auto_round:gptq' },
    { 'round', { packing_format = gone }, 'packing_format is missing' },
    { 'round', { data_type = 'mx_fp' }, 'data_type is mx_fp' },
    { 'round', { act_bits = 8 }, '--float-activations' },
    { 'round', { extra_config = { [mlp .. 'up_proj'] = { bits = 8 } } }, '.bits is 8: other sett' },
    { 'round', { extra_config = { [mlp .. 'up_proj'] = { bits = 16 } } }, 'up_proj" is packed' },
    { 'round', { block_name_to_quantize = 'model.decoder.layers' }, 'gate_proj" is packed' },
    { 'pack', { format = 'marlin-24' }, 'the format of compressed-tensors is marlin-24' },
    { 'pack', { format = gone }, 'the format of compressed-tensors is missing: import '
      .. 'takes ' },
    { 'pack', { format = 'float-quantized' }, 'type is int' },
    { 'pack', { sparsity_config = { format = 'sparse-24-bitmask' } }, 'sparse rows' },
    { 'pack', { transform_config = { config_groups = { a = {} } } }, 'rotations' },
    { 'pack', { moe_sparsity_config = { method = 'novice' } }, 'moe_sparsity_config is there' },
    { 'pack', { ignore = { 're:.*up_proj$' } }, 'up_proj" is packed' },
    { 'pack', weights { num_bits = 8 }, 'num_bits is 8' },
    { 'pack', weights { actorder = 'group' }, 'actorder is group' },
    { 'pack', weights { strategy = 'tensor_group' }, 'strategy is "tensor_group", and must be '
      .. 'tensor, channel, group or block' },
    { 'pack', weights { group_size = gone }, 'group_size is missing, and must be there with '
      .. 'a size, as strategy is "group"' },
    { 'pack', weights { strategy = 'tensor', group_size = gone, symmetric = false },
      'import takes no zeros with strategy "tensor"' },
    { 'pack', weights { dynamic = true }, 'dynamic is there' },
    { 'pack', weights { lattice = 8 }, 'group_0.weights.lattice" is a key that no rule' },
    { 'pack', group_with { output_activations = { num_bits = 8 } }, 'output_activations is there' },
    { 'pack', group_with { input_activations = { num_bits = 8 } }, '--float-activations' },
    { 'pack', group_with { targets = { 're:.*self_attn.*', 'model.layers.0.mlp.up_proj' } },
      'gate_proj" is packed, and quantization_config (compressed-tensors) says that it is dense' },
    { 'pack', group_with { targets = 'Linear' }, 'targets is "Linear", and must be a list of '
      .. 'names' },
    { 'pack', group_with { format = 'nvfp4-pack-quantized' }, 'format is nvfp4-pack-quantized' },
    { 'pack', { config_groups = { a = group, b = merged(group, { weights = merged(group.weights,
      { group_size = 64 }) }) } }, 'ways of their own' },
    { 'pack', { config_groups = { a = { targets = { 'Linear' } } } }, 'config_groups is '
      .. 'an object, and must be an object with a group that has weights' },
    { 'fp8', {}, 'add --float-activations to compute with x and h as floats' },
    { 'fp8', { activation_scheme = 'static' }, 'activation_scheme is static' },
    { 'fp8', { fmt = 'e5m2' }, 'fmt is e5m2' },
    { 'fp8', { weight_block_size = { 128 } }, 'weight_block_size is a list, and '
      .. 'must be two sizes such as [128, 128]' },
    { 'fp8', { modules_to_not_convert = { 'model.layers.0.mlp' } }, 'gate_proj" is packed' },
    { 'fbgemm', {}, '--float-activations' },
  } do
    local name, changes, words, options = table.unpack(case)
    refused(written(merged(configs[name], changes), modules[scheme_of[name] or name]), { words },
      options)
    count = count + 1
  end
  unit.assertEquals(count, 65)
  -- Groups in the order of activations that are static lie as others do, which g_idx has to tell.
  local static = merged(configs.gptq, { desc_act = true, static_groups = true })
  unit.assertEquals(#read(written(static, modules.gptq)).layers, 1)
  refused(written(static, modules.gptq, { ['up_proj.g_idx'] = gone }), { 'up_proj.g_idx", which' })
  -- A key may be left out, by the user's word.
  local at = written(merged(configs.gptq, { rotation = 'none' }), modules.gptq)
  unit.assertEquals(#read(at, { leave = { 'quantization_config.rotation' } }).layers, 1)
end

--- What a file says of its zeros: the version, and that all are in the middle.
function TestImportPacked.test_zeros()
  local count = 0
  for _, case in ipairs {
    { 'gptq', {}, 1, 0 }, { 'gptq', { sym = false }, 1, 0 }, { 'gptq', { sym = true }, 1, 8 },
    { 'gptq', { sym = true, checkpoint_format = 'gptq' }, 1, 8 },
    { 'gptq', { sym = true, checkpoint_format = 'gptq_v2' }, 0, 8 },
    { 'gptq', { version = 'gptq_v2' }, 0, 0 }, { 'round', { sym = true }, 1, 8 },
    { 'round', { sym = true, packing_format = 'auto_round:auto_awq' }, 0, 8, 'awq' },
    -- Of AWQ no reader asks for it.
    { 'awq', { sym = true }, 0, 0 },
  } do
    local name, changes, add, only, module = table.unpack(case)
    local found = read(written(merged(configs[name], changes),
      modules[module or scheme_of[name] or name]))
    local zeros = found.layers[1].matrices[1].weight.scaled.zeros
    unit.assertEquals({ zeros.add, zeros.only }, { add, only }, name)
    local plan = plan_text.of(found, groups.of(found), 'out', '/h')
    unit.assertEquals(plan:find('"add":' .. add .. (only > 0 and ',"only":8}' or '}'), 1, true)
      ~= nil, true, name)
    count = count + 1
  end
  unit.assertEquals(count, 9)
end

--- Keys that change nothing have a reason, stand once for a method, and are taken.
function TestImportPacked.test_harmless_keys()
  local seen, count = {}, 0
  for _, entry in ipairs(harmless.list) do
    unit.assertTrue(#entry.why > 20)
    for _, method in ipairs(entry.methods) do
      unit.assertNotNil(quantized.by_method[method], method)
      for _, key in ipairs(entry.keys) do
        local name = method .. ' ' .. key
        unit.assertNil(seen[name], name)
        seen[name], count = true, count + 1
      end
    end
  end
  unit.assertTrue(count > 80, count)
  for name, config in pairs(configs) do
    local all = {}
    for _, key in ipairs(harmless.of(quantized.by_method[config.quant_method].methods[1])) do
      all[key] = config[key] == nil and 'x' or nil
    end
    unit.assertEquals(#read(written(merged(config, all), modules[scheme_of[name] or name])).layers,
      1, name)
  end
end

--- Numbers that no format has as they are become f32 where that is asked for.
function TestImportPacked.test_decoded()
  local function groups_of_16(o, i)
    return merged(modules.gptq(o, i), { ['.qzeros'] = { 'I32', 4, { i // 16, o // 8 } },
      ['.scales'] = { 'F16', 2, { i // 16, o } } })
  end
  local at = written(merged(configs.gptq, { group_size = 16 }), groups_of_16)
  refused(at, { 'no format has GPTQ, 4 bits, a scale for 16 inputs. Add --decode' })
  local found = read(at, { leave = {}, decode = true })
  unit.assertEquals(found.layers[1].matrices[1].weight.format, 'f32')
  support.assert_has(groups.of(found).text, '-- weights: decoded to f32, each number rounded once')
  -- A scale for each output, in any order of inputs.
  at = written(merged(configs.gptq, { group_size = -1, desc_act = true }), function(o, i)
    return merged(modules.gptq(o, i), { ['.qzeros'] = { 'I32', 4, { 1, o // 8 } },
      ['.scales'] = { 'F16', 2, { 1, o } } })
  end)
  refused(at, { '--decode' })
  unit.assertEquals(read(at).layers[1].matrices[1].weight.scaled.every, 0)
  -- A width that no whole groups make.
  local function blocks(o, i)
    return { ['.weight'] = { 'F8_E4M3', 1, { o, i } },
      ['.weight_scale_inv'] = { 'BF16', 2, { 1, 1 } } }
  end
  at = written(configs.fp8, blocks, nil, { intermediate_size = 36 })
  refused(at, { 'f8_e4m3 takes widths that 8 divides, and these have 36 inputs. Add --decode' },
    { leave = {}, float_activations = true })
  local matrices = read(at).layers[1].matrices
  unit.assertEquals({ matrices[1].weight.format, matrices[3].weight.format }, { 'f8_e4m3', 'f32' })
  at = written(merged(configs.fp8, { weight_block_size = { 64, 32 } }), function(o, i)
    return merged(blocks(o, i), { ['.weight_scale_inv'] =
      { 'F32', 4, { (o + 63) // 64, i // 32 } } })
  end)
  local s = read(at).layers[1].matrices[1].weight.scaled
  unit.assertEquals({ s.every, s.scales.rows }, { 32, 64 })
end

--- What tensors say against the config, or beside it.
function TestImportPacked.test_refused_tensors()
  local count = 0
  for _, case in ipairs {
    { 'gptq', { ['up_proj.qzeros'] = gone }, 'there is no tensor "' .. mlp
      .. 'up_proj.qzeros", which the' },
    { 'gptq', { ['up_proj.qweight'] = gone }, 'there is no tensor "' .. mlp .. 'up_proj.qweight"' },
    { 'gptq', { ['up_proj.qweight'] = { 'I32', 4, { 32, 8 } } },
      'up_proj.qweight" is [32][8], and by config.json it is [8][32]' },
    { 'gptq', { ['up_proj.scales'] = { 'F16', 2, { 4, 32 } } }, 'by config.json it is [2][32]' },
    { 'gptq', { ['up_proj.scales'] = { 'F8_E4M3', 1, { 2, 32 } } },
      'holds F8_E4M3, where such numbers are BF16 or F16 or F32' },
    { 'gptq', { ['up_proj.g_idx'] = { 'I32', 4, { 32 } } }, 'g_idx" is [32], and by config.json' },
    { 'gptq', { ['up_proj.weight'] = { 'F16', 2, { 32, 64 } } }, 'up_proj.weight" stands in the' },
    { 'gptq', { ['up_proj.bias'] = { 'F16', 2, { 32 }, ('\0'):rep(63) .. '\1' } },
      'up_proj.bias" is there, and by its config up has no bias' },
    { 'awq', { ['up_proj.g_idx'] = { 'I32', 4, { 64 } } }, 'up_proj.g_idx" stands in the block' },
    { 'pack', { ['up_proj.weight_shape'] = gone }, 'no tensor "' .. mlp .. 'up_proj.weight_shape' },
    { 'pack', { ['up_proj.weight_shape'] = { 'I64', 8, { 2 }, string.pack('<i8i8', 32, 60) } },
      'weight_shape" says [32][60], and config.json [32][64]' },
    { 'pack', { ['up_proj.weight_zero_point'] = { 'I32', 4, { 4, 2 } } },
      'weight_zero_point" stands in the block' },
    { 'bytes', { ['up_proj.weight'] = { 'I32', 4, { 32, 16 } } }, 'such numbers are I8' },
    { 'bytes', { ['up_proj.input_scale'] = { 'F32', 4, { 1 } } }, 'input_scale" stands in the' },
    { 'fp8', { ['up_proj.weight_scale'] = { 'F32', 4, { 1 } } }, 'weight_scale" stands in the' },
    { 'fp8', { ['up_proj.weight_scale_inv'] = { 'F8_E8M0', 1, { 1, 1 } } }, 'holds F8_E8M0' },
    { 'fp8', { ['up_proj.weight'] = { 'F8_E5M2', 1, { 32, 64 } } }, 'holds F8_E5M2' },
    { 'fbgemm', { ['up_proj.weight_scale'] = { 'F32', 4, { 32 } } }, 'weight_scale" is [32], and' },
  } do
    local name, changes, words = table.unpack(case)
    refused(written(configs[name], modules[name], changes), { words }, both)
    count = count + 1
  end
  unit.assertEquals(count, 18)
  -- A module that is dense, and not among the exceptions; its neighbours are packed.
  local dense = { ['down_proj.qweight'] = gone, ['down_proj.qzeros'] = gone,
    ['down_proj.scales'] = gone, ['down_proj.weight'] = { 'F16', 2, { d, f } } }
  refused(written(configs.awq, modules.awq, dense),
    { 'down_proj" is dense, and quantization_config (awq) says that it is packed' })
  local at = written(merged(configs.awq, { modules_to_not_convert = { 'down_proj' } }), modules.awq,
    dense)
  local matrices = read(at).layers[1].matrices
  unit.assertEquals({ matrices[2].weight.format, matrices[3].weight.format }, { 'u4g32', 'f16' })
  -- The same of a group that is meant for other modules.
  local gone_down = { ['down_proj.weight_packed'] = gone, ['down_proj.weight_scale'] = gone,
    ['down_proj.weight_shape'] = gone, ['down_proj.weight'] = { 'F16', 2, { d, f } } }
  for targets, words in pairs {
    [{ 're:.*(gate|up)_proj$', 'Embedding' }] = false,
    [{ 're:.*_proj$' }] = 'says that it is packed', [{ 'Linear' }] = 'says that it is packed',
    [{ 're:.*gate_proj', 're:.*up_proj' }] = false,
  } do
    local own = compressed('pack-quantized', nibbles)
    own.config_groups.group_0.targets = targets
    at = written(own, modules.pack, gone_down)
    if words then
      refused(at, { words })
    else
      unit.assertEquals(read(at).layers[1].matrices[3].weight.format, 'f16')
    end
  end
  -- What rounds activations is known where it is told that they stay floats.
  at = written(configs.fp8, modules.fp8, { ['up_proj.input_scale'] = { 'F32', 4, { 1 } } })
  unit.assertEquals(#read(at).left, 1)
  -- A bias of zeros, which the first GPTQ models have and no config tells.
  at = written(configs.gptq, modules.gptq, { ['up_proj.bias'] = { 'F16', 2, { f } } })
  local found = read(at)
  unit.assertFalse(found.layers[1].matrices[2].bias)
  unit.assertTrue(#found.files[1].spans > 1) -- it was read
  refused(written(configs.awq, modules.awq, { ['up_proj.bias'] = { 'F16', 2, { f } } }),
    { 'up_proj.bias" is there' })
end

--- Schemes of all layers' experts in one tensor are those that say so.
function TestImportPacked.test_stacked()
  local at = support.folder()
  support.write(at .. '/config.json', json.encode { model_type = 'granitemoe', hidden_size = d,
    intermediate_size = f, num_local_experts = 2, num_experts_per_tok = 1, num_hidden_layers = 1,
    hidden_act = 'silu', residual_multiplier = 1, quantization_config = configs.gptq })
  model_files.store(at .. '/model.safetensors', {
    ['model.layers.0.block_sparse_moe.input_linear.qweight'] = { 'I32', 4, { 2, d // 8, 2 * f } },
    ['model.layers.0.block_sparse_moe.output_linear.qweight'] = { 'I32', 4, { 2, f // 8, d } },
    ['model.layers.0.post_attention_layernorm.weight'] = { 'F16', 2, { d } },
  })
  refused(at, { 'no layout for experts in one tensor of gptq' })
end

--- Llama 4's experts, one tensor each, as packed ones are.
function TestImportPacked.test_numbered()
  local at, tensors = support.folder(), {}
  for e = 0, 1 do
    for name, shape in pairs { gate_proj = { f, d }, up_proj = { f, d }, down_proj = { d, f } } do
      for tail, tensor in pairs(modules.pack(shape[1], shape[2])) do
        tensors[('model.layers.0.feed_forward.experts.%d.%s%s'):format(e, name, tail)] = tensor
      end
    end
  end
  tensors['model.layers.0.feed_forward.router.weight'] = { 'BF16', 2, { 2, d } }
  tensors['model.layers.0.post_attention_layernorm.weight'] = { 'BF16', 2, { d } }
  support.write(at .. '/config.json', json.encode { model_type = 'llama4_text', hidden_size = d,
    intermediate_size = f, intermediate_size_mlp = f, num_local_experts = 2,
    num_experts_per_tok = 1, num_hidden_layers = 1, interleave_moe_layer_step = 1,
    hidden_act = 'silu', rms_norm_eps = 1e-5, quantization_config = configs.pack })
  model_files.store(at .. '/model.safetensors', tensors)
  local layers = read(at).layers
  unit.assertEquals({ #layers, layers[2].at, layers[2].matrices[3].weight.format },
    { 2, 'model.layers.0.feed_forward.experts.1', 'u4g32_bf16' })
end

--- What is decoded, and what stays float, is told by every report.
function TestImportPacked.test_told()
  local at = written(configs.fp8, modules.fp8)
  local function import(...)
    return support.ffngen({ 'import', at, ... }, { dir = support.folder() })
  end
  support.assert_code(import '--list', 4, 'no --float-activations')
  local words = 'activations: the origin rounds x and h before each product (activation_scheme is '
  local list = import('--list', '--float-activations')
  support.assert_code(list, 0, '--list')
  support.assert_has(list.out, '\n  ' .. words, '--list')
  support.assert_has(list.out, 'norms; ' .. words, 'the last line')
  local told = json.decode(import('--list', '--float-activations', '--json').out)
  unit.assertEquals(told.kinds[1].notes[1], 'weights: FP8, a scale for 128 outputs and 128 inputs')
  support.assert_has(told.kinds[1].notes[2], words, '--json')
  local made = import('--out', 'out', '--spec-only', '--float-activations', '--decode')
  support.assert_code(made, 0, '--out')
  support.assert_has(made.err, words, '--out')
end

--- The first files say no method, or say it under another key.
function TestImportPacked.test_older_files()
  local at = written(merged(configs.gptq, { quant_method = gone }), modules.gptq)
  unit.assertEquals(read(at).layers[1].matrices[1].weight.format, 'u4g32')
  at = written(nil, modules.pack, nil, { compression_config = merged(configs.pack,
    { quant_method = gone }) })
  local found = read(at)
  unit.assertEquals(found.layers[1].matrices[1].weight.format, 'u4g32_bf16')
  support.assert_has(found.about[#found.about], 'compression_config is compressed-tensors; pack-')
end

--- What lists of exceptions say of a module.
function TestImportPacked.test_exceptions()
  local module = 'model.layers.10.mlp.up_proj'
  for _, case in ipairs {
    { 'lm_head', 'no' }, { 'up_proj', 'yes' }, { 'mlp', 'yes' }, { 'model.layers.1', 'perhaps' },
    { module, 'yes' }, { 'model.layers.10', 'yes' }, { 'up', 'perhaps' }, { 'LlamaMLP', 'perhaps' },
    { 'language_model.model.layers.10.mlp.up_proj', 'perhaps' }, { 're:.*up_proj$', 'yes' },
    { 're:up_proj', 'no' }, { 're:.*layers\\.1\\.mlp.*', 'no' },
    { 're:.*(up|gate)_proj', 'perhaps' }, { 'layers.10.mlp', 'yes' }, { 'ayers.10', 'perhaps' },
    { 're:.*layers\\.\\d+\\.mlp', 'yes' }, { 'model.layers.*.mlp', 'yes' },
    { 'model.layers.*.self_attn', 'no' }, { 're:.*layers.[12]0', 'perhaps' }, { 're:*', 'perhaps' },
    { 're:.*up-proj', 'no' },
  } do
    unit.assertEquals(exceptions.listed({ case[1] })(module, false), case[2], case[1])
    unit.assertEquals(exceptions.listed({ case[1] })(module, true) == 'yes', case[2] == 'yes')
  end
  unit.assertEquals(exceptions.listed({ 'up', 'mlp', 'x' })(module, false), 'yes')
  unit.assertEquals(exceptions.listed({})(module, false), 'no')
end

--- Every scheme of the list is one of a method, and nothing that is refused has one.
function TestImportPacked.test_list()
  unit.assertEquals(#support.keys(quantized.by_method), 8)
  for _, name in ipairs(quantized.names) do
    local scheme = require('import.quantized.' .. name)
    unit.assertTrue(quantized.by_method[scheme.methods[1]] ~= nil, name)
    unit.assertTrue(#scheme.tails > 0, name)
  end
end
