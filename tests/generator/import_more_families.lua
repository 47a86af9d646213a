--- Families whose rules have more than names: widths that keys make, norms where a key puts them,
--- adapters and scales behind a layer. Their values are held against the origin's by
--- import_families.lua.
local conclude = require 'import.conclude'
local configs = require 'import.config'
local found_records = require 'import.found'
local huggingface = require 'import.readers.huggingface'
local json = require 'dkjson'
local refusal = require 'refusal'
local support = require 'support'
local unit = require 'luaunit'

TestImportMoreFamilies = {}

local folder = support.root .. '/tests/data/import/hf/'

--- The first part that a model's config concludes, with some keys set otherwise.
local function part_of(name, changes)
  local data = json.decode(support.read(folder .. name .. '/config.json'))
  for key, value in pairs(changes or {}) do data[key] = value end
  return conclude.of(configs.of_text('config.json', json.encode(data)), function()
    return false
  end).stacks[1].parts[1]
end

local function width(name, changes) return part_of(name, changes).fields.d_ff end

--- What classes make of the keys of a width.
function TestImportMoreFamilies.test_widths()
  unit.assertEquals(width('dinov2', { mlp_ratio = 2.5 }), 20)
  unit.assertEquals(width('dinov2', { mlp_ratio = 2.6 }), 20) -- int() of 20.8
  unit.assertEquals(width('dinov2_gated', { hidden_size = 1536, mlp_ratio = 4 }), 4096)
  unit.assertEquals(width('dinov2_gated', { hidden_size = 9, mlp_ratio = 4 }), 24)
  local lfm2 = { intermediate_size = 12288, block_ffn_dim_multiplier = 1,
    block_multiple_of = 256 }
  unit.assertEquals(width('lfm2', lfm2), 8192)
  lfm2.block_ff_dim = 6912 -- which wins
  unit.assertEquals(width('lfm2', lfm2), 4608)
  lfm2.block_auto_adjust_ff_dim = false
  unit.assertEquals(width('lfm2', lfm2), 6912)
  support.assert_has(part_of('lfm2').because[3].text, 'two thirds of intermediate_size = 12')
  for _, case in ipairs {
    { 'dinov2', { mlp_ratio = 'x' }, 'mlp_ratio is "x", and must be a number' },
    { 'dinov2', { mlp_ratio = 0 }, 'mlp_ratio is 0, and must be a size' },
    { 'dinov2', { mlp_ratio = 1e300 }, 'and must be a size' },
    { 'dinov2', { use_swiglu_ffn = 3 }, 'no rule for architectures' },
    { 'lfm2', { block_multiple_of = 0 }, 'block_multiple_of is 0, and must be an integer' },
    { 'lfm2', { block_auto_adjust_ff_dim = 'yes' }, 'must be true or false' },
    { 'lfm2', { intermediate_size = 'x' }, 'intermediate_size is "x", and must be a size' },
    { 'lfm2', { block_ffn_dim_multiplier = -1 }, 'and must be a size' },
    { 'esm', { is_folding_model = true }, 'its folding trunk has layers of its own' },
  } do
    support.assert_has(refusal.of(case[3], part_of, case[1], case[2]), case[3])
  end
end

