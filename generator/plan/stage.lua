--- The plan of one stage: tiles, chunks of columns, where results go.
local abreast = require 'plan.abreast'
local expression = require 'lower.expression'
local layer = require 'lower.layer'
local layout = require 'plan.layout'
local list_of = require 'common.list'
local record = require 'common.record'
local registers = require 'activation.graph.registers'
local tiles = require 'plan.tiles'

local M = {}

--- Rows of zeros (of relu and its like) are skipped where at most so many tokens share them, and
--- where no more than a quarter of them is left: half of the lines take longer to come from memory
--- than all of them (on Zen 4 1.2 to 1.3 of the layer's time, 0.9 to 1.2 with a quarter; from its
--- third-level cache 0.9 and 0.6).
local sparse_rows = 4
local function sparse_most(inputs) return inputs // 4 end

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
---@field lockstep boolean     its activation takes both vectors of a panel, statement by statement
---@field epilogue integer    registers of its activation, and of the other branch; 0: it has none
---@field final boolean      its results go to the caller
---@field tail boolean       and the last panel of them is ragged
---@field tiles Tile[]       widest first; the last takes what is left of the columns
---@field main Tile          serves any number of rows
---@field halves boolean     the main tile is narrower than a panel
---@field column_step integer threads take columns in multiples of this: even parts are worth more
--- than whole tiles of few rows (Zen 5, two threads, weights of 512 -> 1365 in cache: 0.95 to 0.97)
---@field stream_rows integer up to so many rows pass over one group of columns at a time
---@field chunk integer      columns whose sums are kept at a time, where there are more rows
---@field ahead Fetching|false how weights are fetched ahead; false: never
---@field streams integer|false  whether tiles of more panels are taken the record of a CPU says
---@field lines boolean      some tile takes several k at a time, and may fetch line by line
---@field far boolean        else some CPU wants its tiles to fetch into the second-level cache
---@field rereads boolean    one row reads some lines twice where its CPU wants nothing fetched
---@field abreast Abreast|false how few rows read weights from memory
---@field sparse Sparse|false

---@class Fetching  how weights from memory are fetched ahead of their use
---@field by_cpu boolean   the record of a CPU says the bytes at run time
---@field own Choices      where it does not
---@field all Choices[]    of those CPUs
---@field fetches boolean  some of them fetch at some number of rows
---@field far boolean      into the second-level cache
---@field leaves boolean   or nothing
---@field streams integer  panels side by side, at most
---@field sure_streams integer  and as many wherever few rows are

--- Loops that fetch, into either cache, or nothing, or read lines twice instead, for so many rows,
--- as CPUs that share code want them.
---@param all Choices[]  of those CPUs
---@param rows integer
---@param rereads boolean  whether one row may read lines twice
---@param more boolean     whether the rows may be a part of more, which are not few
---@return table<string, boolean>  near, far, leaves, twice
function M.forms(all, rows, rereads, more)
  local found = { near = false, far = false, leaves = false, twice = false }
  for _, choices in ipairs(all) do
    local twice = rereads and rows == 1 and choices.reread > 0
    local function add(bytes)
      found[bytes == 0 and (twice and 'twice' or 'leaves')
        or choices.fetch_level > 1 and 'far' or 'near'] = true
    end
    if rows <= choices.few_rows then add(choices.few_ahead) end
    if rows > choices.few_rows or more then add(choices.fetch_ahead) end
  end
  return found
end

--- How CPUs that share code fetch weights.
---@param all Choices[]
---@return Fetching
function M.fetching(all)
  local few, many = M.forms(all, 1, false, false), M.forms(all, math.maxinteger, false, false)
  local most, surely = all[1].streams, all[1].streams
  for _, choices in ipairs(all) do
    most, surely = math.max(most, choices.streams), math.min(surely, choices.streams)
  end
  return record.strict('fetching', {
    by_cpu = #all > 1, own = all[1], all = all, far = few.far or many.far,
    fetches = few.near or many.near or few.far or many.far,
    leaves = few.leaves or many.leaves, streams = most, sure_streams = surely,
  })
end

--- As many bytes ahead for any number of rows.
---@param bytes integer
---@return Fetching
function M.fetching_always(bytes)
  return M.fetching {
    { few_rows = 1, few_ahead = bytes, fetch_ahead = bytes, fetch_level = 1, reread = 0,
      streams = math.maxinteger },
  }
