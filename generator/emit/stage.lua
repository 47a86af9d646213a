--- The functions of a stage that walks: register tiles, epilogue, strips.
local comments = require 'emit.comments'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local lists = require 'common.list'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local shapes = require 'emit.shapes'
local texts = require 'common.text'
local tile_functions = require 'emit.tile_functions'
local vector = require 'emit.vector'
local walk = require 'emit.walk'

local M = {}

---@class Function  one function of a kernel
---@field name string
---@field text string         with its comment
---@field declaration string  without its linkage; '' of an inline one
---@field inline boolean
---@field uses string[]       inline functions that it calls, helpers among them
---@field wide 'perhaps'|'always'|nil  vectors of doubles stand in for these

---@class Epilogues  how the stages of a pass finish
---@field extra fun(s: StagePlan, first: integer, row: string, column: string): Extra
---@field next_row fun(s: StagePlan): string  the numbers of a row of results, in C
---@field said fun(s: StagePlan): string      what becomes of sums

--- The statements that load a vector of each branch's sums, as they enter the epilogue.
---@param suffix string  of their names
---@param ahead string   '', or how far behind column c they lie
local function sums_text(env, s, suffix, ahead)
  local lines = {}
  local first, second = 'sum + c', 'sum + cols + c'
  if s.laid.unit > 1 then first, second = 'from', 'from + cols' end
  for b, branch in ipairs(s.stage.stream.branches) do
    local sum = env.word('load', (b == 1 and first or second) .. ahead)
    lines[b] = texts.fold(('const %s %s = %s;'):format(env.isa.vec, branch.name .. suffix,
      epilogue.finished(s.stage, env.word, sum, s.stage.stream.bias
        and env.word('load', ('%s_bias + c%s'):format(branch.name, ahead)))), 92)
  end
  return lines
end

--- The results of a vector, and what is stored beside them.
---@return string[] lines
---@return string result
---@return string stores
local function single_text(env, s, extra)
  local stage, word, isa = s.stage, env.word, env.isa
  local branches, lines = stage.stream.branches, sums_text(env, s, '', '')
  lists.append(lines, extra.lines)
  local leaves = {
    sum = function(b) return branches[b].name end, operand = word('load', 'in'),
    activation = env.activation_name, value = extra.value,
  }
  local result = epilogue.text(stage.results[1].value, word, leaves)
  local is_long = #word('store', 'out', result) > 88
  if is_long or s.tail and isa.lanes > 1 and result ~= branches[1].name then
    lines[#lines + 1] = texts.fold(('const %s value = %s;'):format(isa.vec, result), 88)
    result = 'value'
  end
  return lines, result, extra.stores(leaves)
end

--- The results of both vectors of a panel, whose activations go in lockstep; the second is stored.
local function pair_text(env, s)
  local word, isa, result = env.word, env.isa, s.stage.results[1].value
  local ahead = (' + %d'):format(isa.lanes)
  local lines = lists.append(sums_text(env, s, '_a', ''), sums_text(env, s, '_b', ahead))
  local apply, arguments = expression.find(result, 'apply'), {}
  local function text(e, suffix)
    return epilogue.text(e, word, {
      sum = function(b) return s.stage.stream.branches[b].name .. suffix end,
      value = function(part) return part == apply and 'act' .. suffix or nil end,
    })
  end
  for _, suffix in ipairs { '_a', '_b' } do
    for _, operand in ipairs(apply) do arguments[#arguments + 1] = text(operand, suffix) end
  end
  lists.append(arguments, lists.map(apply.activation.parameters, vector.parameter_name))
  arguments[#arguments + 1] = '&act_b'
  lines[#lines + 1] = ('%s act_b;'):format(isa.vec)
  lines[#lines + 1] = texts.fold(('const %s act_a = %s(%s);'):format(isa.vec,
    env.pair_name(apply.activation), table.concat(arguments, ', ')), 88)
  return lines, text(result, '_a'), word('store', 'out' .. ahead, text(result, '_b')) .. ';'
end

--- The epilogue: sums of a tile become results.
---@param epilogues Epilogues
---@return Draft
local function finish_draft(env, s, epilogues)
  local stage, isa, is_laid = s.stage, env.isa, s.laid.unit > 1
  local branches, make = stage.stream.branches, parameters.parameter
  local items = {
    make(('const %s *'):format(env.task), 'task'), make('const float *', 'sum'),
    make('size_t ', 'column'), make('size_t ', 'cols'), is_laid and make('size_t ', 'count') or nil,
  }
  local extra = epilogues.extra(s, 2, 'row', 'column + c')
  local lines, result, stores = (s.lockstep and pair_text or single_text)(env, s, extra)
  local made = record.strict('results of a vector', {
    pointers = extra.pointers, value = table.concat(lines, '\n'), result = result,
    stores = stores, step = s.lockstep and 2 * isa.lanes or isa.lanes,
  })
  local uses = lists.append(env.activations_of(s), s.tail and { 'store_tail' } or {})
  local constants = epilogue.parameters(stage, env.word, env.prefix, 'task->header')
  local text
  if is_laid then
    uses[#uses + 1] = operands.lay_name(env, stage.results[1].tensor)
    text = env.render('finish_laid.c.tpl', {
      s = s, made = made, parameters = constants, lay = uses[#uses],
    })
  else
    text = env.render('finish.c.tpl', {
      s = s, N = env.NAME(s), memory = extra.memory, made = made,
      parameters = constants,
      input = expression.read_input(stage.results) and operands.floats(env, s),
      sum_step = #branches > 1 and ('%d * cols'):format(#branches) or 'cols',
      next_row = s.final and '' or epilogues.next_row(s),
    })
  end
  return shapes.draft {
    name = env.fn(s) .. '_finish', linkage = 'noinline', parameters = items, uses = uses,
    text = text, about = comments.finish(s, isa, epilogues.said(s)),
  }
end

--- The functions of a stage, in the order of their definition.
---@param env table
---@param s StagePlan
---@param epilogues Epilogues
---@return Draft[]
function M.drafts(env, s, epilogues)
  local functions = {}
  local function add_tiles(form, tiles)
    for _, tile in ipairs(tiles) do
      lists.append(functions, tile_functions.of_walk(env, s, form, tile))
    end
  end
  add_tiles('sums', s.tiles)
  if s.abreast then lists.append(functions, tile_functions.of_abreast(env, s)) end
  if s.sparse then add_tiles('nonzero', s.sparse.tiles) end
  for _, tile in ipairs(s.scratch and s.scratch.plan.tiles or {}) do
    lists.append(functions, tile_functions.of_walk(env, s.scratch.plan, 'sums', tile))
  end
  functions[#functions + 1] = finish_draft(env, s, epilogues)
  return lists.append(functions, walk.drafts(env, s))
end

return M
