--- What a tile's templates say of weights that are decoded in groups or in steps of several k.
local addresses = require 'emit.addresses'
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local line_macros = require 'emit.line_macros'
local operands = require 'emit.operands'
local record = require 'common.record'
local step_values = require 'emit.step_values'
local vector = require 'emit.vector'
local weight_layout = require 'weights.layout'

local M = {}

local plus = addresses.plus

--- C names that stand in a tile, which no decoded value may hide.
local taken_names = {
  'a', 'adds', 'advance', 'ahead', 'at', 'block', 'count', 'end', 'fetched', 'fetches', 'first',
  'from', 'head', 'i', 'k', 'lane', 'line', 'next', 'rows', 'stop', 'stride', 'sum', 'until', 'w',
  'zero',
}

--- A builder of what stands in a tile, beside such names.
local function builder(env, s, tile)
  local v = vector.builder(env.isa)
  for _, name in ipairs(taken_names) do v.argument(name) end
  for i = 0, tile.vectors - 1 do v.argument('w' .. i) end
  for row = 0, tile.rows - 1 do
    v.argument('x' .. row)
    for _, plane in ipairs(s.stage.operand.format.planes) do
      v.argument(operands.name(row, plane.name))
    end
  end
  return v
end

--- Which k a tile begins with, of all of a panel, in C.
local function first_k(use, N)
  if use.abreast then return 'first' end
  return use.s.stage.sum.blocks > 1 and ('block * %s_BLOCK'):format(N) or '0'
end

--- The k that the blocks of a stage's sums, the last one too, are multiples of.
local function grain_of(s)
  local a, b = s.stage.inputs, s.stage.sum.blocks > 1 and s.stage.sum.block or 0
  while b > 0 do a, b = b, a % b end
  return a
end

--- Whether they are whole groups.
local function is_whole(s) return grain_of(s) % s.stage.stream.layout.group == 0 end

--- Whether a visit of panels abreast has to say which k it begins with: within a group, perhaps, or
--- far behind the head of its panel.
function M.takes_first(s)
  local format = s.stage.stream.format
  return #format.levels > 0 and not is_whole(s) or format.head ~= false
end

--- How many k a tile takes together at least: whole steps of the format, and all chains; where it
--- fetches for several groups at a time as many as these have.
function M.line(use)
  local step = use.s.stage.stream.format.step.k
  local line = weight_layout.common_multiple(use.s.stage.sum.chains, step)
  local levels = #use.s.stage.stream.format.levels > 0
  if use.abreast and step > 1 and not levels then line = math.max(line, use.abreast.every) end
  return line
end

--- Where the vectors of a tile are read, `ahead` bytes (in C) behind the group that w points to.
---@param use TileUse
---@param lane TileLane
---@param pitch integer  columns from a vector to the next
---@return GroupAddress[]
local function places_of(env, use, lane, pitch, ahead)
  local list, N, stream = {}, env.NAME(use.s), use.s.stage.stream
  local named = #stream.format.levels > 0 and line_macros.use(env, stream.format) or nil
  for v = 0, use.tile.vectors - 1 do
    local bundle, first, is_second = addresses.vector(env, use, v, pitch)
    local bytes = addresses.terms { { bundle, N .. '_BUNDLE' }, ahead }
    local terms = { { first, '' }, { is_second and 1 or 0, N .. '_SECOND' } }
    list[v + 1] = {
      group = 'w', head = 'head', bundle = bytes ~= '0' and bytes or nil,
      named = named, side_by_side = stream.layout.members,
      lane = lane.taken and plus('lane', terms) or addresses.terms(terms),
    }
  end
  return list
end

--- The macros in front of a loop over the steps of a group, and over two groups; ''.
---@return string steps
---@return string two
local function unrolling(env, format, takes)
  local isa, whole = env.isa, env.PREFIX .. '_UNROLL'
  local are_bytes = takes == 'bytes'
  local steps = are_bytes and isa.unrolls ~= '' and env.PREFIX .. '_' .. isa.unrolls or ''
  return format.step.by_index and isa.lanes > 1 and whole or steps,
    are_bytes and isa.unrolls_two and whole or ''
end

--- What templates say of weights that are decoded in groups.
---@param env table
---@param use TileUse
---@param k TileK
---@param lane TileLane
---@param pitch integer  columns from a vector to the next
---@param hooks TileGroups|nil
---@return TileWeights
function M.weights(env, use, k, lane, pitch, hooks)
  local s, tile, N, takes = use.s, use.tile, env.NAME(use.s), use.s.stage.arithmetic.takes
  local format, layout = s.stage.stream.format, s.stage.stream.layout
  local members, levels = layout.members, #format.levels > 0
  local placed = groups.place(format, function(line) return members * line.bytes end)
  local first = first_k(use, N)
  local function places(ahead) return places_of(env, use, lane, pitch, ahead) end
  local scope = builder(env, s, tile) -- what stands around a step
  local values = step_values.of(env, s)
  local opened, heads = decoding.open_heads(scope, format, placed, places(), takes)
  if format.head then
    local index = layout.group > 1 and ('%s / %d'):format(first, layout.group) or first
    table.insert(heads, 1, ('const char *const head = w - (%s * %s + %d);'):format(index, k.bytes,
      members * layout.placed.head_bytes))
  end

  local function reader(states)
    states = states or opened
    local v, step = scope.inner(), format.step.k
    return function(i, ahead)
      if values then
        local lines = decoding.step_pointers(placed, places { 0, '' }[i + 1])
        return values.of(states[i + 1], lines), ''
      end
      -- Of a line of several steps those of a group lie side by side.
      local bytes = levels and { ahead // step * placed.parts[#placed.parts].bytes, '' }
        or { ahead // step, k.bytes }
      local lines, value = decoding.taken(v, format, placed, places(bytes)[i + 1], states[i + 1],
        ahead % step, takes)
      return value, table.concat(lines, '\n')
    end
  end

  local function ascend(begin, one_k, spread)
    local steps, two = unrolling(env, format, takes)
    scope = scope.inner()
    return decoding.ascend_groups(scope, format, placed, {
      pointer = 'w', step = k.bytes, phase = ('%s %% %s_GROUP'):format(first, N),
      count = k.ends, grain = grain_of(s), line = k.line, places = places(),
      states = opened, takes = takes, groups = hooks, begin = begin, spread = spread,
      often = env.PREFIX .. '_OFTEN',
      unroll = steps, unroll_two = two,
    }, function(states)
      local lines, side = {}, tile.side_by_side
      for lead = 0, tile.vectors - 1, side do
        local last = math.min(lead + side, tile.vectors) - 1
        if values then
          lines[#lines + 1] = values.over(one_k(0, values.turn, states, lead, last))
        else
          for i = 0, k.line - 1, k.each do
            lines[#lines + 1] = ('{\n%s}'):format(one_k(i % k.chains, i, states, lead, last))
          end
        end
      end
      return table.concat(lines, '\n')
    end)
  end

  -- Where weights have no levels, all k of a block are a group.
  local around = hooks and not levels
  return record.strict('weights of a tile', {
    heads = table.concat(heads, '\n') .. (hooks and '\n' .. hooks.begin or ''), reader = reader,
    ascend = levels and ascend, opened = around and hooks.open(opened) or '',
    closed = around and hooks.close(opened) or '',
  })
end

return M
