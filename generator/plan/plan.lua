--- plan: Layer, isa -> Plan. Register tiles, blocking, and the bytes of packed weights and work
--- memory. A plan chooses which outputs are computed together, never in which order they sum.
local record = require 'common.record'
local registers = require 'activation.graph.registers'
local name = require 'lower.name'
local expression = require 'lower.expression'
local list_of = require 'common.list'
local layout = require 'plan.layout'
local straight = require 'plan.straight'
local tiles = require 'plan.tiles'
local layer = require 'lower.layer'
local cpus = require 'cpu'

local M = {}

--- Fewer rows where their operands would take more bytes than this.
local operand_bytes = 64 << 20

--- Packed weights of more bytes than this do not stay in a core's own cache: they are fetched
--- ahead of their use.
local near_bytes = 1 << 20

--- Rows of zeros (of relu and its like) are skipped where at most so many tokens share them, and
--- where a quarter of them at least is zero in all tokens: fewer cost more to find than they save.
local sparse_rows = 4
local function sparse_most(inputs) return inputs * 3 // 4 end

--- The list of what is not zero is read so many entries ahead, FFN_LIST_AHEAD of kernel.h.
M.list_ahead = 8

---@class Destination  where a result goes
---@field tensor string
---@field buffer integer|false  of the pass; false: to the caller's rows
---@field row integer|false     floats of a row in a block of its reader's operand

---@class Sparse  how zeros of the operand are skipped
---@field rows integer   at most
---@field most integer   inputs that may be left
---@field tiles Tile[]

---@class StagePlan
---@field stage Stage
---@field index integer      from 0
---@field panels Panels
---@field row integer        floats of a row in one block of the operand
---@field buffer integer     of the operand
---@field destinations Destination[]  of each result
---@field saved string[]    tensors of earlier passes that its epilogue reads, [tokens][outputs]
---@field epilogue integer    registers of its activation, and of the other branch; 0: it has none
---@field final boolean      its results go to the caller
---@field tail boolean       and the last panel of them is ragged
---@field tiles Tile[]       widest first; the last takes what is left of the columns
---@field main Tile          serves any number of rows
---@field halves boolean     the main tile is narrower than a panel
---@field column_step integer threads take columns in multiples of this
---@field stream_rows integer up to so many rows pass over one group of columns at a time
---@field chunk integer      columns whose sums are kept at a time, where there are more rows
---@field ahead integer|false bytes that weights are fetched ahead
---@field sparse Sparse|false

---@class Pass
---@field stages StagePlan[]
---@field straight Form[]|false
---@field row_tile integer    rows of the largest main tile: threads take rows in multiples
---@field rows integer        of one walk
---@field buffers Buffer[]
---@field sum_floats integer  of the sums of a chunk
---@field list_entries integer of the list of inputs that are not zero; 0 where there is none
---@field packed_bytes integer
---@field work_bytes integer  for each thread

---@return Destination
local function destination(result, stages, buffer_of)
  local row = false
  for _, s in ipairs(stages) do
    if s.operand.tensor == result.tensor then row = layout.row(s) end
  end
  return record.strict('destination', {
    tensor = result.tensor, buffer = buffer_of[result.tensor] or false, row = row,
  })
end

--- Registers that the code of a stage's activation takes beside its sums.
local function epilogue_registers(s)
  local apply
  for _, result in ipairs(s.results) do
    apply = apply or expression.find(result.value, 'apply')
  end
  if not apply then return 0 end
  return registers.of(apply.activation) + #s.stream.branches - #apply
end

