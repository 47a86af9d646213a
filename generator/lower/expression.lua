--- Epilogues as expressions: what a stage makes of its sums, one output at a time. They are data:
--- the equation of a layer, the C of a kernel and the registers of a plan are read from them.
local M = {}

---@class Expression
---@field op string  sum, operand, saved, tensor, apply, slope, turn, mul, fma
---@field branch integer|nil   sum: of which branch, its bias added
---@field tensor string|nil    saved: what an earlier pass kept of this output; tensor: what lies at
--- its place in one of the pass's own
---@field activation table|nil apply, slope, turn: one of activation/
---@field beta number|string|false|nil apply: fixed, 'runtime', or false where there is none
---@field [integer] Expression its operands

function M.sum(branch) return { op = 'sum', branch = branch } end

--- The stage's own input at the place of the output.
function M.operand() return { op = 'operand' } end

function M.saved(tensor) return { op = 'saved', tensor = tensor } end

function M.tensor(tensor) return { op = 'tensor', tensor = tensor } end

--- a * b + c, rounded once.
function M.fma(a, b, c) return { op = 'fma', a, b, c } end

function M.mul(a, b) return { op = 'mul', a, b } end

function M.apply(activation, x, beta)
  if activation.name == 'identity' then return x end
  return { op = 'apply', activation = activation, beta = beta or false, x }
end

--- The derivative of an activation; nil where it is 1 everywhere.
function M.slope(activation, x, beta)
  return activation.name ~= 'identity'
    and { op = 'slope', activation = activation, beta = beta or false, x } or nil
end

--- The derivative of an activation by its parameter.
function M.turn(activation, x, beta)
  return { op = 'turn', activation = activation, beta = beta, x }
end

--- a * b, or a where b is nil.
function M.times(a, b) return b and M.mul(a, b) or a end

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
  if e.op == 'apply' then return ('%s(%s)'):format(e.activation.name, M.text(e[1], leaf)) end
  if e.op == 'slope' then return ("%s'(%s)"):format(e.activation.name, M.text(e[1], leaf)) end
  if e.op == 'turn' then
    return ('d%s/d%s(%s)'):format(e.activation.name, e.activation.parameter, M.text(e[1], leaf))
  end
  if e.op == 'fma' then
    return ('%s + %s * %s'):format(M.text(e[3], leaf), M.text(e[1], leaf), M.text(e[2], leaf))
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
