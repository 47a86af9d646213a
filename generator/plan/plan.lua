--- plan: Layer, isa -> Plan. Register tiles, blocking, and the bytes of packed weights and work
--- memory. A plan chooses which outputs are computed together, never in which order they sum.
local list_of = require 'common.list'
local record = require 'common.record'
local compact = require 'plan.compact'
local name = require 'lower.name'
local lanes = require 'plan.lanes'
local layout = require 'plan.layout'
local stages_of = require 'plan.stage'
local straight = require 'plan.straight'
local tiles = require 'plan.tiles'
local training = require 'plan.training'
local layer = require 'lower.layer'
local cpus = require 'cpu'

local M = {}

--- Fewer rows where their operands would take more bytes than this.
local operand_bytes = 64 << 20

---@class Pass
---@field stages StagePlan[]
---@field straight Form[]|false
---@field lanes Lanes|false    a block of tokens, one in each lane
---@field compact Compact|false  written for few bytes
---@field own_rows integer    of a thread, at least: where each has fewer, all take columns
---@field rows integer        of one walk, at most
---@field buffers Buffer[]
---@field sum_row integer     floats of the sums of a chunk, for each row
---@field list_entries integer of the list of inputs that are not zero; 0 where there is none
---@field packed_bytes integer
---@field far boolean         its weights come from memory, not from a core's own cache
---@field places integer[]    floats of a row's operands in work memory
---@field add Add
---@field in_place boolean     y may be x
---@field work Work

--- Where operands lie in work memory.
---@return integer[]
local function places(pass)
  if pass.compact then return pass.compact.hidden end
  return list_of.map(pass.straight and pass.stages or pass.buffers, function(place)
    return pass.straight and place.row or place.floats
  end)
end

---@class Add  where results lie before they are added to y
---@field columns integer  of a row, at a time
---@field buffer integer   the operand whose place they take, read no more; or behind the last one
---@field own boolean      a place of their own, behind all else

