--- plan: Layer, isa -> Plan. Register tiles, blocking, and the bytes of packed weights and work
--- memory. A plan chooses which outputs are computed together, never in which order they sum.
local record = require 'common.record'
local name = require 'lower.name'
local layout = require 'plan.layout'
local stages_of = require 'plan.stage'
local straight = require 'plan.straight'
local training = require 'plan.training'
local layer = require 'lower.layer'
local cpus = require 'cpu'

local M = {}

--- Fewer rows where their operands would take more bytes than this.
local operand_bytes = 64 << 20

--- Packed weights of more bytes than this do not stay in a core's own cache: they are fetched
--- ahead of their use.
local near_bytes = 1 << 20

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
    list[i] = stages_of.stage(isa, stages, i, panels[i], buffer_of, choices)
    row_tile = math.max(row_tile, list[i].main.rows)
  end
  for _, buffer in ipairs(buffers) do row_floats = row_floats + buffer.floats end
  local rows = math.min(choices.rows_per_walk, operand_bytes // (4 * row_floats))
  rows = math.max(1, rows // row_tile) * row_tile

  local sum_floats, list_entries = 0, 0
  for i, s in ipairs(list) do
    local floats
    s.chunk, floats = stages_of.chunk(s, rows, choices)
    sum_floats = math.max(sum_floats, floats)
    s.ahead = packed_bytes > near_bytes and choices.fetch_ahead
    if sparse and s.stage.operand.zeros and s.stage.sum.chains == 1 then
      s.sparse = stages_of.sparse(s)
      list_entries = math.max(list_entries, s.stage.inputs + stages_of.list_ahead)
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
---@field training Training|false

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
    training = l.backward and training.plan(l, isa, choices, near_bytes),
  })
end

return M
