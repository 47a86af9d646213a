--- What becomes of the sums of a tile whose products are summed in groups: what a group of weights
--- begins with, what is added to the sum of a block at its end, and at that of the k that share a
--- scale of the operand, which are one such group, or two.
local lists = require 'common.list'
local operands = require 'emit.operands'
local record = require 'common.record'
local summings = require 'emit.summing'
local texts = require 'common.text'

local M = {}

--- Inside of a tile's innermost braces.
local columns = 92

--- Sums in 16 bits. No plan counts registers for them: those of whole groups wait in memory.
local narrow = { name = 'narrow', type = 'int32', scope = 'narrow' }

---@class TileGroups  of a tile, in C: statements
---@field begin string                       in front of all k of a block
---@field open fun(states: State[]): string  in front of a group's, with what its vectors hold
---@field close fun(states: State[]): string behind them
---@field narrow integer|false             k of which products are summed in 16 bits
---@field fold fun(): string                behind these

---@class SummedTile
---@field s StagePlan
---@field tile Tile
---@field rows TileRows
---@field sums TileSums
---@field held Accumulator[]
---@field part integer  k of a group of weights

local function of_scope(t, scope)
  return lists.filter(t.held, function(one) return one.scope == scope end)
end

--- How sums of a type are declared, and their 0.
local function types_of(env)
  return {
    f32 = { vec = env.isa.vec, zero = env.zero() },
    int32 = { vec = env.isa.ivec, zero = env.isplat('0') },
  }
end

--- The declarations of a scope's sums, for all rows; `values` says what those of a row and vector
--- begin with, where that is not 0.
---@param t SummedTile
---@param values fun(row: integer, i: integer): table<string, string>
---@return string
local function begun(env, t, scope, values)
  local lines, types = {}, types_of(env)
  for row = 0, t.tile.rows - 1 do
    for i = 0, t.tile.vectors - 1 do
      local given, named = values(row, i), t.sums.names_of(row, i)
      for _, one in ipairs(of_scope(t, scope)) do
        local nothing = types[one.type].zero
        local value = given[one.name] or nothing
        if row > 0 and t.rows.guarded and value ~= nothing then
          value = ('rows > %d ? %s : %s'):format(row, value, nothing)
        end
        lines[#lines + 1] = ('%s %s = %s;'):format(types[one.type].vec, named(one.name), value)
      end
    end
  end
  return texts.fold(table.concat(lines, '\n'), columns)
end

--- The statements of a hook behind a group, for all rows and vectors, each row's in a scope of its
--- own with the numbers of the operand that they read; `anew` are sums that begin again.
---@param t SummedTile
---@param hook fun(names: SumNames, state: State): string
---@param states State[]
---@param anew Accumulator[]
---@return string
local function ended(env, t, hook, states, anew)
  local all, types, k = {}, types_of(env), ('(k - %d)'):format(t.part)
  for row = 0, t.tile.rows - 1 do
    local lines, read = {}, {}
    local function operand(plane)
      read[plane] = true
      return operands.name(row, plane)
    end
    for i = 0, t.tile.vectors - 1 do
      local named = t.sums.names_of(row, i)
      lines[#lines + 1] = hook({ sum = named, operand = operand }, states[i + 1])
      for _, one in ipairs(anew) do
        lines[#lines + 1] = ('%s = %s;'):format(named(one.name), types[one.type].zero)
      end
    end
    all[#all + 1] = ('{\n%s\n}'):format(t.rows.of(row, texts.fold(
      operands.declared(env, t.s, row, k, read) .. table.concat(lines, '\n'), columns)))
  end
  return table.concat(all, '\n')
end

--- The hooks of a tile; nil where its arithmetic takes values, which are in no groups of its own.
---@param s StagePlan
---@param tile Tile
---@param rows TileRows
---@param sums TileSums
---@return TileGroups|nil
function M.of(env, s, tile, rows, sums)
  local arithmetic, products = s.stage.arithmetic, s.stage.stream.format.products
  if arithmetic.takes ~= 'bytes' then return nil end
  local summing, group = summings.of(env.isa, s.stage), s.stage.operand.format.group
  local held = arithmetic.held(s.stage.stream.format)
  if summing.narrow then held[#held + 1] = narrow end
  local t = {
    s = s, tile = tile, rows = rows, sums = sums, held = held,
    part = products.group > 0 and products.group or group,
  }
  local shared = of_scope(t, 'shared')
  local function nothing() return {} end
  return record.strict('groups of a tile', {
    begin = begun(env, t, 'shared', nothing),
    narrow = summing.narrow,
    fold = function() return ended(env, t, summing.end_narrow, {}, of_scope(t, 'narrow')) end,
    open = function(states)
      local groups = begun(env, t, 'group', function(row, i)
        return summing.begin_group({
          sum = sums.names_of(row, i),
          operand = function(plane) return operands.number(env, s, row, 'k', plane) end,
        }, states[i + 1])
      end)
      return summing.narrow and begun(env, t, 'narrow', nothing) .. '\n' .. groups or groups
    end,
    close = function(states)
      local text = ended(env, t, summing.end_group, states, {})
      if #shared == 0 then return text end
      local both = ended(env, t, summing.end_shared, states, shared)
      if group == products.group then return text .. '\n' .. both end
      return ('%s\nif (k %% %d == 0) {\n%s\n}'):format(text, group, both)
    end,
  })
end

return M
