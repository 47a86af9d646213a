--- What a tile's templates say of weights that are decoded in groups or in steps of several k.
local addresses = require 'emit.addresses'
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local vector = require 'emit.vector'
local weight_layout = require 'weights.layout'

local M = {}

local plus = addresses.plus

--- C names that stand in a tile, which no decoded value may hide.
local taken_names = {
  'a', 'adds', 'advance', 'ahead', 'at', 'block', 'count', 'end', 'fetches', 'first', 'from',
  'head', 'k', 'lane', 'line', 'next', 'rows', 'stop', 'stride', 'sum', 'until', 'w',
}

--- A builder of what stands in a tile, beside such names.
local function builder(env, tile)
  local v = vector.builder(env.isa)
  for _, name in ipairs(taken_names) do v.argument(name) end
  for i = 0, tile.vectors - 1 do v.argument('w' .. i) end
  for row = 0, tile.rows - 1 do v.argument('x' .. row) end
  return v
end

--- Which k a tile begins with, of all of a panel, in C.
local function first_k(use, N)
  if use.abreast then return 'first' end
  return use.s.stage.sum.blocks > 1 and ('block * %s_BLOCK'):format(N) or '0'
end

--- Whether the blocks of a stage's sums are whole groups.
local function is_whole(s)
  local sum, group = s.stage.sum, s.stage.stream.layout.group
  return s.stage.inputs % group == 0 and (sum.blocks == 1 or sum.block % group == 0)
end

--- Whether a visit of panels abreast has to say which k it begins with: within a group, perhaps, or
--- far behind the head of its panel.
function M.takes_first(s)
  local format = s.stage.stream.format
  return #format.levels > 0 and not is_whole(s) or format.head ~= false
end

--- How many k a tile takes together at least: whole steps of the format, and all chains; where it
--- fetches for several groups at a time as many as these have.
function M.line(use)
  local step, line = use.s.stage.stream.format.step.k, use.s.stage.sum.chains
  while line % step > 0 do line = line + use.s.stage.sum.chains end
  local levels = #use.s.stage.stream.format.levels > 0
  if use.abreast and step > 1 and not levels then line = math.max(line, use.abreast.every) end
  return line
end

--- What templates say of weights that are decoded in groups.
---@param t table
---@param env table
---@param use TileUse
---@param pitch integer  columns from a vector to the next
function M.add(t, env, use, pitch)
  local s, tile, N = use.s, use.tile, t.N
  local format, layout = s.stage.stream.format, s.stage.stream.layout
  local members = weight_layout.members(layout, tile.lone)
  local placed = groups.place(format, function(line) return members * line.bytes end)
  local first = first_k(use, N)
  --- Where vectors are read, `ahead` bytes (in C) behind the group that w points to.
  local function places(ahead)
    local list = {}
    for v = 0, tile.vectors - 1 do
      local bundle, lane = addresses.place(env.isa, s, tile, use.first, v, pitch)
      local bytes = addresses.terms { { bundle, N .. '_BUNDLE' }, ahead }
      list[v + 1] = {
        group = 'w', head = 'head', bundle = bytes ~= '0' and bytes or nil,
        lane = t.takes_lane and plus('lane', { { lane, '' } }) or tostring(lane),
      }
    end
    return list
  end
  -- What is held, and the builder of the scope that it stands in.
  local states, scope

  --- Where the heads of panels lie, and what they say.
  function t.heads()
    local text
    scope = builder(env, tile)
    states, text = decoding.open_heads(scope, format, placed, places())
    if format.head then
      table.insert(text, 1, ('const char *const head = w - (%s / %d * %s + %d);'):format(first,
        layout.group, t.STEP, members * layout.placed.head_bytes))
    end
    return table.concat(text, '\n')
  end

  --- The value of vector v, and the statements in front of it, at k `ahead` of a line.
  function t.weights(v, ahead)
    local step = format.step.k
    -- Of a line of several steps those of a group lie side by side.
    local bytes = t.levels and { ahead // step * placed.parts[#placed.parts].bytes, '' }
      or { ahead // step, t.STEP }
    local from = places(bytes)[v + 1]
    local lines, value = decoding.value(t.step.builder, format, placed, from, states[v + 1],
      ahead % step)
    return value, table.concat(lines, '\n')
  end

  --- The loops over the k of a block in groups, which begin with `begin`.
  function t.ascend_levels(begin)
    local line = {}
    scope = scope.inner()
    return decoding.ascend_groups(scope, format, placed, {
      pointer = 'w', step = t.STEP, phase = ('%s %% %s_GROUP'):format(first, N),
      count = use.k_end, whole = is_whole(s), line = t.line, places = places(),
      states = states, begin = begin,
    }, function(inner)
      states = inner
      for k = 0, t.line - 1 do
        line[k + 1] = ('{\n%s}'):format(t.one_k(k % t.chains, k))
      end
      return table.concat(line, '\n')
    end)
  end

  function t.builder() return scope.inner() end
end

return M
