--- The functions of a layer that does not walk: tiles, each shape once, a straight line
--- for one row and loops for several; and what calls them for some rows.
local comments = require 'emit.comments'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local lanes_functions = require 'emit.lanes'
local lists = require 'common.list'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local texts = require 'common.text'
local tile_text = require 'emit.tile'

local M = {}

--- Tiles of at most so many rows share a text: how many of these are there is a constant at each
--- call. More rows, and one, whose chains are summed at once, have texts of their own.
local most_shared = 4

---@class StraightCode  the function of tiles that have the same text
---@field name string
---@field key string      what its text depends on
---@field s StagePlan
---@field tile StraightTile     the first of them, which has the most rows
---@field guards boolean  rows beyond the first are there only for so many `rows`
---@field first integer   where in its bundle it begins: 0, unless it reaches into the next
---@field lane boolean    else a parameter says where: it is narrower than that
---@field valid integer   columns that are outputs; the last stage stores no others
---@field following StagePlan|nil  the stage that reads its results

--- What the code of a tile depends on.
---@param s StagePlan
---@param tile StraightTile
---@param following StagePlan|nil
---@return StraightCode
local function code_of(env, s, tile, following)
  local width = s.stage.stream.layout.width
  local first = tile.first % width
  if first + tile.cols <= width then first = 0 end
  local valid = s.final and math.min(tile.cols, s.stage.outputs - tile.first) or tile.cols
  local columns = ('x%d'):format(tile.cols)
  if first > 0 then columns = ('%s_at_%d'):format(columns, first) end
  if valid < tile.cols then columns = ('%s_of_%d'):format(columns, valid) end
  local guards = tile.rows > 1 and tile.rows <= most_shared
  local base = ('%s%s_tile_'):format(env.own, s.stage.name)
  return record.strict('straight code', {
    name = base .. tile.rows .. columns, key = base .. (guards and 'few' or tile.rows) .. columns,
    s = s, tile = tile, guards = guards, first = first,
    lane = first == 0 and tile.cols < width, valid = valid, following = following or false,
  })
end

--- The code of all tiles of some forms, each text once, and which of it a tile has: that of the
--- first with the same text.
---@param forms Form[]
---@return StraightCode[]
---@return table<StraightTile, StraightCode>
local function codes_of(env, forms)
  local all, codes, of_tile = {}, {}, {}
  for _, form in ipairs(forms) do
    for i, part in ipairs(form.stages) do
      local following = form.stages[i + 1]
      lists.append(all, lists.map(part.tiles, function(tile)
        return code_of(env, part.plan, tile, following and following.plan)
      end))
    end
  end
  for i, alike in ipairs(lists.parted(all, function(code) return code.key end)) do
    codes[i] = alike[1]
    for _, code in ipairs(alike) do of_tile[code.tile] = alike[1] end
  end
  return codes, of_tile
end

