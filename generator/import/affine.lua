--- A norm that stands behind a product and is folded into it: of output o what is stored becomes
--- (sum + bias - mean) * gamma / sqrt(variance + epsilon) + beta. ffn-pack computes weights and
--- biases of that in double, and rounds each to f32.
local record = require 'common.record'
local weights = require 'weights'

local M = {}

---@class Affine
---@field epsilon number
---@field gamma Placed     vectors, as are the others
---@field beta Placed
---@field mean Placed
---@field variance Placed

M.vectors = { 'gamma', 'beta', 'mean', 'variance' }

--- Only floats are folded into, and become f32.
local floats = { f32 = true, f16 = true, bf16 = true, f64 = true }

---@param given table
---@param weight Placed    of the product
---@param place fun(vector: table): Placed
---@return Affine
function M.of(given, weight, place)
  if weight.scaled or not floats[weight.encoding] or weight.format ~= weights.names[1] then
    error(('affine: "%s" is no floats that become f32'):format(weight.tensor), 0)
  end
  local result, count = { epsilon = given.epsilon }, 1
  for _, name in ipairs(M.vectors) do result[name], count = place(given[name]), count + 1 end
  if record.count(given) ~= count then error('affine: unknown fields', 0) end
  if not (given.epsilon >= 0 and given.epsilon < math.huge) then
    error(('affine: "%s" has no such epsilon'):format(weight.tensor), 0)
  end
  return record.strict('affine', result)
end

return M