end

--- Whether one row reads cache lines twice on some CPU: those that a vector takes whole. A core's
--- own prefetcher sees the reads alone.
local function rereads(isa, s, fetching)
  return isa.lanes * s.stream.format.bytes == 64 and M.forms(fetching.all, 1, true, false).twice
end

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

--- Registers that the code of a stage's activation, or of its derivatives, takes beside its sums.
local function epilogue_registers(s)
  local slope = expression.activation(s.results, { 'slope' })
  if slope then
    local inputs = {}
    for _, result in ipairs(s.results) do
      expression.walk(result.value, function(e)
        if #e == 0 then inputs[#inputs + 1] = e.tensor or e.op end
      end)
    end
    return registers.of_gradient(slope.activation) + #list_of.unique(inputs) - #slope
  end
  local apply = expression.activation(s.results, { 'apply' })
  if not apply then return 0 end
  return registers.of(apply.activation) + #s.stream.branches - #apply
end

--- A stage with its tiles; what depends on other stages follows.
---@param fetching Fetching|false  false: its weights are near
---@param most_rows integer|nil     of a call
function M.stage(isa, stages, i, panels, buffer_of, choices, fetching, most_rows)
  local s = stages[i]
  local few = abreast.plan(isa, s, fetching, most_rows)
  local list, main = tiles.dense(isa, s, fetching and fetching.streams, choices.main_columns,
    few ~= false)
  if most_rows and most_rows < math.max(main.rows, list[#list].rows) then
    list, main = tiles.limited(s, list, most_rows, fetching and fetching.sure_streams, few ~= false)
  end
  local fetched = fetching and fetching.fetches
  -- Chunks are multiples of the main tile: rows of a wider one always stream.
  local stream_rows = choices.stream_rows
  for _, tile in ipairs(list) do
    if tile.streams then stream_rows = math.max(stream_rows, tile.rows) end
  end
  local lines = fetched and #list_of.filter(list, function(tile)
    return tiles.together(isa, s, tile) > 1
  end) > 0
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
    lockstep = false,
    tail = final and panels.columns ~= s.outputs,
    tiles = list, main = main, halves = main.cols < layer.panel,
    column_step = math.min(panels.columns, math.max(main.cols, layer.panel)),
    stream_rows = stream_rows, chunk = 0, ahead = fetched and fetching, sparse = false,
    streams = fetching and fetching.by_cpu and fetching.sure_streams,
    abreast = few, lines = lines, far = fetched and fetching.far and not lines,
    rereads = fetched and rereads(isa, s, fetching),
  }
end

--- So many statements of an activation are worth to wait for: a core looks further ahead.
local least_statements = 16

--- Whether the activation of a stage takes both vectors of a panel: what keeps its results for
--- itself, where tiles are whole panels and registers hold two vectors' values.
---@param isa table
---@param s StagePlan
function M.lockstep(isa, s)
  local result = s.stage.results[1].value
  local apply = expression.find(result, 'apply')
  return apply ~= nil and 2 * isa.lanes == layer.panel and not s.halves and not s.final
    and not expression.find(result, 'operand') and 2 * s.epilogue <= isa.registers
    and registers.statements(apply.activation) >= least_statements
end

--- The columns whose sums are kept at a time, and the floats of the stage's sums for each row.
---@param rows integer       of a walk
---@param most_rows integer|nil  of a call: few pass over one group of columns at a time
function M.chunk(s, rows, choices, most_rows)
  local branches, cols = #s.stage.stream.branches, math.max(s.main.cols, layer.panel)
  local most = math.max(1, choices.sum_bytes // (4 * branches * rows) // cols) * cols
  if most_rows and most_rows <= s.stream_rows then most = cols end
  local chunk = math.min(most, layout.round_up(s.panels.columns, cols))
  local widest = chunk
  for _, tile in ipairs(s.tiles) do widest = math.max(widest, tile.cols) end
  if s.abreast then widest = math.max(widest, s.abreast.sums) end
  return chunk, branches * widest
end

---@return Sparse
function M.sparse(s)
  local rows = math.min(sparse_rows, s.main.rows)
  return record.strict('sparse', {
    rows = rows, most = sparse_most(s.stage.inputs),
    tiles = tiles.nonzero(s.stage, s.tiles, rows),
  })
end

return M
