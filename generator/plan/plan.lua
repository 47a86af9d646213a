--- plan: Layer, isa -> Plan. Register tiles, blocking, and the byte budgets of packed weights and
--- work memory. A plan chooses which outputs are computed together, never in which order they sum.
local cpus = require 'cpu'
local record = require 'common.record'
local name = require 'lower.name'
local layer = require 'lower.layer'

local M = {}

local panel = layer.panel
local header_floats = 16

M.choices = cpus.by_name.generic.choices

--- Column widths of register tiles, widest first. A wider tile reads more streams of weights at
--- once and serves fewer rows.
local widths = { 128, 64, 32, 16, 8 }

--- Fewer rows where their activations would take more bytes than this.
local activation_bytes = 64 << 20

local function round_up(n, step) return (n + step - 1) // step * step end

--- Packed weights of more bytes than this do not stay in a core's own cache: they are fetched
--- ahead of their use.
local near_bytes = 1 << 20

--- Rows of zeros (of relu and its like) are skipped where at most so many tokens share them, and
--- where a quarter of them at least is zero in all tokens: fewer cost more to find than they save.
local sparse_rows = 4
local function sparse_most(inputs) return inputs * 3 // 4 end

--- The list of what is not zero is read so many entries ahead, FFN_LIST_AHEAD of kernel.h.
local list_ahead = 8

--- A layer of at most so many vector FMAs, its weights within L1, is straight-line code. So is as
--- many rows of it at once as stay below the second number.
local straight_fmas, straight_bytes, straight_rows_fmas = 1024, 32 << 10, 2048

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
    list[#list + 1] = {
      rows = rows, cols = cols, first = 0,
      vectors = vectors,
      registers = rows * vectors * stage.chains + (rows > 1 and vectors or 1) + 1,
      serves_all = false,
    }
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
  main.serves_all = true
  if columns % main.cols ~= 0 then add(panel, main.rows) end
  for i, tile in ipairs(list) do list[i] = record.strict('tile', tile) end
  return list, main
end

--- The tiles that skip zeros: as wide as for as many rows, and what is left over of the columns.
local function nonzero_tiles(stage, list, most_rows)
  local columns, result = round_up(stage.outputs, panel), {}
  for _, tile in ipairs(list) do
    local rows, vectors = math.min(tile.rows, most_rows), tile.vectors
    result[#result + 1] = record.strict('tile', {
      rows = rows, cols = tile.cols, first = 0, vectors = vectors,
      registers = rows * vectors + (rows > 1 and vectors or 1) + 1,
      serves_all = rows == most_rows,
    })
    if rows == most_rows and columns % tile.cols == 0 then break end
  end
  return result
end

--- The shape of a stage's tiles in straight-line code for `height` rows: that with the fewest loads
--- for each FMA.
local function straight_shape(isa, s, height)
  local vectors = (s.stage.outputs + isa.lanes - 1) // isa.lanes
  local branches, best = #s.stage.branches, nil
  local rows = height
  while rows >= 1 do
    -- Sums, the weights of one k (a single row uses each once, from memory) and one activation.
    local most = rows == 1 and (isa.registers - 2) // (branches * s.stage.chains)
      or (isa.registers - 1) // (branches * (rows * s.stage.chains + 1))
    if rows == 1 then most = math.max(1, most) end
    local wide = math.min(most, vectors)
    local loads = wide > 0 and (rows + branches * wide) / (rows * branches * wide)
    if loads and (not best or loads < best.loads) then
      best = { loads = loads, rows = rows, most = most }
    end
    rows = rows // 2
  end
  return best.rows, best.most, vectors
end

--- The groups of columns of a stage for `height` rows of straight-line code; its input lies at
--- `in_at` in the work memory.
local function straight_stage(isa, s, height, in_at)
  local rows, most, vectors = straight_shape(isa, s, height)
  local parts = (vectors + most - 1) // most
  local groups, at = {}, 0
  for part = 1, parts do
    local count = (vectors - at + parts - part) // (parts - part + 1)
    groups[part] = record.strict('group', {
      rows = rows, cols = count * isa.lanes, first = at * isa.lanes,
      vectors = #s.stage.branches * count,
    })
    at = at + count
  end
  return record.strict('straight stage', { plan = s, rows = rows, groups = groups, in_at = in_at })
end

