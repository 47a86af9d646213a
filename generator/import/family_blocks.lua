--- What many families have in common: blocks as the first of them had it, copied by the others.
local M = {}

local function residual(text)
  return { place = 'after', what = 'residual', text = text or 'x + y' }
end

--- Llama's block: RMSNorm in front, gate, up and down, no bias.
M.llama = {
  stacks = { { at = { 'model.layers', 'layers' }, count = { 'num_hidden_layers' } } },
  d_model = { keys = { 'hidden_size' } },
  d_ff = { keys = { 'intermediate_size' } },
  activation = { keys = { 'hidden_act' } },
  gated = true,
  bias = false,
  names = { gate = 'mlp.gate_proj', up = 'mlp.up_proj', down = 'mlp.down_proj' },
  around = {
    { place = 'before', what = 'RMSNorm', tensor = 'post_attention_layernorm.weight',
      text = 'eps {rms_norm_eps}' },
    residual(),
  },
  beside = { 'self_attn', 'input_layernorm', 'post_attention_layernorm' },
  head = { tied = false },
}

--- The same with a norm behind the layer, and none in front.
M.norm_after = {
  { place = 'after', what = 'RMSNorm', tensor = 'post_feedforward_layernorm.weight',
    text = 'eps {rms_norm_eps}, before the residual' },
  residual(),
}

--- Gemma's norms.
M.gemma_norms = {
  { place = 'before', what = 'RMSNorm', tensor = 'pre_feedforward_layernorm.weight',
    text = 'times 1 + weight, eps {rms_norm_eps}' },
  { place = 'after', what = 'RMSNorm', tensor = 'post_feedforward_layernorm.weight',
    text = 'times 1 + weight, eps {rms_norm_eps}, before the residual' },
  residual(),
}

--- A norm in front, of a name and of the key of its eps.
---@param what string
---@param tensor string
---@param eps string
function M.norm_before(what, tensor, eps)
  return {
    { place = 'before', what = what, tensor = tensor, text = ('eps {%s}'):format(eps) },
    residual(),
  }
end

--- The same, whose numbers are one less than it multiplies with.
function M.norm_of_one_more(what, tensor, eps)
  return {
    { place = 'before', what = what, tensor = tensor,
      text = ('times 1 + weight, eps {%s}'):format(eps) },
    residual(),
  }
end

--- A norm behind the residual, as in BERT.
function M.post_norm(tensor, eps)
  return {
    residual(),
    { place = 'after', what = 'LayerNorm', tensor = tensor,
      text = ('of the residual x + y, eps {%s}'):format(eps) },
  }
end

--- A layer beside attention: both take the same normalised x.
function M.parallel(what, tensor, eps)
  return {
    { place = 'before', what = what, tensor = tensor,
      text = ('eps {%s}; attention takes the same'):format(eps) },
    { place = 'after', what = 'residual', text = 'x + attention + y: a parallel block' },
  }
end

--- One or the other, as a key says.
function M.either(key, default, where_true, where_false)
  local result = {}
  for _, choice in ipairs { { true, where_true }, { false, where_false } } do
    for _, a in ipairs(choice[2]) do
      result[#result + 1] = {
        place = a.place, what = a.what, tensor = a.tensor, text = a.text,
        when = { key = key, is = choice[1], default = default },
      }
    end
  end
  return result
end

--- The residual of what the norm gives, where a key says so.
M.residual_of_norm = M.either('apply_residual_connection_post_layernorm', false,
  { residual 'of what the norm gives, not of x' }, { residual() })

--- BERT's block.
M.bert = {
  stacks = {
    { at = { 'encoder.layer', 'bert.encoder.layer', 'model.encoder.layer' },
      count = { 'num_hidden_layers' } },
  },
  d_model = { keys = { 'hidden_size' } },
  d_ff = { keys = { 'intermediate_size' } },
  activation = { keys = { 'hidden_act' } },
  bias = true,
  names = { up = 'intermediate.dense', down = 'output.dense' },
  around = M.post_norm('output.LayerNorm.weight', 'layer_norm_eps'),
  beside = { 'attention', 'crossattention', 'output.LayerNorm' },
  head = { tied = true },
}

--- GPT-2's block, whose matrices are [in][out].
M.gpt2 = {
  stacks = { { at = { 'h', 'transformer.h' }, count = { 'n_layer', 'num_hidden_layers' } } },
  d_model = { keys = { 'n_embd', 'hidden_size' } },
  d_ff = { keys = { 'n_inner' }, times = 4 },
  activation = { keys = { 'activation_function' } },
  bias = true,
  names = { up = 'mlp.c_fc', down = 'mlp.c_proj', in_out = true },
  attention = {
    in_out = true,
    fused = {
      { name = 'c_attn', rows = { 'q', 'k', 'v' }, equal = true },
      { name = 'c_attn', rows = { 'k', 'v' }, equal = true, is_cross = true },
    },
  },
  head = { tied = true },
  around = M.norm_before('LayerNorm', 'ln_2.weight', 'layer_norm_epsilon'),
  beside = { 'ln_1', 'attn', 'ln_2', 'crossattention', 'ln_cross_attn' },
}

--- A transformer of pictures or of text as CLIP has it.
M.clip = {
  d_model = { keys = { 'hidden_size' } },
  d_ff = { keys = { 'intermediate_size' } },
  activation = { keys = { 'hidden_act' } },
  bias = true,
  names = { up = 'mlp.fc1', down = 'mlp.fc2' },
  around = M.norm_before('LayerNorm', 'layer_norm2.weight', 'layer_norm_eps'),
  beside = { 'self_attn', 'layer_norm1', 'layer_norm2' },
}

return M
