--- The plan of one stage: tiles, chunks of columns, where results go.
local abreast = require 'plan.abreast'
local expression = require 'lower.expression'
local weight_layout = require 'weights.layout'
local layout = require 'plan.layout'
local lists = require 'common.list'
local needs = require 'plan.needs'
local operands = require 'operand'
local record = require 'common.record'
local registers = require 'activation.graph.registers'
local scratch = require 'plan.scratch'
local plan_tiles = require 'plan.tiles'

local M = {}

--- Rows of zeros (of relu and its like) are skipped where at most so many tokens share them, and
--- where no more than a quarter of them is left: half of the lines take longer to come from memory
--- than all of them.
local sparse_rows = 4
local function sparse_most(inputs) return inputs // 4 end

--- The list of what is not zero is read so many entries ahead, FFN_LIST_AHEAD of kernel.h.
M.list_ahead = 8

---@class Sparse  how zeros of the operand are skipped
---@field rows integer   at most
---@field most integer   inputs that may be left
---@field tiles Tile[]

---@class StagePlan
---@field stage Stage
---@field index integer      from 0
---@field panels Panels
---@field row integer        inputs of a row in one block of the operand, filled up
---@field block_bytes integer and their bytes, in all planes
---@field buffer integer     of the operand
---@field waits integer|false and of rows of floats that it lays when all of a row is there
---@field lockstep boolean     its activation takes both vectors of a panel, statement by statement
---@field epilogue integer    registers of its activation, and of the other branch; 0: it has none
---@field final boolean      its results go to the caller
---@field laid OperandFormat  what they are laid into
---@field tail boolean       and the last panel of them is ragged
---@field tiles Tile[]       widest first; the last takes what is left of the columns
---@field narrow boolean     some tile is narrower than a bundle
---@field column_step integer threads take columns in multiples of this, whole units and whole main
--- tiles: there need not be a narrower one
---@field stream_rows integer up to so many rows pass over one strip at a time
---@field chunk integer      columns whose sums are kept at a time, where there are more rows
---@field ahead Fetching|false how weights are fetched ahead; false: never
---@field streams integer|false  whether tiles of more panels are taken the record of a CPU says
---@field sums integer       bytes of those, for each row
---@field far boolean        else some CPU wants its tiles to fetch into the second-level cache
---@field rereads boolean    one row reads some lines twice where its CPU wants nothing fetched
---@field abreast Abreast|false how few rows read weights from memory
---@field sparse Sparse|false
---@field scratch Scratch|false  how many rows read weights that are decoded once for all of them
---@field refused Refusal[]  forms that its format does not take

---@class Fetching  how weights from memory are fetched ahead of their use
---@field by_cpu boolean   the record of a CPU says the bytes at run time
---@field own Choices      where it does not
---@field all Choices[]    of those CPUs
---@field fetches boolean  some of them fetch at some number of rows
---@field fetches_few boolean  and where one row reads them
---@field far boolean      into the second-level cache
---@field both boolean     into both, for few rows of compressed weights
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
local function forms(all, rows, rereads, more)
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

--- Whether few rows fetch into both caches.
local function fetches_both(choices)
  return choices.few_ahead > 0 and choices.few_l2_ahead > choices.few_ahead
end

--- How CPUs that share code fetch weights.
---@param all Choices[]
---@return Fetching
function M.fetching(all)
  local few, many = forms(all, 1, false, false), forms(all, math.maxinteger, false, false)
  local most, surely = all[1].streams, all[1].streams
  for _, choices in ipairs(all) do
    most, surely = math.max(most, choices.streams), math.min(surely, choices.streams)
  end
  return record.strict('fetching', {
    by_cpu = #all > 1, own = all[1], all = all, far = few.far or many.far,
    both = #lists.filter(all, fetches_both) > 0,
    fetches = few.near or many.near or few.far or many.far, fetches_few = few.near or few.far,
    leaves = few.leaves or many.leaves, streams = most, sure_streams = surely,
  })
end

--- As many bytes ahead for any number of rows.
---@param bytes integer
---@return Fetching
function M.fetching_always(bytes)
  return M.fetching {
    { few_rows = 1, few_ahead = bytes, few_l2_ahead = 0, fetch_ahead = bytes, fetch_level = 1,
      reread = 0, streams = math.maxinteger },
  }
end

--- Whether one row reads cache lines twice on some CPU: those that a vector takes whole. A core's
--- own prefetcher sees the reads alone.
local function rereads(isa, s, fetching)
  local bytes = s.stream.format.bytes
  return bytes and isa.lanes * bytes == 64 and forms(fetching.all, 1, true, false).twice
end