--- Straight-line code of a layer: one function for several rows, and one for a single row. Nil
--- where the layer is too large.
local function straight(isa, stages, packed_bytes)
  local fmas = 0
  for _, s in ipairs(stages) do
    if s.stage.blocks > 1 then return nil end
    local vectors = (s.stage.outputs + isa.lanes - 1) // isa.lanes
    fmas = fmas + s.stage.inputs * #s.stage.branches * vectors
  end
  if not isa.fused or fmas > straight_fmas or packed_bytes > straight_bytes then return nil end
  local forms, height = {}, 4
  while height >= 1 do
    if height == 1 or height * fmas <= straight_rows_fmas then
      -- The inputs of all stages stand close together: apart by a multiple of 4 KiB, loads of one
      -- would wait for stores to the other.
      local form, at = { height = height, stages = {}, fmas = height * fmas, loads = 0 }, 0
      for i, s in ipairs(stages) do
        local part = straight_stage(isa, s, height, at)
        for _, group in ipairs(part.groups) do
          local loads = part.rows + group.vectors -- of one k: activations and weights
          form.loads = form.loads + height // part.rows * s.stage.inputs * loads
        end
        form.stages[i] = part
        at = at + height * s.row_stride
      end
      forms[#forms + 1] = record.strict('straight form', form)
    end
    height = height == 1 and 0 or #forms > 0 and 1 or height // 2
  end
  return record.strict('straight', { forms = forms })
end

---@class Plan
---@param l Layer
---@param isa table
---@param choices Choices? the profile's where it is nil
---@param tuned_for string? the CPU on which the choices were measured
---@param profile Profile? of the CPU; the generic one where it is nil
---@return Plan
function M.plan(l, isa, choices, tuned_for, profile)
  profile = profile or cpus.by_name.generic
  choices = choices or profile.choices
  local stages, at, floats_of, row_tile = {}, header_floats, { 0, 0 }, 0
  for i, s in ipairs(l.stages) do
    local columns = round_up(s.outputs, panel)
    local branches = #s.branches
    local list, main = tiles(isa, s)
    -- Chunks are multiples of the main tile: rows of a wider one always stream.
    local stream_rows = choices.stream_rows
    for _, tile in ipairs(list) do
      if tile.cols > main.cols then stream_rows = math.max(stream_rows, tile.rows) end
    end
    row_tile = math.max(row_tile, main.rows)
    local panel_floats = s.inputs * branches * panel
    local panels_at = at
    at = at + columns // panel * panel_floats
    local bias_at = at
    if s.bias then at = at + branches * columns end
    local row_stride = round_up(s.k_block, panel)
    local buffer = (i - 1) % 2 + 1
    floats_of[buffer] = math.max(floats_of[buffer], s.blocks * row_stride)
    stages[i] = {
      stage = s,
      name = s.name,
      index = i - 1,
      final = i == #l.stages,
      tail = i == #l.stages and columns ~= s.outputs, -- its last store is a part of a panel
      columns = columns,
      fetch = false,
      stream_rows = stream_rows,
      halves = main.cols < panel,
      sparse_rows = 0, sparse_most = sparse_most(s.inputs), sparse_tiles = {}, list_at = 0,
      step = branches * panel,
      panel_floats = panel_floats,
      panels_at = panels_at,
      bias_at = bias_at,
      row_stride = row_stride,
      buffer = buffer,
      tiles = list,
      main = main,
      column_step = math.min(columns, math.max(list[1].cols, panel)),
    }
  end

  local rows = math.min(choices.rows_per_walk,
    activation_bytes // (4 * (floats_of[1] + floats_of[2])))
  local row_block = math.max(1, rows // row_tile) * row_tile
  local sum_floats, list_floats = 0, 0
  for _, s in ipairs(stages) do
    local branches, cols = #s.stage.branches, math.max(s.main.cols, panel)
    local chunk = math.max(1, choices.sum_bytes // (4 * branches * row_block) // cols) * cols
    s.chunk = math.min(chunk, round_up(s.columns, cols))
    sum_floats = math.max(sum_floats, branches * s.chunk * row_block)
    s.fetch = 4 * at > near_bytes and choices.fetch_ahead
    for _, tile in ipairs(s.tiles) do
      sum_floats = math.max(sum_floats, branches * tile.cols * tile.rows)
    end
    if l.sparse and s.stage.zeros and s.stage.chains == 1 then
      s.sparse_rows = math.min(sparse_rows, s.main.rows)
      s.sparse_tiles = nonzero_tiles(s.stage, s.tiles, s.sparse_rows)
      list_floats = math.max(list_floats, s.stage.inputs + list_ahead)
    end
  end
  sum_floats = round_up(sum_floats, panel)
  for i, s in ipairs(stages) do
    s.list_at = sum_floats
    stages[i] = record.strict('stage plan', s)
  end

  local sum_at = row_block * (floats_of[1] + floats_of[2])
  local slot_floats = sum_at + round_up(sum_floats + list_floats, panel)
  return record.strict('plan', {
    layer = l,
    isa = isa,
    name = name.encode(l.name, isa.name),
    profile = profile,
    choices = choices,
    tuned_for = tuned_for or false,
    stages = stages,
    straight = straight(isa, stages, 4 * at) or false,
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
