--- What a file tells of the router of a mixture of experts: all of it is the host's, and each key
--- is told with its value.
local problems = require 'common.problem'

local M = {}

--- Keys behind the architecture's name, in the order in which a router comes to them.
M.keys = {
  'expert_group_count', 'expert_group_used_count', 'expert_gating_func', 'expert_weights_norm',
  'expert_weights_scale',
}

--- llama_expert_gating_func_type of src/llama-hparams.h of llama.cpp.
local gatings = { 'softmax', 'sigmoid', 'softmax of those chosen' }

--- The keys of a file with their values, in words; '' where there are none.
---@param path string
---@param values table<string, GgufValue>
---@param name string  the architecture's
---@return string
function M.told(path, values, name)
  local parts = {}
  for _, own in ipairs(M.keys) do
    local key = ('%s.%s'):format(name, own)
    local value = values[key]
    if value ~= nil and type(value) ~= 'number' and type(value) ~= 'boolean' then
      problems.bad_input(path, '%s is neither a number nor true or false', key)
    end
    if value ~= nil then
      local word = own == 'expert_gating_func' and gatings[value]
      parts[#parts + 1] = ('%s %s%s'):format(key,
        math.type(value) == 'float' and ('%.9g'):format(value) or tostring(value),
        word and (' (%s)'):format(word) or '')
    end
  end
  return table.concat(parts, ', ')
end

--- What a block's router is, as what lies beside a layer.
---@param o GgufReading
---@return Around[]
function M.around(o)
  local router = o.block.stems.ffn_gate_inp
  local list = { {
    place = 'beside', what = 'router', tensor = o.block.prefix .. 'ffn_gate_inp.weight',
    text = ('chooses %d of %d experts for each token, and weights what they give%s%s'):format(
      o.sizes.used, o.sizes.experts, router.bias and '; it has a bias, ffn_gate_inp.bias' or '',
      o.router ~= '' and '; ' .. o.router or ''),
  } }
  local bias = o.block.stems.exp_probs_b
  if bias then
    list[2] = {
      place = 'beside', what = 'router\'s bias',
      tensor = ('%sexp_probs_b.%s'):format(o.block.prefix, bias.bias and 'bias' or 'weight'),
      text = 'added where it chooses, and not where it weights',
    }
  end
  return list
end

return M
