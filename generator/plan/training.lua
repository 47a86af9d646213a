--- The plan of training: where each tensor of its passes lies, and the rows that go through all
--- stages at a time. Both passes walk alike: region by region, stages that need nothing of each
--- other, every stage over all rows of a slab, its columns split over threads.
local backward = require 'lower.backward'
local batches = require 'plan.batches'
local expression = require 'lower.expression'
local layout = require 'plan.layout'
local lists = require 'common.list'
local record = require 'common.record'
local operands = require 'operand'
local stage_record = require 'lower.stage'
local stage_plan = require 'plan.stage'
local plan_tiles = require 'plan.tiles'
local weight_layout = require 'weights.layout'

local M = {}

--- Rows of a slab: whole blocks of tokens. Two of them halve the traffic of dW, unless their
--- operands would take more bytes than this.
local slab_blocks, slab_bytes = 2, 64 << 20
--- Columns of the operand of a sum over tokens that a thread takes at least: several tiles of rows.
--- Each share reads the whole of the panels.
local operand_step = 64

---@class TensorPlace  where a tensor lies
---@field tensor string
---@field kind string     saved; or in work memory: blocked, panels
---@field buffer integer|false  of the pass
---@field row integer     numbers of a row in a block; saved: those of a token before it
---@field blocks integer  blocked: of its own; panels: how many
---@field part integer    blocked: blocks of other tensors of the same operand before it

---@class TrainStage
---@field stage Stage
---@field plan StagePlan|false  of weights: as of any pass
---@field tiles Tile[]|false    of tokens: the main one, and one for what it leaves over
---@field column_step integer   threads take columns in multiples of this
---@field region integer        what earlier regions made is there

---@class TrainPass
---@field stages TrainStage[]
---@field buffers Buffer[]
---@field places table<string, TensorPlace>

---@class Training
---@field passes table<string, TrainPass>  train, grad
---@field panels StagePlan[]    all stages of weights: packed weights lie in this order
---@field saved TensorPlace[]
---@field saved_row integer     numbers of a token, and their bytes
---@field saved_bytes integer
---@field outputs string[]      of grad(), in the order of their bits
---@field rows integer          of a slab
---@field batches Batches[]   calls that reach all code of stages over weights
---@field packed_bytes integer
---@field shared_bytes integer  of work memory, for all threads
---@field thread_bytes integer  and for each, its sums and scratch
---@field scratch_at integer|false  bytes of sums in front of that, where it has some

local panel = weight_layout.lanes
local pass_names = { 'train', 'grad' }

--- How a tensor that no stage of weights reads is cut into blocks: as if one did.
local function blocks_of(width)
  local block, blocks = stage_record.blocks(width, operands.of 'f32')
  return layout.round_up(block, panel), blocks
end

