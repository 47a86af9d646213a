--- The functions of a stage that walks: register tiles, epilogue, groups of columns.
local describe = require 'emit.describe'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local weight_layout = require 'weights.layout'
local grouped = require 'emit.grouped'
local lists = require 'common.list'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local products = require 'emit.products'
local record = require 'common.record'
local texts = require 'common.text'
local tile_text = require 'emit.tile'
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

--- Whether the tiles of a walk fetch in several ways.
local function chooses(s) return s.tiles[1].ways ~= false end

--- The ways in which a tile fetches, of ffn_fetches() of kernel.h: its word for each, and how that
--- is asked for.
local way_of = {
  twice = { word = 'TWICE', asked = '== %s' },
  far = { word = 'FAR', asked = '>= %s' },
  lines = { word = 'LINES', asked = '>= %s' },
  near = { word = 'NEAR', asked = '!= %s', of = 'NONE' },
  none = { word = 'NONE', asked = '' },
}

--- Whether a lane stands beside the address of a group: some tile is narrower than that.
local function takes_lane(s)
  return #lists.filter(s.tiles, function(tile) return tile_text.takes_lane(s, tile) end) > 0
end

--- Whether a stage's operand is read as floats, one after the other.
local function is_plain(s) return operands.is_plain(s.stage.operand.format) end

