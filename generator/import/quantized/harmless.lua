--- Keys of a quantization_config that change nothing of a layer, each with the reason: a scheme
--- reads, judges or refuses every other one. A key stands here because no reader of its method
--- takes a layout, a number or a module from it, or because the tensors themselves tell the same.
local lists = require 'common.list'

local M = {}

--- What is said of keys, and of which methods; all: of each.
---@class HarmlessKeys
---@field methods string[]
---@field keys string[]
---@field why string

local gptq, awq, round = 'gptq', 'awq', 'auto-round'
local compressed, fp8, fbgemm, mxfp4 = 'compressed-tensors', 'fp8', 'fbgemm_fp8', 'mxfp4'

---@type HarmlessKeys[]
M.list = {
  {
    methods = { gptq, awq, round, compressed, fp8, fbgemm, mxfp4 }, keys = { 'quant_method' },
    why = 'the method\'s name, by which its scheme was found',
  },
  {
    methods = { gptq, awq }, keys = { 'method' },
    why = 'the same under another name, which programs write beside it',
  },
  {
    methods = { gptq, awq, round },
    keys = { 'true_sequential', 'damp_percent', 'damp_auto_increment', 'mse', 'act_group_aware',
      'dataset', 'batch_size', 'tokenizer', 'iters', 'lr', 'minmax_lr', 'nsamples', 'n_samples',
      'seqlen', 'train_bs', 'gradient_accumulate_steps', 'enable_minmax_tuning',
      'enable_quanted_input', 'enable_norm_bias_tuning', 'enable_alg_ext', 'amp',
      'low_gpu_mem_usage', 'model_seqlen', 'max_input_length', 'pad_token_id',
      'cache_block_outputs', 'parallel_packing', 'offload_to_disk', 'offload_to_disk_path' },
    why = 'how the numbers were searched for: which ones were found is stored',
  },
  {
    methods = { gptq, round }, keys = { 'quantizer', 'model_name_or_path', 'model_file_base_name',
      'autoround_version' },
    why = 'names of programs, models and files, and versions of the first',
  },
  {
    methods = { gptq, awq }, keys = { 'use_exllama', 'disable_exllama', 'exllama_config',
      'use_cuda_fp16', 'modules_to_fuse', 'do_fuse', 'fuse_max_seq_len' },
    why = 'which code of its program computes the layer, from the same stored numbers',
  },
  {
    methods = { gptq }, keys = { 'backend' },
    why = 'which code of its program computes the layer, from the same stored numbers',
  },
  {
    methods = { gptq }, keys = { 'block_name_to_quantize', 'module_name_preceding_first_block' },
    why = 'which blocks were quantised: the tensors of each module tell it',
  },
  {
    methods = { gptq, awq, round }, keys = { 'lm_head', 'quant_lm_head' },
    why = 'of the head alone, which is the host\'s',
  },
  {
    methods = { awq }, keys = { 'sym' },
    why = 'its zeros are stored as they are, and all readers take them from there',
  },
  {
    methods = { awq, round }, keys = { 'desc_act' },
    why = 'its scales have no order of their own: a g_idx beside them is refused or read',
  },
  {
    methods = { round }, keys = { 'act_group_size', 'act_sym', 'act_dynamic', 'act_data_type' },
    why = 'how x is rounded where act_bits says that it is, which is refused or told',
  },
  {
    methods = { round }, keys = { 'scale_dtype' },
    why = 'the type of scales, which their tensors have',
  },
  {
    methods = { compressed }, keys = { 'quantization_status', 'global_compression_ratio', 'version',
      'run_compressed' },
    why = 'of the program and of how it loads: whether rows are packed their tensors tell',
  },
  {
    methods = { compressed, fp8 }, keys = { 'kv_cache_scheme', 'kv_cache_quant_method' },
    why = 'of attention\'s keys and values, which are the host\'s',
  },
  {
    methods = { fp8 }, keys = { 'scale_fmt' },
    why = 'that scales are powers of two, which stored ones are as they are',
  },
  {
    methods = { fp8, mxfp4 }, keys = { 'dequantize' },
    why = 'how its program loads the model, and not what is stored',
  },
  {
    methods = { fbgemm }, keys = { 'activation_scale_ub' },
    why = 'how x is rounded, which is refused or told',
  },
}

--- What a program notes of itself under `meta`: numbers of its search, and its name.
M.meta = { 'quantizer', 'packer', 'uri', 'damp_percent', 'damp_auto_increment',
  'static_groups', 'true_sequential', 'mse', 'act_group_aware', 'gptaq', 'gptaq_alpha', 'v2',
  'v2_alpha', 'iters', 'lr', 'minmax_lr', 'nsamples', 'seqlen', 'batch_size', 'dataset',
  'enable_minmax_tuning', 'enable_quanted_input', 'low_gpu_mem_usage', 'model_seqlen',
  'offload_to_disk', 'offload_to_disk_path', 'pack_impl', 'scale_dtype', 'sym', 'bits',
  'group_size', 'gradient_accumulate_steps', 'hessian', 'failsafe', 'vram_strategy', 'gc_mode' }

--- The keys of a method.
---@param method string
---@return string[]
function M.of(method)
  local keys = {}
  for _, entry in ipairs(M.list) do
    if lists.has(entry.methods, method) then lists.append(keys, entry.keys) end
  end
  return keys
end

return M