--- Tensors of work memory that a stage reads.
local function reads(s)
  local list = { table.unpack(s.operand.parts) }
  if s.stream and s.stream.packed then list[#list + 1] = s.stream.packed end
  for _, result in ipairs(s.results) do
    expression.walk(result.value, function(e)
      if e.op == 'tensor' or e.op == 'mask' then list[#list + 1] = e.tensor end
    end)
  end
  return list
end

local function has_any(list, set)
  return #lists.filter(list, function(item) return set[item] end) > 0
end

--- The region of each stage: threads wait for each other between two of them alone. A stage that
--- reads or writes what its region writes, or writes what that reads, begins the next one.
---@return integer[]
local function regions_of(stages)
  local list, region, touched, written = {}, 0, {}, {}
  for i, s in ipairs(stages) do
    local wanted, made = reads(s), lists.map(s.results, function(r) return r.tensor end)
    if has_any(wanted, written) or has_any(made, touched) then
      region, touched, written = region + 1, {}, {}
    end
    for _, tensor in ipairs(wanted) do touched[tensor] = true end
    for _, tensor in ipairs(made) do touched[tensor], written[tensor] = true, true end
    list[i] = region
  end
  return list
end

--- The shape of a stage's result in work memory; nil where it goes elsewhere.
local function shape(stages, tensor, width)
  local read = false
  for _, s in ipairs(stages) do
    for part, name in ipairs(s.operand.parts) do
      if name == tensor and s.kind == 'weights' then
        local blocks = s.sum.blocks // #s.operand.parts
        return { kind = 'blocked', row = layout.row(s), blocks = blocks,
          part = (part - 1) * blocks, whole = s.operand.parts[1], all = s.sum.blocks }
      end
    end
    if s.stream and s.stream.packed == tensor then
      local count = layout.round_up(width, panel) // panel
      return { kind = 'panels', row = panel, blocks = count, part = 0, whole = tensor,
        all = count }
    end
    read = read or lists.has(reads(s), tensor)
  end
  if not read then return nil end
  local row, blocks = blocks_of(width)
  return { kind = 'blocked', row = row, blocks = blocks, part = 0, whole = tensor,
    all = blocks }
end

--- The places of the tensors that stages of a pass give to each other. A buffer is free once the
--- region is over that reads it last.
---@param regions integer[] of the stages
---@return table<string, TensorPlace>
---@return Buffer[]
local function work_places(stages, regions, saved)
  local places, buffers, free_after, of = {}, {}, {}, {}
  local function buffer(whole, bytes, from)
    if of[whole] then return of[whole] end
    local last = from
    for i, s in ipairs(stages) do
      if lists.has(reads(s), whole) then last = regions[i] end
    end
    local b = 1
    while free_after[b] and free_after[b] >= from do b = b + 1 end
    buffers[b] = buffers[b] or { bytes = 0, tensors = {} }
    buffers[b].bytes = math.max(buffers[b].bytes, bytes)
    table.insert(buffers[b].tensors, whole)
    of[whole], free_after[b] = b, last
    return b
  end
  local function place(tensor, width, region)
    local s = not saved[tensor] and not places[tensor] and shape(stages, tensor, width)
    if s then
      places[tensor] = record.strict('place', {
        tensor = tensor, kind = s.kind, row = s.row, blocks = s.blocks, part = s.part,
        buffer = buffer(s.whole, layout.bytes(s.all * s.row), region),
      })
    end
  end
  for i, s in ipairs(stages) do
    for _, result in ipairs(s.results) do place(result.tensor, s.outputs, regions[i]) end
  end
  for b, one in ipairs(buffers) do buffers[b] = record.strict('buffer', one) end
  return places, buffers
end

--- What is saved of a token.
local function saved_places(forward)
  local list, by_name, at = {}, {}, 0
  for i, f in ipairs(forward) do
    for _, tensor in ipairs(backward.saved(forward, i)) do
      local place = record.strict('place', {
        tensor = tensor, kind = 'saved', buffer = false, row = at, blocks = 1, part = 0,
      })
      list[#list + 1], by_name[tensor] = place, place
      at = at + layout.round_up(f.outputs, panel)
    end
  end
  return list, by_name, at
end

--- The tiles of a stage over tokens: rows are what its operand holds, any number of them.
---@return Tile[]
---@return integer bytes of a tile
local function token_tiles(isa, s)
  local all, main = plan_tiles.dense(isa, s, false, 1, false, 1)
  local list, found = {}, false
  for _, draft in ipairs(all) do
    found = found or draft == main
    if found then list[#list + 1] = plan_tiles.plain(draft) end
  end
  return list, layout.bytes(main.rows * main.cols)
end

--- A stage over weights, its first result in memory or (final) in the caller's rows.
---@return StagePlan
---@return integer bytes of its sums
local function weights_stage(isa, s, index, panels, rows, choices, ahead, final)
  local p = stage_plan.stage(isa, s, {
    index = index, panels = panels, laid = operands.of 'f32',
    tiles = stage_plan.tiles(isa, s, operands.of 'f32', choices, ahead),
    final = final, rows = rows, choices = choices, sparse = false, lockstep = false,
  })
  return p, rows * p.sums
end

--- Passes without their stages, and the bytes of a row in the buffers of the larger.
---@return table<string, table>
---@return integer
local function places_of_passes(l, saved_of)
  local passes, bytes = {}, 0
  for _, name in ipairs(pass_names) do
    local regions = regions_of(l.passes[name])
    local places, buffers = work_places(l.passes[name], regions, saved_of)
    local row = 0
    for _, buffer in ipairs(buffers) do row = row + buffer.bytes end
    bytes = math.max(bytes, row)
    passes[name] = {
      stages = {}, places = setmetatable(places, { __index = saved_of }), buffers = buffers,
      regions = regions,
    }
  end
  return passes, bytes
end

--- The stages over weights of both passes, in the order of packed weights.
local function all_weights(l)
  local list = {}
  for _, name in ipairs(pass_names) do
    lists.append(list, lists.filter(l.passes[name], function(s) return s.kind == 'weights' end))
  end
  return list
end

---@param l Layer
---@param isa table
---@param choices Choices
---@return Training
function M.plan(l, isa, choices)
  local forward = l.passes.forward
  local panels, packed_bytes = layout.packed(all_weights(l))
  local ahead = packed_bytes > choices.near_bytes
    and stage_plan.fetching_always(choices.fetch_ahead)
  local saved, saved_of, saved_row = saved_places(forward)
  local passes, row_bytes = places_of_passes(l, saved_of)
  local block = stage_record.longest_block
  local rows = slab_blocks * block * row_bytes > slab_bytes and block or slab_blocks * block
  local planned, sum_bytes, scratch_bytes = {}, 0, 0
  for _, name in ipairs(pass_names) do
    local pass = passes[name]
    for i, s in ipairs(l.passes[name]) do
      local p, tiles, bytes, step = false, false, 0, panel
      local width = layout.round_up(s.outputs, panel)
      if s.kind == 'weights' then
        p, bytes = weights_stage(isa, s, #planned, panels[#planned + 1], rows, choices, ahead,
          pass.places[s.results[1].tensor] == nil)
        planned[#planned + 1], step = p, p.column_step
        scratch_bytes = math.max(scratch_bytes, p.scratch and p.scratch.bytes or 0)
      elseif s.kind == 'tokens' then
        tiles, bytes = token_tiles(isa, s)
        width, step = layout.round_up(s.inputs, panel), operand_step
      end
      sum_bytes = math.max(sum_bytes, bytes)
      pass.stages[i] = record.strict('train stage', {
        stage = s, plan = p, tiles = tiles,
        column_step = math.min(width, step), region = pass.regions[i],
      })
    end
    passes[name] = record.strict('train pass', {
      stages = pass.stages, buffers = pass.buffers, places = pass.places,
    })
  end
  sum_bytes = layout.round_up(sum_bytes, weight_layout.alignment)
  return record.strict('training', {
    passes = passes, panels = planned, saved = saved, saved_row = saved_row,
    saved_bytes = layout.bytes(saved_row),
    outputs = backward.outputs(forward), rows = rows, packed_bytes = packed_bytes,
    batches = batches.of_training(planned, l.flop_per_token),
    shared_bytes = rows * row_bytes,
    thread_bytes = sum_bytes + layout.round_up(scratch_bytes, weight_layout.alignment),
    scratch_at = scratch_bytes > 0 and sum_bytes,
  })
end

return M