--- What lies around a layer, in words: place, what, tensor.
local function around_of(name, changes)
  local texts = {}
  for _, a in ipairs(part_of(name, changes).around) do
    texts[#texts + 1] = ('%s %s%s'):format(a.place, a.what, a.tensor and ' ' .. a.tensor or '')
  end
  return texts
end

--- Norms, adapters and scales, where a key says that they are.
function TestImportMoreFamilies.test_around()
  local norm = 'final_layer_norm.weight'
  for _, case in ipairs {
    { 'esm', nil, 'before LayerNorm LayerNorm.weight', 'after residual' },
    { 'wav2vec2', nil, 'after residual', 'after LayerNorm ' .. norm },
    { 'wav2vec2', { do_stable_layer_norm = json.null }, 'after residual',
      'after LayerNorm ' .. norm },
    { 'wav2vec2_stable', nil, 'before LayerNorm ' .. norm, 'after residual',
      'after adapter adapter_layer.norm.weight' },
    { 'data2vec_audio', nil, 'after residual', 'after LayerNorm ' .. norm },
    { 'data2vec_vision', nil, 'before LayerNorm layernorm_after.weight', 'after scales lambda_2',
      'after residual' },
    { 'dinov2_gated', nil, 'before LayerNorm norm2.weight', 'after scales layer_scale2.lambda1',
      'after residual' },
    { 'biogpt', nil, 'before LayerNorm ' .. norm, 'after residual' },
    { 'vaultgemma', nil, 'before RMSNorm pre_feedforward_layernorm.weight', 'after residual' },
    { 'lfm2', nil, 'before RMSNorm ffn_norm.weight', 'after residual' },
    { 'diffllama', nil, 'before RMSNorm post_attention_layernorm.weight', 'after residual' },
    { 'xmod', nil, 'after residual', 'after adapter', 'after LayerNorm output.LayerNorm.weight' },
    { 'xmod', { pre_norm = true }, 'before LayerNorm output.LayerNorm.weight', 'after residual',
      'after adapter' },
    { 'longformer', nil, 'after residual', 'after LayerNorm output.LayerNorm.weight' },
  } do
    unit.assertEquals(around_of(case[1], case[2]), { table.unpack(case, 3) }, case[1])
  end
  support.assert_has(part_of('vaultgemma').around[1].text, 'times 1 + weight')
  support.assert_has(part_of('biogpt').around[1].text, 'eps 1e-05') -- of nn.LayerNorm, by no key
end

--- An adapter and scales that a file lacks are not told; keys that a class does not read change
--- nothing.
function TestImportMoreFamilies.test_what_a_file_has()
  local function whats(name, leave)
    local found = found_records.of(huggingface.read(name, { leave = leave or {} }))
    local texts = {}
    for _, a in ipairs(found.layers[1].around) do texts[#texts + 1] = a.what end
    return texts
  end
  unit.assertEquals(whats(folder .. 'wav2vec2_stable'), { 'LayerNorm', 'residual', 'adapter' })
  unit.assertEquals(whats(folder .. 'data2vec_vision'), { 'LayerNorm', 'scales', 'residual' })
  local without = support.folder()
  support.sh('cp', '-r', folder .. 'data2vec_vision/.', without)
  local text = support.read(without .. '/model.safetensors')
  support.write(without .. '/model.safetensors', (text:gsub('lambda_2', 'lambda_3')))
  support.assert_has(refusal.of('lambda_3', huggingface.read, without, { leave = {} }),
    'lambda_3" stands in the block')
  unit.assertEquals(whats(without, { 'encoder.layer.0.lambda_3', 'encoder.layer.1.lambda_3' }),
    { 'LayerNorm', 'residual' })
  unit.assertEquals(part_of('esm', { hidden_act = 'relu' }).fields.variant, 'gelu')
  unit.assertEquals(part_of('dinov2_gated', { hidden_act = 'relu' }).fields.variant, 'swiglu')
  unit.assertEquals(part_of('lfm2', { block_use_swiglu = false }).fields.variant, 'swiglu')
end

--- A model_type without a rule, by the user's word.
function TestImportMoreFamilies.test_by_word()
  local function folder_of(name, changes)
    local at, data = support.folder(), json.decode(support.read(folder .. name .. '/config.json'))
    support.sh('cp', '-r', folder .. name .. '/.', at)
    for key, value in pairs(changes) do data[key] = value end
    support.write(at .. '/config.json', json.encode(data))
    return at
  end
  local unheard = folder_of('mistral', { model_type = 'unheard', odd = 1 })
  support.assert_has(refusal.of('unheard', huggingface.read, unheard, { leave = {} }),
    'if you know what its layers are, add --variant swiglu')
  local found = found_records.of(huggingface.read(unheard, { leave = {}, variant = 'geglu' }))
  unit.assertEquals(found.about[1], 'model_type unheard has no rule: layers by the names of their '
    .. 'tensors, what they compute by --variant geglu; nothing tells what lies around them')
  unit.assertEquals({ #found.layers, found.layers[2].at, found.layers[2].fields.variant },
    { 2, 'model.layers.1.mlp', 'geglu' })
  support.assert_has(found.layers[1].because[1].text, 'told by --variant; names as in Llama')
  unit.assertEquals(found.files[#found.files].path, unheard .. '/config.json')
  for _, case in ipairs {
    { unheard, 'gelu', 'is a layer with a gate, and the model does not say its activation' },
    { folder_of('mistral', { model_type = 'unheard', quantization_config =
      { quant_method = 'fp8' } }), 'swiglu', 'quantization_config is fp8, and no rule tells' },
  } do
    support.assert_has(refusal.of(case[3], huggingface.read, case[1],
      { leave = {}, variant = case[2] }), case[3])
  end
  local told = support.ffngen { 'import', folder .. 'mistral', '--list', '--variant', 'swiglu' }
  unit.assertEquals(told.code, 2)
  support.assert_has(told.err, 'leave out --variant: config.json tells it')
end

--- What of a router and of what lies beside it only these families have.
function TestImportMoreFamilies.test_routers()
  local function told(name, what)
    local parts = conclude.of(configs.open(folder .. name .. '/config.json'), function()
      return false
    end).stacks[1].parts
    for _, a in ipairs(parts[#parts].around) do
      if a.what == what then return a.text end
    end
  end
  support.assert_has(told('ernie4_5_moe', 'router'),
    'divided by the sum of those chosen (by moe_norm_min = 1e-12 at least)')
  support.assert_has(told('granitemoehybrid', 'router'), 'the sum with the shared expert is '
    .. 'multiplied by residual_multiplier = 0.25')
  support.assert_has(told('granitemoehybrid_dense', 'residual multiplier'), 'x + y * 0.25')
  unit.assertNil(told('mimo_v2_flash', 'shared expert'))
end

--- A number that a list says of each layer; experts that files have in either order.
function TestImportMoreFamilies.test_hunyuan_and_qwen3_vl()
  unit.assertEquals(part_of('hunyuan_v1_moe', { moe_topk = { 1, 1 } }).experts.used, 1)
  support.assert_has(refusal.of('lists', part_of, 'hunyuan_v1_moe', { moe_topk = { 1, 2 } }),
    'moe_topk is a list: ffngen has no rule for another number in each layer')
  support.assert_has(refusal.of('words', part_of, 'hunyuan_v1_moe', { moe_topk = { 'x', 'x' } }),
    'moe_topk is "x", and must be an integer')
  local orders = {}
  for _, path in ipairs { folder .. 'qwen3_vl_moe', support.root
    .. '/tests/data/import/moe/qwen3_vl_moe' } do
    local down = found_records.of(huggingface.read(path, { leave = {} })).layers[2].matrices[3]
    orders[#orders + 1] = { down.weight.row_bytes, down.weight.column_bytes }
  end
  unit.assertEquals(orders, { { 24, 4 }, { 4, 32 } }) -- [out][in], [in][out]
  local at = support.folder()
  local data = json.decode(support.read(folder .. 'qwen3_vl_moe/config.json'))
  data.text_config.moe_intermediate_size = 8
  support.write(at .. '/config.json', json.encode(data))
  support.write(at .. '/model.safetensors',
    support.read(folder .. 'qwen3_vl_moe/model.safetensors'))
  support.assert_has(refusal.of('square', huggingface.read, at, { leave = {} }),
    'experts.down_proj" is square, and files of this family have [in][out] or [out][in]')
end

--- Which layers have experts, where a list says it, or how many in front have none.
function TestImportMoreFamilies.test_dense_layers()
  local function dense(name, changes)
    local data, numbers = json.decode(support.read(folder .. name .. '/config.json')), {}
    for key, value in pairs(changes) do data[key] = value end
    for _, part in ipairs(conclude.of(configs.of_text('config.json', json.encode(data)), function()
      return false
    end).stacks[1].parts) do
      for _, n in ipairs(part.experts and {} or part.layers) do numbers[#numbers + 1] = n end
    end
    return table.concat(numbers, ' ')
  end
  unit.assertEquals(dense('glm4_moe_lite', { mlp_layer_types = { 'sparse', 'dense' } }), '1')
  local no_list = { mlp_layer_types = json.null, num_hidden_layers = 5 }
  unit.assertEquals(dense('glm4_moe_lite', no_list), '0')
  no_list.first_k_dense_replace = 2
  unit.assertEquals(dense('glm4_moe_lite', no_list), '0') -- which its class does not read
  unit.assertEquals(dense('deepseek_v32', no_list), '0 1')
  no_list.first_k_dense_replace = json.null
  unit.assertEquals(dense('deepseek_v32', no_list), '0 1 2')
  unit.assertEquals(dense('ernie4_5_moe', { num_hidden_layers = 6, moe_layer_start_index = 1,
    moe_layer_end_index = 4, moe_layer_interval = 2 }), '0 2 4 5')
  unit.assertEquals(dense('ernie4_5_moe', { num_hidden_layers = 3, moe_layer_end_index = -1,
    moe_layer_start_index = json.null }), '0')
  unit.assertEquals(dense('lfm2_moe', { num_hidden_layers = 4, num_dense_layers = json.null }),
    '0 1')
  for _, case in ipairs {
    { 'glm4_moe_lite', { mlp_layer_types = { 'sparse' } }, 'mlp_layer_types[1] is missing, and ' },
    { 'glm4_moe_lite', { mlp_layer_types = { 'sparse', 'x' } }, 'must be dense or sparse' },
    { 'glm4_moe_lite', { mlp_layer_types = 'dense' }, 'must be a list of the words dense and' },
    { 'ernie4_5_moe', { moe_layer_end_index = 'x' }, 'moe_layer_end_index is "x", and must be an' },
    { 'lfm2_moe', { use_expert_bias = false }, 'a router that expert_bias corrects' },
  } do
    support.assert_has(refusal.of(case[3], dense, case[1], case[2]), case[3])
  end
end
