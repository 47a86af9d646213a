--- Epilogues as expressions: what a stage makes of its sums, one output at a time. They are data:
--- the equation of a layer, the C of a kernel and the registers of a plan are read from them.
local M = {}

---@class Expression
---@field op string  sum, operand, saved, apply, mul
---@field branch integer|nil   sum: of which branch, its bias added
---@field tensor string|nil    saved: what an earlier pass kept of this output
---@field activation table|nil apply: one of activation/
---@field parameters number[]|string|false|nil apply: fixed, 'runtime', or false without any
---@field [integer] Expression its operands

function M.sum(branch) return { op = 'sum', branch = branch } end

--- The stage's own input at the place of the output.
function M.operand() return { op = 'operand' } end

function M.saved(tensor) return { op = 'saved', tensor = tensor } end

function M.mul(a, b) return { op = 'mul', a, b } end

--- An activation of a branch, or of both.
---@param up Expression|nil
function M.apply(activation, x, parameters, up)
  if activation.name == 'identity' then return x end
  return { op = 'apply', activation = activation, parameters = parameters or false, x, up }
end

--- Calls `visit` with every node, operands first.
---@param e Expression
---@param visit fun(e: Expression)
function M.walk(e, visit)
  for _, operand in ipairs(e) do M.walk(operand, visit) end
  visit(e)
end

--- The first node of a kind, or nil.
---@param e Expression
---@param op string
function M.find(e, op)
  local found
  M.walk(e, function(node) found = found or node.op == op and node or nil end)
  return found
end

--- An expression in the usual notation; `leaf` gives the text of sums, operands and saved tensors.
---@param e Expression
---@param leaf fun(e: Expression): string
---@return string
function M.text(e, leaf)
  if e.op == 'apply' then
    return ('%s(%s)'):format(e.activation.name, M.text(e[1], leaf)
      .. (e[2] and ', ' .. M.text(e[2], leaf) or ''))
  end
  if e.op == 'mul' then
    local function factor(x)
      local text = M.text(x, leaf)
      return x.op == 'sum' and text:find(' ', 1, true) and '(' .. text .. ')' or text
    end
    return factor(e[1]) .. ' * ' .. factor(e[2])
  end
  return leaf(e)
end

return M
