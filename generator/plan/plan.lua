--- plan: Layer, isa -> Plan. Register tiles, blocking, and the bytes of packed weights and work
--- memory. A plan chooses which outputs are computed together, never in which order they sum.
local batches = require 'plan.batches'
local lists = require 'common.list'
local record = require 'common.record'
local compact = require 'plan.compact'
local name_grammar = require 'lower.name'
local lanes_plan = require 'plan.lanes'
local layout = require 'plan.layout'
local needs = require 'plan.needs'
local stage_plan = require 'plan.stage'
local straight_plan = require 'plan.straight'
local plan_tiles = require 'plan.tiles'
local training = require 'plan.training'
local weight_layout = require 'weights.layout'
local cpus = require 'cpu'

local M = {}

--- Fewer rows where their operands would take more bytes than this.
local operand_bytes = 64 << 20

--- Of a number of an input that is not zero.
local entry_bytes = 4

---@class Pass
---@field stages StagePlan[]
---@field form Straight|Compact|Walk
---@field lanes Lanes|false    a block of tokens, one in each lane
---@field blocks Lanes[]       it and its pair, widest first
---@field own_rows integer    of a thread, at least: where each has fewer, all take columns
---@field rows integer        of one walk, at most
---@field buffers Buffer[]
---@field sum_row integer     bytes of the sums of a chunk, for each row
---@field packed_bytes integer
---@field far boolean         its weights come from memory, not from a core's own cache
---@field places integer[]    bytes of a row's operands in work memory
---@field add Add
---@field in_place boolean     y may be x
---@field work Work
---@field refused Refusal[]  forms that would suit it, but for its formats

---@class Straight  a function for each of some numbers of rows
---@field name 'straight'
---@field forms Form[]

---@class Walk  rows, columns and k blocks in loops
---@field name 'walk'

---@class RowsOfForm  what a form does with the rows of a call
---@field places integer[]  bytes of a row for each operand in work memory
---@field read integer      that of these which the last stage reads to the end
---@field whole boolean     it gives whole rows, which are added to y at once
---@field rows integer      that a thread takes at a time, at most
---@field sums integer      bytes of a row for sums
---@field copies boolean    a row of x is copied before its row of y is written

--- These by the name of the form.
local rows_of_form = {}

---@return RowsOfForm
function rows_of_form.compact(pass)
  return {
    places = pass.form.hidden, read = pass.form.read, whole = true, rows = 1, sums = 0,
    copies = false,
  }
end

---@return RowsOfForm
function rows_of_form.straight(pass, heights)
  local forms = pass.form.forms
  return {
    places = lists.map(pass.stages, function(s) return layout.row_bytes(s.stage) end),
    read = #pass.stages, whole = true, rows = heights[1], sums = 0, copies = forms[#forms].copies,
  }
end

