--- LFM2: layers beside attention or a short convolution, whose width is adjusted; and its mixture
--- of experts, whose width is not.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

--- Two thirds of what a key says, times a multiplier, up to a multiple.
local function width_of(config)
  local whole, key = config:first { 'block_ff_dim', 'intermediate_size' }
  if math.type(whole) ~= 'integer' or whole < 1 then
    config:refuse_value(key or 'intermediate_size', whole, 'a size: an integer from 1 on')
  end
  local because = ('%s = %d'):format(config:name(key), whole)
  local adjusts = config:get 'block_auto_adjust_ff_dim'
  local times = config:number('block_ffn_dim_multiplier', 1)
  local step = config:number('block_multiple_of', 256)
  if adjusts == false then return whole, because .. ', block_auto_adjust_ff_dim is false' end
  if adjusts ~= nil and adjusts ~= true then
    config:refuse_value('block_auto_adjust_ff_dim', adjusts, 'true or false')
  end
  if math.type(step) ~= 'integer' or step < 1 then
    config:refuse_value('block_multiple_of', step, 'an integer from 1 on')
  end
  local width = math.floor(times * (2 * whole // 3))
  return (width + step - 1) // step * step, ('two thirds of %s, times block_ffn_dim_multiplier = '
    .. '%g, up to a multiple of block_multiple_of = %d'):format(because, times, step)
end

local lfm2 = family.like(blocks.llama, {
  head = { tied = true },
  activation = { implied = 'silu' },
  names = { gate = 'feed_forward.w1', up = 'feed_forward.w3', down = 'feed_forward.w2' },
  around = blocks.norm_before('RMSNorm', 'ffn_norm.weight', 'norm_eps'),
  beside = { 'conv', 'operator_norm', 'ffn_norm' },
  known = { 'conv_bias', 'conv_L_cache', 'tie_embedding' },
})

local convolution = { { 'shortconv.', 'convolutions' } } -- blocks of llama.cpp with one

return {
  family.like(lfm2, {
    model_types = { 'lfm2' }, classes = { 'Lfm2' },
    gguf = { { 'lfm2', 'halves', hosts = convolution } },
    code = 'Lfm2MLP: w2(silu(w1(x)) * w3(x))',
    d_ff = { keys = { 'block_ff_dim', 'intermediate_size' }, width = width_of },
    -- Keys of its files that its class reads none of.
    known = { 'full_attn_idxs', 'block_dim', 'block_mlp_init_scale', 'block_norm_eps',
      'block_out_init_scale', 'block_use_swiglu', 'block_use_xavier_init', 'conv_dim',
      'conv_dim_out', 'conv_use_xavier_init', 'use_pos_enc', 'theta' },
  }),
  family.like(lfm2, {
    model_types = { 'lfm2_moe' }, classes = { 'Lfm2Moe' },
    gguf = { { 'lfm2moe', 'halves', source = 'lfm2', hosts = convolution } },
    code = 'Lfm2MoeExperts and Lfm2MoeMLP: w2(silu(w1(x)) * w3(x))',
    must = { { key = 'use_expert_bias', is = true, default = true,
      why = 'the rule has a router that expert_bias corrects' } },
    experts = family.experts {
      count = { 'num_experts' },
      d_ff = { keys = { 'moe_intermediate_size' } },
      dense = { first = 'num_dense_layers', leading = 2 },
      forms = {
        { gate = 'feed_forward.experts.{expert}.w1', up = 'feed_forward.experts.{expert}.w3',
          down = 'feed_forward.experts.{expert}.w2' },
        { fused = 'feed_forward.experts.gate_up_proj', order = 'gate first',
          down = 'feed_forward.experts.down_proj', stacked = true, bare = true },
      },
      router_at = { 'feed_forward.gate' },
      router = { score = 'sigmoid', correction = 'feed_forward.expert_bias', epsilon = 1e-6,
        normalise = { key = 'norm_topk_prob', default = true },
        scale = { key = 'routed_scaling_factor', default = 1 } },
    },
  }),
}
