--- What --variant says of a model that does not tell it: a variant, or two, one of layers with a
--- gate and one of those without.
local activations = require 'activation'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- The variants of --variant: one of layers with a gate, one of those without, each if it is said.
---@return { [boolean]: string }  by whether it is gated
function M.of(text)
  local result = {}
  for name in ((text or '') .. ','):gmatch '([^,]*),' do
    local known = activations.by_variant[name]
    if name ~= '' and not known then
      problems.bad_input('--variant', 'unknown variant "%s"%s', record.shown(name),
        record.suggest(name, activations.variant_names))
    end
    if known then
      if result[known.gated] then
        problems.bad_input('--variant', '%s and %s are both variants of layers %s a gate: name at '
          .. 'most one for each', result[known.gated], name, known.gated and 'with' or 'without')
      end
      if #known.activation.parameters > 0 then
        problems.bad_input('--variant', '%s has parameters, which names of tensors do not say: '
          .. 'write the spec by hand', name)
      end
      result[known.gated] = name
    end
  end
  return result
end

return M
