--- Epilogues in C: an expression over sums becomes vector code.
local expression = require 'lower.expression'
local numbers = require 'common.number'
local vector = require 'emit.vector'

local M = {}

---@class Leaves  C text of what an epilogue starts from
---@field sum fun(branch: integer): string
---@field operand string|nil  the input at the place of the output
---@field activation fun(a: table): string  the name of its function
---@field value (fun(e: Expression): string|nil)|nil  what is there already: a saved tensor, one of
--- the pass, an activation, its slope

---@class Parameter  of a stage's activation, as a vector in C
---@field name string
---@field value string
---@field runtime boolean  it comes with the weights

--- The parameters that a stage's activation and its derivatives take.
---@param stage Stage
---@param packed string the address of packed weights
---@return Parameter[]
function M.parameters(stage, word, prefix, packed)
  local apply = expression.activation(stage.results)
  local list = {}
  for i, name in ipairs(apply and apply.parameters and apply.activation.parameters or {}) do
    local fixed = apply.parameters ~= 'runtime' and numbers.float_literal(apply.parameters[i])
    list[i] = {
      name = vector.parameter_name(name), runtime = not fixed,
      value = word('splat', fixed or ('%s_packed_parameter(%s, %d)'):format(prefix, packed, i - 1)),
    }
  end
  return list
end

--- What a sum enters the expression as: a sum that skips zeros and one that adds them agree but for
--- the sign of a zero, which adding +0 removes (sums of bytes skip none); then the bias.
---@param stage Stage
---@param word fun(name: string, ...: string): string
---@param sum string
---@param bias string|false the vector of its biases
---@return string
function M.finished(stage, word, sum, bias)
  if stage.operand.zeros and stage.arithmetic.takes == 'value' then
    sum = word('add', sum, word('zero'))
  end
  return bias and word('add', sum, bias) or sum
end

--- One expression of vector code.
---@param e Expression
---@param word fun(name: string, ...: string): string
---@param leaves Leaves
---@return string
function M.text(e, word, leaves)
  local there = leaves.value and leaves.value(e)
  if there then return there end
  if e.op == 'sum' then return leaves.sum(e.branch) end
  if e.op == 'operand' then return leaves.operand end
  if e.op == 'mul' then
    return word('mul', M.text(e[1], word, leaves), M.text(e[2], word, leaves))
  end
  if e.op == 'fma' then
    return word('fma', M.text(e[1], word, leaves), M.text(e[2], word, leaves),
      M.text(e[3], word, leaves))
  end
  if e.op == 'apply' then
    local arguments = {}
    for i, operand in ipairs(e) do arguments[i] = M.text(operand, word, leaves) end
    for _, name in ipairs(e.activation.parameters) do
      arguments[#arguments + 1] = vector.parameter_name(name)
    end
    return ('%s(%s)'):format(leaves.activation(e.activation), table.concat(arguments, ', '))
  end
  error(('no vector code for "%s" in an epilogue'):format(e.op))
end

return M
