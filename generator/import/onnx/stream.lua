--- Outputs of a product, all or some of them, with what was added to them.
local M = {}

---@class ProductStream  outputs first, first + by, ... of a product
---@field product Product
---@field first integer
---@field count integer
---@field by integer
---@field bias Strided|false
---@field because string|false  where its bias was found, where that is another node's
---@field norm BatchNorm|false  behind the sums and their bias
---@field rounded GraphStep|false the last that rounds it: see rounding_steps.lua
---@field parted Parted|false   what rounds between the sums and their bias or norm

---@class Parted
---@field by GraphStep that rounds
---@field adds GraphStep what is added behind it

--- All outputs of a product.
---@param product Product
---@return ProductStream
function M.whole(product)
  return {
    product = product, first = 0, count = product.outputs, by = 1, bias = product.bias,
    because = false, norm = false, rounded = false, parted = false,
  }
end

--- The same with something changed.
---@param of ProductStream
---@return ProductStream
function M.with(of, change)
  return {
    product = of.product, first = change.first or of.first, count = change.count or of.count,
    by = change.by or of.by, bias = change.bias or of.bias, because = of.because,
    norm = change.norm or of.norm, rounded = of.rounded, parted = of.parted,
  }
end

--- The same behind a step that rounds.
---@param of ProductStream
---@param step GraphStep
---@return ProductStream
function M.rounded(of, step)
  local result = M.with(of, {})
  result.rounded = step
  return result
end

--- Tells a stream that something of its product's was added by a step: what rounds in front of that
--- parts the two.
---@param of ProductStream
---@param step GraphStep
---@return ProductStream
function M.added(of, step)
  of.parted = of.parted or of.rounded and { by = of.rounded, adds = step }
  of.rounded = false
  return of
end

return M
