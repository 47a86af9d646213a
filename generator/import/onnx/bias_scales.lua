--- The scale of a bias of 32 bits, held against that of x times that of the weights. Who multiplies
--- integers adds such a bias to their sums without asking for its scale, so that in a file where it
--- is another one such a program computes another function than the graph says.
local labels = require 'import.onnx.labels'
local moves = require 'import.onnx.moves'
local numbers = require 'common.number'
local views = require 'import.onnx.views'

local M = {}

--- The scale of the bytes that a product multiplies, or nil where it multiplies floats.
local function scale_of(x)
  while x and x.step and moves.has(x.step.op) do x = x.step.ins[1] end
  local step = x and x.step
  return step and step.op == 'DequantizeLinear' and step.ins[2] and views.number(step.ins[2]) or nil
end

--- Scale i of what lies beside numbers.
local function at(of, list, i)
  return list[of.first + (of.rows > 0 and i // of.rows or 0) * of.row + 1]
end

--- What is to be said of the scale of a stream's bias; nil: its bias has none, or is no such one.
---@param of ProductStream
---@param numbers_of fun(tensor: OnnxTensor): number[]|nil
---@return string|nil
---@return boolean|nil is_other  it is another one
function M.told(of, numbers_of)
  local bias, weight = of.bias and of.bias.scaled, of.product.weight.scaled
  if not bias or bias.encoding ~= 'i32' then return nil end
  local name = labels.quoted(bias.scales.view.value.name)
  local of_x = scale_of(of.product.x)
  if not of_x or not weight or weight.every ~= 0 then
    return ('its scale %s stands for itself: x, or the matrix, has no scale of its own'):format(
      name)
  end
  local own, others = numbers_of(bias.scales.view.tensor), numbers_of(weight.scales.view.tensor)
  if not own or not others then
    return ('its scale %s was not held against that of x times that of the matrix'):format(name)
  end
  for i = 0, of.count - 1 do
    local scale = at(bias.scales, own, i)
    local wanted = numbers.to_f32(of_x * at(weight.scales, others, of.first + i * of.by))
    if scale ~= wanted then
      return ('the scale %s of its bias is not that of x times that of the matrix: %.9g, not '
        .. '%.9g, of output %d; it is taken as it is, and programs that add integers take the '
        .. 'other'):format(name, scale, wanted, i), true
    end
  end
  return ('its scale %s is that of x times that of the matrix'):format(name)
end

return M
