--- Register tiles: which outputs of which rows are summed together.
local record = require 'common.record'
local layer = require 'lower.layer'

local M = {}

--- Column widths of register tiles, widest first. A wider tile reads more streams of weights at
--- once and serves fewer rows. Three panels are for one row where registers are too few for four:
--- two are too few streams (gated layers on Zen 3, cold: 0.97 of the time).
local widths, three_panels = { 128, 64, 48, 32, 16, 8 }, 3 * layer.panel

---@class Tile
---@field rows integer       at most
---@field cols integer       outputs of each branch
---@field vectors integer    of sums for each row: branches * cols / lanes
---@field registers integer  that it takes: sums, what it holds of one k, one of the others
---@field holds string        'weights' of one k while activations go by; or 'activations'
---@field serves_all boolean serves any number of rows, a tile after the other
---@field streams boolean    serves few rows in one go: each weight is read once, in order
---@field parts boolean      takes parts of more rows, each at least half of what it has room for,
--- and these may wait for memory: without an FMA instruction they compute for longer

--- Outputs of a stage, rounded up to whole panels.
---@param stage Stage
function M.columns(stage) return (stage.outputs + layer.panel - 1) // layer.panel * layer.panel end

--- Rows of a register tile of `cols` columns, and vectors of sums for each.
local function capacity(isa, stage, cols)
  local vectors = #stage.stream.branches * (cols // isa.lanes)
  local rows = (isa.registers - 1 - vectors) // (vectors * stage.sum.chains)
  -- One row uses each weight once, so it needs no register to stay in.
  if rows < 1 and vectors * stage.sum.chains + 2 <= isa.registers then rows = 1 end
  return rows, vectors
end

--- Registers of a tile: a single row takes its weights from memory.
local function registers(rows, vectors, chains, holds)
  local held = holds == 'activations' and rows or vectors
  return rows * vectors * chains + (rows > 1 and held or 1) + 1
end

--- Rows of the next wider tile, where it holds activations and computes as many sums from fewer
--- loads than the main one does; nil where it does not. What a core decodes in a clock is scarce
--- where its other thread is busy (Zen 3: 0.95 of the time; 1.00 where that rests).
local function rows_that_hold(isa, stage, wider, main)
  if not wider or main.rows < 2 then return nil end
  local chains = stage.sum.chains
  local _, vectors = capacity(isa, stage, main.cols)
  local _, more = capacity(isa, stage, wider.cols)
  local rows = (isa.registers - 1) // (more * chains + 1)
  local as_many = rows * more >= main.rows * vectors
  return as_many and rows + more < main.rows + vectors and rows or nil
end

