--- The passes of training: forward again, keeping what backward needs; and from dy back to the
--- gradients of x, of every matrix and of every bias. Stages as any others, of these kinds:
---
---   weights  sums over packed weights: dx over transposed ones, of several matrices one by one
---   tokens   sums over tokens: dW; what its operand holds are rows, what its stream does columns
---   columns  sums over tokens of the operand alone: db
---   values   no sum: what is put in place, or made anew of what was saved
---   fold     of a row's values one: by 16 partial sums, output modulo 16, folded pairwise; of
---            several rows, one for each parameter, so many
---   mask     the multipliers of dropout, made anew in each pass
---
--- What is saved: the sums of every stage, but for a last one that does nothing more to them.
---
--- Several outputs of one x: sums over tokens of each, as if it stood alone; and one dx, whose sum
--- is that of a single matrix with the rows of all of them, in order.
local expression = require 'lower.expression'
local lists = require 'common.list'
local stage_record = require 'lower.stage'
local weights = require 'weights'

local M = {}

--- The name of a branch's sums where they are saved.
local function saved_name(f, branch) return branch.name == 'linear' and f.name or branch.name end

--- The names of the sums of a forward stage, one for each branch.
---@param f Stage
---@return string[]
function M.sums_names(f)
  return lists.map(f.stream.branches, function(branch) return saved_name(f, branch) end)
end

local function learns(f) return f.forward.parameters == 'runtime' end

local function is_plain(f)
  return f.forward.activation.name == 'identity' and f.forward.product == 'none'
end

