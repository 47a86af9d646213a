--- 144 published models (tests/data/models.tsv: their sizes, with the public place of each fact): a
--- config made of each row, and what the rules conclude of it, or why they do not. Where a config
--- of the origin's own code is there (tests/data/import/hf), the row's sizes are put into that;
--- where none is, only the table tells, and these rows are counted and printed.
local conclude = require 'import.conclude'
local configs = require 'import.config'
local json = require 'dkjson'
local problems = require 'common.problem'
local support = require 'support'
local unit = require 'luaunit'

TestImportModels = {}

local data = support.root .. '/tests/data/'

--- The rows, by column.
local function rows_of(text)
  local rows, columns = {}, nil
  for line in text:gmatch '[^\n]+' do
    local cells = {}
    for cell in (line .. '\t'):gmatch '([^\t]*)\t' do cells[#cells + 1] = cell end
    if not columns then
      columns = cells
    else
      local row = {}
      for i, column in ipairs(columns) do row[column] = cells[i] end
      rows[#rows + 1] = row
    end
  end
  return rows
end

--- What models of other code than transformers' say, as their own config.json has it.
local told = {
  qwen = { model_type = 'qwen', architectures = { 'QWenLMHeadModel' }, hidden_size = 0,
    intermediate_size = 0, num_hidden_layers = 0, no_bias = true, layer_norm_epsilon = 1e-6,
    num_attention_heads = 16, kv_channels = 128, seq_length = 8192, rotary_emb_base = 10000,
    rotary_pct = 1.0, use_dynamic_ntk = true, use_logn_attn = true, use_flash_attn = 'auto',
    scale_attn_weights = true, emb_dropout_prob = 0.0, attn_dropout_prob = 0.0 },
  internlm = { model_type = 'internlm', architectures = { 'InternLMForCausalLM' }, hidden_size = 0,
    intermediate_size = 0, num_hidden_layers = 0, hidden_act = 'silu', bias = true,
    rms_norm_eps = 1e-6 },
  internlm2 = { model_type = 'internlm2', architectures = { 'InternLM2ForCausalLM' },
    hidden_size = 0, intermediate_size = 0, num_hidden_layers = 0, hidden_act = 'silu',
    bias = false, rms_norm_eps = 1e-5 },
  minicpm = { model_type = 'minicpm', architectures = { 'MiniCPMForCausalLM' }, hidden_size = 0,
    intermediate_size = 0, num_hidden_layers = 0, hidden_act = 'silu', rms_norm_eps = 1e-5,
    scale_emb = 12, dim_model_base = 256, scale_depth = 1.4 },
  baichuan = { model_type = 'baichuan', architectures = { 'BaichuanForCausalLM' }, hidden_size = 0,
    intermediate_size = 0, num_hidden_layers = 0, hidden_act = 'silu', rms_norm_eps = 1e-6,
    z_loss_weight = 0 },
  chatglm = { model_type = 'chatglm', architectures = { 'ChatGLMModel' }, hidden_size = 0,
    ffn_hidden_size = 0, num_layers = 0, add_bias_linear = false, layernorm_epsilon = 1e-5,
    apply_residual_connection_post_layernorm = false, rmsnorm = true, multi_query_attention = true,
    bias_dropout_fusion = true, post_layer_norm = true, add_qkv_bias = true },
  orion = { model_type = 'orion', architectures = { 'OrionForCausalLM' }, hidden_size = 0,
    intermediate_size = 0, num_hidden_layers = 0, hidden_act = 'silu', rms_norm_eps = 1e-5 },
  jina_bert = { model_type = 'bert', architectures = { 'JinaBertForMaskedLM' }, hidden_size = 0,
    intermediate_size = 0, num_hidden_layers = 0, hidden_act = 'gelu',
    feed_forward_type = 'geglu', layer_norm_eps = 1e-12, emb_pooler = 'mean',
    position_embedding_type = 'alibi' },
  deepseek = { model_type = 'deepseek', architectures = { 'DeepseekForCausalLM' }, hidden_size = 0,
    intermediate_size = 0, num_hidden_layers = 0, hidden_act = 'silu', rms_norm_eps = 1e-6,
    moe_intermediate_size = 0, n_routed_experts = 0, num_experts_per_tok = 0, n_shared_experts = 2,
    first_k_dense_replace = 1, moe_layer_freq = 1, norm_topk_prob = false,
    scoring_func = 'softmax', aux_loss_alpha = 0.001, seq_aux = true },
}

--- Where sizes stand, in the order in which a config is asked.
local places = {
  d_model = { 'hidden_size', 'n_embd', 'd_model' },
  d_ff = { 'intermediate_size_mlp', 'intermediate_size', 'ffn_dim', 'ffn_hidden_size', 'd_ff' },
  n_layers = { 'num_hidden_layers', 'n_layer', 'num_layers' },
  act = { 'hidden_activation', 'hidden_act', 'activation_function', 'activation' },
  n_experts = { 'num_local_experts', 'num_experts', 'n_routed_experts' },
  top_k = { 'num_experts_per_tok' },
  moe_d_ff = { 'moe_intermediate_size', 'intermediate_size' },
}

local function put(config, what, value)
  for _, key in ipairs(places[what]) do
    if config[key] ~= nil then
      config[key] = value
      return
    end
  end
  if what ~= 'd_ff' then error('no place for ' .. what) end
end

--- What is particular to a row.
local particular = {
  ['Gemma-2B'] = { hidden_act = 'gelu' }, ['Gemma-7B'] = { hidden_act = 'gelu' },
  ['T5-v1.1-XXL'] = { feed_forward_proj = 'gated-gelu' },
  ['DeepSeek-V2-Lite'] = { first_k_dense_replace = 1 },
  ['DeepSeek-V2'] = { first_k_dense_replace = 1 },
  ['DeepSeek-V3/R1'] = { first_k_dense_replace = 3 },
  ['Kimi-K2'] = { first_k_dense_replace = 1 },
  ['Llama-4-Scout-17B-16E'] = { interleave_moe_layer_step = 1 },
  ['Llama-4-Maverick-17B-128E'] = { interleave_moe_layer_step = 2 },
  ['MiniCPM-MoE-8x2B'] = { num_experts = 0, num_experts_per_tok = 0 },
  ['Gemma-4-26B-A4B'] = { enable_moe_block = true, num_experts = 128, top_k_experts = 8,
    moe_intermediate_size = 704 },
}

--- Layers that have no experts, of rows that have both.
local dense_layers = {
  ['DeepSeek-MoE-16B'] = 1, ['DeepSeek-V2-Lite'] = 1, ['DeepSeek-V2'] = 1, ['DeepSeek-V3/R1'] = 3,
  ['Kimi-K2'] = 1, ['Llama-4-Maverick-17B-128E'] = 24, ['Gemma-4-26B-A4B'] = 30,
}

local refused = {
  ['BitNet-b1.58-2B-4T'] = 'ffn_sub_norm', ['DeepSeek-V4 (284B)'] = 'swiglu_limit',
}

--- A config of a row; whether the origin's own code made what it begins with.
local function config_of(row)
  local name = row.arch == 't5' and row.gated == 'yes' and 't5_gated'
    or row.arch == 'llama' and 'llama_shards' or row.arch
  local config = told[name]
  local is_origins = not config
  config = json.decode(config and json.encode(config)
    or support.read(data .. 'import/hf/' .. name .. '/config.json'), 1, nil)
  local text = config.text_config or config
  for key, value in pairs(particular[row.model] or {}) do text[key] = value end
  put(text, 'd_model', tonumber(row.d_model))
  put(text, 'n_layers', tonumber(row.n_layers))
  text.layer_types, text.moe_layers, text.per_layer_config = nil, nil, nil
  text.mlp_only_layers = nil
  local halved = row.arch == 'qwen' and 2 or 1
  put(text, 'd_ff', halved * tonumber(row.d_ff))
  if row.n_experts ~= '' and row.family ~= 'gemma' then
    put(text, 'n_experts', tonumber(row.n_experts))
    put(text, 'top_k', tonumber(row.top_k))
    put(text, 'moe_d_ff', tonumber(row.moe_d_ff))
  end
  local names = { chatglm = true, qwen = true, t5 = true, jina_bert = true, gpt_oss = true }
  if not names[row.arch] and row.hidden_act:find '^[%w_]+$' and not particular[row.model] then
    put(text, 'act', row.hidden_act)
  end
  if row.arch == 'falcon' then text.bias = row.bias == 'yes' end
  return config, is_origins
end

--- What an activation's name means, with a gate and without.
local variants = {
  silu = { yes = 'swiglu' }, gelu = { yes = 'geglu', no = 'gelu' },
  gelu_pytorch_tanh = { yes = 'geglu_tanh', no = 'gelu_tanh' },
  gelu_new = { yes = 'geglu_tanh', no = 'gelu_tanh' }, gelu_fast = { no = 'gelu_tanh' },
  relu = { no = 'relu' }, relu2 = { no = 'relu2' }, quick_gelu = { no = 'quick_gelu' },
  xielu = { no = 'xielu' },
  ['swiglu_oai(alpha=1.702,limit=7,up+1)'] = { yes = 'clamped_swiglu' },
}

--- Holds a conclusion against its row.
local function check(row, conclusion)
  local layers, dense, with_experts = 0, 0, 0
  for _, part in ipairs(conclusion.stacks[1].parts) do
    local f = part.fields
    layers = layers + #part.layers
    unit.assertEquals(f.d_model, tonumber(row.d_model), row.model)
    unit.assertEquals(f.variant, variants[row.hidden_act][row.gated], row.model)
    unit.assertEquals(f.bias, row.bias == 'yes' or row.arch == 'jina_bert', row.model)
    if part.experts then
      with_experts = with_experts + #part.layers
      unit.assertEquals({ f.d_ff, part.experts.count, part.experts.used },
        { tonumber(row.moe_d_ff), tonumber(row.n_experts), tonumber(row.top_k) }, row.model)
    else
      dense = dense + #part.layers
      unit.assertEquals(f.d_ff, tonumber(row.d_ff), row.model)
    end
  end
  unit.assertEquals(layers, tonumber(row.n_layers), row.model)
  local expected = row.n_experts == '' and layers or dense_layers[row.model] or 0
  unit.assertEquals(dense, expected, row.model .. ': layers without experts')
  unit.assertEquals(with_experts, layers - expected, row.model .. ': layers with experts')
end

function TestImportModels.test_all_rows()
  local rows = rows_of(support.read(data .. 'models.tsv'))
  local at, of_table, not_taken = support.folder() .. '/config.json', {}, 0
  for _, row in ipairs(rows) do
    unit.assertNotEquals(row.source_note or '', '', row.model)
    local config, is_origins = config_of(row)
    support.write(at, json.encode(config))
    local ok, result = pcall(conclude.of, configs.open(at), function() return false end)
    if refused[row.model] then
      not_taken = not_taken + 1
      unit.assertFalse(ok, row.model)
      unit.assertTrue(problems.is(result), tostring(result))
      support.assert_has(result.text, refused[row.model], row.model)
    else
      unit.assertTrue(ok, row.model .. ': ' .. tostring(result))
      check(row, result)
    end
    if not is_origins then of_table[#of_table + 1] = row.model end
  end
  unit.assertEquals({ #rows, not_taken }, { 144, 2 })
  print(('models.tsv: %d rows, %d refused by name; %d that only the table tells: %s'):format(#rows,
    not_taken, #of_table, table.concat(of_table, ', ')))
  unit.assertEquals(#of_table, 13)
end