---@return RowsOfForm
function rows_of_form.walk(pass)
  return {
    places = lists.map(pass.buffers, function(buffer) return buffer.bytes end),
    read = pass.stages[#pass.stages].buffer, whole = false, rows = pass.rows, sums = pass.sum_row,
    copies = true,
  }
end

---@class Add  where results lie before they are added to y
---@field columns integer  of a row, at a time
---@field buffer integer   the operand whose place they take, read no more; or behind the last one
---@field own boolean      a place of their own, behind all else

--- Whole rows of what does not walk are added, else the columns of the widest tile at least at a
--- time: of several outputs those of each.
---@param form RowsOfForm
---@return Add
local function add(pass, form)
  local last, columns, least = pass.stages[#pass.stages], 0, 0
  for _, s in ipairs(pass.stages) do
    if s.stage.beside or s == last then
      local own = s.stage.stream.layout.columns
      columns = math.max(columns, own)
      local widest = math.max(s.tiles[1].cols, weight_layout.unit)
      if s.scratch then widest = layout.common_multiple(widest, s.scratch.strip) end
      least = math.max(least, math.min(own, widest))
    end
  end
  if form.whole then least = columns end
  local best, width = #form.places + 1, 0
  for b, bytes in ipairs(form.places) do
    local room = bytes >= layout.bytes(columns) and columns
      or bytes // layout.bytes(least) * least
    if b ~= form.read and room > width then best, width = b, room end
  end
  local own = width == 0
  return record.strict('add', { columns = own and least or width, buffer = best, own = own })
end

--- Bytes that a thread has for all rows together: the list of inputs that are not zero; or scratch,
--- where rows are many and skip nothing.
---@param form RowsOfForm
local function list_or_scratch(pass, form)
  local bytes = 0
  for _, s in ipairs(form.whole and {} or pass.stages) do
    local entries = s.sparse and s.stage.inputs + stage_plan.list_ahead or 0
    bytes = math.max(bytes, entries * entry_bytes, s.scratch and s.scratch.bytes or 0)
  end
  return layout.round_up(bytes, weight_layout.alignment)
end

---@class Work  work memory of a thread, in bytes: in proportion to rows, which are tokens at most
---@field rows integer   that a thread takes at a time, at most
---@field row integer    for each of them
---@field beside integer and for all of them together
---@field most integer   for any number of tokens

---@param pass Pass
---@param form RowsOfForm
---@return Work
local function work(pass, form)
  local row = form.sums + (pass.add.own and layout.bytes(pass.add.columns) or 0)
  for _, place in ipairs(form.places) do row = row + place end
  local blocks = 0
  for _, block in ipairs(pass.blocks) do blocks = blocks + block.bytes end
  local beside = math.max(list_or_scratch(pass, form), blocks)
  return record.strict('work', {
    rows = form.rows, row = row, beside = beside, most = form.rows * row + beside,
  })
end

--- Where threads share columns, each stage waits for the last of them; where each has rows of its
--- own, each reads all weights. That costs nothing where they are in a core's own cache; where they
--- come from memory, two tiles of rows are worth it.
---@param row_tile integer  of the largest main tile, or of two that hold activations
---@param block Lanes|false
local function own_rows(far, row_tile, block)
  if block then return block.tokens end
  return far and 2 * row_tile or math.min(4, 2 * row_tile)
end

--- What each stage of a pass needs of the others.
---@param shapes StageTiles[]
---@param use table           what the stages have in common of a StageUse
---@return StagePlan[]
local function stages_of(isa, stages, shapes, use)
  local panels, list, buffer_of = layout.packed(stages), {}, use.buffer_of
  for i, s in ipairs(stages) do
    list[i] = stage_plan.stage(isa, s, {
      index = i - 1, panels = panels[i], tiles = shapes[i],
      buffer = use.of_operand[i], waits = buffer_of[s.operand.tensor],
      final = stage_plan.is_final(s, buffer_of), laid = stage_plan.laid(stages, s),
      rows = use.rows, most_rows = use.most_rows,
      choices = use.choices, sparse = use.sparse, lockstep = use.lockstep,
    })
  end
  return list
end

--- The form of a pass.
---@param fmas integer|nil  of a row of what does not walk
---@param block Lanes|false
---@return Straight|Compact|Walk
local function form_of(isa, list, few_bytes, fmas, block, most_rows)
  if few_bytes then return compact.plan(list) end
  if not fmas then return record.strict('walk', { name = 'walk' }) end
  local forms = straight_plan.forms(isa, list, fmas, most_rows)
  return record.strict('straight', {
    name = 'straight', forms = straight_plan.reached(forms, block),
  })
end

--- Rows of a walk at most, in whole tiles, and those of the largest tile.
---@param shapes StageTiles[]
---@param buffers Buffer[]
local function rows_of_walk(shapes, buffers, choices, most_rows)
  local row_tile, row_bytes = 0, 0
  for _, shape in ipairs(shapes) do
    local main = shape.scratch and shape.scratch.main or shape.main
    row_tile = math.max(row_tile, math.min(plan_tiles.row_step(main), most_rows))
  end
  for _, buffer in ipairs(buffers) do row_bytes = row_bytes + buffer.bytes end
  local rows = math.min(choices.rows_per_walk, operand_bytes // row_bytes)
  return math.max(1, rows // row_tile) * row_tile, row_tile
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
  local refused = few_bytes and needs.refused_by(stages, 'size') or {}
  few_bytes = few_bytes and #refused == 0
  local _, packed_bytes = layout.packed(stages)
  local buffers, buffer_of, of_operand = layout.buffers(stages)
  local far = packed_bytes > choices.near_bytes and not few_bytes
  local fetching = far and stage_plan.fetching(lists.append({ choices }, others or {}))
  local shapes = lists.map(stages, function(s)
    stage_plan.check_words(isa, s)
    return stage_plan.tiles(isa, s, stage_plan.laid(stages, s), choices, fetching, most_rows)
  end)
  local rows, row_tile = rows_of_walk(shapes, buffers, choices, most_rows)
  local fmas, least, without
  if not few_bytes then
    fmas, without = straight_plan.fmas(isa, stages, packed_bytes)
    lists.append(refused, without)
    least, without = lanes_plan.least(isa, stages, packed_bytes, not fmas, most_rows)
    lists.append(refused, without)
  end
  local list = stages_of(isa, stages, shapes, {
    buffer_of = buffer_of, of_operand = of_operand,
    rows = rows, most_rows = most_rows, choices = choices, sparse = sparse and not few_bytes,
    lockstep = not (fmas or least or few_bytes),
  })
  local sum_row = 0
  for _, s in ipairs(list) do sum_row = math.max(sum_row, s.sums) end
  local block = least and lanes_plan.plan(isa, list, least, most_rows) or false
  local pass = {
    stages = list, form = form_of(isa, list, few_bytes, fmas, block, most_rows),
    lanes = block, blocks = lanes_plan.blocks(block),
    own_rows = own_rows(far, row_tile, block), rows = math.min(rows, most_rows),
    buffers = buffers,
    sum_row = sum_row, packed_bytes = packed_bytes, far = far, refused = refused,
  }
  local of_form = rows_of_form[pass.form.name](pass, straight_plan.heights(isa, most_rows))
  for _, s in ipairs(of_form.whole and {} or list) do lists.append(refused, s.refused) end
  pass.places = of_form.places
  pass.add = add(pass, of_form)
  -- A later stage writes what is read before, too.
  pass.in_place = #list > 1 or of_form.copies
  pass.work = work(pass, of_form)
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
---@field batches Batches[]   calls that reach all of its code

---@param l Layer
---@param isa table
---@param choices Choices?   measured, in place of the profile's
---@param tuned_for string?  the CPU on which they were measured
---@param profiles Profile[]?  of CPUs, that of all others first; nil: all that there are
---@return Plan
function M.plan(l, isa, choices, tuned_for, profiles)
  profiles = lists.map(profiles or cpus.all, function(p)
    return cpus.for_weights(p, l.passes.forward, isa)
  end)
  local profile = profiles[1]
  --- What was measured was so on one CPU.
  local others = choices and {} or lists.filter(profiles, function(p)
    return p ~= profile and cpus.suits(p, isa)
  end)
  choices = choices or profile.choices
  local few_bytes = name_grammar.is_compact(l.optimise, isa.name)
  local most_rows = l.max_tokens > 0 and l.max_tokens or nil
  local forward = M.pass(l.passes.forward, isa, choices, l.sparse, few_bytes,
    lists.map(others, function(p) return p.choices end), most_rows)
  return record.strict('plan', {
    layer = l, isa = isa, name = name_grammar.encode(l.name, isa.name, l),
    profile = profile, choices = choices, tuned_for = tuned_for or false,
    others = forward.far and others or {}, passes = { forward = forward },
    training = l.backward and training.plan(l, isa, choices),
    batches = batches.of(forward, l.flop_per_token, most_rows or math.maxinteger),
  })
end

return M
