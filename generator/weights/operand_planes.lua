--- What weights of bytes want kept of an operand of bytes, beside its scale: names of planes, and
--- what is in them.
local M = {}

--- Whether sums of a group begin at 1.5 * 2^23: its product with a scale is a float, and the sum
--- stays below 2^22 in size.
---@param products Products
function M.starts_high(products) return products.short_scale and not products.factor end

--- What they begin at: the bits of that float, or 0. An integer below 2^22 in size, added to these
--- bits, makes those of the float plus the integer.
---@param products Products
---@return integer
function M.start(products) return M.starts_high(products) and 0x4b400000 or 0 end

--- Whether the bytes are those of signed ones and 128: all 8 bits are needed.
---@param products Products
function M.is_large(products)
  return (products.offset == 128 or products.bits == 8) and not products.signed
end

--- The plane of what sums of a group begin with: -offset times the sum of the operand's bytes.
---@param products Products
---@return string
function M.begins(products)
  return ('begins_%d%s'):format(products.offset, M.starts_high(products) and '_high' or '')
end

---@class KeptPlane
---@field name string
---@field lane 'f32'|'int32'
---@field every integer
---@field from integer|false   of int32: what is added to
---@field times integer|false  so many times the sum of the bytes

--- What is kept for weights.
---@param products Products
---@param row integer  k of a group where it is a whole row
---@return KeptPlane|nil
function M.of(products, row)
  local every = products.group > 0 and products.group or row
  if products.minima then
    return { name = 'minima', lane = 'f32', every = every, from = false, times = false }
  elseif products.offset > 0 then
    return {
      name = M.begins(products), lane = 'int32', every = every,
      from = M.start(products), times = -products.offset,
    }
  elseif products.sums then
    return { name = 'sums', lane = 'int32', every = every, from = 0, times = 1 }
  end
end

return M
