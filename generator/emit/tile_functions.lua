--- The functions of a stage's register tiles: each tile, and what calls it for a number of rows.
local addresses = require 'emit.addresses'
local blocks = require 'emit.blocks'
local describe = require 'emit.describe'
local grouped = require 'emit.grouped'
local lists = require 'common.list'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local tile_text = require 'emit.tile'
local weight_layout = require 'weights.layout'

local M = {}

local lanes = weight_layout.lanes

--- Whether the tiles of a walk fetch in several ways.
---@param s StagePlan
function M.chooses(s) return s.tiles[1].ways ~= false end

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
---@param s StagePlan
function M.takes_lane(s)
  return #lists.filter(s.tiles, function(tile) return tile_text.takes_lane(s, tile) end) > 0
end

--- Whether a stage's operand is read as floats, one after the other.
local function is_plain(s) return operands.is_plain(s.stage.operand.format) end

--- What the functions of the hot loops take, but for rows.
---@param s StagePlan
---@param form string
---@return FunctionParameter[]
function M.parameters(env, s, form)
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
  if M.takes_lane(s) then add('size_t ', 'lane') end
  if s.stage.sum.blocks > 1 then add('size_t ', 'block') end
  if form == 'sums' and s.ahead then
    add(('const %s_ahead *'):format(env.prefix), 'ahead', '&share')
    if M.chooses(s) then add('const int ', 'fetches') end
  end
  return items
end

--- A tile's calls for a number of rows, in each way that some CPU fetches for them. Where weights
--- are in groups it asks itself, once a group: what fetches nothing is no shorter by much.
---@param items FunctionParameter[]
local function tile_calls(env, s, tile, items)
  local asks = #s.stage.stream.format.levels > 0
  local function named(word) return ('%s_FETCHES_%s'):format(env.PREFIX, word) end
  return function(rows)
    if asks or not tile.ways then return { { arguments = parameters.handed_on(items) } } end
    return lists.map(tile.ways[rows], function(name)
      local way = way_of[name]
      return {
        condition = 'fetches ' .. way.asked:format(named(way.of or way.word)),
        arguments = parameters.handed_on(items, 'fetches', named(way.word)),
      }
    end)
  end
end

---@class WideSums  vectors of doubles in a tile's place
---@field taken 'never'|'perhaps'|'always'
---@field count string  C: k of the block under way
---@field panels { first: string, behind: integer }[]  where 16 sums have their weights, for
--- ffn_wide_sums(): the address of the first half, and how far behind it the second is

