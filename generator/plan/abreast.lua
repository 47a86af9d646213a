--- Few rows of weights that come from memory, where registers are few: two rows at a time over
--- several panels abreast, some k of all rows before the next.
---
--- The prefetcher of a core follows several streams faster than one, and faster than instructions
--- fetch; what a core computes keeps it from reading ahead by itself, which short visits leave it
--- time for. Where several tiles of rows take turns, each fetches a part of the next visit, which
--- keeps memory busy meanwhile.
local needs = require 'plan.needs'
local record = require 'common.record'
local plan_tiles = require 'plan.tiles'
local weight_layout = require 'weights.layout'

local M = {}

--- Panels abreast at most, the rows of a tile, the k of a visit, and the most rows that take turns:
--- more compute for longer than they wait.
local most_panels, tile_rows, least_step, most_turns = 3, 2, 16, 4

---@class Abreast
---@field tile Tile        two rows of every panel, or of half of every panel
---@field panels integer   whole bundles
---@field columns integer  of all panels
---@field visited integer columns of each panel in a visit: all of them, or a half
---@field rows integer     at most
---@field step integer     k of a visit
---@field every integer    k of a tile for which lines of each bundle of the next visit are fetched,
--- where there are more rows than a tile has; 0: there never are
---@field fetched integer lines of each bundle at a time
---@field sums integer     of each branch for a row: of all blocks, and of one
---@field by_cpu boolean   whether a CPU takes it its record says

--- The most rows that a CPU takes it for: such as fetch nothing, where several panels are read.
local function rows_of(choices, panels)
  return choices.few_ahead == 0 and choices.streams >= panels and choices.few_rows or 0
end

---@param isa table
---@param stage Stage
---@param laid OperandFormat        what its results are laid into
---@param fetching Fetching|false  false: its weights are near
---@param most_rows integer|nil    of a call
---@return Abreast|false
---@return Refusal[]  where it would suit the stage, but for its format
function M.plan(isa, stage, laid, fetching, most_rows)
  local branches, rows, layout = #stage.stream.branches, 0, stage.stream.layout
  local columns = most_panels * weight_layout.lanes // layout.width * layout.width
  local panels = columns // weight_layout.lanes
  -- Wider vectors come with registers for as many rows of a tile of several panels.
  if not fetching or 2 * isa.lanes ~= weight_layout.lanes or not isa.fused or stage.sum.chains > 1
    or layout.columns < columns then
    return false, {}
  end
  for _, choices in ipairs(fetching.all) do rows = math.max(rows, rows_of(choices, panels)) end
  rows = math.min(rows, most_turns, most_rows or most_turns)
  if rows < tile_rows then return false, {} end
  local refused = needs.refused(stage, { 'abreast' }, laid)
  if #refused > 0 then return false, refused end
  -- Sums, two activations and the weights under way.
  local function registers(vectors)
    return tile_rows * vectors + tile_rows + 1
      + plan_tiles.format_registers(stage, vectors)
  end
  local vectors, visited = 2 * panels * branches, weight_layout.lanes
  if registers(vectors) > isa.files.vector then vectors, visited = vectors // 2, isa.lanes end
  if registers(vectors) > isa.files.vector then
    return false, { needs.crowded('abreast', stage, registers(vectors), isa.files.vector) }
  end
  -- A group of a bundle is some cache lines; as many tiles visit it as there are rows and halves.
  local turns = most_turns // tile_rows * (weight_layout.lanes // visited)
  local lines = weight_layout.cache_lines(layout.step)
  local every, fetched = turns // lines, 1
  if every < 2 then every, fetched = 2, 2 * lines // turns end
  local step = weight_layout.round_up(least_step, layout.group)
  if #stage.stream.format.levels > 0 or step // layout.group % every > 0 then
    every, fetched = 1, (lines + turns - 1) // turns
  end
  every = every * layout.group
  if rows <= tile_rows then every = 0 end
  return record.strict('abreast', {
    tile = record.strict('tile', {
      rows = tile_rows, cols = vectors // branches * isa.lanes, vectors = vectors,
      registers = registers(vectors), side_by_side = vectors, holds = 'activations',
      serves_all = false,
      streams = true, parts = false, wide = 'never', matrix = false,
      together = stage.stream.format.c_type and math.max(1, every) or 1,
      ways = every > 0 and { { 'near', 'none' }, { 'near', 'none' } } or false,
    }),
    panels = panels, columns = columns, visited = visited, rows = rows,
    step = step, every = every, fetched = fetched,
    sums = (stage.sum.blocks > 1 and 2 or 1) * columns,
    by_cpu = fetching.by_cpu,
  }), {}
end

return M