--- Tiles that fetch in several ways: some CPU fetches nothing for some rows, or into another cache,
--- or tiles of many rows fetch line by line. The ways of a tile for so many rows, in the order in
--- which `fetches` of kernel.h is asked for them: a line that is read twice, the second-level
--- cache, line by line, k by k, nothing.
---@param s StageTiles  but for its tiles' ways
---@param lines boolean  some tile takes several k at a time, and may fetch line by line
---@return (fun(draft: table, rows: integer): string[])|false
local function ways(s, lines)
  if not (s.ahead and (s.ahead.leaves or lines or s.far or s.both)) then return false end
  return function(draft, rows)
    local wanted = forms(s.ahead.all, rows, s.rereads, draft.parts and 2 * rows >= draft.rows)
    local near = wanted.near or wanted.far -- where many tiles share
    local list = {}
    local function add(way, is_wanted) if is_wanted then list[#list + 1] = way end end
    add('twice', wanted.twice)
    add('far', wanted.far and s.far)
    add('lines', near and draft.together > 1)
    add('near', near)
    add('none', wanted.leaves)
    return list
  end
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
    return registers.of_gradient(slope.activation) + #lists.unique(inputs) - #slope
  end
  local apply = expression.activation(s.results, { 'apply' })
  if not apply then return 0 end
  return registers.of(apply.activation) + #s.stream.branches - #apply
end

---@class StageTiles  how a stage is tiled, and how its tiles fetch
---@field tiles Tile[]
---@field main Tile
---@field abreast Abreast|false
---@field ahead Fetching|false
---@field streams integer|false
---@field far boolean
---@field both boolean
---@field rereads boolean
---@field scratch ScratchTiles|false
---@field refused Refusal[]

--- What the results of a stage are laid into, of those in a pass; those that the caller gets are
--- rows of floats, as are those of which a whole row has one scale.
---@param stages Stage[]
---@param s Stage
---@return OperandFormat
function M.laid(stages, s)
  for _, reader in ipairs(stages) do
    for _, result in ipairs(s.results) do
      if reader.operand.tensor == result.tensor and not reader.operand.format.of_rows then
        return reader.operand.format
      end
    end
  end
  return operands.of 'f32'
end

---@param laid OperandFormat        what its results are laid into
---@param fetching Fetching|false  false: its weights are near
---@param most_rows integer|nil     of a call
---@return StageTiles
function M.tiles(isa, s, laid, choices, fetching, most_rows)
  local suits = fetching and { 'ahead' } or {}
  fetching = needs.takes('ahead', s) and fetching
  local few, without = abreast.plan(isa, s, laid, fetching, most_rows)
  local list, main = plan_tiles.dense(isa, s, fetching, choices.main_columns,
    few ~= false, laid.unit)
  local most = scratch.most_rows(isa, s, most_rows)
  if most and most < math.max(main.rows, list[#list].rows) then
    list, main = plan_tiles.limited(isa, s, list, most, fetching and fetching.sure_streams,
      few ~= false)
  end
  local refused = lists.append(needs.refused(s, suits), without)
  lists.append(refused, plan_tiles.lines(isa, s, list))
  local many, kept = scratch.tiles(isa, s, main, laid, choices, most_rows)
  lists.append(refused, kept)
  local fetched = fetching and fetching.fetches
  local lines = fetched and #lists.filter(list, function(tile) return tile.together > 1 end) > 0
  local result = {
    tiles = list, main = main, abreast = few, ahead = fetched and fetching,
    streams = fetching and fetching.by_cpu and fetching.sure_streams,
    far = fetched and fetching.far and not lines,
    both = fetched and fetching.both and #s.stream.format.levels > 0,
    rereads = fetched and rereads(isa, s, fetching), scratch = many, refused = refused,
  }
  plan_tiles.finish(list, ways(result, lines))
  return record.strict('stage tiles', result)
end

--- So many statements of an activation are worth to wait for: a core looks further ahead.
local least_statements = 16

--- Whether the activation of a stage takes both vectors of a panel: what keeps its results for
--- itself, as floats, where tiles are whole panels and registers hold two vectors' values.
---@param isa table
---@param s StagePlan
---@param main Tile
local function takes_lockstep(isa, s, main)
  local result = s.stage.results[1].value
  local apply = expression.find(result, 'apply')
  local panel = weight_layout.lanes
  return apply ~= nil and 2 * isa.lanes == panel and main.cols >= panel and not s.final
    and s.laid.unit == 1
    and not expression.find(result, 'operand') and 2 * s.epilogue <= isa.files.vector
    and registers.statements(apply.activation) >= least_statements
end

--- The columns whose sums are kept at a time, and the bytes of the stage's sums for each row.
---@param main Tile
---@param rows integer       of a walk
---@param most_rows integer|nil  of a call: few pass over one strip at a time
local function chunk_of(s, main, rows, choices, most_rows)
  local own = s.stage.stream.layout
  local branches, cols = own.branches, math.max(main.cols, own.width, s.laid.unit)
  local most = math.max(1, choices.sum_bytes // layout.bytes(branches * rows) // cols) * cols
  if most_rows and most_rows <= s.stream_rows then most = cols end
  local chunk = math.min(most, layout.round_up(own.columns, cols))
  local widest = chunk
  for _, tile in ipairs(s.tiles) do widest = math.max(widest, tile.cols) end
  if s.abreast then widest = math.max(widest, s.abreast.sums) end
  return chunk, layout.bytes(branches * widest)
end

--- Complains of an instruction set that has not the words of a stage's arithmetic.
function M.check_words(isa, s)
  local words = isa.arithmetic[s.arithmetic.word]
  if not words then
    error(('stage %s: %s has no words for %s'):format(s.name, isa.name, s.arithmetic.name), 0)
  end
  for _, word in ipairs(record.sorted_keys(s.arithmetic.words)) do
    if not words[word] and not words[word .. '_at'] then -- which reads its last argument
      error(('isa/%s.lua: %s lacks the word "%s"'):format(isa.name, s.arithmetic.name, word), 0)
    end
  end
end

---@return Sparse
local function sparse_of(isa, s, main)
  local rows = math.min(sparse_rows, main.rows)
  return record.strict('sparse', {
    rows = rows, most = sparse_most(s.stage.inputs),
    tiles = plan_tiles.nonzero(isa, s.stage, s.tiles, rows),
  })
end

--- Whether the results of a stage go to the caller's rows, all of them, and not to a buffer.
---@param buffer_of table<string, integer>
function M.is_final(s, buffer_of)
  for _, result in ipairs(s.results) do
    if buffer_of[result.tensor] then return false end
  end
  return true
end

---@class StageUse  what a stage takes of its pass
---@field index integer      from 0
---@field panels Panels
---@field tiles StageTiles
---@field buffer integer|nil of its operand
---@field waits integer|nil  of what it takes, before that is laid
---@field final boolean
---@field laid OperandFormat  what its results are laid into
---@field rows integer       of a walk
---@field most_rows integer|nil  of a call
---@field choices Choices
---@field sparse boolean     rows of zeros may be skipped
---@field lockstep boolean   an activation may take both vectors of a panel

--- What threads take columns in multiples of: whole main tiles of few rows and of many.
---@param shape StageTiles
---@param unit integer
local function column_step(shape, unit)
  local step = layout.common_multiple(shape.main.cols, unit)
  return shape.scratch and layout.common_multiple(shape.scratch.main.cols, step) or step
end

--- A stage of a pass.
---@param s Stage
---@param use StageUse
---@return StagePlan
function M.stage(isa, s, use)
  local shape, panels, own = use.tiles, use.panels, s.stream.layout
  local main = shape.main
  -- Chunks are multiples of the main tile: rows of a wider one always stream.
  local stream_rows = use.choices.stream_rows
  for _, tile in ipairs(shape.tiles) do
    if tile.streams then stream_rows = math.max(stream_rows, tile.rows) end
  end
  local plan = {
    stage = s, index = use.index, panels = panels, row = layout.row(s),
    block_bytes = layout.block_bytes(s), buffer = use.buffer,
    waits = use.waits ~= use.buffer and use.waits or false,
    epilogue = epilogue_registers(s), final = use.final,
    tail = use.final and own.columns ~= s.outputs,
    laid = use.laid, tiles = shape.tiles, narrow = plan_tiles.is_narrow(shape.tiles, own),
    column_step = math.min(own.columns, column_step(shape, layout.unit(use.laid))),
    stream_rows = stream_rows, ahead = shape.ahead, streams = shape.streams,
    abreast = shape.abreast, far = shape.far, both = shape.both, rereads = shape.rereads,
  }
  local function chunk(of, widest)
    return chunk_of(of, widest, use.rows, use.choices, use.most_rows)
  end
  plan.chunk, plan.sums = chunk(plan, main)
  plan.scratch = shape.scratch and use.rows >= shape.scratch.rows
    and scratch.plan(isa, plan, shape.scratch, chunk)
  if plan.scratch then plan.sums = math.max(plan.sums, plan.scratch.plan.sums) end
  local skips = use.sparse and s.operand.zeros and s.sum.chains == 1
  plan.sparse = skips and needs.takes('sparse', s, use.laid) and sparse_of(isa, plan, main)
  plan.refused = lists.append(needs.refused(s, skips and { 'sparse' } or {}, use.laid),
    shape.refused)
  plan.lockstep = use.lockstep and takes_lockstep(isa, plan, main)
  return record.strict('stage plan', plan)
end

return M