--- What the functions of the hot loops take, but for rows.
---@return FunctionParameter[]
local function sums_parameters(env, s, form)
  local weights, items = 'const char *', {}
  local function add(kind, name, argument)
    items[#items + 1] = parameters.parameter(kind, name, argument)
  end
  add('float *', 'sum')
  add(is_plain(s) and 'const float *' or 'const char *', 'a')
  if form == 'nonzero' then
    add(weights, 'weights')
    add('const uint32_t *', 'list')
    add('size_t ', 'count')
  else
    add(weights, 'w')
  end
  if takes_lane(s) then add('size_t ', 'lane') end
  if s.stage.sum.blocks > 1 then add('size_t ', 'block') end
  if form == 'sums' and s.ahead then
    add(('const %s_ahead *'):format(env.prefix), 'ahead', '&share')
    if chooses(s) then add('const int ', 'fetches') end
  end
  return items
end

--- How many k the block under way has, in C.
local function block_length(env, s)
  local sum, N = s.stage.sum, env.NAME(s)
  if sum.blocks == 1 then return N .. '_INPUTS' end
  if sum.last == sum.block then return N .. '_BLOCK' end
  if sum.parts > 1 then
    return ('(block + 1) %% %s_PART_BLOCKS > 0 ? %s_BLOCK : %s_LAST'):format(N, N, N)
  end
  return ('block + 1 < %s_BLOCKS ? %s_BLOCK : %s_LAST'):format(N, N, N)
end

local function is_uneven(s) return s.stage.sum.last ~= s.stage.sum.block end

--- A tile's calls for a number of rows, in each way that some CPU fetches for them.
---@param items FunctionParameter[]
local function tile_calls(env, tile, items)
  local function named(word) return ('%s_FETCHES_%s'):format(env.PREFIX, word) end
  return function(rows)
    if not tile.ways then return { { arguments = parameters.handed_on(items) } } end
    return lists.map(tile.ways[rows], function(name)
      local way = way_of[name]
      return {
        condition = 'fetches ' .. way.asked:format(named(way.of or way.word)),
        arguments = parameters.handed_on(items, 'fetches', named(way.word)),
      }
    end)
  end
end

--- A register tile, and the function that calls it for each number of rows.
local function tile_functions(env, s, form, tile)
  local together = tile.together
  local t = tile_text.environment(env, {
    s = s, tile = tile, first = 0, lane = takes_lane(s), guards = tile.rows > 1,
    fetch = (form == 'nonzero' or s.ahead) and 'next' or '',
    advances = form == 'sums' and s.ahead ~= false,
    chooses = tile.ways ~= false, far = form == 'sums' and s.far,
    rereads = form == 'sums' and s.rereads,
    fetches_rows = s.stage.sum.blocks > 1 and tile.rows > 1 and tile.parts,
    k_end = is_uneven(s) and s.stage.sum.blocks > 1 and 'count' or block_length(env, s),
    together = together,
    k_left = s.stage.sum.block % together > 0 or s.stage.sum.last % together > 0,
  })
  t.about = describe.tile(s, tile, form, env.isa)
  t.k_count = form == 'sums' and t.k_end == 'count' and block_length(env, s) or ''
  t.loop_file = form == 'nonzero' and 'nonzero_loop' or 'loop'
  t.wide = tile.wide
  t.wide_count = block_length(env, s)
  if not is_plain(s) then products.add(env, t, s, tile) end
  return M.tile_pair(env, t, form, tile, sums_parameters(env, s, form))
end

--- The tile of panels abreast, and the function that calls it for each number of rows.
local function abreast_functions(env, s)
  local a = s.abreast
  local fetches = a.every > 0
  local t = tile_text.environment(env, {
    s = s, tile = a.tile, first = 0, lane = a.visited < weight_layout.lanes, guards = true,
    fetch = '', k_end = 'count',
    abreast = a, together = a.tile.together, k_left = a.tile.together > 1, chooses = fetches,
  })
  t.about = env.commented(describe.abreast_tile(s, env.isa))
  t.k_count, t.loop_file = '', 'loop'
  local make = parameters.parameter
  local items = {
    make('float *', 'sum'), make('const float *', 'from'), make('const float *', 'a'),
    make('const char *', 'w'), make('size_t ', 'count'), make('int ', 'adds'),
  }
  if grouped.takes_first(s) then table.insert(items, 5, make('size_t ', 'first')) end
  if a.visited < weight_layout.lanes then table.insert(items, 5, make('size_t ', 'lane')) end
  if fetches then
    lists.append(items, { make('const char *', 'next'), make('const int ', 'fetches') })
  end
  return M.tile_pair(env, t, 'abreast', a.tile, items)
end

--- What tells the functions of a stage's tiles apart.
function M.width_name(tile) return ('%d'):format(tile.cols) .. (tile.lone and '_lone' or '') end

--- The functions of a tile whose environment says all but their parameters.
---@param items FunctionParameter[]
---@return Function[]
function M.tile_pair(env, t, form, tile, items)
  local fn = name_of(env, t.s)
  t.fn, t.form = fn, form
  t.parameters = parameters.two_lines(items)
  t.width_name = M.width_name
  local inline = ('%s_%s_tile_%s'):format(fn, form, M.width_name(tile))
  local name = ('%s_%s_%s'):format(fn, form, M.width_name(tile))
  local head = ('void %s(\n    %s, size_t rows)'):format(name, t.parameters)
  function t.sums_head() return head end
  local calls = tile_calls(env, tile, items)
  function t.call(rows)
    return env.render('call.c.tpl', { ways = calls(rows), name = inline, rows = rows })
  end
  local function text(file) return env.render(file, t) end
  local rows = { name = name, inline = false, declaration = head, uses = { inline },
    wide = t.wide ~= 'never' and t.wide or nil, text = text 'rows.c.tpl' }
  if t.wide == 'always' then
    rows.uses = {}
    return { rows }
  end
  return {
    { name = inline, inline = true, declaration = '', uses = {}, text = text 'tile.c.tpl' }, rows,
  }
end

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
  if is_plain(s) then return 'const float *a = task->in + ' .. row_at(s, N .. '_ROW') end
  return 'const char *a = (const char *)task->in + ' .. row_at(s, N .. '_BLOCK_BYTES')
end

--- How many groups of weights the block under way begins or goes on with, in C.
local function group_count(env, s)
  local sum, group, k = s.stage.sum, s.stage.stream.layout.group, block_length(env, s)
  if group == 1 then return k end
  if is_uneven(s) and sum.blocks > 1 then k = ('(%s)'):format(k) end
  local phase = sum.blocks > 1 and sum.block % group > 0
      and ('block * %s_BLOCK %% %d + '):format(env.NAME(s), group) or ''
  return ('(%s%s + %d) / %d'):format(phase, k, group - 1, group)
end

--- The environment of a stage's walks.
local function walk_environment(env, s)
  local sum, N, layout = s.stage.sum, env.NAME(s), s.stage.stream.layout
  local branches = #s.stage.stream.branches
  local alone = layout.paired < layout.columns
  local t = setmetatable({
    s = s, fn = name_of(env, s), N = N, blocks = sum.blocks, alone = alone, layout = layout,
    lane = takes_lane(s) and 'lane, ' or '',
    step = alone and ('(lone ? %s_LONE_STEP : %s_STEP)'):format(N, N) or N .. '_STEP',
    group_step = alone and ('(lone ? %s_LONE_STEP : group / %s_WIDTH * %s_STEP)'):format(N, N, N)
      or ('(group / %s_WIDTH * %s_STEP)'):format(N, N),
    sum_at = branches > 1
      and ('%d * (c * task->rows + row * cols)'):format(branches)
      or 'c * task->rows + row * cols',
    sums_at = (branches > 1 and branches .. ' * c' or 'c') .. ' * task->rows',
    input = input_text(s, N), row_at = row_at(s, N .. '_ROW'), unit = s.laid.unit,
    k_count = block_length(env, s), ahead_text = ahead_text(s, N), level_text = level_text(s),
    twice_text = s.rereads and twice_text(s),
    chooses = chooses(s), abreast = s.abreast,
    visited_lane = s.abreast and s.abreast.visited < weight_layout.lanes and 'c, ' or '',
    takes_first = grouped.takes_first(s),
    head_text = alone and ('(column < %s_PAIRED ? %d : %d)'):format(N, layout.head,
      layout.branches * layout.placed.head_bytes) or N .. '_HEAD',
    group_count = group_count(env, s),
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
  t.dispatch_arguments = table.concat(parameters.arguments(sums_parameters(t, s, form)), ', ')
end

--- The function that turns to the tile of a width.
local function dispatch_text(env, s, form, tiles, alone)
  local items = sums_parameters(env, s, form)
  return env.render('dispatch.c.tpl', {
    fn = name_of(env, s), form = form, tiles = tiles, alone = alone, width_name = M.width_name,
    parameters = parameters.two_lines(items) .. (chooses(s) and ',\n    ' or ', ')
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
      lists.append(functions, tile_functions(env, s, form, tile))
    end
  end
  add_tiles('sums', s.tiles)
  if s.abreast then lists.append(functions, abreast_functions(env, s)) end
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
