--- Layers and plans: the order of sums, register budgets, byte budgets, tiles, the Llama rule.
local unit = require 'luaunit'
local support = require 'support'
local activations = require 'activation'
local pipeline = require 'pipeline'
local emit = require 'emit.emit'
local isas = require 'isa'
local layer = require 'lower.layer'
local lists = require 'common.list'
local naming = require 'emit.naming'
local plan = require 'plan.plan'
local spec = require 'read.spec'
local layout = require 'plan.layout'
local plan_tiles = require 'plan.tiles'
local stage_plan = require 'plan.stage'

local function round_up(n, step) return (n + step - 1) // step * step end

--- A spec as read, from the fields that matter.
local function make_spec(fields)
  local s = {
    name = 'test', about = '', file = 'test.lua', line = 1, bias = false, sparse = true,
    d_out = fields.kind == 'mlp' and fields.widths[#fields.widths].width or fields.d_model,
    build = { { dtype = 'f32', isa = support.f32_isas() } },
  }
  for key, value in pairs(fields) do s[key] = value end
  s.weights = fields.weights or support.all_f32(s)
  s.arithmetics = fields.arithmetics or support.all_fma(s)
  return s
end

--- The tile of a stage that serves any number of rows, before narrower ones of few.
local function main_of(s)
  for _, tile in ipairs(s.tiles) do
    if tile.serves_all then return tile end
  end
end

local function shipped_specs()
  return pipeline.read(support.spec_files())
end

local function random_size(most)
  local dice = math.random(4)
  return math.random(dice == 1 and 8 or dice == 2 and 70 or dice == 3 and 1100 or most)
end

local function random_spec()
  local kinds = { 'ffn', 'linear', 'mlp', 'glu', 'selfgate' }
  local kind = kinds[math.random(#kinds)]
  local function choose(list) return list[math.random(#list)] end
  local s = { kind = kind, d_model = random_size(20000), bias = math.random(2) == 1 }
  if kind == 'mlp' then
    s.widths = {}
    for i = 1, math.random(5) do
      local activation = choose(activations.plain_names)
      s.widths[i] = { width = random_size(3000), activation = activation,
        parameters = #activations.by_name[activation].parameters > 0 and 'runtime' or nil }
    end
  elseif kind == 'selfgate' then
    s.activation, s.d_out = choose(activations.plain_names), s.d_model
    local count = #activations.by_name[s.activation].parameters
    if count > 0 then s.parameters = { 1.5, count > 1 and -0.5 or nil } end
  elseif kind ~= 'linear' then
    s.variant = choose(kind == 'glu' and activations.gated_names or activations.variant_names)
    if #activations.by_variant[s.variant].activation.parameters > 0 then
      s.parameters = 'runtime'
    end
  end
  if kind == 'ffn' then s.d_ff = random_size(30000) end
  if kind ~= 'mlp' and kind ~= 'selfgate' then s.d_out = random_size(5000) end
  return make_spec(s)
end

--- Whatever a record may hold, but for walks too long for the checks.
local function random_choices()
  return {
    main_columns = 1 << math.random(0, 7), rows_per_walk = math.random(256),
    sum_bytes = 1 << math.random(0, 26), stream_rows = 1 << math.random(0, 26),
    fetch_ahead = math.random(0, 1 << 26), fetch_level = math.random(1, 2),
    few_ahead = math.random(0, 1) * math.random(1 << 26), few_rows = math.random(9),
    few_l2_ahead = math.random(0, 1) * math.random(1 << 26),
    streams = math.random(1, 9), reread = math.random(0, 1),
    near_bytes = math.random(0, 1) * math.random(1 << 26),
  }
end

-- The order of sums ------------------------------------------------------------------------------

TestLayers = {}

local function check_stage(s, what)
  local sum = s.sum
  local most = s.arithmetic.one_chain and s.inputs or 128
  unit.assertTrue(sum.block >= 1 and sum.block <= most, what .. ': block ' .. sum.block)
  unit.assertTrue(sum.block <= s.inputs, what)
  if sum.blocks > 1 then
    unit.assertEquals(sum.block % 16, 0, what .. ': block ' .. sum.block)
  end
  unit.assertEquals((sum.blocks - 1) * sum.block + sum.last, s.inputs, what)
  unit.assertTrue(sum.last >= 1 and sum.last <= sum.block, what)
  unit.assertTrue(sum.chains == 1 or sum.chains == 2 or sum.chains == 4 or sum.chains == 8,
    what .. ': chains ' .. sum.chains)
  unit.assertTrue(sum.chains <= sum.block, what)
  -- Additions and multiplications that an output passes through, one rounding each.
  local folds = ({ [1] = 0, [2] = 1, [4] = 2, [8] = 3 })[sum.chains]
  local bias = s.stream.bias and 1 or 0
  local group = s.operand.format.group
  unit.assertEquals(sum.roundings, s.arithmetic.word == 'dot_s8'
    and 2 * ((s.inputs + group - 1) // group) + 4 + bias
    or (sum.block + sum.chains - 1) // sum.chains + folds + sum.blocks - 1 + bias,
    what .. ': roundings')
  local branches = s.stream.branches
  unit.assertTrue(#branches == 1 or #branches == 2, what)
  unit.assertEquals(#branches == 2, s.forward.product == 'up' or s.forward.product == 'both', what)
end

--- Stages of a chain: each reads what the one before it made, and the last makes y.
local function check_chain(l)
  local inputs, tensor = l.inputs, 'x'
  for _, stage in ipairs(l.passes.forward) do
    unit.assertEquals(stage.inputs, inputs, l.name)
    unit.assertEquals(stage.operand.tensor, tensor, l.name)
    inputs, tensor = stage.outputs, stage.results[1].tensor
  end
  unit.assertEquals(tensor, 'y', l.name)
  unit.assertEquals(inputs, l.outputs, l.name)
end

--- Stages of several outputs: all read x, and each makes its own, in their order.
local function check_beside(l)
  local width = 0
  unit.assertEquals(#l.passes.forward, #l.beside, l.name)
  for i, stage in ipairs(l.passes.forward) do
    unit.assertEquals({ stage.operand.tensor, stage.inputs }, { 'x', l.inputs }, l.name)
    unit.assertEquals({ stage.results[1].tensor, stage.outputs },
      { 'y_' .. l.beside[i].name, l.beside[i].width }, l.name)
    width = width + stage.outputs
  end
  unit.assertEquals(width, l.outputs, l.name)
end

local function check_layer(s)
  local l = layer.lower(s)
  local flop, stages = 0, l.passes.forward
  for i, stage in ipairs(stages) do
    check_stage(stage, ('%s stage %d'):format(l.name, i))
    unit.assertEquals(stage.stream.bias, s.bias)
    unit.assertEquals(#stage.results, 1, l.name)
    flop = flop + 2 * stage.inputs * stage.outputs * #stage.stream.branches
  end
  if l.beside then check_beside(l) else check_chain(l) end
  unit.assertEquals({ l.inputs, l.outputs }, { s.d_model, s.d_out })
  unit.assertEquals(l.flop_per_token, flop)
  local count = {
    ffn = 2, glu = 1, selfgate = 1, linear = l.beside and #l.beside or 1,
    mlp = s.widths and #s.widths,
  }
  unit.assertEquals(#stages, count[s.kind])
  unit.assertEquals(#l.equation, math.min(#stages, 4))
  return l
end

function TestLayers.test_shipped()
  local specs = shipped_specs()
  unit.assertTrue(#specs > 50)
  for _, s in ipairs(specs) do check_layer(s) end
end

function TestLayers.test_random()
  math.randomseed(11)
  for _ = 1, 1500 do check_layer(random_spec()) end
end

--- Every length of a sum up to 770, at three widths.
function TestLayers.test_every_length()
  local chains, blocks = {}, {}
  for d_model = 1, 770 do
    for _, d_out in ipairs { 1, 40, 200 } do
      local l = check_layer(make_spec { kind = 'linear', d_model = d_model, d_out = d_out })
      local sum = l.passes.forward[1].sum
      chains[sum.chains] = true
      blocks[sum.blocks] = true
    end
  end
  unit.assertEquals(support.keys(chains), { 1, 2, 4, 8 })
  unit.assertEquals(support.keys(blocks), { 1, 2, 3, 4, 5, 6, 7 })
end

--- The order is the layer's alone: the files of all instruction sets say the same of it.
function TestLayers.test_same_order_on_every_isa()
  local groups, compared = {}, 0
  for path, text in pairs(support.snapshot(support.project .. '/generated')) do
    local layer_name, isa = path:match('^(.*_f32)_(%w+)%.c$')
    if layer_name then
      local table_text = text:match('static const ffn_stage stages%[%] = (%b{});')
      unit.assertNotNil(table_text, path)
      local order = table_text .. text:match('\n %* Sums .-\n %*/')
      unit.assertTrue(isas.by_name[isa] ~= nil)
      unit.assertTrue(groups[layer_name] == nil or groups[layer_name] == order, path)
      compared = compared + (groups[layer_name] and 1 or 0)
      groups[layer_name] = order
    end
  end
  unit.assertTrue(compared >= 15)
end

-- Plans ------------------------------------------------------------------------------------------

TestPlans = {}

local function check_tiles(p, s)
  local what = ('%s %s'):format(p.name, s.stage.name)
  local isa, stage = p.isa, s.stage
  local branches, lies = #stage.stream.branches, stage.stream.layout
  unit.assertEquals(lies.columns, round_up(stage.outputs, 16), what)
  local main, main_found, cols_seen = main_of(s), false, {}
  for _, tile in ipairs(s.tiles) do
    unit.assertTrue(tile.rows >= 1 and tile.cols >= isa.lanes, what)
    if tile.matrix then -- vectors of a bundle are summed one after the other
      unit.assertEquals({ tile.rows, tile.cols, #s.tiles }, { isa.matrix.rows, lies.width, 1 },
        what)
    end
    unit.assertEquals(tile.cols % isa.lanes, 0, what)
    unit.assertEquals(tile.vectors, branches * tile.cols // isa.lanes, what)
    -- Sums, weights and an activation, or activations and a weight; a single row may take its
    -- weights from memory.
    local held = tile.holds == 'weights' and tile.vectors or tile.rows
    local sums = tile.rows * (tile.matrix and 1 or tile.vectors) * stage.sum.chains
    local decodes = not stage.stream.format.c_type
    if decodes then
      unit.assertTrue(tile.registers >= sums + 2, what)
    else
      unit.assertEquals(tile.registers, sums + (tile.rows > 1 and held or 1) + 1, what)
    end
    -- A row has to do with what there is, whatever groups hold.
    unit.assertTrue(tile.registers <= isa.files.vector or decodes and tile.rows == 1,
      ('%s: %d of %d registers'):format(what, tile.registers, isa.files.vector))
    unit.assertTrue(tile.cols <= lies.columns, what)
    unit.assertNil(cols_seen[tile.cols], what .. ': two tiles of one width share a name')
    cols_seen[tile.cols] = true
    -- One stream: no more than what lies line by line; or two of long panels; or twice as many of
    -- one row, where its sums would be two.
    local streams = lies.members == 1 and lies.bundle >= 4096 and 2 or 1
    if stage.stream.format.bytes ~= 4 then
      unit.assertEquals(tile.fetched, s.ahead ~= false and tile.cols > streams * lies.width, what)
      if tile.rows == 1 and tile.vectors == 4 then streams = 2 * streams end
      unit.assertTrue(tile.cols <= streams * lies.width, what)
    end
    unit.assertTrue(tile.vectors % tile.side_by_side == 0, what)
    main_found = main_found or tile == main
    -- Of few rows, those of a call or those that decode, narrower ones serve what the main tile
    -- leaves over.
    local narrower = main_found and tile ~= main
      and (tile.rows == p.layer.max_tokens or decodes and tile.rows == main.rows)
    unit.assertTrue(tile.serves_all == (tile == main) or narrower, what)
    -- But for what is left over by a tile that holds activations, of more columns for fewer rows.
    local left_over = main_found and tile ~= main and main.holds == 'activations'
    unit.assertTrue(tile.rows <= main.rows or left_over, what)
    -- What decodes weights meets all activations with each vector.
    unit.assertTrue(decodes or tile.holds == 'weights' or tile == main or p.layer.max_tokens > 0,
      what)
  end
  unit.assertTrue(main_found, what)
end

--- Walks over the columns [first, last) as columns.c.tpl does: each step takes the first tile that
--- serves the rows and fits, the last takes what is left. A CPU reads so many panels side by side;
--- one of four fetches nothing for few rows.
local function walk(p, s, rows, first, last, streams)
  local pass = p.passes.forward
  local what = ('%s %s, %d rows, columns %d to %d'):format(p.name, s.stage.name, rows, first, last)
  local column, steps, main, lies = first, 0, main_of(s), s.stage.stream.layout
  while column < last do
    local chosen
    for i, tile in ipairs(s.tiles) do
      local left = last - column
      if not chosen and (i == #s.tiles
        or (tile == main or rows <= tile.rows) and left >= math.max(tile.cols, lies.width)
        and not (tile.streams and s.streams and tile.cols > 16 * streams)
        and not (tile.fetched and s.streams and streams == 4)) then
        chosen = tile
      end
    end
    local left = last - column
    unit.assertTrue(chosen.cols <= left, what .. ': a tile beyond the last column')
    local group = math.max(chosen.cols, lies.width)
    unit.assertTrue(left >= group, what .. ': a panel beyond the last column')
    local chunk = rows <= s.stream_rows and group or math.min(left // group * group, s.chunk)
    unit.assertTrue(chunk > 0 and chunk % group == 0, what)
    unit.assertTrue(4 * #s.stage.stream.branches * chunk <= pass.sum_row,
      what .. ': sums beyond the work memory')
    column = column + chunk
    steps = steps + 1
    unit.assertTrue(steps < 100000, what)
  end
  unit.assertEquals(column, last, what)
end

--- Panels abreast: visits take every column once, in registers that there are, and the sums of all
--- rows fit, those of a block beside those of earlier ones.
local function check_abreast(p, s)
  local a, sum = s.abreast, s.stage.sum
  if not a then return end
  local branches, lanes = #s.stage.stream.branches, p.isa.lanes
  unit.assertEquals(a.columns, 16 * a.panels, p.name)
  unit.assertTrue(a.columns <= s.stage.stream.layout.columns, p.name)
  unit.assertEquals(a.tile.vectors, branches * a.panels * a.visited // lanes, p.name)
  unit.assertTrue(a.visited == 16 or a.visited == lanes and lanes == 8, p.name)
  unit.assertTrue(a.tile.registers <= p.isa.files.vector, p.name)
  unit.assertEquals(sum.chains, 1, p.name)
  -- The tiles of a visit fetch every line of the next one, and fewer behind it than each of them
  -- fetches once more.
  unit.assertEquals(a.every > 0, a.rows > a.tile.rows, p.name)
  if a.every > 0 then
    local turns = 4 // a.tile.rows * (16 // a.visited)
    local lies = s.stage.stream.layout
    local beyond = turns * (a.step // a.every) * a.fetched
      - a.step // lies.group * ((lies.step + 63) // 64)
    unit.assertTrue(beyond >= 0 and beyond < turns * (a.step // a.every), p.name)
  end
  unit.assertTrue(a.rows > 1 and a.rows <= (p.layer.max_tokens > 0 and p.layer.max_tokens or 4),
    p.name)
  unit.assertTrue((sum.blocks > 1 and 2 or 1) * branches * a.columns * 4
    <= p.passes.forward.sum_row, p.name .. ': sums beyond the work memory')
end

local function check_walks(p, s)
  local pass = p.passes.forward
  check_abreast(p, s)
  local rows = { [1] = true, [pass.rows] = true, [pass.own_rows] = true }
  for _, tile in ipairs(s.tiles) do
    rows[tile.rows], rows[math.min(tile.rows + 1, pass.rows)] = true, true
  end
  -- Parts of two threads differ by a main tile or a unit at most, or by two tiles of three panels;
  -- neither is cut.
  local columns, tile = s.stage.stream.layout.columns, main_of(s).cols
  unit.assertTrue(s.column_step % 32 == 0 and s.column_step % tile == 0 or s.column_step == columns,
    p.name)
  unit.assertTrue(s.column_step <= math.max(tile % 32 == 0 and tile or 2 * tile, 32, s.laid.unit),
    p.name)
  for count in pairs(rows) do
    for streams = s.streams or 8, 8, 4 do
      walk(p, s, count, 0, s.stage.stream.layout.columns, streams)
      -- A thread's part: multiples of column_step.
      local middle = s.stage.stream.layout.columns // s.column_step // 2 * s.column_step
      walk(p, s, count, 0, middle, streams)
      walk(p, s, count, middle, s.stage.stream.layout.columns, streams)
      if s.abreast and count > 1 and count <= s.abreast.rows then
        local taken = s.stage.stream.layout.columns // s.abreast.columns * s.abreast.columns
        walk(p, s, count, taken, s.stage.stream.layout.columns, streams)
      end
    end
  end
end

--- Packed weights: a header of one line, another one if scales of operands are packed, then of each
--- stage panels and biases, each output rounded up to a panel and each part to a line.
local function check_packed(pass, what)
  local brings = #lists.filter(pass.stages, function(s) return s.panels.operand_at end) > 0
  local at = brings and 128 or 64
  for _, s in ipairs(pass.stages) do
    local stage, panels = s.stage, s.panels
    local branches, columns = #stage.stream.branches, round_up(stage.outputs, 16)
    local lies, format = stage.stream.layout, stage.stream.format
    local panel = lies.placed.head_bytes
      + (stage.inputs + format.group - 1) // format.group * lies.placed.bytes
    local bytes = panel * branches * columns // 16
    unit.assertEquals(panels.at, at, what)
    unit.assertEquals({ lies.columns, lies.bytes }, { columns, bytes }, what)
    unit.assertEquals(lies.bundle, lies.width // 16 * branches * panel, what)
    unit.assertEquals(panels.bias_at, round_up(at + bytes, 64), what)
    unit.assertEquals(lies.pad, panels.bias_at - at - bytes, what)
    at = panels.bias_at + (stage.stream.bias and 4 * branches * columns or 0)
  end
  unit.assertEquals(pass.packed_bytes, at, what)
end

--- The bytes of so many k of an operand, in all of its planes: whole lines.
local function bytes_of_operand(format, k)
  local bytes = 0
  for _, plane in ipairs(format.planes) do
    bytes = bytes + (k + plane.every - 1) // plane.every * plane.bytes
  end
  return round_up(bytes, 64)
end

--- Operands: whole lines, each block of k as long as the sums want it, with room for the padded
--- outputs of the stage before; what is read and what is written lie apart.
local function check_operands(p, pass)
  local what, bytes_of = p.name, {}
  for i, s in ipairs(pass.stages) do
    local sum = s.stage.sum
    local format = s.stage.operand.format
    unit.assertEquals(s.row, round_up(sum.block, math.max(16, format.group)), what)
    unit.assertTrue(sum.blocks == 1 or s.row == sum.block, what)
    local numbers = sum.blocks * s.row
    bytes_of[s.buffer] = math.max(bytes_of[s.buffer] or 0,
      sum.blocks * bytes_of_operand(format, s.row))
    local beside = s.stage.beside -- all of these read x
    if i > 1 and beside then
      unit.assertEquals(s.buffer, pass.stages[1].buffer, what)
    elseif i > 1 then
      local before = pass.stages[i - 1]
      unit.assertTrue(numbers >= before.stage.stream.layout.columns, what)
      unit.assertNotEquals(s.waits or s.buffer, before.buffer, what)
      -- Rows that wait are floats, whatever part of them a task gives; they are laid where those
      -- were that they were made of.
      unit.assertEquals(s.waits ~= false, format.of_rows, what)
      if s.waits then
        bytes_of[s.waits] = math.max(bytes_of[s.waits] or 0, 4 * s.row)
        unit.assertEquals({ s.buffer, before.laid.unit, sum.blocks }, { before.buffer, 1, 1 }, what)
      end
    end
    unit.assertEquals(s.final, beside or i == #pass.stages)
    unit.assertTrue(s.stage == p.layer.passes.forward[i])
  end
  for b, buffer in ipairs(pass.buffers) do unit.assertEquals(buffer.bytes, bytes_of[b], what) end
  unit.assertEquals(#pass.buffers, #bytes_of, what)
end

--- What is added to y lies where nothing is read any more, or in a place of its own: whole rows of
--- straight-line code, and no fewer columns of others than the widest tile takes.
local function check_add(p, pass)
  local add, last = pass.add, pass.stages[#pass.stages]
  local whole = pass.form.name ~= 'walk'
  -- Stages written for few bytes read and write two tensors in turn, or bytes laid of these.
  local read = pass.form.name == 'compact'
      and (last.stage.arithmetic.takes == 'bytes' and 3 or #pass.stages % 2 + 1)
    or pass.form.name == 'straight' and #pass.stages or last.buffer
  local columns, widest = last.stage.stream.layout.columns, 0
  for _, s in ipairs(last.stage.beside and pass.stages or { last }) do
    local own = s.stage.stream.layout.columns
    columns, widest = math.max(columns, own), math.max(widest, math.min(own, s.tiles[1].cols))
  end
  unit.assertTrue(add.columns <= columns and add.columns % 16 == 0, p.name)
  local least = whole and columns or widest
  unit.assertTrue(add.columns >= least, p.name)
  unit.assertNotEquals(add.buffer, read, p.name)
  unit.assertEquals(add.own, add.buffer > #pass.places, p.name)
  unit.assertTrue(add.own or 4 * add.columns <= pass.places[add.buffer], p.name)
end

--- Work memory: the operands of a walk, its sums and the list of what is not zero; of straight-line
--- code the operands of its rows alone.
local function check_work(p, pass)
  local add = pass.add
  local row, rows, beside, work = add.own and 4 * add.columns or 0, pass.rows, 0, pass.work
  if pass.form.name == 'compact' then
    local turns, laid = { 64, 0 }, 0
    for i = 1, #pass.stages - 1 do
      local turn = 2 - i % 2
      turns[turn] = math.max(turns[turn], 4 * round_up(pass.stages[i].stage.outputs, 16))
    end
    for _, s in ipairs(pass.stages) do
      -- Bytes, a scale and what is kept of sums. A gate multiplies the floats of x itself.
      if s.stage.arithmetic.takes == 'bytes' then
        local floats = s.stage.operand.format.planes[1].lane == 'f32' and 4 * s.row or 0
        laid = math.max(laid, round_up(s.block_bytes, 64) - floats)
      end
    end
    rows, row = 1, row + turns[1] + turns[2] + laid
  elseif pass.form.name == 'straight' then
    local limit = p.layer.max_tokens > 0 and p.layer.max_tokens or 8
    rows = p.isa.files.vector >= 32 and limit >= 8 and 8 or math.min(limit, 4)
    for _, s in ipairs(pass.stages) do row = row + 4 * s.row end
  else
    for _, buffer in ipairs(pass.buffers) do row = row + buffer.bytes end
    row = row + pass.sum_row
    for _, s in ipairs(pass.stages) do
      if s.sparse then
        beside = math.max(beside, 4 * round_up(s.stage.inputs + stage_plan.list_ahead, 16))
      end
      if s.scratch then beside = math.max(beside, round_up(s.scratch.bytes, 64)) end
    end
  end
  local pair = pass.lanes and pass.lanes.pair
  if pass.lanes then
    beside = math.max(beside, pass.lanes.bytes + (pair and pair.bytes or 0))
  end
  unit.assertEquals({ work.rows, work.row, work.beside }, { rows, row, beside }, p.name)
  unit.assertEquals(work.most, rows * work.row + beside, p.name)
  unit.assertEquals({ work.row % 64, work.beside % 64 }, { 0, 0 }, p.name .. ': alignment')
  local most, tile = p.layer.max_tokens > 0 and p.layer.max_tokens or math.maxinteger, 1
  for _, s in ipairs(pass.stages) do
    local main = main_of(s.scratch and s.scratch.plan or s)
    tile = math.max(tile, math.min(plan_tiles.row_step(main), most))
  end
  unit.assertTrue(pass.rows % tile == 0 or pass.rows == most, p.name)
  unit.assertTrue(pass.rows >= tile and pass.rows <= 256, p.name)
  -- Each of two threads reads all weights from memory for two such tiles, from near for four rows.
  unit.assertEquals(pass.own_rows, pass.lanes and pass.lanes.tokens or pass.far and 2 * tile
    or math.min(4, 2 * tile), p.name)
end

--- A stage of one output whose sums fill eight lanes is dot products of at most four rows.
---@return boolean  whether it is
local function check_dots(form, part, what)
  local stage, tile = part.plan.stage, part.tiles[1]
  local fits = form.rows > 1 and stage.outputs == 1 and stage.sum.chains == 8
    and stage.inputs % 8 == 0 and stage.stream.format.floats
  for _, g in ipairs(part.tiles) do unit.assertEquals(g.dots, fits, what) end
  if fits then
    unit.assertEquals({ #part.tiles, tile.rows, tile.cols, tile.first, tile.vectors },
      { 1, math.min(form.rows, 4), 1, 0, 1 }, what)
    unit.assertEquals({ part.rows, form.rows % part.rows }, { tile.rows, 0 }, what)
  end
  return fits
end

--- The forms of a pass that does not walk.
local function forms_of(pass) return pass.form.name == 'straight' and pass.form.forms or {} end

--- The tiles of straight-line code: one beside the other, all outputs and no vector
--- more, within the registers.
local function check_straight(p, pass)
  for _, form in ipairs(forms_of(pass)) do
    unit.assertTrue(form.rows == 1 or not pass.lanes or form.rows < pass.lanes.least,
      ('%s: a block precedes %d rows'):format(p.name, form.rows))
    for i, part in ipairs(form.stages) do
      local what = ('%s %s, %d rows'):format(p.name, part.plan.stage.name, form.rows)
      local branches, column = #part.plan.stage.stream.branches, 0
      unit.assertTrue(part.plan == pass.stages[i], what)
      unit.assertEquals(form.rows % part.rows, 0, what)
      local tiles = check_dots(form, part, what) and {} or part.tiles
      for _, tile in ipairs(tiles) do
        unit.assertEquals(tile.first, column, what)
        unit.assertEquals(tile.rows, part.rows, what)
        unit.assertEquals(tile.vectors, branches * tile.cols // p.isa.lanes, what)
        local chains = tile.rows > 1 and 1 or part.plan.stage.sum.chains
        local sums = tile.rows * tile.vectors * chains
        local weights = tile.rows > 1 and tile.vectors or 1
        unit.assertTrue(#part.tiles == 1 or sums + weights + 1 <= p.isa.files.vector, what)
        column = column + tile.cols
      end
      unit.assertEquals(column, #tiles > 0
        and round_up(part.plan.stage.outputs, p.isa.lanes) or 0, what)
    end
  end
end

--- Every k of each chain of a sum is in a line, and none is beyond it.
local function check_lines(isa, lines, stage, sums, most, what)
  unit.assertTrue(lines[1] == 1 or isa.fused and lines[1] * sums <= most, what)
  for chain = 0, stage.sum.chains - 1 do
    local k = chain
    for _, line in ipairs(lines) do
      while k + (line - 1) * stage.sum.chains < stage.inputs do k = k + line * stage.sum.chains end
    end
    unit.assertTrue(k >= stage.inputs and k < stage.inputs + stage.sum.chains, what)
  end
end

--- Blocks of tokens in lanes: sums within the registers, room for every operand, and for rows of x
--- and y; whole panels. Only where outputs in lanes waste something.
---@param lanes Lanes
local function check_block(p, pass, lanes)
  local isa = p.isa
  unit.assertEquals(lanes.tokens, lanes.vectors * isa.lanes, p.name)
  unit.assertTrue(lanes.least > 1 and lanes.least <= lanes.tokens, p.name)
  unit.assertTrue(#pass.stages > 1 and pass.packed_bytes <= 32768, p.name)
  local own, room = 0, { lanes.even, lanes.odd }
  for i, part in ipairs(lanes.stages) do
    local stage = part.plan.stage
    local branches = #stage.stream.branches
    local what = ('%s %s'):format(p.name, stage.name)
    unit.assertTrue(part.plan == pass.stages[i] and stage.sum.blocks == 1, what)
    local sums = part.outputs * branches * lanes.vectors
    unit.assertTrue(sums + lanes.vectors + 1 <= isa.files.vector, what)
    unit.assertEquals(16 % part.outputs, 0, what)
    unit.assertEquals(part.rest, stage.outputs % part.outputs, what)
    unit.assertEquals(2 ^ (part.depth - 1), stage.sum.chains, what)
    check_lines(isa, part.lines, stage, sums, lanes == pass.lanes and 32 or 64, what)
    unit.assertTrue(room[2 - i % 2] >= stage.inputs and room[1 + i % 2] >= stage.outputs, what)
    own = own + stage.inputs * branches * stage.outputs
  end
  local ends = math.max(pass.stages[1].stage.inputs, pass.stages[#pass.stages].stage.outputs)
  unit.assertTrue(lanes.odd >= ends and lanes.even >= ends, p.name)
  unit.assertEquals(lanes.fmas, lanes.vectors * own, p.name)
  unit.assertEquals(lanes.bytes, round_up(4 * (lanes.odd + lanes.even) * lanes.tokens, 64), p.name)
end

--- Where broadcasts come from memory, twice as many tokens have a block of their own.
local function check_lanes(p, pass)
  local lanes, most = pass.lanes, p.layer.max_tokens
  if not lanes then return end
  check_block(p, pass, lanes)
  local fits = most == 0 or most >= 2 * lanes.tokens
  unit.assertEquals(lanes.pair ~= false, p.isa.broadcasts and fits, p.name)
  if lanes.pair then
    check_block(p, pass, lanes.pair)
    unit.assertEquals({ lanes.pair.tokens, lanes.pair.least, lanes.pair.pair },
      { 2 * lanes.tokens, 2 * lanes.tokens, false }, p.name)
  end
end

--- Weights in scratch: only of formats that are decoded or opened, for more rows than a tile that
--- does so takes; every part of two threads is walked to its end, and a block of a tile has room.
local function check_scratch(p, s)
  local pass, scratch = p.passes.forward, s.scratch
  local many, main = scratch.plan, main_of(s.scratch.plan)
  local bytes = s.stage.arithmetic.takes == 'bytes'
  unit.assertFalse(s.stage.stream.format.floats, p.name)
  unit.assertEquals(many.stage.stream.format.floats, not bytes, p.name)
  unit.assertTrue(scratch.rows > main_of(s).rows and scratch.rows <= pass.rows, p.name)
  check_tiles(p, many)
  for _, tile in ipairs(many.tiles) do unit.assertFalse(tile.streams, p.name) end
  local columns = s.stage.stream.layout.columns
  unit.assertTrue(s.column_step % main.cols == 0 or s.column_step == columns, p.name)
  for _, rows in ipairs { scratch.rows, pass.rows } do
    walk(p, many, rows, 0, columns, 4)
    for cut = s.column_step, columns - 1, s.column_step do
      walk(p, many, rows, 0, cut, 4)
      walk(p, many, rows, cut, columns, 4)
    end
  end
  local k = s.stage.sum.blocks > 1 and s.stage.sum.block or s.stage.inputs
  local width = s.stage.stream.layout.width
  local group = many.stage.stream.layout.group
  local of_group = bytes and many.stage.stream.layout.placed.bytes // 16 or 4
  unit.assertEquals(scratch.bytes,
    of_group * #s.stage.stream.branches * math.max(main.cols, width) * (k // group), p.name)
end

--- It is read by the tiles that the same layer has in f32, of as many rows and columns.
function TestPlans.test_scratch()
  local text = "ffn 'it' { variant = 'swiglu', d_model = 640, d_ff = 1376, d_out = 608%s }"
  local function plan_of(said, isa)
    local path = support.folder() .. '/it.lua'
    support.write(path, text:format(said))
    local l = layer.lower(spec.read(path, {})[1])
    return plan.plan(l, isas.by_name[isa]).passes.forward
  end
  for _, isa in ipairs(support.f32_isas()) do
    local plain = plan_of('', isa)
    for _, format in ipairs { 'bf16', 'f16' } do
      local pass = plan_of((", weights = '%s'"):format(format), isa)
      for i, s in ipairs(pass.stages) do
        local main, other = main_of(s.scratch.plan), main_of(plain.stages[i])
        unit.assertEquals({ main.rows, main.cols, main.together },
          { other.rows, other.cols, other.together }, isa)
        unit.assertEquals(main.wide, 'never', isa) -- in which fewer rows are not summed, either
        unit.assertEquals(plain.stages[i].scratch, false, isa)
      end
      unit.assertEquals(pass.rows, plain.rows, isa)
      -- Few rows are all that there is: nothing is kept for more.
      local few = plan_of((", weights = '%s', max_tokens = 1"):format(format), isa)
      for _, s in ipairs(few.stages) do unit.assertEquals(s.scratch, false, isa) end
    end
  end
end

--- Half a panel begins where the other half ends: whatever tile is so narrow, its group is a panel.
local function check_narrow(p, s)
  local narrow, width = false, s.stage.stream.layout.width
  for _, tile in ipairs(s.tiles) do narrow = narrow or tile.cols < width end
  unit.assertEquals(s.narrow, narrow, ('%s %s'):format(p.name, s.stage.name))
end

local function check_plan(p)
  local pass = p.passes.forward
  for _, s in ipairs(pass.stages) do
    check_tiles(p, s)
    check_narrow(p, s)
    check_walks(p, s)
    if s.scratch then check_scratch(p, s) end
  end
  check_packed(pass, p.name)
  check_operands(p, pass)
  check_work(p, pass)
  check_add(p, pass)
  check_straight(p, pass)
  check_lanes(p, pass)
end

function TestPlans.test_shipped()
  local plans = pipeline.plan(pipeline.lower(shipped_specs()), {})
  unit.assertTrue(#plans > 200)
  local wide = {}
  for _, p in ipairs(plans) do
    check_plan(p)
    for _, s in ipairs(p.passes.forward.stages) do
      wide[p.isa.name] = math.max(wide[p.isa.name] or 0, #s.tiles)
    end
  end
  for _, isa in ipairs(support.f32_isas()) do unit.assertTrue(wide[isa] >= 2, isa) end
end

function TestPlans.test_random()
  math.randomseed(13)
  for _ = 1, support.full and 400 or 60 do
    local l = layer.lower(random_spec())
    for _, isa in ipairs(support.f32_isas()) do
      check_plan(plan.plan(l, isas.by_name[isa]))
      check_plan(plan.plan(l, isas.by_name[isa], random_choices()))
    end
  end
end

--- Every number of outputs up to 700, one branch and two, at lengths that make every chain.
function TestPlans.test_every_width()
  for outputs = 1, 700, support.full and 1 or 5 do
    local length = ({ 1, 7, 9, 16, 31, 64, 700 })[outputs % 7 + 1]
    for _, s in ipairs {
      make_spec { kind = 'linear', d_model = length, d_out = outputs },
      make_spec { kind = 'glu', variant = 'glu', d_model = length, d_out = outputs, bias = true },
    } do
      local l = layer.lower(s)
      for _, isa in ipairs(support.f32_isas()) do check_plan(plan.plan(l, isas.by_name[isa])) end
    end
  end
end

--- Bytes of work memory for a row beside its sums, of which wider tiles keep more.
local function operand_bytes(pass)
  return pass.work.row - (pass.form.name == 'straight' and 0 or pass.sum_row)
end

--- A plan for calls of few tokens has nothing for more of them, takes no more work memory than that
--- for any number, the same packed weights, and for each number of rows tiles as wide.
local function check_limited(p, any)
  local pass, full, most = p.passes.forward, any.passes.forward, p.layer.max_tokens
  check_plan(p)
  unit.assertEquals({ p.layer.name, pass.packed_bytes }, { any.layer.name, full.packed_bytes })
  unit.assertNotEquals(p.name, any.name)
  unit.assertTrue(pass.work.rows <= most and pass.work.most <= full.work.most
    and pass.work.beside <= full.work.beside
    and operand_bytes(pass) <= operand_bytes(full), p.name)
  unit.assertTrue(not pass.lanes or pass.lanes.least <= most, p.name)
  unit.assertEquals(pass.form.name, full.form.name)
  for _, form in ipairs(forms_of(pass)) do unit.assertTrue(form.rows <= most, p.name) end
  for i, s in ipairs(pass.stages) do
    local what = ('%s %s'):format(p.name, s.stage.name)
    for _, tile in ipairs(s.tiles) do unit.assertTrue(tile.rows <= most, what) end
    for _, tile in ipairs(s.sparse and s.sparse.tiles or {}) do
      unit.assertTrue(tile.rows <= most, what)
    end
    local of_any, widest = full.stages[i], nil
    for _, tile in ipairs(of_any.tiles) do
      local serves = tile.rows >= most or tile == main_of(of_any)
      if not widest and serves then widest = tile.cols end
    end
    unit.assertEquals(s.tiles[1].cols, of_any.tiles[1].cols, what)
    -- Where not every CPU reads as many panels side by side, a narrower one serves all.
    local main = main_of(s)
    unit.assertTrue(main.cols == widest or main.cols < widest and of_any.streams ~= false, what)
  end
end

function TestPlans.test_few_tokens()
  math.randomseed(19)
  for i = 1, support.full and 200 or 30 do
    -- A chain whose tokens may go in lanes, then any.
    local s = i > 8 and random_spec() or make_spec { kind = 'mlp', d_model = 10, widths = {
      { width = 64, activation = 'relu' }, { width = 1, activation = 'identity' } } }
    local any = layer.lower(s)
    s.max_tokens = ({ 1, 2, 3, 4, 8, 13, 64, 300 })[i % 8 + 1]
    local few = layer.lower(s)
    for _, isa in ipairs(support.f32_isas()) do
      isa = isas.by_name[isa]
      check_limited(plan.plan(few, isa), plan.plan(any, isa))
      local choices = random_choices()
      check_limited(plan.plan(few, isa, choices), plan.plan(any, isa, choices))
    end
  end
end

--- Few rows leave a panel to tiles of half of it.
function TestPlans.test_halves()
  for outputs = 16, 208, 16 do
    for most = 1, 4 do
      local s = make_spec { kind = 'glu', variant = 'bilinear', d_model = 40, d_out = outputs }
      s.max_tokens = most
      local l = layer.lower(s)
      for _, isa in ipairs(support.f32_isas()) do check_plan(plan.plan(l, isas.by_name[isa])) end
    end
  end
end

--- Panels abreast are for few rows of weights from memory, where some CPU fetches nothing, and
--- registers hold no wide tile of as many rows.
function TestPlans.test_abreast()
  local function rows_of(isa, change, choices)
    local s = { kind = 'ffn', variant = 'swiglu', d_model = 512, d_ff = 1365 }
    for key, value in pairs(change) do s[key] = value end
    local p = plan.plan(layer.lower(make_spec(s)), isas.by_name[isa], choices)
    local rows = lists.map(p.passes.forward.stages, function(stage)
      check_abreast(p, stage)
      return stage.abreast and stage.abreast.rows or 0
    end)
    return table.concat(rows, ' ')
  end
  unit.assertEquals(rows_of('avx2', {}), '4 4')
  unit.assertEquals(rows_of('avx2', { max_tokens = 3 }), '3 3')
  -- They leave one panel, which all other tiles for three rows are too wide for.
  check_plan(plan.plan(layer.lower(make_spec {
    kind = 'linear', d_model = 1024, d_out = 352, max_tokens = 3,
  }), isas.by_name.avx2))
  unit.assertEquals(rows_of('avx2', { max_tokens = 1 }), '0 0')
  unit.assertEquals(rows_of('avx2', { d_out = 32 }), '4 0') -- fewer than three panels
  unit.assertEquals(rows_of('avx2', { d_model = 64, d_ff = 128 }), '0 0') -- near
  for _, isa in ipairs { 'c', 'neon', 'avx512', 'wasm' } do
    unit.assertEquals(rows_of(isa, {}), '0 0', isa)
  end
  local with = support.choices
  unit.assertEquals(rows_of('avx2', {}, with { few_rows = 2 }), '2 2')
  unit.assertEquals(rows_of('avx2', {}, with { few_rows = 9 }), '4 4')
  unit.assertEquals(rows_of('avx2', {}, with { few_ahead = 64 }), '0 0')
  unit.assertEquals(rows_of('avx2', {}, with { streams = 2 }), '0 0')
end

--- Few rows read one bundle of compressed weights at a time, whose panels are two; what groups hold
--- leaves room for so many rows, and a single vector decodes for as many as there are registers, or
--- sums of a panel follow those of the one before. A row that has no room for another beside it
--- reads two bundles, so that its sums are four.
function TestPlans.test_compressed()
  local function tiles_of(isa, format, branches, outputs)
    local p = plan.plan(layer.lower(make_spec {
      kind = branches == 2 and 'glu' or 'linear', variant = branches == 2 and 'swiglu' or nil,
      d_model = 1024, d_out = outputs or 4096, weights = { format },
    }), isas.by_name[isa])
    local s = p.passes.forward.stages[1]
    check_tiles(p, s)
    local list = lists.map(s.tiles, function(tile)
      return ('%dx%d %d %s'):format(tile.rows, tile.cols, tile.side_by_side, tile.holds)
    end)
    return ('%d: '):format(s.stage.stream.layout.width) .. table.concat(list, ', ')
  end
  local function registers_of(isa, format, outputs)
    local p = plan.plan(layer.lower(make_spec {
      kind = 'linear', d_model = 1024, d_out = outputs, weights = { format },
    }), isas.by_name[isa])
    return lists.map(p.passes.forward.stages[1].tiles, function(tile) return tile.registers end)
  end
  for _, case in ipairs {
    { 'avx512', 'q8_0', 1, '32: 6x32 2 activations' },
    { 'avx512', 'q8_0', 2, '16: 6x16 2 activations' },
    { 'avx512', 'bf16', 1, '32: 9x32 2 activations' },
    { 'avx512', 'q4_K', 1, '16: 1x64 4 activations, 6x32 2 activations, 6x16 1 activations', 4112 },
    { 'avx512', 'q4_K', 1, '32: 1x64 4 activations, 6x32 2 activations' },
    { 'avx512', 'q4_K', 2, '16: 1x32 4 activations, 6x16 2 activations' },
    { 'avx512', 'u4g128', 1, '32: 1x64 4 activations, 6x32 2 activations' },
    { 'avx512', 'mxfp4', 1, '32: 6x32 2 activations' }, -- five rows have room there
    { 'avx2', 'q4_K', 1, '32: 2x32 2 activations, 4x16 2 weights' },
    { 'avx512', 'f16', 1, '32: 14x32 2 weights' },
    { 'avx2', 'q8_0', 1, '32: 2x32 2 activations, 4x16 2 weights' },
    { 'avx2', 'q8_0', 2, '16: 2x16 2 activations, 4x8 2 weights' },
    { 'avx2', 'q4_0', 1, '32: 2x32 2 activations, 4x16 2 weights' },
    { 'neon', 'q8_0', 1, '32: 2x16 4 activations, 6x8 2 activations' },
  } do
    local isa, format, branches, expected, outputs = table.unpack(case)
    unit.assertEquals(tiles_of(isa, format, branches, outputs), expected, isa .. ' ' .. format)
  end
  unit.assertStrContains(tiles_of('avx512', 'f32', 1), '16: ')
  -- One vector takes its activations as the FMA's operand: six sums, the weights, and what q4_K
  -- holds of a group for them. Two hold six activations, too.
  unit.assertEquals(registers_of('avx512', 'q4_K', 4112), { 28, 31, 15 })
end

--- One row with AVX-512 reads two bundles of weights that take several instructions: near ones,
--- and those from memory where some CPU fetches few rows ahead; there the other CPUs read one.
function TestPlans.test_two_bundles()
  local few, none = support.choices { few_ahead = 8192 }, support.choices { few_ahead = 0 }
  local function tiles_of(isa, d_out, more, choices)
    local s = { kind = 'linear', d_model = 1024, d_out = d_out, weights = { 'q4_K' } }
    for key, value in pairs(more) do s[key] = value end
    local p = plan.plan(layer.lower(make_spec(s)), isas.by_name[isa], choices)
    check_plan(p)
    return table.concat(lists.map(p.passes.forward.stages[1].tiles, function(tile)
      return ('%dx%d%s%s'):format(tile.rows, tile.cols, tile.fetched and ' fetched' or '',
        tile.serves_all and ' all' or '')
    end), ', ')
  end
  unit.assertEquals(tiles_of('avx512', 4096, {}), '1x64 fetched, 6x32 all')
  unit.assertEquals(tiles_of('avx512', 4096, {}, few), '1x64 fetched, 6x32 all')
  unit.assertEquals(tiles_of('avx512', 4096, {}, none), '6x32 all')
  unit.assertEquals(tiles_of('avx512', 256, {}, none), '1x64, 6x32 all')
  -- A call of one row has the tile of one bundle, too.
  unit.assertEquals(tiles_of('avx512', 4096, { max_tokens = 1 }), '1x64 fetched, 1x32 all')
  unit.assertEquals(tiles_of('avx512', 256, { max_tokens = 1 }), '1x64 all')
  -- Two chains are four sums of a bundle.
  unit.assertEquals(tiles_of('avx512', 64, {}), '3x32, 6x16 all')
  -- Two branches are four sums in half the columns. Five rows of mxfp4 have room, and i8 is bytes.
  local two = { kind = 'glu', variant = 'swiglu' }
  unit.assertEquals(tiles_of('avx512', 4096, two), '1x32 fetched, 6x16 all')
  unit.assertEquals(tiles_of('avx512', 4096, { weights = { 'mxfp4' } }), '6x32 all')
  unit.assertEquals(tiles_of('avx512', 4096, { weights = { 'i8' } }), '6x32 all')
  -- A bundle is four sums there.
  unit.assertEquals(tiles_of('avx2', 4096, {}), '2x32, 4x16 all')
  -- Products of bytes have their own.
  unit.assertNil(tiles_of('avx512_vnni', 4096, { arithmetics = { 'dot_s8' } }):find('64', 1, true))
  -- The kernel asks its CPU.
  local function text_of(choices)
    local l = layer.lower(make_spec {
      kind = 'linear', d_model = 1024, d_out = 4096, weights = { 'q4_K' },
    })
    local p = plan.plan(l, isas.by_name.avx512, choices)
    return emit.file(support.project .. '/', p, naming.of_file('ffngen generate'))
  end
  local one, asked = 'while (task->rows <= 1 && ', 'task->choices->few_ahead > 0 && '
  unit.assertStrContains(text_of(), one .. asked .. 'task->last - column >= 64)')
  unit.assertStrContains(text_of(few), one .. 'task->last - column >= 64)')
end

--- Panels of compressed weights lie in pairs, but where they are odd: there each is a bundle, and
--- the name of the packed weights says so, as the same bytes lay otherwise once. A panel is one
--- either way, and those of f32 and of two branches are always.
function TestPlans.test_single_panels()
  local function layer_of(kind, d_model, d_out, format)
    return layer.lower(make_spec { kind = kind, variant = kind == 'glu' and 'swiglu' or nil,
      d_model = d_model, d_out = d_out, weights = { format } })
  end
  for _, case in ipairs {
    { 'linear', 512, 64, 'q8_0', 32 }, { 'linear', 512, 80, 'q8_0', 16, '_panels' },
    { 'linear', 512, 65, 'q8_0', 16, '_panels' }, { 'linear', 512, 97, 'q8_0', 16, '_panels' },
    { 'linear', 512, 49, 'q8_0', 32 }, { 'linear', 512, 16, 'q8_0', 16 },
    { 'linear', 512, 5, 'q8_0', 16 }, { 'linear', 512, 17, 'q8_0', 32 },
    { 'linear', 96, 48, 'i8', 16, '_panels' }, { 'linear', 48, 32, 'i8', 32 },
    { 'glu', 512, 80, 'q8_0', 16 }, { 'linear', 512, 80, 'f32', 16 },
    -- Trained weights lie transposed, too.
    { 'linear', 64, 48, 'bf16', 16, '_panels' }, { 'linear', 48, 64, 'bf16', 32, '_panels' },
    { 'linear', 48, 64, 'f16', 32 }, { 'glu', 64, 48, 'bf16', 16 },
    { 'glu', 80, 64, 'bf16', 16, '_panels' },
  } do
    local kind, d_model, d_out, format, width, word = table.unpack(case)
    local own = layer_of(kind, d_model, d_out, format)
    local lies = own.passes.forward[1].stream.layout
    unit.assertEquals({ lies.width, own.packed }, { width, own.name .. (word or '') }, own.name)
    unit.assertEquals(lies.columns % lies.width, 0, own.name)
  end
end

--- The planes of an operand lie in its row in work memory, block for block; what it takes together
--- is one thread's.
function TestPlans.test_planes()
  local planes = { { bytes = 1, every = 1 }, { bytes = 4, every = 32 }, { bytes = 4, every = 128 } }
  local made = {
    sum = { blocks = 3, block = 128 }, operand = { format = { planes = planes, group = 128 } },
  }
  unit.assertEquals(layout.row_bytes(made), 3 * round_up(128 + 4 * 4 + 4, 64))
  local own = layer.lower(make_spec { kind = 'ffn', variant = 'relu', d_model = 128, d_ff = 960 })
  local operand = own.passes.forward[2].operand
  local function steps()
    return lists.map(plan.plan(own, isas.by_name.avx2).passes.forward.stages, function(s)
      return s.column_step % 160
    end)
  end
  unit.assertEquals(steps(), { 32, 32 })
  operand.format = setmetatable({ unit = 160 }, { __index = operand.format })
  unit.assertEquals(steps(), { 0, 32 })
end

--- Activations go in lockstep where both vectors of a panel are at hand, nothing else is taken from
--- another place, registers hold both, and what is waited for is long.
function TestPlans.test_lockstep()
  local function lockstep_of(isa, s)
    local p = plan.plan(layer.lower(make_spec(s)), isas.by_name[isa])
    return table.concat(lists.map(p.passes.forward.stages, function(stage)
      return stage.lockstep and 'yes' or 'no'
    end), ' ')
  end
  local function of(isa, variant, change)
    local s = { kind = 'ffn', variant = variant, d_model = 256, d_ff = 1024 }
    for key, value in pairs(change or {}) do s[key] = value end
    return lockstep_of(isa, s)
  end
  unit.assertEquals(of('avx2', 'gelu_tanh'), 'yes no')
  unit.assertEquals(of('avx2', 'silu'), 'yes no')
  unit.assertEquals(of('avx2', 'relu'), 'no no') -- a statement
  unit.assertEquals(of('avx2', 'gelu'), 'no no') -- of too many registers
  unit.assertEquals(of('avx2', 'swiglu'), 'yes no') -- of whole panels, both branches
  unit.assertEquals(of('avx2', 'gelu_tanh', { d_model = 8, d_ff = 16 }), 'no no') -- straight
  for _, isa in ipairs { 'c', 'neon', 'avx512', 'wasm' } do
    unit.assertEquals(of(isa, 'gelu_tanh'), 'no no', isa)
  end
  unit.assertEquals(lockstep_of('avx2', {
    kind = 'selfgate', activation = 'gelu_tanh', d_model = 256,
  }), 'no') -- the input is taken, too
  local bytes = { 'dot_s8', 'dot_s8' }
  for arithmetics, expected in pairs { [false] = 'yes no', [bytes] = 'no no' } do
    unit.assertEquals(of('avx2', 'silu', {
      weights = { 'q8_0', 'q8_0' }, arithmetics = arithmetics or nil, max_tokens = 1,
    }), expected) -- results wait for their group
  end
end

--- A tile holds activations where it computes as many sums from fewer loads than the one that
--- holds weights; calls of few rows, and what skips zeros, take it as it is.
function TestPlans.test_held()
  local function mains(isa, s)
    local p = plan.plan(layer.lower(make_spec(s)), isas.by_name[isa])
    return table.concat(lists.map(p.passes.forward.stages, function(stage)
      local m = main_of(stage)
      return ('%dx%d %s'):format(m.rows, m.cols, m.holds)
    end), ', '), p
  end
  local swiglu = { kind = 'ffn', variant = 'swiglu', d_model = 1024, d_ff = 2736 }
  local text, p = mains('avx2', swiglu)
  unit.assertEquals(text, '3x16 activations, 3x32 activations')
  -- Rows of a thread's own are two such pairs of tiles at least: fewer are split over columns.
  unit.assertEquals(p.passes.forward.own_rows, 12)
  unit.assertEquals(mains('avx512', swiglu), '14x16 weights, 14x32 weights')
  unit.assertEquals(mains('neon', swiglu), '6x8 weights, 6x16 weights')
  -- 64 outputs are summed in two chains, for which there are no more registers.
  unit.assertEquals(mains('avx2', { kind = 'linear', d_model = 512, d_out = 64 }), '3x16 weights')
  -- Panels abreast leave any number of panels, so there is a tile of one.
  local last = p.passes.forward.stages[2].tiles
  unit.assertEquals({ last[#last].rows, last[#last].cols, last[#last].holds }, { 6, 16, 'weights' })
end

--- One row reads as many panels side by side as registers have sums for, three where four are too
--- many; but where FMAs are emulated, for those take the time.
function TestPlans.test_one_row()
  local function widest(isa, variant)
    local p = plan.plan(layer.lower(make_spec {
      kind = 'ffn', variant = variant, d_model = 1024, d_ff = 2736,
    }), isas.by_name[isa])
    local tile = p.passes.forward.stages[1].tiles[1]
    return ('%dx%d'):format(tile.rows, tile.cols)
  end
  local found = {}
  for i, isa in ipairs { 'avx2', 'neon', 'avx512', 'wasm' } do
    found[i] = ('%s %s %s'):format(isa, widest(isa, 'gelu'), widest(isa, 'swiglu'))
  end
  unit.assertEquals(found, {
    'avx2 1x64 1x48', 'neon 1x64 1x48', 'avx512 2x128 1x128', 'wasm 1x64 1x32',
  })
end

--- The plan chooses, the layer decides: no plan changes the layer.
function TestPlans.test_plans_share_the_layer()
  local l = layer.lower(make_spec {
    kind = 'ffn', variant = 'swiglu', d_model = 600, d_ff = 50,
  })
  for _, isa in ipairs(support.f32_isas()) do
    unit.assertTrue(plan.plan(l, isas.by_name[isa]).layer == l)
  end
  unit.assertError(function() l.chains = 3 end)
  unit.assertErrorMsgContains('no field', function() return l.passes.forward[1].k_blocks end)
end

--- A comment's text, its lines joined.
local function unwrapped(text) return (text:gsub('\n %* +', ' ')) end

--- The text of random layers: whole, with all brackets closed, and its header as planned.
function TestPlans.test_emit()
  math.randomseed(17)
  for _ = 1, support.full and 60 or 15 do
    local l = layer.lower(random_spec())
    for _, isa in ipairs(support.f32_isas()) do
      local p = plan.plan(l, isas.by_name[isa])
      local text = emit.file(support.project .. '/', p, naming.of_file('ffngen generate'))
      local pass = p.passes.forward
      for _, pair in ipairs { '{}', '()', '[]' } do
        local open, close = 0, 0
        local code = text:gsub('/%*.-%*/', '')
        for _ in code:gmatch('%' .. pair:sub(1, 1)) do open = open + 1 end
        for _ in code:gmatch('%' .. pair:sub(2, 2)) do close = close + 1 end
        unit.assertEquals(open, close, p.name .. ' ' .. pair)
      end
      unit.assertNil(text:find('%f[%w]nil%f[%W]'), p.name)
      unit.assertNil(text:find('${', 1, true), p.name)
      unit.assertNil(text:find('\t', 1, true), p.name)
      support.assert_has(text, p.name, p.name)
      support.assert_has(unwrapped(text), ('%d bytes of packed weights'):format(pass.packed_bytes),
        p.name)
      support.assert_has(unwrapped(text), ('%d bytes of work memory'):format(pass.work.most),
        p.name)
      support.assert_has(text, ('%d flop per token'):format(l.flop_per_token), p.name)
      unit.assertEquals(select(2, text:gsub('/%*', '')), select(2, text:gsub('%*/', '')), p.name)
      for _, name in ipairs(activations.names) do
        if name ~= 'identity' then
          local used = false
          for _, s in ipairs(l.passes.forward) do
            used = used or s.forward.activation.name == name
          end
          local found = text:find('act_' .. name .. '(', 1, true)
            or text:find('act_' .. name .. '_pair(', 1, true)
          unit.assertEquals(found ~= nil, used, p.name)
        end
      end
    end
  end
end

-- Sizes by rule ----------------------------------------------------------------------------------

TestRules = {}

--- d_ff as read from a spec.
local function d_ff(d_model, rule)
  local path = support.temp .. '/rule.lua'
  support.write(path, ("ffn 'x' { variant = 'swiglu', d_model = %d, d_ff = %s }"):format(d_model,
    rule))
  return spec.read(path, {})[1].d_ff
end

--- Widths that the published models have.
function TestRules.test_llama()
  for _, case in ipairs {
    { 4096, '{ multiple_of = 256 }', 11008 },                              -- Llama 7B
    { 5120, '{ multiple_of = 256 }', 13824 },                              -- Llama 13B
    { 6656, '{ multiple_of = 256 }', 17920 },                              -- Llama 33B
    { 8192, '{ multiple_of = 256 }', 22016 },                              -- Llama 65B
    { 8192, '{ multiple_of = 4096, ffn_dim_multiplier = 1.3 }', 28672 },   -- Llama 2 and 3 70B
    { 4096, '{ multiple_of = 1024, ffn_dim_multiplier = 1.3 }', 14336 },   -- Llama 3 8B
    { 16384, '{ multiple_of = 4096, ffn_dim_multiplier = 1.2 }', 53248 },  -- Llama 3.1 405B
    { 2048, '{ multiple_of = 256, ffn_dim_multiplier = 1.5 }', 8192 },     -- Llama 3.2 1B
    { 3072, '{ multiple_of = 256, ffn_dim_multiplier = 1.0 }', 8192 },     -- Llama 3.2 3B
    { 2048, '{ multiple_of = 256 }', 5632 },                               -- TinyLlama 1.1B
    { 288, '{ multiple_of = 32 }', 768 },                                  -- llama2.c, 15M
    { 512, '{ multiple_of = 32 }', 1376 },                                 -- llama2.c, 42M
    { 768, '{ multiple_of = 32 }', 2048 },                                 -- llama2.c, 110M
    { 4096, '{}', 11008 }, { 4096, '{ ffn_dim_multiplier = 1 }', 11008 },  -- the defaults
    -- int(1.3 * int(8 * 4096 / 3)), not int(1.3 * 8 * 4096 / 3).
    { 4096, '{ multiple_of = 1, ffn_dim_multiplier = 1.3 }', 14198 },
    { 512, '{ multiple_of = 1 }', 1365 }, { 1, '{ multiple_of = 1 }', 2 }, { 1, '{}', 256 },
    { 3, '{ multiple_of = 8 }', 8 }, { 96, '{ multiple_of = 256 }', 256 },
    { 97, '{ multiple_of = 256 }', 512 },
  } do
    unit.assertEquals(d_ff(case[1], 'llama_d_ff ' .. case[2]), case[3], case[1] .. case[2])
  end
end

function TestRules.test_arithmetic()
  for rule, expected in pairs {
    ['d_model * 8 // 3'] = 1365, ['8 * d_model // 3'] = 1365, ['d_model // 3 * 8'] = 1360,
    ['4 * d_model'] = 2048, ['d_model'] = 512, ['d_model + 1'] = 513, ['1 + d_model'] = 513,
    ['d_model - 12'] = 500, ['1000 - d_model'] = 488, ['d_model * d_model // 256'] = 1024,
    ['100000 // d_model'] = 195, ['(d_model * 8 // 3 + 63) // 64 * 64'] = 1408,
    ['llama_d_ff { multiple_of = 64 } + d_model'] = 1920, ['d_model * 1000000 // 2000000'] = 256,
  } do
    local value = d_ff(512, rule)
    unit.assertEquals(value, expected, rule)
    unit.assertEquals(math.type(value), 'integer', rule)
  end
end
