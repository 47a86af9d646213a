--- Where gradients of weights and biases go: fields of ffn_gradients, in C.
local lists = require 'common.list'

local M = {}

---@class GradientField
---@field value string      its address
---@field condition string  whether it is wanted

--- Those of a stage over tokens, a branch after the other.
---@param s Stage
---@param forward Stage[]
---@param to string  what points to an ffn_gradients
---@return GradientField[]
function M.fields(s, forward, to)
  local function field(name)
    local at = ('%s->%s'):format(to, name)
    return { value = at, condition = at }
  end
  if not s.of then return { field 'parameters' } end
  local kind = s.kind == 'tokens' and 'weight' or 'bias'
  return lists.map(forward[s.of].stream.branches, function(branch)
    if branch.matrix ~= 'chain' then return field(('%s.%s'):format(branch.matrix, kind)) end
    local chain = to .. '->chain'
    local one = ('%s[%d].%s'):format(chain, s.of - 1, kind)
    return {
      value = ('%s ? %s : NULL'):format(chain, one), condition = ('(%s && %s)'):format(chain, one),
    }
  end)
end

return M
