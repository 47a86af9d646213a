--- Many rows read weights that are decoded once for all of them: a k block of a strip of columns
--- at a time, into scratch, a part of a thread's work memory that its first caches hold. There they
--- lie as f32 weights lie, so that what reads them are the tiles of the f32 kernel; or opened into
--- bytes, where bytes are multiplied: all k of a strip, which no blocks cut.
local lists = require 'common.list'
local opened = require 'weights.opened'
local needs = require 'plan.needs'
local plan_tiles = require 'plan.tiles'
local record = require 'common.record'
local weight_layout = require 'weights.layout'
local weights = require 'weights'

local M = {}

--- Where decoding takes an instruction or two, which stand beside multiplications, scratch is worth
--- it from so many tiles of rows on that would decode anew, or so many rows: an 8th of a tile's.
local cheap_tiles, cheap_rows = 8, 64

--- Where they are opened into bytes, from so many rows on at least: where groups hold more than a
--- scale, and tiles have so few rows that each opens anew what the next one does, too.
local bytes_rows, few_rows, least_held = 17, 8, 2

--- And where all k of a strip of columns have no more bytes there: half of a small second cache,
--- unless an instruction set says more.
local most_opened = 256 << 10

--- Whether bytes that wait in scratch are worth it: always where one instruction multiplies many
--- rows. They wait in groups of 32 k, which larger ones are not opened into.
---@param main Tile  of few rows
local function are_dear(isa, format, main)
  local products = format.products
  return products.group > 0 and products.group <= 32
    and (isa.matrix or products.registers >= least_held and main.rows < few_rows)
end

---@class ScratchTiles  as they are chosen, before rows of a walk are known
---@field stage Stage    the stage as its tiles see it: over blocks in scratch
---@field tiles Tile[]
---@field main Tile
---@field rows integer

---@class Scratch
---@field rows integer    from so many on
---@field plan StagePlan  of the stage as its tiles see it
---@field bytes integer   of a k block of a strip
---@field strip integer   columns of it: whole bundles
---@field vectors integer that are decoded side by side, of a panel

--- A stage as its tiles see it: weights are f32, or opened, and of a panel there are those of a
--- block.
---@param s Stage
---@return Stage
local function in_scratch(s)
  local copy, stream = record.fields(s), s.stream
  local format = s.arithmetic.takes == 'bytes' and opened.of(stream.format) or weights.by_name.f32
  copy.name = s.name .. '_scratch'
  copy.stream = record.strict('stream', {
    format = format, branches = stream.branches, bias = stream.bias, packed = false,
    layout = weight_layout.alike(stream.layout, format, s.sum.block),
  })
  return record.strict('stage', copy)
end

--- Whether decoding a vector takes few instructions: it holds nothing of a group, and no line is
--- read by a function in place of an instruction.
local function is_cheap(isa, format)
  local by_function = lists.filter(format.step.lines, function(line)
    return isa.word_helpers['load_' .. line.lane] ~= nil
  end)
  return format.registers == 0 and #by_function == 0
end

--- The rows of a tile that decodes in registers, at most. Registers of AVX-512 would hold 23 of a
--- panel, but each number of rows has code of its own: without, a kernel is a third as large, and
--- 7 to 12 rows take 1.02 to 1.05 of the time.
local most_decoding = 6

--- The rows of a tile of few rows, at most; nil: as many as registers hold.
---@param most_rows integer|nil of a call
---@return integer|nil
function M.most_rows(isa, s, most_rows)
  local format = s.stream.format
  if format.floats or is_cheap(isa, format) or s.arithmetic.takes == 'bytes'
    or not needs.takes('scratch', s) then
    return most_rows
  end
  return math.min(most_rows or most_decoding, most_decoding)
end

--- From so many rows on scratch is read. Fewer decode in registers, where weights go from memory
--- once: what a single tile takes, and more where decoding it again is cheap.
---@param main Tile  of few rows, which decodes in registers
local function least_rows(isa, s, main)
  local format = s.stream.format
  if s.arithmetic.takes == 'bytes' then return math.max(main.rows + 1, bytes_rows) end
  if is_cheap(isa, format) then return math.min(cheap_tiles * main.rows, cheap_rows) end
  return main.rows + 1
end

--- The tiles that read scratch; false where rows are too few, or weights are f32 as they lie.
---@param isa table
---@param s Stage
---@param few Tile              the main one that decodes in registers
---@param laid OperandFormat    what its results are laid into
---@param choices Choices
---@param most_rows integer|nil of a call
---@return ScratchTiles|false
---@return Refusal[]
function M.tiles(isa, s, few, laid, choices, most_rows)
  local format = s.stream.format
  local rows = least_rows(isa, s, few)
  if format.floats or most_rows and most_rows < rows then return false, {} end
  if not needs.takes('scratch', s) then return false, needs.refused(s, { 'scratch' }) end
  -- What waits in scratch are whole outermost groups, which blocks of k may cut.
  local bytes = s.arithmetic.takes == 'bytes'
  if bytes and (s.sum.blocks > 1 or not are_dear(isa, format, few)) then return false, {} end
  local stage = in_scratch(s)
  local all, main
  if bytes and isa.matrix then
    all, main = plan_tiles.of_matrix(isa, stage)
  else
    all, main = plan_tiles.dense(isa, stage, false, choices.main_columns, false, laid.unit)
  end
  local own = stage.stream.layout
  local most = isa.matrix and isa.matrix.opened or most_opened
  if bytes and math.max(main.cols // own.width, 1) * own.bundle > most then return false, {} end
  local list = lists.filter(all, function(tile) return not tile.streams end)
  if most_rows and most_rows < main.rows then
    list, main = plan_tiles.limited(isa, stage, list, most_rows, false, false)
  end
  plan_tiles.lines(isa, stage, list)
  -- Vectors of doubles round to nearest whatever the mode, and fewer rows have no such tiles.
  for _, draft in ipairs(list) do draft.wide = 'never' end
  plan_tiles.finish(list, false)
  return record.strict('scratch tiles', {
    stage = stage, tiles = list, main = main, rows = rows,
  }), {}
end

--- Vectors of a panel that are decoded side by side: all, where registers hold what groups say.
local function vectors_of(isa, s)
  local vectors = weight_layout.lanes // isa.lanes
  while vectors > 1 and plan_tiles.decoding_registers(s, vectors) > isa.files.vector do
    vectors = vectors // 2
  end
  return vectors
end

--- How the stage of a plan goes through scratch.
---@param isa table
---@param s StagePlan
---@param tiles ScratchTiles
---@param chunk_of fun(s: StagePlan, main: Tile): integer, integer
---@return Scratch
function M.plan(isa, s, tiles, chunk_of)
  local copy, layout, main = record.fields(s), tiles.stage.stream.layout, tiles.main
  copy.stage, copy.tiles = tiles.stage, tiles.tiles
  copy.narrow = plan_tiles.is_narrow(tiles.tiles, layout)
  copy.stream_rows, copy.ahead, copy.streams, copy.abreast = 0, false, false, false
  copy.far, copy.both, copy.rereads = false, false, false
  copy.sparse, copy.scratch = false, false
  copy.refused, copy.lockstep = {}, false
  copy.chunk, copy.sums = chunk_of(copy, main)
  local strip = math.max(main.cols, layout.width)
  return record.strict('scratch', {
    rows = tiles.rows, plan = record.strict('stage plan', copy), strip = strip,
    bytes = strip // layout.width * layout.bundle, vectors = vectors_of(isa, s.stage),
  })
end

return M