--- Where 16 sums of a tile, from vector v on, have their weights.
local function wide_panel(env, s, tile, v)
  local N, element = env.NAME(s), s.stage.stream.layout.element
  local bundle, lane = addresses.place(env.isa, s, tile, 0, v)
  local other, second = addresses.place(env.isa, s, tile, 0, v + lanes // 2 // env.isa.lanes)
  assert(bundle == other, 'halves of different bundles')
  return {
    first = addresses.plus('w', { { bundle, N .. '_BUNDLE' }, { lane * element, '' } }),
    behind = (second - lane) * element,
  }
end

---@return WideSums
local function wide_sums(env, s, tile)
  local panels = {}
  for v = 0, tile.wide ~= 'never' and tile.vectors - 1 or -1, lanes // env.isa.lanes do
    panels[#panels + 1] = wide_panel(env, s, tile, v)
  end
  return record.strict('wide sums', {
    taken = tile.wide, count = blocks.length(env, s), panels = panels,
  })
end

---@class TilePair
---@field form string                  of the tile, in names
---@field about string                 what its comment says
---@field items FunctionParameter[]    of both functions, but for rows
---@field wide WideSums|nil
---@field loop (fun(): string)|nil     its sums over a block, unless they are as in all tiles

--- The functions of a tile: its text, and what calls it for each number of rows.
---@param t TileText
---@param pair TilePair
---@return Function[]
function M.pair(env, t, pair)
  local tile, fn = t.tile, env.own .. t.s.stage.name
  local wide = pair.wide or record.strict('wide sums', { taken = 'never', count = '', panels = {} })
  local declared = parameters.two_lines(pair.items)
  local inline = ('%s_%s_tile_%d'):format(fn, pair.form, tile.cols)
  local name = ('%s_%s_%d'):format(fn, pair.form, tile.cols)
  local head = ('void %s(\n    %s, size_t rows)'):format(name, declared)
  local calls = tile_calls(env, t.s, tile, pair.items)
  local function call(rows)
    return env.render('call.c.tpl', { ways = calls(rows), name = inline, rows = rows })
  end
  local rows = {
    name = name, inline = false, declaration = head,
    uses = wide.taken ~= 'always' and { inline } or {},
    wide = wide.taken ~= 'never' and wide.taken or nil,
    text = env.render('rows.c.tpl', {
      head = head, tile = tile, N = t.N, k = t.k, lane = t.lane, fetching = t.fetching,
      sums = t.sums, wide = wide, call = call,
    }),
  }
  if wide.taken == 'always' then return { rows } end
  local text = env.render('tile.c.tpl', {
    about = pair.about, name = inline, parameters = declared, tile = tile, k = t.k, lane = t.lane,
    rows = t.rows, sums = t.sums, wide = wide, loop = pair.loop or t.loop,
  })
  return { { name = inline, inline = true, declaration = '', uses = {}, text = text }, rows }
end

--- A register tile, and the function that calls it for each number of rows.
---@param s StagePlan
---@param form 'sums'|'nonzero'
---@param tile Tile
---@return Function[]
function M.of_walk(env, s, form, tile)
  local sum, length = s.stage.sum, blocks.length(env, s)
  local is_counted = blocks.is_uneven(s) and sum.blocks > 1
  local t = tile_text.of(env, {
    s = s, tile = tile, first = 0, lane = M.takes_lane(s), guards = tile.rows > 1,
    k = {
      ends = is_counted and 'count' or length,
      count = form == 'sums' and is_counted and length or nil, listed = form == 'nonzero',
      together = tile.together,
      left = sum.block % tile.together > 0 or sum.last % tile.together > 0,
    },
    fetching = {
      from = (form == 'nonzero' or s.ahead) and 'next' or nil,
      advances = form == 'sums' and s.ahead ~= false, chooses = tile.ways ~= false,
      far = form == 'sums' and s.far, rereads = form == 'sums' and s.rereads,
      rows = sum.blocks > 1 and tile.rows > 1 and tile.parts and is_plain(s),
    },
  })
  return M.pair(env, t, {
    form = form, about = describe.tile(s, tile, form, env.isa), items = M.parameters(env, s, form),
    wide = wide_sums(env, s, tile),
  })
end

--- The tile of panels abreast, and the function that calls it for each number of rows.
---@param s StagePlan
---@return Function[]
function M.of_abreast(env, s)
  local a, make = s.abreast, parameters.parameter
  local is_narrow, fetches = a.visited < lanes, a.every > 0
  local t = tile_text.of(env, {
    s = s, tile = a.tile, first = 0, lane = is_narrow, guards = true, abreast = a,
    k = { ends = 'count', together = a.tile.together, left = a.tile.together > 1 },
    fetching = { chooses = fetches },
  })
  local items = {
    make('float *', 'sum'), make('const float *', 'from'), make('const float *', 'a'),
    make('const char *', 'w'), make('size_t ', 'count'), make('int ', 'adds'),
  }
  if grouped.takes_first(s) then table.insert(items, 5, make('size_t ', 'first')) end
  if is_narrow then table.insert(items, 5, make('size_t ', 'lane')) end
  if fetches then
    lists.append(items, { make('const char *', 'next'), make('const int ', 'fetches') })
  end
  return M.pair(env, t, {
    form = 'abreast', about = env.commented(describe.abreast_tile(s, env.isa)), items = items,
  })
end

return M
