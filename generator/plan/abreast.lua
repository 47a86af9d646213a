--- Few rows of weights that come from memory, where registers are few: two rows at a time over
--- several panels abreast, some k of all rows before the next.
---
--- The prefetcher of a core follows several streams faster than one, and faster than instructions
--- fetch; what a core computes keeps it from reading ahead by itself, which short visits leave it
--- time for. Where several tiles of rows take turns, each fetches a part of the next visit, which
--- keeps memory busy meanwhile.
local layer = require 'lower.layer'
local record = require 'common.record'
local tiles = require 'plan.tiles'

local M = {}

--- Panels abreast, the rows of a tile, the k of a visit, and the most rows that take turns: more
--- compute for longer than they wait.
local panels, tile_rows, step, most_turns = 3, 2, 16, 4

---@class Abreast
---@field tile Tile        two rows of every panel, or of half of every panel
---@field panels integer
---@field columns integer  of all panels
---@field visited integer columns of each panel in a visit: all of them, or a half
---@field rows integer     at most
---@field step integer     k of a visit
---@field every integer    k of a tile for which a line of each panel of the next visit is fetched,
--- where there are more rows than a tile has; 0: there never are
---@field sums integer     of each branch for a row: of all blocks, and of one
---@field by_cpu boolean   whether a CPU takes it its record says

--- The most rows that a CPU takes it for: such as fetch nothing, where several panels are read.
local function rows_of(choices)
  return choices.few_ahead == 0 and choices.streams >= panels and choices.few_rows or 0
end

---@param isa table
---@param stage Stage
---@param fetching Fetching|false  false: its weights are near
---@param most_rows integer|nil    of a call
---@return Abreast|false
function M.plan(isa, stage, fetching, most_rows)
  local branches, rows = #stage.stream.branches, 0
  -- Wider vectors come with registers for as many rows of a tile of several panels (Zen 5 with
  -- AVX-512, 3 and 4 panels: 1.0 to 1.5 of the time).
  if not fetching or 2 * isa.lanes ~= layer.panel or not isa.fused or stage.sum.chains > 1
    or tiles.columns(stage) < panels * layer.panel then
    return false
  end
  for _, choices in ipairs(fetching.all) do rows = math.max(rows, rows_of(choices)) end
  rows = math.min(rows, most_turns, most_rows or most_turns)
  if rows < tile_rows then return false end
  -- Sums, two activations and the weights under way.
  local function registers(vectors) return tile_rows * vectors + tile_rows + 1 end
  local vectors, visited = 2 * panels * branches, layer.panel
  if registers(vectors) > isa.registers then vectors, visited = vectors // 2, isa.lanes end
  if registers(vectors) > isa.registers then return false end
  -- A panel's k is a line of each branch; as many tiles visit it as there are rows and halves.
  local turns = most_turns // tile_rows * (layer.panel // visited)
  return record.strict('abreast', {
    tile = record.strict('tile', {
      rows = tile_rows, cols = vectors // branches * isa.lanes, vectors = vectors,
      registers = registers(vectors), holds = 'activations', serves_all = false,
      streams = true, parts = false,
    }),
    panels = panels, columns = panels * layer.panel, visited = visited, rows = rows,
    step = step, every = rows > tile_rows and turns // branches or 0,
    sums = (stage.sum.blocks > 1 and 2 or 1) * panels * layer.panel,
    by_cpu = fetching.by_cpu,
  })
end

return M
