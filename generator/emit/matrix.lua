--- Tiles of weights in scratch whose rows one instruction multiplies with a group: its products, in
--- integers, go through memory, and vectors scale and add them, a row after the other.
local addresses = require 'emit.addresses'
local comments = require 'emit.comments'
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local line_macros = require 'emit.line_macros'
local lists = require 'common.list'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local shapes = require 'emit.shapes'
local summings = require 'emit.summing'
local texts = require 'common.text'
local vector = require 'emit.vector'

local M = {}

local plus = addresses.plus

--- Inside of a tile's innermost braces.
local columns = 92

--- C names that stand in such a tile.
local taken_names = {
  'a', 'block', 'factored', 'group', 'k', 'lane', 'made', 'made_0', 'made_1', 'products', 'rows',
  'sum', 'w',
}

--- The function of an instruction set that does something with its tiles.
local function call(env, what, ...)
  return ('%s_matrix_%s_%s(%s);'):format(env.prefix, what, env.isa.name,
    table.concat({ ... }, ', '))
end

--- What a chunk begins and ends with: a thread has tiles in between.
---@param s StagePlan  of what is in scratch
---@return table
function M.around(env, s)
  local is_such = s.tiles[1].matrix
  return record.strict('matrix of a chunk', {
    begin = is_such and call(env, 'begin', 'rows', s.stage.stream.format.products.group) or '',
    finish = is_such and call(env, 'end') or '',
  })
end

---@class OpenedPart  k that have a sum of their own: a group, or half of one
---@field state State  what its vectors hold
---@field k string     C: where it begins

--- The statements that open a group and multiply it with all rows, and what is open then.
---@param s StagePlan
---@return string
---@return OpenedPart[]
local function opened(env, s)
  local format, members = s.stage.stream.format, s.stage.stream.layout.members
  local placed = groups.place(format, function(line) return members * line.bytes end)
  local v, lines, parts, last = vector.builder(env.isa), {}, {}, #placed.parts
  for _, name in ipairs(taken_names) do v.argument(name) end
  local function place(part)
    return {
      group = 'group', lane = 'lane', named = line_macros.use(env, format), side_by_side = members,
      index_of = function(depth) return depth < last and tostring(part) or '0' end,
    }
  end
  local function open(depth, part, outer)
    return decoding.open(v, format, depth, decoding.lines_at(v, placed, depth, place(part)), outer,
      'bytes')
  end
  local shared, length = last > 2 and open(1, 0, {}) or {}, format.products.group
  for i = 0, placed.parts[1].k // length - 1 do
    local k = i > 0 and ('(k + %d)'):format(i * length) or 'k'
    parts[i + 1] = { state = open(last - 1, i, shared), k = k }
    lists.append(lines, v.take())
    lines[#lines + 1] = call(env, 'products', ('made[%d]'):format(i),
      (operands.address(env, s, 0, k, s.stage.operand.format.multiplied)),
      env.NAME(s) .. '_BLOCK_BYTES', decoding.pointer(placed, last, placed.parts[last].lines[1],
        place(i)), placed.parts[last].bytes)
  end
  return texts.fold(table.concat(lines, '\n'), columns), parts
end

--- C of a part's products of a row, as the function of a row takes them.
local function product_name(i) return 'made_' .. i - 1 end

--- The statements that add what a row's products of a group are to its sum.
---@param s StagePlan
---@param parts OpenedPart[]
---@return string
local function scaled(env, s, parts)
  local lines, summing = {}, summings.of(env.isa, s.stage)
  local has_factor = s.stage.stream.format.products.factor
  local function names(k)
    return {
      sum = function(name) return name end,
      operand = function(plane) return operands.number(env, s, 0, k, plane) end,
    }
  end
  if has_factor then lines[1] = ('%s factored = %s;'):format(env.isa.vec, env.zero()) end
  for i, part in ipairs(parts) do
    local begins = summing.begin_group(names(part.k), part.state)
    local text = ('const %s products = %s;\n%s'):format(env.isa.ivec,
      env.iadd(product_name(i), begins.products), summing.end_group(names(part.k), part.state))
    lines[#lines + 1] = #parts > 1 and ('{\n%s\n}'):format(text) or text
  end
  if has_factor then lines[#lines + 1] = summing.end_shared(names 'k', parts[1].state) end
  return texts.indented(texts.fold(table.concat(lines, '\n'), columns))
end

--- What the vectors of a group hold, each once, as a function takes it.
---@param parts OpenedPart[]
---@return FunctionParameter[]
local function held(env, parts)
  local list, seen = {}, {}
  for _, part in ipairs(parts) do
    for _, name in ipairs(record.sorted_keys(part.state)) do
      local node = part.state[name]
      if not seen[node.text] then
        seen[node.text] = true
        list[#list + 1] = parameters.parameter(
          ('const %s '):format(node.kind == 'f' and env.isa.vec or env.isa.ivec), node.text)
      end
    end
  end
  return list
end

--- The function that adds a row's products of a group to its sum, and how it is called for a row.
---@param s StagePlan
---@param parts OpenedPart[]
---@return Draft
---@return fun(row: integer): string
local function scale_of(env, s, parts)
  local make, code = parameters.parameter, scaled(env, s, parts)
  local name, N = env.fn(s) .. '_scaled', env.NAME(s)
  local behind = lists.append(texts.has_word(code, 'k') and { make('size_t ', 'k') } or {},
    held(env, parts))
  local function with(sum, product, a)
    local list = { sum }
    for i in ipairs(parts) do list[i + 1] = product(i) end
    list[#list + 1] = a
    return list
  end
  local draft = shapes.draft {
    name = name, linkage = 'inline', returns = env.isa.vec .. ' ',
    parameters = lists.append(with(make(env.isa.vec .. ' ', 'sum'), function(i)
      return make(env.isa.ivec .. ' ', product_name(i))
    end, make('const char *', 'a')), behind),
    about = comments.scaled, text = env.render('matrix_scale.c.tpl', { code = code, sum = 'sum' }),
  }
  return draft, function(row)
    local arguments = with('s' .. row, function(i) return ('made[%d][%d]'):format(i - 1, row) end,
      plus('a', { { row, N .. '_BLOCK_BYTES' } }))
    return ('s%d = %s'):format(row, parameters.call(name,
      lists.append(arguments, parameters.arguments(behind)), 80))
  end
end

--- Such a tile: its text, and what it calls.
---@param t TileText
---@param least integer  rows that there are at least
---@return string
---@return Draft
function M.tile(env, t, least)
  local s, tile = t.s, t.tile
  local branches, sums = #s.stage.stream.branches, {}
  local open, parts = opened(env, s)
  local scale, scale_row = scale_of(env, s, parts)
  for row = 0, tile.rows - 1 do
    sums[row + 1] = ('s%d = %s'):format(row, summings.of(env.isa, s.stage).zero)
  end
  return env.render('matrix_tile.c.tpl', {
    tile = tile, N = t.N,
    matrix = record.strict('matrix of a tile', {
      -- Statements for a row that may not be: half of them are.
      of = function(row, lines)
        return row < least and lines or t.rows.of(row, lines)
      end,
      parts = #parts, group = s.stage.operand.format.group, open = open,
      zero = ('%s %s;'):format(env.isa.vec, table.concat(sums, ', ')),
      scale = scale_row,
      keep = function(row)
        local at = row * branches * tile.cols
        return env.word('store', at > 0 and ('sum + %d + lane'):format(at) or 'sum + lane',
          's' .. row) .. ';'
      end,
    }),
  }), scale
end

return M
