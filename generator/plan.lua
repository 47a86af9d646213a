--- plan: Layer, isa -> Plan. Register tiles, blocking, and the byte budgets of packed weights and
--- work memory. A plan chooses which outputs are computed together, never in which order they sum.
local record = require 'record'
local name = require 'name'
local layer = require 'layer'

local M = {}

local panel = layer.panel
local header_floats = 16

--- Column widths of register tiles, widest first. A wider tile reads more streams of weights at
--- once and serves fewer rows.
local widths = { 128, 64, 32, 16, 8 }

--- Rows of one walk over the weights: a block of weights comes from memory once and then serves
--- all of them from the core's own cache.
local rows_per_walk = 224

--- Fewer rows where their activations would take more bytes than this.
local activation_bytes = 64 << 20

--- Bytes of sums that one walk keeps at a time: a quarter of a second-level cache of 2 MiB, beside
--- as much of activations and a block of weights.
local sum_bytes = 512 << 10

local function round_up(n, step) return (n + step - 1) // step * step end

--- A row stride of an odd number of cache lines: rows never share one set of a cache.
local function odd_stride(floats)
  local lines = (floats + panel - 1) // panel
  return (lines % 2 == 0 and lines + 1 or lines) * panel
end

--- Rows of a register tile of `cols` columns: sums, the weights of one k, one activation.
local function tile_rows(isa, stage, cols)
  local vectors = #stage.branches * (cols // isa.lanes)
  local rows = (isa.registers - 1 - vectors) // (vectors * stage.chains)
  -- One row uses each weight once, so it needs no register to stay in.
  if rows < 1 and vectors * stage.chains + 2 <= isa.registers then rows = 1 end
  return rows, vectors
end

--- The register tiles of a stage. Wide ones, for few rows, come first, each serving more rows than
--- the one before; the main tile serves any number; a tile of one panel takes what the main tile's
--- width leaves over.
local function tiles(isa, stage)
  local columns = round_up(stage.outputs, panel)
  local list, main = {}, nil

  local function add(cols, most_rows)
    local rows, vectors = tile_rows(isa, stage, cols)
    rows = math.min(rows, most_rows)
    list[#list + 1] = record.strict('tile', {
      rows = rows, cols = cols,
      vectors = vectors,
      registers = rows * vectors * stage.chains + (rows > 1 and vectors or 1) + 1,
    })
    return list[#list]
  end

  for _, cols in ipairs(widths) do
    local rows, vectors = 0, 0
    if cols % isa.lanes == 0 and cols <= columns then
      rows, vectors = tile_rows(isa, stage, cols)
    end
    -- A tile of one vector loads as much as it computes; half a panel is for lack of registers.
    local worth = not main or (vectors > 1 and (cols >= panel or main.rows < 3))
    if worth and rows > (main and main.rows or 0) then main = add(cols, rows) end
  end
  if not main then error(('no register tile of %s fits %s'):format(isa.name, stage.name)) end
  if columns % main.cols ~= 0 then add(panel, main.rows) end
  return list, main
end

---@class Plan
---@param l Layer
---@param isa table
---@return Plan
function M.plan(l, isa)
  local stages, at, floats_of, row_tile = {}, header_floats, { 0, 0 }, 0
  for i, s in ipairs(l.stages) do
    local columns = round_up(s.outputs, panel)
    local branches = #s.branches
    local list, main = tiles(isa, s)
    row_tile = math.max(row_tile, main.rows)
    local panel_floats = s.inputs * branches * panel
    local panels_at = at
    at = at + columns // panel * panel_floats
    local bias_at = at
    if s.bias then at = at + branches * columns end
    local in_stride = odd_stride(s.inputs)
    local buffer = (i - 1) % 2 + 1
    floats_of[buffer] = math.max(floats_of[buffer], in_stride)
    stages[i] = {
      stage = s,
      name = s.name,
      index = i - 1,
      final = i == #l.stages,
      tail = i == #l.stages and columns ~= s.outputs, -- its last store is a part of a panel
      columns = columns,
      step = branches * panel,
      panel_floats = panel_floats,
      panels_at = panels_at,
      bias_at = bias_at,
      in_stride = in_stride,
      buffer = buffer,
      tiles = list,
      main = main,
      column_step = math.min(columns, math.max(list[1].cols, panel)),
    }
  end

  local rows = math.min(rows_per_walk, activation_bytes // (4 * (floats_of[1] + floats_of[2])))
  local row_block = math.max(1, rows // row_tile) * row_tile
  local sum_floats = 0
  for i, s in ipairs(stages) do
    local branches, cols = #s.stage.branches, s.main.cols
    local chunk = math.max(1, sum_bytes // (4 * branches * row_block) // cols) * cols
    s.chunk = math.min(chunk, round_up(s.columns, cols))
    sum_floats = math.max(sum_floats, branches * s.chunk * row_block)
    for _, tile in ipairs(s.tiles) do
      sum_floats = math.max(sum_floats, branches * tile.cols * tile.rows)
    end
    stages[i] = record.strict('stage plan', s)
  end

  local sum_at = row_block * (floats_of[1] + floats_of[2])
  local slot_floats = sum_at + round_up(sum_floats, panel)
  return record.strict('plan', {
    layer = l,
    isa = isa,
    name = name.encode(l.name, isa.name),
    stages = stages,
    row_tile = row_tile,
    row_block = row_block,
    buffer_at = { 0, row_block * floats_of[1] },
    sum_at = sum_at,
    slot_floats = slot_floats,
    packed_bytes = 4 * at,
    work_bytes = 4 * slot_floats,
  })
end

return M
