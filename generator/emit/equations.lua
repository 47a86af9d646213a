--- What a stage of training computes, as equations: sums as products of matrices, and what is a
--- gradient as the derivative of the loss L that it is. Nothing stands on both sides of one.
local backward = require 'lower.backward'
local expression = require 'lower.expression'
local lists = require 'common.list'
local numbers = require 'common.number'

local M = {}

--- What tensors of the gradient's pass are derivatives by: dgate -> gate.
---@param forward Stage[]
---@return table<string, string>
local function derived_by(forward)
  local by = { dx = 'x', dparameters = 'parameters' }
  for _, f in ipairs(forward) do
    for _, sums in ipairs(backward.sums_names(f)) do by['d' .. sums] = sums end
  end
  return by
end

--- The sums of a branch of a forward stage.
local function forward_sum(f, sums)
  return ('%s W_%s^T%s'):format(f.operand.tensor, sums, f.stream.bias and ' + b_' .. sums or '')
end

--- The sums over the transposed matrices of forward stage `f`: one part for each of them.
local function backward_sum(s, f)
  local parts = {}
  for i, sums in ipairs(backward.sums_names(f)) do
    parts[i] = ('%s W_%s'):format(s.operand.parts[i], sums)
  end
  return table.concat(parts, ' + ')
end

--- That of several outputs: of all their matrices, whose rows are those of one.
local function stacked_sum(forward)
  return table.concat(lists.map(forward, function(f)
    return ('d%s W_%s'):format(f.results[1].tensor, f.name)
  end), ' + ')
end

local equations = {}

--- Sums over weights. Forward they are named where they are saved; backward, in front of a hidden
--- tensor, they are dL/dh, from which the results follow.
function equations.weights(s, forward)
  local f, by, lines = s.of and forward[s.of], derived_by(forward), {}
  local names = backward.sums_names(f or s)
  local hidden = f and s.of > 1 and f.operand.tensor
  local first = s.results
  if f and hidden then
    lines[1] = ('d%s = dL/d%s = %s'):format(hidden, hidden, backward_sum(s, f))
  elseif not f and #s.results > 1 then
    for i, sums in ipairs(names) do lines[i] = ('%s = %s'):format(sums, forward_sum(s, sums)) end
    first = { s.results[1] }
  end
  local named = #lines > 0
  local function leaf(e)
    if e.op == 'operand' then return s.operand.tensor end
    if e.op ~= 'sum' then return e.tensor end
    if f and f.beside then return stacked_sum(forward) end
    if f then return named and 'd' .. hidden or backward_sum(s, f) end
    return named and names[e.branch] or forward_sum(s, names[e.branch])
  end
  for _, result in ipairs(first) do
    local gradient = f and by[result.tensor]
    lines[#lines + 1] = ('%s = %s%s'):format(result.tensor,
      gradient and ('dL/d%s = '):format(gradient) or '', expression.text(result.value, leaf))
  end
  return lines
end

--- What is put in place, as blocks or as panels, or made anew of what was saved; and the gradients
--- of a last stage's sums.
function equations.values(s, forward)
  local by, from, lines = derived_by(forward), s.operand.tensor, {}
  local function leaf(e) return e.op == 'operand' and from or e.tensor end
  for i, result in ipairs(s.results) do
    local to, value = result.tensor, expression.text(result.value, leaf)
    if to == from then
      lines[i] = ('%s_blocks = %s'):format(to, from)
      if from == 'dy' then lines[i + 1] = 'dy = dL/dy' end
    elseif by[to] then
      lines[i] = ('%s = dL/d%s = %s'):format(to, by[to], value)
    elseif result.wanted or value == from then
      lines[i] = ('%s = %s'):format(to, value)
    else
      lines[i] = ('%s = %s = %s'):format(to, from, value)
    end
  end
  return lines
end

function equations.mask(s)
  return { ('%s = dropout(%s)'):format(s.results[1].tensor,
    numbers.shortest(s.forward.dropout)) }
end

function equations.tokens(s, forward)
  local f, lines = forward[s.of], {}
  for i, sums in ipairs(backward.sums_names(f)) do
    lines[i] = ('dw_%s = dL/dW_%s = %s^T %s'):format(sums, sums, s.operand.parts[i],
      f.operand.tensor)
  end
  return lines
end

function equations.columns(s, forward)
  local names, lines = s.of and backward.sums_names(forward[s.of]), {}
  for i, result in ipairs(s.results) do
    lines[i] = ('%s = dL/d%s = the sum of %s over tokens'):format(result.tensor,
      names and 'b_' .. names[i] or 'parameters', s.operand.parts[i])
  end
  return lines
end

--- The gradient of each parameter by each row.
function equations.fold(s)
  return { ('%s (+)= the sums of %s over outputs'):format(s.results[1].tensor,
    table.concat(s.operand.parts, ', ')) }
end

--- The equations of a stage, in one line.
---@param s Stage
---@param forward Stage[]  of its layer
---@return string
function M.of(s, forward) return table.concat(equations[s.kind](s, forward), '; ') end

return M