--- The parameters of the function of a tile, from row `above` of the input on.
---@param code StraightCode
---@param tile StraightTile
---@return FunctionParameter[]
local function parameters_of(env, code, tile, above)
  local s, stage, N = code.s, code.s.stage, env.NAME(code.s)
  local items = {}
  local function add(kind, name, argument)
    items[#items + 1] = parameters.parameter(kind, name, argument)
  end
  local function input(column)
    return tile_text.plus('in', { { above, N .. '_ROW' }, { column, '' } })
  end
  add('const float *', 'a', input(0))
  local width = stage.stream.layout.width
  add('const char *', 'w',
    tile_text.plus('weights', { { tile.first // width, N .. '_BUNDLE' } }))
  if code.lane then add('const size_t ', 'lane', ('%d'):format(tile.first % width)) end
  for b, branch in ipairs(stage.stream.bias and stage.stream.branches or {}) do
    add('const float *', branch.name .. '_bias',
      tile_text.plus('bias', { { b - 1, N .. '_COLUMNS' }, { tile.first, '' } }))
  end
  if expression.read_input(stage.results) then
    add('const float *', 'operand', input(tile.first))
  end
  for _, parameter in ipairs(epilogue.parameters(stage, env.word, env.prefix, '')) do
    add(('const %s '):format(env.isa.vec), parameter.name)
  end
  local stride = s.final and 'call->y_stride' or env.NAME(code.following) .. '_ROW'
  add('float *', 'out',
    tile_text.plus(s.final and 'y' or 'out', { { above, stride }, { tile.first, '' } }))
  if s.final and code.tile.rows > 1 then add('size_t ', 'stride', stride) end
  if code.guards then add('const int ', 'rows', ('%d'):format(tile.rows)) end
  return items
end

--- From a row of results to the next, in C.
---@param code StraightCode
local function stride_of(env, code)
  return code.s.final and 'stride' or env.NAME(code.following) .. '_ROW'
end

--- The result that sums become.
---@param code StraightCode
---@param leaves Leaves
---@param bias fun(name: string): string  the vector of a branch's biases
---@return string
local function finished(env, code, leaves, bias)
  local stage, word = code.s.stage, env.word
  return epilogue.text(stage.results[1].value, word, {
    sum = function(b)
      return epilogue.finished(stage, word, leaves.sum(b),
        stage.stream.bias and bias(stage.stream.branches[b].name .. '_bias'))
    end,
    operand = leaves.operand, activation = env.activation_name,
  })
end

--- The statement that finishes one vector of a row of a tile.
---@param code StraightCode
---@param t TileText
local function value(env, t, code, row, v)
  local word, isa = env.word, env.isa
  local count, column = code.tile.cols // isa.lanes, v * isa.lanes
  local result = finished(env, code, {
    sum = function(b) return t.sums.name(row, (b - 1) * count + v, 0) end,
    operand = word('load', tile_text.plus('operand', { { row, t.N .. '_ROW' }, { column, '' } })),
  }, function(bias) return word('load', tile_text.plus(bias, { { column, '' } })) end)
  local valid, store = code.valid - column, 'store'
  if code.s.final then store = valid >= isa.lanes and 'storeu' or 'store_tail' end
  local out = tile_text.plus('out', { { row, stride_of(env, code) }, { column, '' } })
  return texts.fold(word(store, out, result, ('%d'):format(valid)) .. ';', 96)
end

--- The text of a tile.
---@param code StraightCode
---@param items FunctionParameter[]
---@return string
local function straight_text(env, code, items)
  local t = tile_text.of(env, {
    s = code.s, tile = code.tile, first = code.first, lane = code.lane, guards = code.guards,
    fetching = {},
    k = {
      ends = env.NAME(code.s) .. '_INPUTS',
      unrolled = code.tile.rows == 1, one_chain = code.tile.rows > 1,
    },
  })
  return env.render('line_tile.c.tpl', {
    about = comments.straight(code, env.isa),
    tile = code.tile, code = code, head = parameters.head(items), lane = t.lane,
    rows = t.rows, loop = t.loop,
    values = function(row)
      local lines = {}
      for v = 0, code.tile.vectors // #code.s.stage.stream.branches - 1 do
        lines[v + 1] = value(env, t, code, row, v)
      end
      return table.concat(lines, '\n')
    end,
  })
end

--- The text of a tile of one column with its chains in lanes.
---@param code StraightCode
---@param items FunctionParameter[]
---@return string
local function dots_text(env, code, items)
  local result = finished(env, code, { sum = function() return 'sums' end },
    function(bias) return env.word('splat', bias .. '[0]') end)
  return env.render('dots.c.tpl', {
    about = comments.straight(code, env.isa),
    N = env.NAME(code.s), code = code, tile = code.tile,
    head = parameters.head(items),
    stored = texts.fold(env.word('storeu', 'results', result) .. ';', 96),
    --- Where the result of a row is, behind `out`.
    place = function(row) return tile_text.terms { { row, stride_of(env, code) } } end,
  })
end

--- The function of a tile.
---@param code StraightCode
---@return Function
local function straight_function(env, code)
  local items = parameters_of(env, code, code.tile, 0)
  local uses = env.activations_of(code.s)
  if code.tile.dots then
    uses[#uses + 1] = 'dots'
  elseif code.valid < code.tile.cols then
    uses[#uses + 1] = 'store_tail'
  end
  return {
    name = code.name, inline = true, declaration = '', uses = uses,
    text = (code.tile.dots and dots_text or straight_text)(env, code, items),
  }
end

--- The call of a tile's function for the rows from `above` on.
local function call_text(env, code, tile, above)
  return parameters.call(code.name, parameters.arguments(parameters_of(env, code, tile, above)),
    92)
end

---@class StraightPart  a stage of a form
---@field N string
---@field s StagePlan
---@field parameters table[]  of its activation
---@field calls string[]      of the functions of its tiles, in order

---@param part StraightStage
---@param form Form
---@param code_of_tile table<StraightTile, StraightCode>
---@return StraightPart
---@return string[] names     of the functions that it calls
local function part_of(env, form, part, code_of_tile)
  local s, calls, names = part.plan, {}, {}
  for above = 0, form.rows - 1, part.rows do
    for _, tile in ipairs(part.tiles) do
      local code = code_of_tile[tile]
      names[#names + 1] = code.name
      calls[#calls + 1] = call_text(env, code, tile, above)
    end
  end
  return record.strict('straight part', {
    N = env.NAME(s), s = s, calls = calls,
    parameters = epilogue.parameters(s.stage, env.word, env.prefix, 'call->packed'),
  }), names
end

--- A form: some rows through all stages.
---@param form Form
---@param code_of_tile table<StraightTile, StraightCode>
---@return Function
local function form_function(env, form, code_of_tile)
  local name = env.own .. (form.rows == 1 and 'one_row' or ('rows_of_%d'):format(form.rows))
  local head = ('void %s(const %s_call *call, float *memory, size_t token)'):format(name,
    env.prefix)
  local parts, uses = {}, {}
  for i, stage in ipairs(form.stages) do
    local part, names = part_of(env, form, stage, code_of_tile)
    parts[i] = part
    lists.append(uses, names)
  end
  --- Where a row of a stage's input lies: behind all rows of the inputs before.
  local function place(i, row)
    local terms = {}
    for before = 1, i - 1 do terms[before] = { form.rows, parts[before].N .. '_ROW' } end
    terms[i] = { row, parts[i].N .. '_ROW' }
    return tile_text.plus('memory', terms)
  end
  return {
    name = name, inline = false, declaration = head, uses = lists.unique(uses),
    text = env.render('straight.c.tpl', {
      form = form, head = head, parts = parts, place = place,
      uses_memory = #form.stages > 1 or form.copies,
    }),
  }
end

---@param env table
---@param forms Form[]
---@return Function[]
function M.functions(env, forms)
  local codes, code_of_tile = codes_of(env, forms)
  local calling = lists.map(forms, function(form)
    return form_function(env, form, code_of_tile)
  end)
  local functions = lists.map(codes, function(code) return straight_function(env, code) end)
  lists.append(functions, calling)
  local name = env.own .. 'straight_rows'
  local head = ('void %s(const %s_walk *walk, void *memory, size_t first, size_t last)'):format(
    name, env.prefix)
  functions[#functions + 1] = {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('straight_rows.c.tpl', {
      forms = forms, head = head,
      blocks_text = env.pass.lanes and lanes_functions.calls(env, env.pass.lanes) or '',
    }),
  }
  return functions
end

return M
