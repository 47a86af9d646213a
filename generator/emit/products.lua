--- A register tile whose operand has groups: sums of products of integers, which begin anew with
--- each group and are added to the sum of a block at its end. Weights have groups as long.
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local lists = require 'common.list'
local operands = require 'emit.operands'
local record = require 'common.record'
local summing_of = require 'emit.summing'.of
local texts = require 'common.text'
local vector = require 'emit.vector'
local weight_layout = require 'weights.layout'

local M = {}

--- C names of a tile that nothing that weights hold may take, beside those of its operand.
local taken = { 'a', 'block', 'count', 'k', 'lane', 'rows', 'sum', 'w' }

--- Where the weights of each vector of a tile are read.
---@param t TileText
---@return Reading[]
local function places(env, t)
  local tile, list = t.tile, {}
  local per_branch = tile.cols // env.isa.lanes
  for v = 0, tile.vectors - 1 do
    local bundle, lane = weight_layout.lane(t.s.stage.stream.layout, v // per_branch,
      v % per_branch * env.isa.lanes)
    list[v + 1] = {
      group = bundle > 0 and ('(w + %d * %s_BUNDLE)'):format(bundle, t.N) or 'w',
      lane = t.lane.taken and ('lane + %d'):format(lane) or ('%d'):format(lane),
    }
  end
  return list
end

--- A builder of what weights hold, beside the names that a tile has already.
local function builder(env, s, tile)
  local v = vector.builder(env.isa)
  for _, name in ipairs(taken) do v.argument(name) end
  for row = 0, tile.rows - 1 do
    for _, plane in ipairs(s.stage.operand.format.planes) do
      v.argument(operands.name(row, plane.name))
    end
  end
  return v
end

---@class Quads  the bytes of a step that are multiplied at once
---@field text string        their declarations, w0 and more
---@field at integer         the first k of the step that they are of

---@class OpenedWeights  of a group, in C
---@field text string      the statements that open it
---@field states State[]   what it holds, of each vector
---@field quads Quads[]    of a step
---@field steps integer    of a group
---@field index string     the variable that counts them

---@param t TileText
---@return OpenedWeights
local function opened_weights(env, t)
  local s, tile = t.s, t.tile
  local format, layout, step = s.stage.stream.format, s.stage.stream.layout, 2
  local members, v = layout.members, builder(env, s, tile)
  local placed = groups.place(format, function(line) return members * line.bytes end)
  local reads, index = places(env, t), decoding.index_of(step)
  local states = lists.map(reads, function(from)
    return decoding.open(v, format, 1, decoding.lines_at(v, placed, 1, from), {}, 'bytes')
  end)
  local text, quads = table.concat(v.take(), '\n'), {}
  for i = 0, format.step.k - 1, s.stage.arithmetic.k do
    local lines = {}
    for n, from in ipairs(reads) do
      local node = format.products.take(v, decoding.lines_at(v, placed, step, from), states[n], i,
        index)
      lists.append(lines, v.take())
      lines[#lines + 1] = ('const %s w%d = %s;'):format(env.isa.ivec, n - 1,
        node.text or node.code)
    end
    quads[#quads + 1] = { text = table.concat(lines, '\n'), at = i }
  end
  return record.strict('opened weights', {
    text = text, states = states, quads = quads, steps = placed.parts[step].count, index = index,
  })
end

--- What the statements of each row are made of: a step, and what a group begins with and adds.
---@param t TileText
---@param weights OpenedWeights
---@return table
local function rows_of(env, t, weights)
  local s, tile = t.s, t.tile
  local arithmetic, summing = s.stage.arithmetic, summing_of(env.isa, s.stage)
  local type_of = { f32 = env.isa.vec, int32 = env.isa.ivec }
  local zero_of = { f32 = env.zero(), int32 = env.isplat('0') }
  local function sum_name(row, i)
    return function(name)
      return name == 'sum' and t.sums.name(row, i, 0) or ('%s%d_%d'):format(name, row, i)
    end
  end
  --- The statements of a hook for all vectors of a row, behind the numbers of the operand that they
  --- read: of the group, or of the step at the C `at`.
  local function statements(row, at, hook)
    local lines, read = {}, {}
    local function operand(plane)
      read[plane] = true
      return operands.name(row, plane)
    end
    for i = 0, tile.vectors - 1 do
      lines[#lines + 1] = hook({ sum = sum_name(row, i), operand = operand }, i)
    end
    return texts.fold(operands.declared(env, s, row, at, read) .. table.concat(lines, '\n'), 92)
  end

  local rows = {}
  function rows.begun(row)
    local lines, guarded = {}, row > 0 and t.rows.guarded
    for i = 0, tile.vectors - 1 do
      local begins = summing.begin_group({
        sum = sum_name(row, i),
        operand = function(plane) return operands.number(env, s, row, nil, plane) end,
      }, weights.states[i + 1])
      for _, one in ipairs(lists.filter(arithmetic.accumulators, function(one)
        return one.scope == 'group'
      end)) do
        local value, zero = begins[one.name], zero_of[one.type]
        if guarded and value ~= zero then
          value = ('rows > %d ? %s : %s'):format(row, value, zero)
        end
        lines[#lines + 1] = ('%s %s = %s;'):format(type_of[one.type], sum_name(row, i)(one.name),
          value)
      end
    end
    return texts.fold(table.concat(lines, '\n'), 92)
  end
  function rows.multiplied(row, quads)
    local at = ('%d * %s'):format(s.stage.stream.format.step.k, weights.index)
    if quads.at > 0 then at = ('%s + %d'):format(at, quads.at) end
    return statements(row, at, function(names, i)
      return summing.step(names, 'w' .. i)
    end)
  end
  function rows.ended(row)
    return statements(row, nil, function(names, i)
      return summing.end_group(names, weights.states[i + 1])
    end)
  end
  return rows
end

--- The loop of a tile over groups.
---@param env table
---@param t TileText
---@return fun(): string
function M.loop(env, t)
  local weights = opened_weights(env, t)
  local row = rows_of(env, t, weights)
  return function()
    return env.render('products.c.tpl', {
      tile = t.tile, group = t.s.stage.operand.format.group, weights = weights, row = row, k = t.k,
      rows = t.rows, sums = t.sums,
    })
  end
end

return M
