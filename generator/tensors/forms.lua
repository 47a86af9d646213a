--- What a module may hold in place of a plain matrix, or beside it. Each makes another matrix of
--- it: what stands there under a known name is not what the model computes with.
local lists = require 'common.list'

local M = {}

---@class WeightForm
---@field of string          what it is
---@field mend string        what makes a plain weight of it
---@field modules string[]|nil  names of its modules in that of the matrix
---@field tensors string[]|nil  names of its tensors there
---@field told_by string|nil    one of them that others of these names lack
---@field stands string[]       patterns of what stands for weight or bias; a capture says for which

local quantised = 'store the values that it means as F32 (transformers: model.dequantize())'

---@type WeightForm[]
M.all = {
  {
    of = 'a parametrised weight', modules = { 'parametrizations' },
    mend = 'fold it in first: torch.nn.utils.parametrize.remove_parametrizations(module, "weight")',
    stands = { '^parametrizations%.(%w+)%.original%d*$' },
  },
  {
    of = 'an adapter such as LoRA', mend = 'merge it first: peft\'s merge_and_unload()',
    modules = {
      'base_layer', 'lora_A', 'lora_B', 'lora_a', 'lora_b', 'lora_embedding_A', 'lora_embedding_B',
      'lora_magnitude_vector', 'modules_to_save', 'original_module',
    },
    stands = { '^base_layer%.(%w+)$', '^lora_[Aa]%f[^%w]', '^original_module%.(%w+)$' },
  },
  {
    of = 'a weight of torch.nn.utils.weight_norm', tensors = { 'weight_g', 'weight_v' },
    told_by = 'weight_g', mend = 'fold it in first: torch.nn.utils.remove_weight_norm(module)',
    stands = { '^weight_g$' },
  },
  {
    of = 'a weight of torch.nn.utils.spectral_norm', told_by = 'weight_u',
    tensors = { 'weight_orig', 'weight_u', 'weight_v' },
    mend = 'fold it in first: torch.nn.utils.remove_spectral_norm(module)',
    stands = { '^weight_orig$' },
  },
  {
    of = 'a pruned weight', tensors = { 'weight_orig', 'weight_mask', 'bias_orig', 'bias_mask' },
    mend = 'fold it in first: torch.nn.utils.prune.remove(module, "weight")',
    stands = { '^(%w+)_orig$' },
  },
  {
    of = 'a quantised weight', mend = quantised, modules = { '_packed_params' },
    tensors = {
      'qweight', 'qzeros', 'scales', 'g_idx', 'biases', 'SCB', 'weight_format', 'weight_packed',
      'weight_scale', 'weight_scale_inv', 'weight_scale_2', 'weight_global_scale', 'weight_shape',
      'weight_zero_point', 'weight_g_idx', 'input_scale', 'input_zero_point', 'output_scale',
      'absmax', 'quant_map', 'nested_absmax', 'nested_quant_map', 'bitsandbytes__nf4',
      'bitsandbytes__fp4', 'scale', 'zero_point', 'scale_weight', 'activation_scale', '_data',
      '_scale', '_shift', '_zeropoint',
    },
    stands = {
      '^weight%._data%f[^%w_]', '^qweight$', '^weight_packed$',
      '^_packed_params%._packed_params$',
    },
  },
  {
    of = 'a weight that is rounded in training', modules = {
      'weight_fake_quant', 'activation_post_process',
    },
    mend = 'convert the model first: torch.ao.quantization.convert(model), and dequantise it',
    stands = {},
  },
}

local of_module, of_tensor = {}, {}
for _, form in ipairs(M.all) do
  for _, name in ipairs(form.modules or {}) do of_module[name] = form end
  for _, name in ipairs(form.tensors or {}) do
    of_tensor[name] = lists.append(of_tensor[name] or {}, { form })
  end
end

--- The form of a tensor of this name in a module, or nil.
local function of_last(name, module, has)
  for _, form in ipairs(of_tensor[name] or {}) do
    if not form.told_by or has[module .. form.told_by] then return form end
  end
end

--- The module in which a tensor is a part of such a form, its name there, and the form; or nil.
---@param key string
---@param has table<string, boolean>
---@return string|nil module ends in a dot
---@return string|nil name
---@return WeightForm|nil
function M.of(key, has)
  for at, part in key:gmatch '()([^.]+)' do
    local form = of_module[part]
    if form then return key:sub(1, at - 1), key:sub(at), form end
  end
  local module, name = key:match '^(.*%.)([^.]+)$'
  local form = module and of_last(name, module, has)
  if not form then return nil end
  -- bitsandbytes writes weight.absmax and weight.quant_state.bitsandbytes__nf4, quanto
  -- weight._data.
  module = module:gsub('%f[^%.\0]weight%..*$', '')
  return module, key:sub(#module + 1), form
end

--- What a tensor of a form stands for in its module: weight, bias, or nil.
---@param form WeightForm
---@param name string
function M.stands_for(form, name)
  for _, pattern in ipairs(form.stands) do
    if name:find(pattern) then
      local part = name:match(pattern)
      return part == 'bias' and 'bias' or 'weight'
    end
  end
end

return M
