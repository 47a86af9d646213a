--- The scale of an operand, which comes with weights where a spec says operand_scales = 'static':
--- which numbers are one.
local problems = require 'common.problem'

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

--- What files of compressed-tensors call the tensor of a name.
---@param key string
---@return string
function M.other_name(key) return (key:gsub('operand_scale$', 'input_scale')) end

--- Refuses what is no scale, and scales of gate and up that differ: both multiply one x.
---@param path string
---@param tensors Tensor[]
---@param values number[][]  of each
function M.check(path, tensors, values)
  local first = {}
  for i, tensor in ipairs(tensors) do
    if tensor.part == 'operand_scale' then
      local scale = values[i][1]
      local problem, before = M.problem(scale), first[tensor.stage]
      if problem then problems.bad_input(path, '%s %s', tensor.name, problem) end
      first[tensor.stage] = before or { tensor.name, scale }
      if before and before[2] ~= scale then
        problems.bad_input(path, '%s is %.9g and %s is %.9g: both multiply one x, which has one '
          .. 'scale', before[1], before[2], tensor.name, scale)
      end
    end
  end
end

return M
