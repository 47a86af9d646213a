--- The order in which the chains of a sum are summed and folded where one is summed at a time, so
--- that few sums are kept.
local M = {}

---@class ChainStep  a chain is summed, or folded: `into` += `from`
---@field chain integer|nil
---@field into integer|nil
---@field from integer|nil
---@field depth integer  sums that are kept meanwhile, before this one

--- Chains are folded pairwise: the first half with the second, and again.
---@param chains integer  a power of two
---@return ChainStep[]
function M.steps(chains)
  local result = {}
  local function node(chain, stride, depth)
    if stride == chains then
      result[#result + 1] = { chain = chain, depth = depth }
      return
    end
    local other = chain + stride
    node(chain, 2 * stride, depth)
    node(other, 2 * stride, depth + 1)
    result[#result + 1] = { into = chain, from = other, depth = depth }
  end
  node(0, 1, 0)
  return result
end

return M