--- The tensors that are saved of forward stage i, one for each branch.
---@param forward Stage[]
---@return string[]
function M.saved(forward, i)
  local f = forward[i]
  if (i == #forward or f.beside) and is_plain(f) then return {} end
  return M.sums_names(f)
end

--- Stages without sums, by what they make. `operand` is where they take it from.
local function values(name, outputs, operand, results, wants)
  return stage_record.stage {
    name = name, kind = 'values', inputs = outputs, outputs = outputs,
    operand = { tensor = operand, zeros = false }, results = results, wants = wants,
  }
end

--- The caller's rows, put in place.
local function take(name, tensor, width, wants)
  return values(name, width, tensor, { { tensor = tensor, value = expression.operand() } }, wants)
end

local function mask_name(f) return 'mask_' .. f.results[1].tensor end

--- A value of forward stage i's result, or its gradient, as dropout leaves it.
local function dropped(f, value)
  return f.forward.dropout > 0 and expression.mul(value, expression.mask(mask_name(f))) or value
end

--- What dropout multiplies the results of forward stage i with, where it has any.
local function mask(list, forward, i, again, wants)
  local f = forward[i]
  if f.forward.dropout == 0 then return end
  list[#list + 1] = stage_record.stage {
    name = mask_name(f) .. again, kind = 'mask', of = i, wants = wants,
    inputs = f.outputs, outputs = f.outputs,
    operand = { tensor = 'dropout', zeros = false }, forward = f.forward,
    results = { { tensor = mask_name(f), value = expression.operand() } },
  }
end

--- The forward stages with their saved sums as further results.
---@param forward Stage[]
---@return Stage[]
local function train_pass(forward)
  local list = { take('take_x', 'x', forward[1].inputs) }
  for i, f in ipairs(forward) do
    mask(list, forward, i, '')
    local results = { { tensor = f.results[1].tensor, value = dropped(f, f.results[1].value) } }
    for b, tensor in ipairs(M.saved(forward, i)) do
      results[#results + 1] = { tensor = tensor, value = expression.sum(b) }
    end
    list[#list + 1] = stage_record.stage {
      name = f.name, inputs = f.inputs, outputs = f.outputs,
      operand = { tensor = f.operand.tensor, zeros = f.operand.zeros },
      branches = f.stream.branches, bias = f.stream.bias, format = f.stream.format,
      results = results, forward = f.forward, beside = f.beside,
    }
  end
  return list
end

--- What stage i made of its sums, of what is saved.
local function again(forward, i)
  local f, saved = forward[i].forward, M.saved(forward, i)
  local value = expression.apply(f.activation, expression.saved(saved[1]), f.parameters,
    f.product == 'both' and expression.saved(saved[2]) or nil)
  if f.product == 'up' then value = expression.mul(value, expression.saved(saved[2])) end
  return dropped(forward[i], value)
end

--- The name of the tensor of what stage i adds to the gradient of a parameter.
local function turns_name(f, parameter) return ('turns_%s_%s'):format(f.name, parameter) end

--- The gradients of the sums of stage i, given that of its result: { tensor, value } each.
---@return Result[]
local function sums_gradients(forward, i, result_gradient)
  local f, saved = forward[i].forward, M.sums_names(forward[i])
  result_gradient = dropped(forward[i], result_gradient)
  local x, both = expression.saved(saved[1]), f.product == 'both'
  local up = both and expression.saved(saved[2]) or nil
  local function slope(by) return expression.slope(f.activation, by, x, f.parameters, up) end
  local inner = result_gradient
  if f.product == 'up' then inner = expression.mul(inner, expression.saved(saved[2])) end
  if f.product == 'input' then inner = expression.mul(inner, expression.tensor 'x') end
  local results = { { tensor = 'd' .. saved[1], value = expression.times(inner, slope 'x') } }
  if f.product == 'up' or both then
    results[2] = { tensor = 'd' .. saved[2], value = expression.mul(result_gradient,
      both and slope 'up' or expression.apply(f.activation, x, f.parameters)) }
  end
  for _, parameter in ipairs(learns(forward[i]) and f.activation.parameters or {}) do
    results[#results + 1] = { tensor = turns_name(forward[i], parameter), wanted = 'parameters',
      value = expression.mul(inner, slope(parameter)) }
  end
  return results
end

--- The tensors among results that are the gradients of sums.
local function gradients_among(results)
  return lists.map(lists.filter(results, function(result) return not result.wanted end),
    function(result) return result.tensor end)
end

--- The outputs of grad() that stage i gives.
local function weight_gradient(f) return 'dw_' .. f.name end
local function bias_gradient(f) return 'db_' .. f.name end

--- The gradients that need what comes out of stage i backwards: dx, and those of stages before it.
local function before(forward, i)
  local wants = { 'dx' }
  for j = 1, i - 1 do
    wants[#wants + 1] = weight_gradient(forward[j])
    if forward[j].stream.bias then wants[#wants + 1] = bias_gradient(forward[j]) end
  end
  for j = 1, i - 1 do
    if learns(forward[j]) and wants[#wants] ~= 'parameters' then
      wants[#wants + 1] = 'parameters'
    end
  end
  return wants
end

--- All that grad() gives, in the order of their bits.
---@param forward Stage[]
---@return string[]
function M.outputs(forward) return before(forward, #forward + 1) end

--- The name of a forward stage's input in panels.
local function packed_name(f) return f.operand.tensor .. '_panels' end

--- The input of forward stage i in panels, made anew where it is not x.
local function pack_input(list, forward, i, wants)
  local f = forward[i]
  list[#list + 1] = values('pack_' .. f.operand.tensor, f.inputs, f.operand.tensor, { {
    tensor = packed_name(f), value = i == 1 and expression.operand() or again(forward, i - 1),
  } }, wants)
end

--- dW and db of forward stage i: two sums over its input in panels and the gradients of its sums.
local function over_tokens(list, forward, i, tensors)
  local f = forward[i]
  local packed, weight = packed_name(f), { weight_gradient(f) }
  local function sums(kind, name, outputs, wants)
    list[#list + 1] = stage_record.stage {
      name = name, kind = kind, inputs = f.outputs, outputs = outputs, of = i, wants = wants,
      operand = { tensor = tensors[1], zeros = false, parts = tensors },
      branches = kind == 'tokens' and { { name = packed, matrix = f.stream.branches[1].matrix } },
      format = weights.by_name.f32, packed = packed, -- what is saved, whatever the weights are
      results = lists.map(f.stream.branches, function(branch)
        return { tensor = ('%s_%s'):format(name:sub(1, 2), saved_name(f, branch)),
          value = expression.sum(1) }
      end),
    }
  end
  sums('tokens', 'dw_' .. f.name, f.inputs, weight)
  if f.stream.bias then sums('columns', 'db_' .. f.name, f.outputs, { bias_gradient(f) }) end
end

--- The sums over the transposed matrices of forward stage i: the gradient of its input, and at once
--- what the stage before makes of it.
local function over_weights(forward, i, tensors)
  local f, results = forward[i]
  if i > 1 then
    results = sums_gradients(forward, i - 1, expression.sum(1))
  elseif f.forward.product == 'input' then
    local a = expression.apply(f.forward.activation, expression.saved(M.saved(forward, 1)[1]),
      f.forward.parameters)
    results = { { tensor = 'dx', value = expression.fma(dropped(f, expression.tensor 'dy'), a,
      expression.sum(1)) } }
  else
    results = { { tensor = 'dx', value = expression.sum(1) } }
  end
  local name = i > 1 and 'd' .. forward[i - 1].name or 'dx'
  return stage_record.stage {
    name = name, inputs = #f.stream.branches * f.outputs, outputs = f.inputs, of = i,
    operand = { tensor = tensors[1], zeros = false, parts = tensors }, parts = #tensors,
    branches = { { name = name, matrix = f.stream.branches[1].matrix } },
    format = f.stream.format, results = results, wants = before(forward, i),
  }
end

--- The gradients of the parameters of forward stage i: of each row one value for each, added to
--- those of later stages.
local function over_outputs(list, forward, i)
  local f = forward[i]
  if not learns(f) then return end
  local names = f.forward.activation.parameters
  local turns = lists.map(names, function(name) return turns_name(f, name) end)
  list[#list + 1] = stage_record.stage {
    name = 'fold_' .. f.name, kind = 'fold', of = i, inputs = f.outputs, outputs = #names,
    operand = { tensor = turns[1], zeros = false, parts = turns }, wants = { 'parameters' },
    results = { { tensor = 'parameter_rows', value = expression.operand() } },
  }
end

--- The parameters' gradients of all rows.
local function parameter_sums(list, forward)
  for _, f in ipairs(forward) do
    if learns(f) then
      local count = #f.forward.activation.parameters
      list[#list + 1] = stage_record.stage {
        name = 'dparameters', kind = 'columns', inputs = count, outputs = count,
        operand = { tensor = 'parameter_rows', zeros = false }, wants = { 'parameters' },
        results = { { tensor = 'dparameters', value = expression.sum(1) } },
      }
      return -- it is the same activation in every stage that learns
    end
  end
end

--- From the last stage to the first.
---@param forward Stage[]
---@return Stage[]
local function grad_pass(forward)
  local list, last = {}, #forward
  local tensors, everything = { 'dy' }, M.outputs(forward)
  list[1] = take('take_dy', 'dy', forward[last].outputs, everything)
  mask(list, forward, last, '_again', everything)
  if #M.saved(forward, last) > 0 or forward[last].forward.dropout > 0 then
    local f = forward[last]
    if f.forward.product == 'input' then
      list[#list + 1] = take('take_x_again', 'x', f.inputs, everything)
    end
    local results = sums_gradients(forward, last, expression.operand())
    list[#list + 1] = values('d' .. f.name, f.outputs, 'dy', results, everything)
    tensors = gradients_among(results)
    over_outputs(list, forward, last)
  end
  for i = last, 1, -1 do
    if i > 1 then
      local wants = lists.append({ weight_gradient(forward[i]) }, before(forward, i))
      mask(list, forward, i - 1, '_again', wants)
    end
    pack_input(list, forward, i, { weight_gradient(forward[i]) })
    over_tokens(list, forward, i, tensors)
    local stage = over_weights(forward, i, tensors)
    list[#list + 1] = stage
    tensors = gradients_among(stage.results)
    if i > 1 then over_outputs(list, forward, i - 1) end
  end
  parameter_sums(list, forward)
  return list
end

--- Of several outputs: what arrives at each, and dx of all of it at once.
---@param forward Stage[]
---@return Stage[]
local function grad_beside(forward)
  local list, matrices, width = {}, {}, 0
  for i, f in ipairs(forward) do
    local tensor, wants = 'd' .. f.results[1].tensor, { weight_gradient(f) }
    matrices[i], width = wants[1], width + f.outputs
    if f.stream.bias then wants[2] = bias_gradient(f) end
    list[i] = stage_record.stage {
      name = 'take_' .. tensor, kind = 'values', inputs = f.outputs, outputs = f.outputs, of = i,
      operand = { tensor = tensor, zeros = false }, wants = wants,
      results = { { tensor = tensor, value = expression.operand() } },
    }
  end
  list[#list + 1] = take('take_dy', 'dy', width, { 'dx' })
  pack_input(list, forward, 1, matrices)
  for i, f in ipairs(forward) do
    over_tokens(list, forward, i, { 'd' .. f.results[1].tensor })
  end
  local f = forward[1]
  list[#list + 1] = stage_record.stage {
    name = 'dx', inputs = width, outputs = f.inputs, of = 1, beside = true,
    operand = { tensor = 'dy', zeros = false },
    branches = { { name = 'dx', matrix = f.stream.branches[1].matrix } },
    format = f.stream.format, results = { { tensor = 'dx', value = expression.sum(1) } },
    wants = { 'dx' },
  }
  return list
end

--- Why a layer is not trained, or nil.
---@param forward Stage[]
---@return string|nil
function M.problem(forward)
  for _, f in ipairs(forward) do
    local a = f.forward.activation
    if not a.gradient and a.name ~= 'identity' then
      return ('activation "%s" says no derivative, so it is not trained'):format(a.name)
    end
    if f.forward.product == 'input' and #forward > 1 then
      return 'a stage of several that multiplies what it takes is not trained'
    end
  end
end

---@param forward Stage[]
---@return Stage[] train  forward, with saved sums
---@return Stage[] grad   from dy to all gradients
function M.passes(forward)
  return train_pass(forward), forward[1].beside and grad_beside(forward) or grad_pass(forward)
end

return M
