--- Tensors of training in C: where what a stage reads beside its sums lies, where its results go.
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local list_of = require 'common.list'

local M = {}

---@class Extra  what an epilogue says beside its sums
---@field memory string        declares what the stages of a pass give to each other; '' if unused
---@field pointers string      declarations, for one vector
---@field lines string[]       values that are read or shared
---@field value (fun(e: Expression): string|nil)|nil  what stands for a node
---@field stores fun(leaves: Leaves): string  of the results from `first` on

--- The address of a tensor at a row and a column.
---@param place Place
local function address(env, place, row, column)
  if place.kind == 'saved' then
    local at = place.row > 0 and (' + %d'):format(place.row) or ''
    return ('task->saved + %s * %sSAVED_ROW%s + %s'):format(
      row:find(' ', 1, true) and '(' .. row .. ')' or row, env.OWN, at, column)
  end
  local base = ('memory->%s + '):format(env.buffer_name(place.buffer))
  if place.kind == 'panels' then
    return ('%sffn_paneled(%s, %s, %d)'):format(base, row, column, place.blocks)
  end
  if place.part > 0 then
    base = ('%s%d * task->rows +\n    '):format(base, place.part * place.row)
  end
  return ('%sffn_blocked(task->rows, %s, %s, %d)'):format(base, row, column, place.row)
end

local function declared(kind, name, at)
  return ('%s *%s =\n    %s;'):format(kind, name, at)
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
  local names = list_of.map(list_of.append(nodes(stage, 'saved'), nodes(stage, 'tensor')),
    function(e) return e.tensor end)
  if not stage.sum and #nodes(stage, 'operand') > 0 then
    table.insert(names, 1, stage.operand.tensor)
  end
  return list_of.unique(names)
end

--- The calls that give an activation and its slope at once, and the names of both.
local function slopes_of(env, stage)
  local lines, value, slope = {}, {}, {}
  for _, e in ipairs(nodes(stage, 'slope')) do
    local of = e[1].tensor
    local vec, name = env.isa.vec, env.activation_name(e.activation) .. '_gradient'
    local turn = e.activation.parameter and (', &%s_turn'):format(of) or ''
    local call = ('%s(%s%s, &%s_slope%s)'):format(name, of, e.beta and ', beta' or '', of, turn)
    local shared = list_of.filter(nodes(stage, 'apply'), function(a) return a[1].tensor == of end)
    lines[#lines + 1] = ('%s %s_slope%s;'):format(vec, of, (turn:gsub('&', '')))
    lines[#lines + 1] = #shared > 0 and ('const %s %s_act = %s;'):format(vec, of, call)
      or ('(void)%s;'):format(call)
    if turn ~= '' and #nodes(stage, 'turn') == 0 then
      lines[#lines + 1] = ('(void)%s_turn;'):format(of)
    end
    slope[of], value[of] = of .. '_slope', #shared > 0 and of .. '_act' or nil
  end
  return lines, value, slope
end

--- What a stage's epilogue says beside its sums; its results from `first` on are stored here.
---@param places table<string, Place>
---@return Extra
function M.extra(env, places, s, first, row, column)
  local stage, word = s.stage, env.word
  local pointers, lines, uses_memory = {}, {}, false
  local function point(kind, name, tensor)
    local place = places[tensor]
    uses_memory = uses_memory or place.kind ~= 'saved'
    pointers[#pointers + 1] = declared(kind, name, address(env, place, row, column))
  end
  for _, tensor in ipairs(tensors_of(stage)) do
    point('const float', tensor .. '_at', tensor)
    lines[#lines + 1] = ('const %s %s = %s;'):format(env.isa.vec, tensor,
      word('load', tensor .. '_at'))
  end
  local calls, value_of, slope_of = slopes_of(env, stage)
  list_of.append(lines, calls)
  for i = first, #stage.results do
    point('float', stage.results[i].tensor .. '_to', stage.results[i].tensor)
  end
  return {
    memory = uses_memory and env.memory_text() or '',
    pointers = table.concat(pointers, '\n'), lines = lines,
    value = function(e)
      if e.op == 'saved' or e.op == 'tensor' then return e.tensor end
      if e.op == 'operand' and not stage.sum then return stage.operand.tensor end
      if e.op == 'slope' then return slope_of[e[1].tensor] end
      if e.op == 'turn' then return e[1].tensor .. '_turn' end
      if e.op == 'apply' and e[1].tensor then return value_of[e[1].tensor] end
    end,
    stores = function(leaves)
      local stores = {}
      for i = first, #stage.results do
        local result = stage.results[i]
        local store = word('store', result.tensor .. '_to',
          epilogue.text(result.value, word, leaves)) .. ';'
        if result.wanted then
          store = ('if (task->to->%s)\n  %s'):format(result.wanted:sub(2), store)
        end
        stores[#stores + 1] = store
      end
      return table.concat(stores, '\n')
    end,
  }
end

return M
