--- Tensors of training in C: where what a stage reads beside its sums lies, where its results go.
local derive = require 'activation.graph.derive'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local lists = require 'common.list'
local texts = require 'common.text'
local vector = require 'emit.vector'

local M = {}

---@class Extra  what an epilogue says beside its sums
---@field memory string        declares what the stages of a pass give to each other; '' if unused
---@field pointers string      declarations, for one vector
---@field lines string[]       values that are read or shared
---@field value (fun(e: Expression): string|nil)|nil  what stands for a node
---@field stores fun(leaves: Leaves): string  of the results from `first` on

--- The address of a tensor at a row and a column.
---@param place TensorPlace
local function address(env, place, row, column)
  if place.kind == 'saved' then
    return ('task->saved + %s_saved_at(task->rows, %s, %s, %sSAVED_ROW, %s)'):format(env.prefix,
      row, column, env.OWN, env.place_name(place))
  end
  local base = ('memory->%s + '):format(env.buffer_name(place.buffer))
  if place.kind == 'panels' then
    return ('%s%s_paneled(%s, %s, %s)'):format(base, env.prefix, row, column,
      env.place_name(place))
  end
  if place.part > 0 then
    local parts = place.part > 1 and place.part .. ' * ' or ''
    base = ('%s%s%s * task->rows +\n    '):format(base, parts, env.place_name(place))
  end
  return ('%s%s_blocked(task->rows, %s, %s, %s)'):format(base, env.prefix, row, column,
    env.place_name(place))
end

--- A statement inside of loops in lines of at most 100 columns.
local function in_lines(statement) return texts.fold(statement, 88) end

local function declared(kind, name, at)
  return ('%s *%s = %s;'):format(kind, name, at)
end

--- The nodes of a kind in all results, by what they say.
local function nodes(stage, op)
  local found = {}
  for _, result in ipairs(stage.results) do
    expression.walk(result.value, function(e) if e.op == op then found[#found + 1] = e end end)
  end
  return found
end

--- Tensors that are read, each once; the operand of a stage without sums among them.
local function tensors_of(stage)
  local read = lists.append(nodes(stage, 'saved'), nodes(stage, 'tensor'))
  local names = lists.map(lists.append(read, nodes(stage, 'mask')),
    function(e) return e.tensor end)
  if not stage.sum and #nodes(stage, 'operand') > 0 then
    table.insert(names, 1, stage.operand.tensor)
  end
  return lists.unique(names)
end

--- The call that gives an activation and its derivatives at once, where a stage takes one of these;
--- and the name of the value, where it takes that, too.
local function gradient_call(env, stage)
  local slopes, vec = nodes(stage, 'slope'), env.isa.vec
  if #slopes == 0 then return {}, nil end
  local a, lines, taken = slopes[1].activation, {}, lists.map(slopes, function(e) return e.by end)
  local arguments = lists.map(slopes[1], function(e) return e.tensor end)
  lists.append(arguments, lists.map(a.parameters, vector.parameter_name))
  for _, by in ipairs(derive.variables(a.both, a.parameters)) do
    local name = vector.derivative_name(by)
    arguments[#arguments + 1] = '&' .. name
    lines[#lines + 1] = ('%s %s;'):format(vec, name)
  end
  local call = ('%s_gradient(%s)'):format(env.activation_name(a), table.concat(arguments, ', '))
  local value = #nodes(stage, 'apply') > 0 and 'act' or nil
  lines[#lines + 1] = in_lines(value and ('const %s %s = %s;'):format(vec, value, call)
    or ('(void)%s;'):format(call))
  for _, by in ipairs(derive.variables(a.both, a.parameters)) do
    if not lists.has(taken, by) then
      lines[#lines + 1] = ('(void)%s;'):format(vector.derivative_name(by))
    end
  end
  return lines, value
end

--- What a stage's epilogue says beside its sums; its results from `first` on are stored here.
---@param memory string  declares what the stages of a pass give to each other
---@param places table<string, TensorPlace>
---@return Extra
function M.extra(env, memory, places, s, first, row, column)
  local stage, word = s.stage, env.word
  local pointers, lines, uses_memory = {}, {}, false
  local function point(kind, name, tensor)
    local place = places[tensor]
    uses_memory = uses_memory or place.kind ~= 'saved'
    pointers[#pointers + 1] = declared(kind, name, address(env, place, row, column))
  end
  local masks = lists.map(nodes(stage, 'mask'), function(e) return e.tensor end)
  for _, tensor in ipairs(tensors_of(stage)) do
    point('const float', tensor .. '_at', tensor)
    local value = word('load', tensor .. '_at')
    if lists.has(masks, tensor) then
      value = ('task->dropout ? %s : %s'):format(value, word('splat', '1.0f'))
    end
    lines[#lines + 1] = ('const %s %s = %s;'):format(env.isa.vec, tensor, value)
  end
  local call, act = gradient_call(env, stage)
  lists.append(lines, call)
  for i = first, #stage.results do
    point('float', stage.results[i].tensor .. '_to', stage.results[i].tensor)
  end
  return {
    memory = uses_memory and memory or '',
    pointers = table.concat(pointers, '\n'), lines = lines,
    value = function(e)
      if e.op == 'saved' or e.op == 'tensor' or e.op == 'mask' then return e.tensor end
      if e.op == 'operand' and not stage.sum then return stage.operand.tensor end
      if e.op == 'slope' then return vector.derivative_name(e.by) end
      if e.op == 'apply' then return act end
    end,
    stores = function(leaves)
      local stores = {}
      for i = first, #stage.results do
        local result = stage.results[i]
        local store = in_lines(word('store', result.tensor .. '_to',
          epilogue.text(result.value, word, leaves)) .. ';')
        if result.wanted then
          store = ('if (task->to->%s)\n  %s'):format(result.wanted,
            texts.rejoined(store, '\n  '))
        end
        stores[#stores + 1] = store
      end
      return table.concat(stores, '\n')
    end,
  }
end

return M
