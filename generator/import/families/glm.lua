--- GLM: ChatGLM's own code, whose swiglu no key names; GLM-4 of transformers.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local fused = { fused = 'mlp.gate_up_proj', order = 'gate first', down = 'mlp.down_proj' }

return {
  {
    model_types = { 'chatglm' }, classes = { 'ChatGLM' },
    gguf = { { 'chatglm', 'adjacent' } },
    source = 'THUDM/chatglm3-6b: modeling_chatglm.py, MLP: swiglu, silu(x[0]) * x[1] of chunk(2)',
    stacks = { { at = { 'transformer.encoder.layers' }, count = { 'num_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'ffn_hidden_size' } },
    activation = { implied = 'silu' },
    gated = true,
    bias = { keys = { 'add_bias_linear' } },
    names = { fused = 'mlp.dense_h_to_4h', order = 'gate first', down = 'mlp.dense_4h_to_h' },
    around = {
      { place = 'before', what = 'RMSNorm', tensor = 'post_attention_layernorm.weight',
        text = 'eps {layernorm_epsilon}' },
      table.unpack(blocks.residual_of_norm),
    },
    beside = { 'self_attention', 'input_layernorm', 'post_attention_layernorm' },
    must = {
      { key = 'rmsnorm', is = true, default = true, why = 'its norms are then others' },
      { key = 'quantization_bit', is = 0, default = 0,
        why = 'its matrices are then integers with scales' },
    },
    known = { 'bias_dropout_fusion', 'fp32_residual_connection', 'interleaved_qkv' },
  },
  family.like(blocks.llama, {
    model_types = { 'glm' }, classes = { 'Glm' }, names = fused,
  }),
  family.like(blocks.llama, {
    model_types = { 'glm4' }, classes = { 'Glm4' }, names = fused,
    gguf = { { 'glm4', 'adjacent' } },
    code = 'Glm4MLP and Glm4DecoderLayer',
    around = {
      { place = 'before', what = 'RMSNorm', tensor = 'post_attention_layernorm.weight',
        text = 'eps {rms_norm_eps}' },
      { place = 'after', what = 'RMSNorm', tensor = 'post_mlp_layernorm.weight',
        text = 'eps {rms_norm_eps}, before the residual' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
    beside = { 'post_self_attn_layernorm', 'post_mlp_layernorm' },
  }),
}
