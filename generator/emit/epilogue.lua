--- Epilogues in C: an expression over sums becomes vector code.
local expression = require 'lower.expression'
local number = require 'common.number'

local M = {}

---@class Leaves  C text of what an epilogue starts from
---@field sum fun(branch: integer): string
---@field operand string|nil  the input at the place of the output
---@field beta string         the parameter of an activation
---@field activation fun(a: table): string  the name of its function
---@field value (fun(e: Expression): string|nil)|nil  what is there already: a saved tensor, one of
--- the pass, an activation, its slope

--- The beta that a stage's activations take, or false.
---@param stage Stage
---@return number|string|false
function M.beta(stage)
  local beta = false
  for _, result in ipairs(stage.results) do
    for _, op in ipairs { 'apply', 'slope' } do
      local node = expression.find(result.value, op)
      beta = beta or node and node.beta or false
    end
  end
  return beta
end

--- The vector of a stage's beta in C, or ''.
---@param packed string the address of packed weights
function M.beta_text(stage, word, prefix, packed)
  local beta = M.beta(stage)
  if not beta then return '' end
  return word('splat', beta == 'runtime' and ('%s_packed_beta(%s)'):format(prefix, packed)
    or number.float_literal(beta))
end

--- Whether a stage's results need the input at the place of an output.
---@param stage Stage
function M.needs_operand(stage)
  for _, result in ipairs(stage.results) do
    if expression.find(result.value, 'operand') then return true end
  end
  return false
end

--- The statements that make a sum what enters the expression: a sum that skips zeros and one that
--- adds them agree but for the sign of a zero, which adding +0 removes; then the bias.
---@param stage Stage
---@param word fun(name: string, ...: string): string
---@param sum string the variable that holds it
---@param bias string|false the address of its bias
---@return string[]
function M.finish(stage, word, sum, bias)
  local lines = {}
  local function add(what) lines[#lines + 1] = ('%s = %s;'):format(sum, word('add', sum, what)) end
  if stage.operand.zeros then add(word('zero')) end
  if bias then add(word('load', bias)) end
  return lines
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
    local arguments = M.text(e[1], word, leaves) .. (e.beta and ', ' .. leaves.beta or '')
    return ('%s(%s)'):format(leaves.activation(e.activation), arguments)
  end
  error(('no vector code for "%s" in an epilogue'):format(e.op))
end

return M