--- The register tiles of a stage. Wide ones, for few rows, come first, each serving more rows than
--- the one before; the main tile serves any number; a tile of one panel takes what the main tile's
--- width leaves over.
---@param isa table
---@param stage Stage
---@param streams integer|false  panels that few rows read side by side, at most; false: any number
---@param main_columns integer   of the main tile, at least, where two rows of it fit
---@param leaves boolean          any number of panels may be left for these tiles
---@return Tile[] tiles
---@return Tile main
function M.dense(isa, stage, streams, main_columns, leaves)
  local columns = M.columns(stage)
  local chosen, main = {}, nil
  for _, cols in ipairs(widths) do
    local rows, vectors = 0, 0
    local wide_enough = main and main.rows > 1 and cols < main_columns
    local unwanted = cols == three_panels and (main or not isa.fused)
    if cols % isa.lanes == 0 and cols <= columns and not (wide_enough or unwanted) then
      rows, vectors = capacity(isa, stage, cols)
    end
    -- A tile of one vector loads as much as it computes; half a panel is for lack of registers.
    local worth = not main or (vectors > 1 and (cols >= layer.panel or main.rows < 3))
    if worth and rows > (main and main.rows or 0) then
      main = { cols = cols, rows = rows }
      chosen[#chosen + 1] = main
    end
  end
  if not main then error(('no register tile of %s fits %s'):format(isa.name, stage.name)) end
  local held = rows_that_hold(isa, stage, chosen[#chosen - 1], main)
  if held then
    chosen[#chosen] = nil
    main = chosen[#chosen]
    main.rows = held
  end
  if columns % main.cols ~= 0 or leaves and main.cols > layer.panel then
    local rows = capacity(isa, stage, layer.panel)
    if not held then rows = math.min(main.rows, rows) end
    chosen[#chosen + 1] = { cols = layer.panel, rows = rows }
  end
  local list, last = {}, nil
  for _, tile in ipairs(chosen) do
    local _, vectors = capacity(isa, stage, tile.cols)
    local of_few = tile ~= main and tile.cols > main.cols
    if not (of_few and streams and tile.cols // layer.panel > streams) then
      local holds = held and tile == main and 'activations' or 'weights'
      list[#list + 1] = record.strict('tile', {
        rows = tile.rows, cols = tile.cols, vectors = vectors, holds = holds,
        registers = registers(tile.rows, vectors, stage.sum.chains, holds),
        serves_all = tile == main, streams = of_few, parts = not of_few and isa.fused,
      })
    end
    if tile == main then last = list[#list] end
  end
  return list, last
end

--- The tiles that at most so many rows take, and no more of each: the widest that serves them all
--- is the main one, narrower ones take what is left of the columns.
---@param stage Stage
---@param dense Tile[]       of any number of rows
---@param most_rows integer  fewer than those of the widest or of the narrowest tile
---@param streams integer|false  panels that rows of every CPU read side by side; false: any number
---@param leaves boolean     any number of panels may be left for these tiles
---@return Tile[] tiles
---@return Tile main
function M.limited(stage, dense, most_rows, streams, leaves)
  local list, main, left = {}, nil, M.columns(stage)
  for _, tile in ipairs(dense) do
    local rows, chains = math.min(tile.rows, most_rows), stage.sum.chains
    local all = tile.serves_all
      or rows == most_rows and (not streams or tile.cols // layer.panel <= streams)
    if left >= tile.cols or leaves then
      list[#list + 1] = record.strict('tile', {
        rows = rows, cols = tile.cols, vectors = tile.vectors, holds = tile.holds,
        registers = registers(rows, tile.vectors, chains, tile.holds), serves_all = all,
        streams = not main and not all, parts = false,
      })
      main = main or all and list[#list]
    end
    if all then left = left % tile.cols end
  end
  return list, main
end

--- Rows that threads take at least: two tiles of few.
---@param main Tile
function M.row_step(main) return main.holds == 'activations' and 2 * main.rows or main.rows end

--- So many k in a line of so many FMAs at most. Of 8 k gcc spills a register.
local line_k, line_fmas = 4, 48

--- How many k of a tile of many rows stand in a line. One at a time, what counts and fetches is a
--- quarter of all instructions: a core whose two threads share its decoders has no room for them
--- (Zen 3 with AVX2 and a busy neighbour: 0.80 to 0.92 of the time at 48 to 128 rows; 1.00 alone).
---@param isa table
---@param stage Stage
---@param tile Tile
---@return integer
function M.together(isa, stage, tile)
  local fits = isa.fused and tile.serves_all and tile.rows > 2 and stage.sum.blocks > 1
    and stage.sum.chains == 1 and tile.rows * tile.vectors * line_k <= line_fmas
  return fits and line_k or 1
end

--- Whether ffn_wide_sums() of kernel.h stands in for a tile where there is no FMA instruction: in
--- portable C, kernel.h decides.
---@param isa table
---@param stage Stage
---@param tile Tile
---@return 'never'|'perhaps'|'always'
function M.wide(isa, stage, tile)
  local groups = tile.vectors * isa.lanes / layer.panel
  local fits = stage.sum.chains == 1 and groups % 1 == 0 and groups <= 4
    and stage.stream.format.name == 'f32'
  return fits and isa.wide or 'never'
end

--- The tiles that skip zeros: as wide as for as many rows, and what is left over of the columns.
---@param stage Stage
---@param dense Tile[]
---@param most_rows integer
---@return Tile[]
function M.nonzero(stage, dense, most_rows)
  local columns, result = M.columns(stage), {}
  for _, tile in ipairs(dense) do
    local rows = math.min(tile.rows, most_rows)
    result[#result + 1] = record.strict('tile', {
      rows = rows, cols = tile.cols, vectors = tile.vectors, holds = tile.holds,
      registers = registers(rows, tile.vectors, 1, tile.holds), serves_all = rows == most_rows,
      streams = false, parts = false,
    })
    if rows == most_rows and columns % tile.cols == 0 then break end
  end
  return result
end

return M
