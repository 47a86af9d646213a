--- The scale of an operand, which comes with weights where a spec says operand_scales = 'static':
--- which numbers are one.
local M = {}

--- The least: t * scale stays above the subnormals.
M.least = 0x1p-100

--- Why a number is no scale, to be said behind its name; nil of a scale.
---@param scale number
---@return string|nil
function M.problem(scale)
  if scale >= M.least and scale < math.huge then return nil end
  return ('is %.9g, and the scale of an operand is finite and at least 2^-100 (7.9e-31)'):format(
    scale)
end

return M
