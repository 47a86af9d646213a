--- The functions of a stage that walks: register tiles, epilogue, groups of columns.
local describe = require 'emit.describe'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local layer = require 'lower.layer'
local list = require 'common.list'
local texts = require 'common.text'
local tile_text = require 'emit.tile'
local plan_tiles = require 'plan.tiles'
local stage_plan = require 'plan.stage'
local vector = require 'emit.vector'

local M = {}

---@class Function  one function of a kernel
---@field name string
---@field text string         with its comment
---@field declaration string  without its linkage; '' of an inline one
---@field inline boolean
---@field uses string[]       inline functions of the same kernel that it calls

--- Parameters as declarations, a line for the data and one for how much of it; and as arguments.
local function parameters(items)
  local declared, names = {}, {}
  for i, p in ipairs(items) do
    declared[i] = p[1] .. p[2]
    names[i] = p[2]
  end
  local data = table.concat(declared, ', ', 1, 3)
  local rest = table.concat(declared, ', ', 4)
  return rest == '' and data or data .. ',\n    ' .. rest, table.concat(names, ', ')
end
M.parameters = parameters

--- Whether tiles fetch in several ways: some CPU fetches nothing for some rows, or into another
--- cache, or tiles of many rows fetch line by line.
local function chooses(s) return s.ahead and (s.ahead.leaves or s.lines or s.far) end