--- Whole rows of what does not walk are added, else the columns of the widest tile at least at a
--- time.
---@return Add
local function add(pass)
  local last = pass.stages[#pass.stages]
  local columns = last.panels.columns
  -- The last stage's operand is read to the end.
  local least, used = columns, #pass.stages
  if pass.compact then
    used = #pass.stages % 2 + 1
  elseif not pass.straight then
    least, used = math.min(columns, math.max(last.tiles[1].cols, layer.panel)), last.buffer
  end
  local best, width = #pass.places + 1, 0
  for b, floats in ipairs(pass.places) do
    local room = floats >= columns and columns or floats // least * least
    if b ~= used and room > width then best, width = b, room end
  end
  local own = width == 0
  return record.strict('add', { columns = own and least or width, buffer = best, own = own })
end

---@class Work  work memory of a thread, in bytes: in proportion to rows, which are tokens at most
---@field rows integer   that a thread takes at a time, at most
---@field row integer    for each of them
---@field beside integer and for all of them together
---@field most integer   for any number of tokens

---@param straight_rows integer  of code that gives whole rows, at most
---@return Work
local function work(pass, straight_rows)
  local floats, rows, beside = pass.add.own and pass.add.columns or 0, pass.rows, 0
  for _, place in ipairs(pass.places) do floats = floats + place end
  if pass.compact then
    rows = 1
  elseif pass.straight then
    rows = straight_rows
  else
    floats = floats + pass.sum_row
    beside = layout.round_up(pass.list_entries, layer.panel)
  end
  local blocks = 0
  for _, block in ipairs(lanes.blocks(pass.lanes)) do blocks = blocks + block.floats end
  beside = math.max(beside, blocks)
  return record.strict('work', {
    rows = rows, row = 4 * floats, beside = 4 * beside, most = 4 * (rows * floats + beside),
  })
end

--- Whether a row of x is read before its row of y is written: where it is copied into work memory,
--- or a later stage writes.
local function reads_before_it_writes(pass)
  if #pass.stages > 1 then return true end
  if pass.compact then return false end
  return not pass.straight or straight.copies(pass.stages[1].stage, 1)
end

--- Where threads share columns, each stage waits for the last of them; where each has rows of its
--- own, each reads all weights. That costs nothing where they are in a core's own cache: Zen 4, two
--- threads, takes 0.54 to 0.76 of the time for 8 to 48 tokens of 64-256-64 in rows. Where they come
--- from memory, two tiles of rows are worth it.
---@param row_tile integer  of the largest main tile, or of two that hold activations
---@param block Lanes|nil
local function own_rows(far, row_tile, block)
  if block then return block.tokens end
  return far and 2 * row_tile or math.min(4, 2 * row_tile)
end

--- One pass over a list of stages.
---@param stages Stage[]
---@param isa table
---@param choices Choices
---@param sparse boolean  rows of zeros may be skipped
---@param few_bytes boolean?    written for few bytes
---@param others Choices[]|nil  of CPUs that share its code
---@param most_rows integer?    of a call
---@return Pass
function M.pass(stages, isa, choices, sparse, few_bytes, others, most_rows)
  most_rows = most_rows or math.maxinteger
  local panels, packed_bytes = layout.packed(stages)
  local buffers, buffer_of = layout.buffers(stages)
  local list, row_tile, row_floats = {}, 0, 0
  local far = packed_bytes > choices.near_bytes and not few_bytes
  local fetching = far and stages_of.fetching(list_of.append({ choices }, others or {}))
  for i in ipairs(stages) do
    list[i] = stages_of.stage(isa, stages, i, panels[i], buffer_of, choices, fetching,
      most_rows)
    row_tile = math.max(row_tile, math.min(tiles.row_step(list[i].main), most_rows))
  end
  for _, buffer in ipairs(buffers) do row_floats = row_floats + buffer.floats end
  local rows = math.min(choices.rows_per_walk, operand_bytes // (4 * row_floats))
  rows = math.max(1, rows // row_tile) * row_tile

  local sum_row, list_entries = 0, 0
  for i, s in ipairs(list) do
    local floats
    s.chunk, floats = stages_of.chunk(s, rows, choices, most_rows)
    sum_row = math.max(sum_row, floats)
    if sparse and not few_bytes and s.stage.operand.zeros and s.stage.sum.chains == 1 then
      s.sparse = stages_of.sparse(s)
      list_entries = math.max(list_entries, s.stage.inputs + stages_of.list_ahead)
    end
    list[i] = record.strict('stage plan', s)
  end
  local forms = not few_bytes and straight.forms(isa, list, packed_bytes, most_rows) or nil
  local block = not few_bytes and lanes.plan(isa, list, packed_bytes, not forms, most_rows)
    or nil
  if not (forms or block or few_bytes) then
    for _, s in ipairs(list) do s.lockstep = stages_of.lockstep(isa, s) end
  end
  local pass = {
    stages = list, straight = forms and straight.reached(forms, block) or false,
    lanes = block or false,
    compact = few_bytes and compact.plan(list) or false,
    own_rows = own_rows(far, row_tile, block), rows = math.min(rows, most_rows),
    buffers = buffers,
    sum_row = sum_row, list_entries = list_entries, packed_bytes = packed_bytes, far = far,
  }
  pass.places = places(pass)
  pass.add = add(pass)
  pass.in_place = reads_before_it_writes(pass)
  pass.work = work(pass, straight.heights(isa, most_rows)[1])
  return record.strict('pass', pass)
end

---@class Plan
---@field layer Layer
---@field isa table
---@field name string
---@field profile Profile       whose choices these were, before a measurement changed any
---@field choices Choices
---@field others Profile[]     CPUs that share its code and have a descriptor of their own
---@field tuned_for string|false the CPU on which they were measured
---@field passes table<string, Pass>  forward
---@field training Training|false

---@param l Layer
---@param isa table
---@param choices Choices?   measured, in place of the profile's
---@param tuned_for string?  the CPU on which they were measured
---@param profiles Profile[]?  of CPUs, that of all others first; nil: all that there are
---@return Plan
function M.plan(l, isa, choices, tuned_for, profiles)
  profiles = profiles or cpus.all
  local profile = profiles[1]
  --- What was measured was so on one CPU.
  local others = choices and {} or list_of.filter(profiles, function(p)
    return p ~= profile and cpus.suits(p, isa.name)
  end)
  choices = choices or profile.choices
  local few_bytes = name.is_compact(l.optimise, isa.name)
  local forward = M.pass(l.passes.forward, isa, choices, l.sparse, few_bytes,
    list_of.map(others, function(p) return p.choices end),
    l.max_tokens > 0 and l.max_tokens or nil)
  return record.strict('plan', {
    layer = l, isa = isa, name = name.encode(l.name, isa.name, l),
    profile = profile, choices = choices, tuned_for = tuned_for or false,
    others = forward.far and others or {}, passes = { forward = forward },
    training = l.backward and training.plan(l, isa, choices),
  })
end

return M
