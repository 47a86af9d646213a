--- The functions of a stage that walks: register tiles, epilogue, groups of columns.
local blocks = require 'emit.blocks'
local describe = require 'emit.describe'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local weight_layout = require 'weights.layout'
local grouped = require 'emit.grouped'
local lists = require 'common.list'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local texts = require 'common.text'
local tile_functions = require 'emit.tile_functions'
local vector = require 'emit.vector'

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

--- What the functions of a stage begin with.
local function name_of(env, s) return env.own .. s.stage.name end

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
local function finish_function(env, s, epilogues)
  local stage, isa, is_laid = s.stage, env.isa, s.laid.unit > 1
  local branches, name = stage.stream.branches, name_of(env, s) .. '_finish'
  local head = ('void %s(\n    const %s *task, const float *sum, size_t column, size_t cols%s)')
    :format(name, env.task, is_laid and ', size_t count' or '')
  local extra = epilogues.extra(s, 2, 'row', 'column + c')
  local lines, result, stores = (s.lockstep and pair_text or single_text)(env, s, extra)
  local made = record.strict('results of a vector', {
    pointers = extra.pointers, value = table.concat(lines, '\n'), result = result,
    stores = stores, step = s.lockstep and 2 * isa.lanes or isa.lanes,
  })
  local uses = lists.append(env.activations_of(s), s.tail and { 'store_tail' } or {})
  local about = env.commented(describe.finish(s, isa, epilogues.said(s)))
  local constants = epilogue.parameters(stage, env.word, env.prefix, 'task->header')
  local text
  if is_laid then
    uses[#uses + 1] = operands.lay_name(env, stage.results[1].tensor)
    text = env.render('finish_laid.c.tpl', {
      about = about, head = head, s = s, made = made, parameters = constants, lay = uses[#uses],
    })
  else
    text = env.render('finish.c.tpl', {
      about = about, head = head, s = s, N = env.NAME(s), memory = extra.memory, made = made,
      parameters = constants, needs_operand = epilogue.needs_operand(stage),
      sum_step = #branches > 1 and ('%d * cols'):format(#branches) or 'cols',
      next_row = s.final and '' or epilogues.next_row(s),
    })
  end
  return { name = name, inline = false, declaration = head, uses = uses, text = text }
end

--- Bytes that the weights of a walk are fetched ahead, in C.
local function ahead_text(s, N)
  if not s.ahead then return '' end
  if s.ahead.by_cpu then
    return '\n      task->rows <= task->choices->few_rows ? task->choices->few_ahead : '
      .. 'task->choices->fetch_ahead'
  elseif s.ahead.own.few_ahead == s.ahead.own.fetch_ahead then
    return (' %s_AHEAD'):format(N)
  end
  return ('\n      task->rows <= %s_FEW_ROWS ? %s_FEW_AHEAD : %s_AHEAD'):format(N, N, N)
end

--- The cache that they are fetched into, in C.
local function level_text(s)
  if not s.far then return '1' end
  return s.ahead.by_cpu and 'task->choices->fetch_level' or tostring(s.ahead.own.fetch_level)
end

--- Whether rows read lines twice where nothing is fetched, in C.
local function twice_text(s)
  return 'task->rows == 1' .. (s.ahead.by_cpu and ' && task->choices->reread' or '')
end

--- Where a row's part of a block lies in the operand, of so many numbers or bytes each, in C.
local function row_at(s, size)
  return s.stage.sum.blocks > 1 and ('(block * task->rows + row) * %s'):format(size)
    or ('row * %s'):format(size)
end

--- The declaration of `a`, which points there.
local function input_text(s, N)
  if operands.is_plain(s.stage.operand.format) then
    return 'const float *a = task->in + ' .. row_at(s, N .. '_ROW')
  end
  return 'const char *a = (const char *)task->in + ' .. row_at(s, N .. '_BLOCK_BYTES')
end

--- The environment of a stage's walks.
local function walk_environment(env, s)
  local sum, N, layout = s.stage.sum, env.NAME(s), s.stage.stream.layout
  local branches = #s.stage.stream.branches
  local alone = layout.paired < layout.columns
  local t = setmetatable({
    s = s, fn = name_of(env, s), N = N, blocks = sum.blocks, alone = alone, layout = layout,
    lane = tile_functions.takes_lane(s) and 'lane, ' or '',
    step = alone and ('(lone ? %s_LONE_STEP : %s_STEP)'):format(N, N) or N .. '_STEP',
    group_step = alone and ('(lone ? %s_LONE_STEP : group / %s_WIDTH * %s_STEP)'):format(N, N, N)
      or ('(group / %s_WIDTH * %s_STEP)'):format(N, N),
    sum_at = branches > 1
      and ('%d * (c * task->rows + row * cols)'):format(branches)
      or 'c * task->rows + row * cols',
    sums_at = (branches > 1 and branches .. ' * c' or 'c') .. ' * task->rows',
    input = input_text(s, N), row_at = row_at(s, N .. '_ROW'), unit = s.laid.unit,
    k_count = blocks.length(env, s), ahead_text = ahead_text(s, N), level_text = level_text(s),
    twice_text = s.rereads and twice_text(s),
    chooses = tile_functions.chooses(s), abreast = s.abreast,
    visited_lane = s.abreast and s.abreast.visited < weight_layout.lanes and 'c, ' or '',
    takes_first = grouped.takes_first(s),
    head_text = alone and ('(column < %s_PAIRED ? %d : %d)'):format(N, layout.head,
      layout.branches * layout.placed.head_bytes) or N .. '_HEAD',
    group_count = blocks.groups(env, s),
    adds = sum.blocks > 1 and 'sum == task->sum && block > 0' or '0',
    k_of_block = sum.blocks > 1 and ('block * %s_BLOCK + k'):format(N) or 'k',
  }, { __index = env })
  function t.k_at(ahead)
    if sum.blocks == 1 then return '0' end
    return ('%s * %s_BLOCK'):format(ahead == 0 and 'block' or '(block + 1)', N)
  end
  --- The columns that a tile takes, one group after the other; the last takes what is left.
  function t.while_text(tiles, i)
    local tile, after = tiles[i], tiles[i + 1]
    if not after then return 'while (column < task->last)' end
    local rows = tile.serves_all and '' or ('task->rows <= %d && '):format(tile.rows)
    local panels = tile.cols // weight_layout.lanes
    if tile.streams and s.streams and panels > s.streams then
      rows = ('%stask->choices->streams >= %d && '):format(rows, panels)
    end
    if after.lone and tile.cols < layout.width then
      return ('while (column < %s_min(task->last, %s_PAIRED))'):format(env.prefix, N)
    end
    return ('while (%stask->last - column >= %d)'):format(rows,
      math.max(tile.cols, layout.width))
  end
  --- The rows that a tile takes at most, in C.
  function t.most_rows(tile)
    local wide = tile.rows > 1 and tile.wide ~= 'never'
    return (wide and env.PREFIX .. '_TILE_ROWS(%d)' or '%d'):format(tile.rows)
  end
  local function text(file) return env.render(file, t) end
  t.text = text
  function t.groups() return text 'groups.c.tpl' end
  return t
end

--- The words of a walk with the tiles of a form.
local function set_form(t, s, form, tiles)
  t.form, t.tiles = form, tiles
  local items = tile_functions.parameters(t, s, form)
  t.dispatch_arguments = table.concat(parameters.arguments(items), ', ')
end

--- The function that turns to the tile of a width.
local function dispatch_text(env, s, form, tiles, alone)
  local items = tile_functions.parameters(env, s, form)
  return env.render('dispatch.c.tpl', {
    fn = name_of(env, s), form = form, tiles = tiles, alone = alone,
    width_name = tile_functions.width_name,
    parameters = parameters.two_lines(items) .. (tile_functions.chooses(s) and ',\n    ' or ', ')
      .. 'const size_t cols, ' .. (alone and 'const int lone, ' or '') .. 'size_t rows',
    arguments = parameters.handed_on(items),
  })
end

--- The functions of a stage, in the order of their definition.
---@param env table
---@param s StagePlan
---@param epilogues Epilogues
---@return Function[]
function M.functions(env, s, epilogues)
  local functions, fn = {}, name_of(env, s)
  local function add(name, text, inline, head, uses)
    functions[#functions + 1] = {
      name = name, text = text, inline = inline, declaration = head or '', uses = uses or {},
    }
  end
  local function add_tiles(form, tiles)
    for _, tile in ipairs(tiles) do
      lists.append(functions, tile_functions.of_walk(env, s, form, tile))
    end
  end
  add_tiles('sums', s.tiles)
  if s.abreast then lists.append(functions, tile_functions.of_abreast(env, s)) end
  if s.sparse then add_tiles('nonzero', s.sparse.tiles) end
  functions[#functions + 1] = finish_function(env, s, epilogues)

  local t = walk_environment(env, s)
  local weights = fn .. '_weights'
  add(weights, env.render('weights.c.tpl', {
    fn = fn, N = t.N, s = s, alone = t.alone, task = env.task,
  }), true)
  local abreast = fn .. '_abreast'
  if s.abreast then
    t.about = env.commented(describe.abreast(s))
    add(abreast, t.text 'abreast.c.tpl', true, nil, { weights })
  end
  local function add_walk(form, tiles, file, name, more)
    set_form(t, s, form, tiles)
    local dispatch = ('%s_%s'):format(fn, form)
    add(dispatch, dispatch_text(env, s, form, tiles, t.alone), true)
    t.columns_head = ('void %s(const %s *task%s)'):format(name, env.task, more)
    add(name, t.text(file), false, t.columns_head,
      lists.append({ weights, dispatch }, form == 'sums' and s.abreast and { abreast } or {}))
  end
  if s.sparse then
    add_walk('nonzero', s.sparse.tiles, 'nonzero.c.tpl', fn .. '_nonzero_columns',
      ', size_t listed')
  end
  add_walk('sums', s.tiles, 'columns.c.tpl', fn .. '_columns', '')
  return functions
end

return M
