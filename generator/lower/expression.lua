--- Epilogues as expressions: what a stage makes of its sums, one output at a time. They are data:
--- the equation of a layer, the C of a kernel and the registers of a plan are read from them.
local M = {}

---@class Expression
---@field op string  sum, operand, saved, tensor, mask, apply, slope, mul, fma
---@field branch integer|nil   sum: of which branch, its bias added
---@field tensor string|nil    saved: what an earlier pass kept of this output; tensor: what lies at
--- its place in one of the pass's own
---@field activation table|nil apply, slope: one of activation/
---@field parameters number[]|string|false|nil apply, slope: fixed, 'runtime', or false without any
---@field by string|nil        slope: x (the first operand), up (the second), or a parameter
---@field [integer] Expression its operands

function M.sum(branch) return { op = 'sum', branch = branch } end

--- The stage's own input at the place of the output.
function M.operand() return { op = 'operand' } end

function M.saved(tensor) return { op = 'saved', tensor = tensor } end

function M.tensor(tensor) return { op = 'tensor', tensor = tensor } end

--- The multipliers of dropout, a tensor of the pass: 1 where nothing is dropped.
function M.mask(tensor) return { op = 'mask', tensor = tensor } end

--- a * b + c, rounded once.
function M.fma(a, b, c) return { op = 'fma', a, b, c } end

function M.mul(a, b) return { op = 'mul', a, b } end

--- An activation of a branch, or of both.
---@param up Expression|nil
function M.apply(activation, x, parameters, up)
  if activation.name == 'identity' then return x end
  return { op = 'apply', activation = activation, parameters = parameters or false, x, up }
end

--- The derivative of an activation by x, up or a parameter; nil where it is 1 everywhere.
---@param by string
---@param up Expression|nil
function M.slope(activation, by, x, parameters, up)
  if activation.name == 'identity' then return nil end
  return { op = 'slope', by = by, activation = activation, parameters = parameters or false, x, up }
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

--- What results make of an activation, or of its derivatives: the first such node, or nil.
---@param results Result[]
---@param ops string[]|nil apply, slope or both
---@return Expression|nil
function M.activation(results, ops)
  for _, op in ipairs(ops or { 'apply', 'slope' }) do
    for _, result in ipairs(results) do
      local found = M.find(result.value, op)
      if found then return found end
    end
  end
end

--- Whether results are made of the stage's own input, at the place of each.
---@param results Result[]
function M.read_input(results)
  for _, result in ipairs(results) do
    if M.find(result.value, 'operand') then return true end
  end
  return false
end

--- An expression in the usual notation; `leaf` gives the text of sums, operands and saved tensors.
---@param e Expression
---@param leaf fun(e: Expression): string
---@return string
function M.text(e, leaf)
  local function operands()
    return M.text(e[1], leaf) .. (e[2] and ', ' .. M.text(e[2], leaf) or '')
  end
  if e.op == 'apply' then return ('%s(%s)'):format(e.activation.name, operands()) end
  if e.op == 'slope' and e.by == 'x' and not e[2] then
    return ("%s'(%s)"):format(e.activation.name, operands())
  end
  if e.op == 'slope' then
    return ('d%s/d%s(%s)'):format(e.activation.name, e.by, operands())
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