--- What the functions of the hot loops take, but for rows.
local function sums_parameters(env, s, form)
  local weights = ('const %s *'):format(s.stage.stream.format.c_type)
  local items = { { 'float *', 'sum' }, { 'const float *', 'a' } }
  local function add(type_, name) items[#items + 1] = { type_, name } end
  if form == 'nonzero' then
    add(weights, 'weights')
    add('const uint32_t *', 'list')
    add('size_t ', 'count')
  else
    add(weights, 'w')
  end
  if s.stage.sum.blocks > 1 then add('size_t ', 'block') end
  if form == 'sums' and s.ahead then
    add(('const %s_ahead *'):format(env.prefix), 'ahead')
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

--- A tile's calls for a number of rows, in each way that some CPU fetches for them: see
--- ffn_fetches() of kernel.h.
local function tile_calls(s, tile, arguments, together)
  return function(rows)
    if not chooses(s) then return { { arguments = arguments } } end
    local forms, calls = stage_plan.forms(s.ahead.all, rows, s.rereads,
      tile.parts and 2 * rows >= tile.rows), {}
    local function add(way, condition)
      calls[#calls + 1] = { condition = condition, arguments = arguments:gsub('fetches$', way) }
    end
    local near = forms.near or forms.far -- where many tiles share
    if forms.twice then add('-1', 'fetches < 0') end
    if forms.far and s.far then add('3', 'fetches > 2') end
    if near and together > 1 then add('2', 'fetches > 1') end
    if near then add('1', 'fetches') end
    if forms.leaves then add('0', '') end
    return calls
  end
end

--- A register tile, and the function that calls it for each number of rows.
local function tile_functions(env, s, form, tile)
  local together = form == 'sums' and plan_tiles.together(env.isa, s.stage, tile) or 1
  local t = tile_text.environment(env, {
    s = s, tile = tile, first = 0, guards = tile.rows > 1,
    fetch = (form == 'nonzero' or s.ahead) and 'next' or '',
    advances = form == 'sums' and s.ahead ~= false,
    chooses = form == 'sums' and chooses(s), far = form == 'sums' and s.far,
    rereads = form == 'sums' and s.rereads,
    fetches_rows = s.stage.sum.blocks > 1 and tile.rows > 1 and tile.parts,
    k_end = is_uneven(s) and s.stage.sum.blocks > 1 and 'count' or block_length(env, s),
    together = together,
    k_left = s.stage.sum.block % together > 0 or s.stage.sum.last % together > 0,
  })
  t.about = describe.tile(s, tile, form, env.isa)
  t.k_count = form == 'sums' and t.k_end == 'count' and block_length(env, s) or ''
  t.loop_file = form == 'nonzero' and 'nonzero_loop' or 'loop'
  t.wide = form == 'sums' and plan_tiles.wide(env.isa, s.stage, tile) or 'never'
  t.wide_count = block_length(env, s)
  return M.tile_pair(env, t, form, tile, sums_parameters(env, s, form), form == 'sums'
    and function(arguments) return tile_calls(s, tile, arguments, t.together) end)
end

--- The tile of panels abreast, and the function that calls it for each number of rows.
local function abreast_functions(env, s)
  local a = s.abreast
  local fetches = a.every > 0
  local t = tile_text.environment(env, {
    s = s, tile = a.tile, first = 0, guards = true, fetch = '', k_end = 'count',
    abreast = a, together = fetches and a.every or 1, k_left = fetches, chooses = fetches,
  })
  t.about = env.commented(describe.abreast_tile(s, env.isa))
  t.k_count, t.loop_file = '', 'loop'
  local items = {
    { 'float *', 'sum' }, { 'const float *', 'from' }, { 'const float *', 'a' },
    { ('const %s *'):format(s.stage.stream.format.c_type), 'w' }, { 'size_t ', 'count' },
    { 'int ', 'adds' },
  }
  if fetches then
    list.append(items, { { 'const char *', 'next' }, { 'const int ', 'fetches' } })
  end
  return M.tile_pair(env, t, 'abreast', a.tile, items, fetches and function(arguments)
    return function()
      return {
        { condition = 'fetches', arguments = arguments:gsub('fetches$', '1') },
        { condition = '', arguments = arguments:gsub('fetches$', '0') },
      }
    end
  end)
end

--- The functions of a tile whose environment says all but their parameters.
---@param ways fun(arguments: string): function|false|nil  of fetching: from arguments to calls
---@return Function[]
function M.tile_pair(env, t, form, tile, items, ways)
  t.fn, t.form = env.fn, form
  t.parameters, t.arguments = parameters(items)
  t.calls = ways and ways(t.arguments) or function() return { { arguments = t.arguments } } end
  local inline = ('%s_%s_tile_%d'):format(env.fn, form, tile.cols)
  local name = ('%s_%s_%d'):format(env.fn, form, tile.cols)
  local head = ('void %s(\n    %s, size_t rows)'):format(name, t.parameters)
  function t.sums_head() return head end
  function t.call(rows)
    t.rows = rows
    return env.render('call.c.tpl', t)
  end
  local function text(file) return env.render(file, t) end
  local rows = { name = name, inline = false, declaration = head, uses = { inline },
    text = text 'rows.c.tpl' }
  if t.wide == 'always' then
    rows.uses = {}
    return { rows }
  end
  return {
    { name = inline, inline = true, declaration = '', uses = {}, text = text 'tile.c.tpl' }, rows,
  }
end

--- The statements that load a vector of each branch's sums and add what its epilogue begins with.
---@param suffix string  of their names
---@param ahead string   '', or how far behind column c they lie
local function sums_text(env, s, suffix, ahead)
  local lines = {}
  for b, branch in ipairs(s.stage.stream.branches) do
    local name = branch.name .. suffix
    local more = epilogue.finish(s.stage, env.word, name,
      s.stage.stream.bias and env.word('load', ('%s_bias + c%s'):format(branch.name, ahead)))
    lines[#lines + 1] = ('%s%s %s = %s;'):format(#more == 0 and 'const ' or '', env.isa.vec, name,
      env.word('load', (b == 1 and 'sum + c' or 'sum + cols + c') .. ahead))
    list.append(lines, more)
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
  list.append(lines, extra.lines)
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
  local lines = list.append(sums_text(env, s, '_a', ''), sums_text(env, s, '_b', ahead))
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
  list.append(arguments, list.map(apply.activation.parameters, vector.parameter_name))
  arguments[#arguments + 1] = '&act_b'
  lines[#lines + 1] = ('%s act_b;'):format(isa.vec)
  lines[#lines + 1] = texts.fold(('const %s act_a = %s(%s);'):format(isa.vec,
    env.pair_name(apply.activation), table.concat(arguments, ', ')), 88)
  return lines, text(result, '_a'), word('store', 'out' .. ahead, text(result, '_b')) .. ';'
end

--- The epilogue: sums of a tile become results.
local function finish_function(env, s)
  local stage, isa = s.stage, env.isa
  local branches = stage.stream.branches
  local head = ('void %s_finish(\n    const %s *task, const float *sum, '
    .. 'size_t column, size_t cols)'):format(env.fn, env.task)
  local extra = env.more(s, 2, 'row', 'column + c')
  local lines, result, stores = (s.lockstep and pair_text or single_text)(env, s, extra)
  local t = setmetatable({
    s = s, fn = env.fn, N = env.NAME(s), head = head, finish_head = head,
    about = env.commented(describe.finish(s, isa)),
    value = table.concat(lines, '\n'), result = result,
    parameters = epilogue.parameters(stage, env.word, env.prefix, 'task->packed'),
    needs_operand = epilogue.needs_operand(stage),
    sum_step = #branches > 1 and ('%d * cols'):format(#branches) or 'cols',
    next_row = s.final and '' or env.next_row(s), memory = extra.memory,
    pointers = extra.pointers, stores = stores,
    step = s.lockstep and 2 * isa.lanes or isa.lanes,
  }, { __index = env })
  return {
    name = env.fn .. '_finish', inline = false, declaration = head, uses = env.activations_of(s),
    text = env.render('finish.c.tpl', t),
  }
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

--- The environment of a stage's walks.
local function walk_environment(env, s)
  local sum, N = s.stage.sum, env.NAME(s)
  local branches = #s.stage.stream.branches
  local t = setmetatable({
    s = s, fn = env.fn, N = N, blocks = sum.blocks, format = s.stage.stream.format,
    sum_at = branches > 1
      and ('%d * (c * task->rows + row * cols)'):format(branches)
      or 'c * task->rows + row * cols',
    sums_at = (branches > 1 and branches .. ' * c' or 'c') .. ' * task->rows',
    row_at = sum.blocks > 1 and ('(block * task->rows + row) * %s_ROW'):format(N)
      or ('row * %s_ROW'):format(N),
    k_count = block_length(env, s), ahead_text = ahead_text(s, N), level_text = level_text(s),
    twice_text = s.rereads and twice_text(s),
    chooses = chooses(s), abreast = s.abreast,
    adds = sum.blocks > 1 and 'sum == task->sum && block > 0' or '0',
    k_of_block = sum.blocks > 1 and ('block * %s_BLOCK + k'):format(N) or 'k',
  }, { __index = env })
  function t.k_at(ahead)
    if sum.blocks == 1 then return '0' end
    return ('%s * %s_BLOCK'):format(ahead == 0 and 'block' or '(block + 1)', N)
  end
  --- The columns that a tile takes, one group after the other; the last takes what is left.
  function t.while_text(tiles, i)
    local tile = tiles[i]
    if i == #tiles then return 'while (column < task->last)' end
    local rows = tile.serves_all and '' or ('task->rows <= %d && '):format(tile.rows)
    local panels = tile.cols // layer.panel
    if tile.streams and s.streams and panels > s.streams then
      rows = ('%stask->choices->streams >= %d && '):format(rows, panels)
    end
    return ('while (%stask->last - column >= %d)'):format(rows, tile.cols)
  end
  --- The rows that a tile takes at most, in C.
  function t.most_rows(tile)
    local wide = tile.rows > 1 and plan_tiles.wide(env.isa, s.stage, tile) ~= 'never'
    return (wide and env.PREFIX .. '_TILE_ROWS(%d)' or '%d'):format(tile.rows)
  end
  local function text(file) return env.render(file, t) end
  t.text = text
  function t.groups() return text 'groups.c.tpl' end
  return t
end

--- The words of a walk with the tiles of a form.
local function set_form(t, s, form, tiles)
  local declared, names = parameters(sums_parameters(t, s, form))
  t.form, t.tiles = form, tiles
  t.dispatch_parameters = declared .. (t.chooses and ',\n    ' or ', ')
    .. 'const size_t cols, size_t rows'
  t.dispatch_arguments = names:gsub('%f[%w]ahead%f[%W]', '&share')
  function t.sums_arguments() return names end
end

--- The functions of a stage, in the order of their definition.
---@param env table
---@param s StagePlan
---@return Function[]
function M.functions(env, s)
  local functions = {}
  local function add(name, text, inline, head, uses)
    functions[#functions + 1] = {
      name = name, text = text, inline = inline, declaration = head or '', uses = uses or {},
    }
  end
  env = setmetatable({ fn = env.own .. s.stage.name }, { __index = env })
  local function add_tiles(form, tiles)
    for _, tile in ipairs(tiles) do
      list.append(functions, tile_functions(env, s, form, tile))
    end
  end
  add_tiles('sums', s.tiles)
  if s.abreast then list.append(functions, abreast_functions(env, s)) end
  if s.sparse then add_tiles('nonzero', s.sparse.tiles) end
  functions[#functions + 1] = finish_function(env, s)

  local t = walk_environment(env, s)
  local weights = env.fn .. '_weights'
  add(weights, t.text 'weights.c.tpl', true)
  local abreast = env.fn .. '_abreast'
  if s.abreast then
    t.about = env.commented(describe.abreast(s))
    add(abreast, t.text 'abreast.c.tpl', true, nil, { weights })
  end
  local function add_walk(form, tiles, file, name, more)
    set_form(t, s, form, tiles)
    local dispatch = ('%s_%s'):format(env.fn, form)
    add(dispatch, t.text 'dispatch.c.tpl', true)
    t.columns_head = ('void %s(const %s *task%s)'):format(name, env.task, more)
    add(name, t.text(file), false, t.columns_head,
      list.append({ weights, dispatch }, form == 'sums' and s.abreast and { abreast } or {}))
  end
  if s.sparse then
    add_walk('nonzero', s.sparse.tiles, 'nonzero.c.tpl', env.fn .. '_nonzero_columns',
      ', size_t listed')
  end
  add_walk('sums', s.tiles, 'columns.c.tpl', env.fn .. '_columns', '')
  return functions
end

return M