--- A stage with its tiles; what depends on other stages follows.
local function stage_plan(isa, stages, i, panels, buffer_of, choices)
  local s = stages[i]
  local list, main = tiles.dense(isa, s)
  -- Chunks are multiples of the main tile: rows of a wider one always stream.
  local stream_rows = choices.stream_rows
  for _, tile in ipairs(list) do
    if tile.streams then stream_rows = math.max(stream_rows, tile.rows) end
  end
  local destinations, saved, final = {}, {}, true
  for r, result in ipairs(s.results) do
    destinations[r] = destination(result, stages, buffer_of)
    final = final and not destinations[r].buffer
    expression.walk(result.value, function(e)
      if e.op == 'saved' then saved[#saved + 1] = e.tensor end
    end)
  end
  return {
    stage = s, index = i - 1, panels = panels,
    row = layout.row(s), buffer = buffer_of[s.operand.tensor], destinations = destinations,
    saved = list_of.unique(saved), epilogue = epilogue_registers(s), final = final,
    tail = final and panels.columns ~= s.outputs,
    tiles = list, main = main, halves = main.cols < layer.panel,
    column_step = math.min(panels.columns, math.max(list[1].cols, layer.panel)),
    stream_rows = stream_rows, chunk = 0, ahead = false, sparse = false,
  }
end

--- The columns whose sums are kept at a time, and the floats of the stage's sums.
local function chunk_of(s, rows, choices)
  local branches, cols = #s.stage.stream.branches, math.max(s.main.cols, layer.panel)
  local most = math.max(1, choices.sum_bytes // (4 * branches * rows) // cols) * cols
  local chunk = math.min(most, layout.round_up(s.panels.columns, cols))
  local floats = branches * chunk * rows
  for _, tile in ipairs(s.tiles) do
    floats = math.max(floats, branches * tile.cols * tile.rows)
  end
  return chunk, floats
end

---@return Sparse
local function sparse_of(s)
  local rows = math.min(sparse_rows, s.main.rows)
  return record.strict('sparse', {
    rows = rows, most = sparse_most(s.stage.inputs),
    tiles = tiles.nonzero(s.stage, s.tiles, rows),
  })
end

--- Bytes of a thread's work memory.
local function work_bytes(pass)
  local floats = 0
  if pass.straight then
    for _, s in ipairs(pass.stages) do floats = floats + pass.straight[1].rows * s.row end
  else
    for _, buffer in ipairs(pass.buffers) do floats = floats + pass.rows * buffer.floats end
    floats = floats + pass.sum_floats + pass.list_entries
  end
  return 4 * layout.round_up(floats, layer.panel)
end

--- One pass over a list of stages.
---@param stages Stage[]
---@param isa table
---@param choices Choices
---@param sparse boolean  rows of zeros may be skipped
---@return Pass
function M.pass(stages, isa, choices, sparse)
  local panels, packed_bytes = layout.packed(stages)
  local buffers, buffer_of = layout.buffers(stages)
  local list, row_tile, row_floats = {}, 0, 0
  for i in ipairs(stages) do
    list[i] = stage_plan(isa, stages, i, panels[i], buffer_of, choices)
    row_tile = math.max(row_tile, list[i].main.rows)
  end
  for _, buffer in ipairs(buffers) do row_floats = row_floats + buffer.floats end
  local rows = math.min(choices.rows_per_walk, operand_bytes // (4 * row_floats))
  rows = math.max(1, rows // row_tile) * row_tile

  local sum_floats, list_entries = 0, 0
  for i, s in ipairs(list) do
    local floats
    s.chunk, floats = chunk_of(s, rows, choices)
    sum_floats = math.max(sum_floats, floats)
    s.ahead = packed_bytes > near_bytes and choices.fetch_ahead
    if sparse and s.stage.operand.zeros and s.stage.sum.chains == 1 then
      s.sparse = sparse_of(s)
      list_entries = math.max(list_entries, s.stage.inputs + M.list_ahead)
    end
    list[i] = record.strict('stage plan', s)
  end
  local pass = {
    stages = list, straight = straight.forms(isa, list, packed_bytes) or false,
    row_tile = row_tile, rows = rows, buffers = buffers,
    sum_floats = layout.round_up(sum_floats, layer.panel), list_entries = list_entries,
    packed_bytes = packed_bytes,
  }
  pass.work_bytes = work_bytes(pass)
  return record.strict('pass', pass)
end

---@class Plan
---@field layer Layer
---@field isa table
---@field name string
---@field profile Profile       whose choices these were, before a measurement changed any
---@field choices Choices
---@field tuned_for string|false the CPU on which they were measured
---@field passes table<string, Pass>  forward

---@param l Layer
---@param isa table
---@param choices Choices?   measured, in place of the profile's
---@param tuned_for string?  the CPU on which they were measured
---@param profile Profile?   of the CPU; the generic one where it is nil
---@return Plan
function M.plan(l, isa, choices, tuned_for, profile)
  profile = profile or cpus.by_name.generic
  choices = choices or profile.choices
  return record.strict('plan', {
    layer = l, isa = isa, name = name.encode(l.name, isa.name),
    profile = profile, choices = choices, tuned_for = tuned_for or false,
    passes = { forward = M.pass(l.passes.forward, isa, choices, l.sparse) },
  })
end

return M
