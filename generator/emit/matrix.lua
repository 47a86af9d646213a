--- Tiles of weights in scratch whose rows one instruction multiplies with a group: its products, in
--- integers, go through memory, and vectors scale and add them, a row after the other.
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local line_macros = require 'emit.line_macros'
local lists = require 'common.list'
local operands = require 'emit.operands'
local record = require 'common.record'
local summings = require 'emit.summing'
local texts = require 'common.text'
local vector = require 'emit.vector'

local M = {}

--- Inside of a tile's innermost braces.
local columns = 92

--- C names that stand in such a tile.
local taken_names = {
  'a', 'block', 'factored', 'group', 'k', 'lane', 'made', 'products', 'rows', 'sum', 'w',
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
      (operands.address(env, s, 0, k, s.stage.operand.format.planes[1].name)),
      env.NAME(s) .. '_BLOCK_BYTES', decoding.pointer(placed, last, placed.parts[last].lines[1],
        place(i)), placed.parts[last].bytes)
  end
  return texts.fold(table.concat(lines, '\n'), columns), parts
end

--- The statements that add what a row's products of a group are to its sum.
---@param s StagePlan
---@param parts OpenedPart[]
local function scaled(env, s, summing, parts, row)
  local lines, products = {}, s.stage.stream.format.products
  local function names(k)
    return {
      sum = function(name) return name == 'sum' and 's' .. row or name end,
      operand = function(plane) return operands.number(env, s, row, k, plane) end,
    }
  end
  if products.factor then
    lines[1] = ('%s factored = %s;'):format(env.isa.vec, env.zero())
  end
  for i, part in ipairs(parts) do
    local begins = summing.begin_group(names(part.k), part.state)
    local text = ('const %s products = %s;\n%s'):format(env.isa.ivec,
      env.iadd(('made[%d][%d]'):format(i - 1, row), begins.products),
      summing.end_group(names(part.k), part.state))
    lines[#lines + 1] = #parts > 1 and ('{\n%s\n}'):format(text) or text
  end
  if products.factor then
    lines[#lines + 1] = summing.end_shared(names 'k', parts[1].state)
  end
  return ('{\n%s\n}'):format(texts.fold(table.concat(lines, '\n'), columns))
end

--- The text of such a tile.
---@param t TileText
---@param least integer  rows that there are at least
---@return string
function M.text(env, t, least)
  local s, tile = t.s, t.tile
  local summing, branches = summings.of(env.isa, s.stage), #s.stage.stream.branches
  local open, parts = opened(env, s)
  local sums = {}
  for row = 0, tile.rows - 1 do sums[row + 1] = ('s%d = %s'):format(row, summing.zero) end
  return env.render('matrix_tile.c.tpl', {
    tile = tile, N = t.N,
    matrix = record.strict('matrix of a tile', {
      -- Statements for a row that may not be: half of them are.
      of = function(row, lines)
        return row < least and lines or t.rows.of(row, lines)
      end,
      parts = #parts, group = s.stage.operand.format.group, open = open,
      zero = ('%s %s;'):format(env.isa.vec, table.concat(sums, ', ')),
      scale = function(row)
        return texts.trimmed(texts.indented(scaled(env, s, summing, parts, row)))
      end,
      keep = function(row)
        local at = row * branches * tile.cols
        return env.word('store', at > 0 and ('sum + %d + lane'):format(at) or 'sum + lane',
          's' .. row) .. ';'
      end,
    }),
  })
end

return M
