--- The functions of a stage's register tiles: each tile, and what calls it for a number of rows.
local addresses = require 'emit.addresses'
local comments = require 'emit.comments'
local fetching = require 'emit.fetching'
local grouped = require 'emit.grouped'
local k_blocks = require 'emit.k_blocks'
local lists = require 'common.list'
local marks = require 'emit.marks'
local matrix = require 'emit.matrix'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local shapes = require 'emit.shapes'
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
local function wide_panel(env, s, tile, halves, v)
  local N, element = env.NAME(s), s.stage.stream.layout.element
  local use = { s = s, tile = tile, first = 0, halves = halves }
  local bundle, lane, is_second = addresses.vector(env, use, v)
  local other, second = addresses.vector(env, use, v + lanes // 2 // env.isa.lanes)
  assert(bundle == other, 'halves of different bundles')
  return {
    first = addresses.plus('w', { { bundle, N .. '_BUNDLE' }, { lane * element, '' },
      { is_second and 1 or 0, N .. '_SECOND' } }),
    behind = (second - lane) * element,
  }
end

---@return WideSums
local function wide_sums(env, s, tile, halves, count)
  local panels = {}
  for v = 0, tile.wide ~= 'never' and tile.vectors - 1 or -1, lanes // env.isa.lanes do
    panels[#panels + 1] = wide_panel(env, s, tile, halves, v)
  end
  return record.strict('wide sums', {
    taken = tile.wide, count = count, panels = panels,
  })
end

--- So many rows a tile takes at least: equal parts of more rows than it takes are no fewer than
--- half of these.
---@param tile Tile
local function least_rows(tile) return tile.matrix and tile.rows // 2 + 1 or 1 end

---@class TilePair
---@field form string                  of the tile, in names
---@field about string                 what its comment says
---@field items FunctionParameter[]    of both functions, but for rows
---@field wide WideSums|nil
---@field shared_about string|nil      what it says of several stages
---@field rows_about string            what the comment of the function for any number of rows says
---@field sizes table<string, string>|nil  C of symbols that are no enumerators

--- The functions of a tile: its text, and what calls it for each number of rows.
---@param t TileText
---@param pair TilePair
---@return Draft[]
function M.pair(env, t, pair)
  local tile, fn, make = t.tile, env.fn(t.s), parameters.parameter
  local wide = pair.wide or record.strict('wide sums', { taken = 'never', count = '', panels = {} })
  local inline = ('%s_%s_tile_%d'):format(fn, pair.form, tile.cols)
  local calls = tile_calls(env, t.s, tile, pair.items)
  local function call(rows)
    return env.render('call.c.tpl', { ways = calls(rows), name = inline, rows = rows })
  end
  local own = marks.symbol(fn, pair.form)
  local shape, lanes_of_k = ('%dx%d'):format(tile.rows, tile.vectors), tile.vectors * env.isa.lanes
  local rows = shapes.draft {
    name = ('%s_%s_%d'):format(fn, pair.form, tile.cols), linkage = 'noinline',
    parameters = lists.append(lists.append({}, pair.items), { make('size_t ', 'rows') }),
    uses = wide.taken ~= 'always' and { inline } or {}, about = pair.rows_about,
    wide = wide.taken ~= 'never' and wide.taken, sizes = pair.sizes or {},
    shape = pair.shared_about and ('%s_%s'):format(own, shape) or false,
    alike = ('%s_%d'):format(own, lanes_of_k),
    text = env.render('rows.c.tpl', {
      tile = tile, N = t.N, k = t.k, lane = t.lane, fetching = t.fetching, sums = t.sums,
      wide = wide, call = call, least = least_rows(tile),
    }),
  }
  if wide.taken == 'always' then return { rows } end
  local constant = tile.rows > 1
    and ' `rows` is a constant at each call: what fewer rows do not use compiles away.' or ''
  local text, scale
  if tile.matrix then text, scale = matrix.tile(env, t, least_rows(tile)) end
  return lists.append({ scale }, { shapes.draft {
    name = inline, linkage = 'inline', about = pair.about .. constant,
    parameters = lists.append(lists.append({}, pair.items), { make('const int ', 'rows') }),
    sizes = pair.sizes or {}, shape = pair.shared_about and ('%s_tile_%s'):format(own, shape),
    alike = ('%s_tile_%d'):format(own, lanes_of_k),
    shared_about = pair.shared_about and pair.shared_about .. constant,
    uses = scale and { scale.name, 'matrix' } or {},
    text = text or env.render('tile.c.tpl', {
      tile = tile, k = t.k, lane = t.lane, rows = t.rows, sums = t.sums, wide = wide,
      loop = t.loop,
    }),
  }, rows })
end

--- The terms in which a tile of a walk is like those of more stages: its second half is told by how
--- far it is behind the first, and how many k it takes by whoever calls it.
---@return { halves: Halves|nil, bundled: Bundled|nil }
---@return table<string, string>|nil sizes  C of symbols that are no enumerators
local function general_terms(env, s, tile)
  local layout, sum, N = s.stage.stream.layout, s.stage.sum, env.NAME(s)
  if tile.together > 1 or sum.blocks == 1 then return {}, nil end
  local halves = addresses.halves(env.isa, s, tile)
  local grouped_ones = not s.stage.stream.format.c_type
  local bundles = math.max(1, tile.cols // layout.width)
  local bundled = grouped_ones and addresses.bundled(env.isa, s, tile) or nil
  if halves and (bundled or s.rereads and sum.chains > 1 or grouped_ones and halves.bundles > 0
    or not grouped_ones and not fetching.are_halved(halves, layout, bundles)) then
    halves = nil
  end
  local function symbol(name) return marks.symbol(N, name) end
  local sizes = {
    [symbol 'COUNT'] = k_blocks.length(env, s), [symbol 'PARTS'] = tile.parts and '1' or '0',
  }
  if halves then
    sizes[symbol 'SECOND'] = grouped_ones and tostring(halves.lanes) or addresses.terms {
      { halves.bundles, N .. '_BUNDLE' }, { halves.lanes * layout.element, '' },
    }
    sizes[symbol 'EVERY'] = tostring(fetching.touched_every(layout))
  end
  if bundled then
    sizes[symbol 'NEXT_BUNDLE'] = tostring(bundled.bundle)
    sizes[symbol 'NEXT_VECTOR'] = tostring(bundled.line)
  end
  return { halves = halves, bundled = bundled }, sizes
end

--- A register tile, and the function that calls it for each number of rows.
---@param s StagePlan
---@param form 'sums'|'nonzero'
---@param tile Tile
---@param terms { halves: Halves|nil, bundled: Bundled|nil }  where they are general
---@param sizes table<string, string>|nil
---@return Draft[]
local function walked(env, s, form, tile, terms, sizes)
  local sum, length = s.stage.sum, k_blocks.length(env, s)
  local is_counted = not sizes and k_blocks.is_uneven(s) and sum.blocks > 1
  if sizes then length = env.NAME(s) .. '_COUNT' end
  local t = tile_text.of(env, {
    s = s, tile = tile, first = 0, lane = M.takes_lane(s), guards = tile.rows > 1,
    halves = terms.halves, bundled = terms.bundled,
    k = {
      ends = is_counted and 'count' or length,
      count = form == 'sums' and is_counted and length or nil, listed = form == 'nonzero',
      together = tile.together,
      left = sum.block % tile.together > 0 or sum.last % tile.together > 0,
    },
    fetching = {
      from = (form == 'nonzero' or s.ahead) and 'next' or nil,
      advances = form == 'sums' and s.ahead ~= false, chooses = tile.ways ~= false,
      far = form == 'sums' and s.far, both = form == 'sums' and s.both,
      rereads = form == 'sums' and s.rereads,
      rows = sum.blocks > 1 and tile.rows > 1 and (sizes ~= nil or tile.parts)
        and is_plain(s),
      asks_rows = sizes ~= nil,
    },
  })
  local shared = comments.tile(s, tile, form, env.isa, true)
  return M.pair(env, t, {
    form = form, about = comments.tile(s, tile, form, env.isa), items = M.parameters(env, s, form),
    wide = wide_sums(env, s, tile, terms.halves, length),
    shared_about = shared,
    rows_about = tile.wide == 'always' and shared or comments.rows(tile, env.isa), sizes = sizes,
  })
end

--- The functions of a tile, in terms of their own and in general ones.
---@param s StagePlan
---@param form 'sums'|'nonzero'
---@param tile Tile
---@return Draft[]
function M.of_walk(env, s, form, tile)
  local functions, general = walked(env, s, form, tile, {}), nil
  local terms, sizes = general_terms(env, s, tile)
  for i, draft in ipairs(is_plain(s) and sizes and functions or {}) do
    draft.general = function()
      general = general or walked(env, s, form, tile, terms, sizes)
      return general[i].text, sizes
    end
  end
  return functions
end

--- What the tile of panels abreast takes, but for rows.
---@param s StagePlan
---@return FunctionParameter[]
function M.abreast_parameters(s)
  local a, make = s.abreast, parameters.parameter
  local items = {
    make('float *', 'sum'), make('const float *', 'from'), make('const float *', 'a'),
    make('const char *', 'w'), make('size_t ', 'count'), make('int ', 'adds'),
  }
  if grouped.takes_first(s) then table.insert(items, 5, make('size_t ', 'first')) end
  if a.visited < lanes then table.insert(items, 5, make('size_t ', 'lane')) end
  if a.every > 0 then
    lists.append(items, { make('const char *', 'next'), make('const int ', 'fetches') })
  end
  return items
end

--- The tile of panels abreast, and the function that calls it for each number of rows.
---@param s StagePlan
---@return Draft[]
function M.of_abreast(env, s)
  local a = s.abreast
  local is_narrow, fetches = a.visited < lanes, a.every > 0
  local t = tile_text.of(env, {
    s = s, tile = a.tile, first = 0, lane = is_narrow, guards = true, abreast = a,
    k = { ends = 'count', together = a.tile.together, left = a.tile.together > 1 },
    fetching = { chooses = fetches },
  })
  return M.pair(env, t, {
    form = 'abreast', about = comments.abreast_tile(s, env.isa), items = M.abreast_parameters(s),
    shared_about = comments.abreast_tile(s, env.isa),
    rows_about = comments.rows(a.tile, env.isa),
  })
end

return M
