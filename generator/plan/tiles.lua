--- Register tiles: which outputs of which rows are summed together.
local lists = require 'common.list'
local needs = require 'plan.needs'
local record = require 'common.record'
local weight_layout = require 'weights.layout'

local M = {}

--- Column widths of register tiles, widest first. A wider tile reads more streams of weights at
--- once and serves fewer rows. Three panels are for one row where registers are too few for four:
--- two are too few streams.
local widths, three_panels = { 128, 64, 48, 32, 16, 8 }, 3 * weight_layout.lanes

---@class Tile
---@field rows integer       at most
---@field cols integer       outputs of each branch
---@field vectors integer    of sums for each row: branches * cols / lanes
---@field registers integer  that it takes: sums, what it holds of one k, one of the others
---@field holds string        'weights' of one k while activations go by; or 'activations'
---@field serves_all boolean serves any number of rows, a tile after the other
---@field streams boolean    serves few rows in one go: each weight is read once, in order
---@field fetched boolean    only for CPUs that fetch ahead for few rows: it reads two bundles from
--- memory, which the hardware's own prefetcher follows more slowly than one
---@field parts boolean      takes parts of more rows, each at least half of what it has room for,
--- and these may wait for memory: without an FMA instruction they compute for longer
---@field together integer   k that stand in a line, at most
---@field wide 'never'|'perhaps'|'always'  vectors of doubles stand in for it: in portable C,
--- kernel.h decides
---@field side_by_side integer  vectors of a k in a group that are decoded before the next k; others
--- follow when some k of these are done
---@field matrix boolean     an instruction multiplies all rows with a group of weights: each vector
--- of outputs is summed over all k before the next
---@field ways string[][]|false  of fetching, for each number of rows; false: it has no choice

--- Tiles are chosen as drafts, which lack what depends on how weights are fetched: `ways`.

--- What a vector of weights is decoded in, beside itself.
local decoded_in = 2

--- So many sums keep a core of 512 bits busy: each waits four clocks for its FMA, and a vector of
--- weights that takes four instructions keeps two units busy for two clocks.
local busy_sums = 4

--- Whether weights are decoded in groups or steps: each vector then meets all activations as soon
--- as it is, one after the other.
local function decodes(stage) return not stage.stream.format.c_type end

--- What an open group of weights is, in registers, for a vector of outputs.
local function opened_registers(stage)
  local format = stage.stream.format
  return stage.arithmetic.takes == 'bytes' and format.products.registers or format.registers
end

--- Registers of a format beside the weights: what its groups hold for each vector of outputs.
local function format_registers(stage, vectors)
  return decodes(stage) and vectors * opened_registers(stage) + decoded_in or 0
end
M.format_registers = format_registers

--- Registers that so many vectors are decoded in, side by side.
function M.decoding_registers(stage, vectors)
  return vectors + format_registers(stage, vectors)
end

--- Whether what groups hold is kept in memory, but for what is added: a core that has few registers
--- multiplies with what is there as fast.
local function keeps_in_memory(isa, stage)
  return isa.operands and decodes(stage) and opened_registers(stage) > 0
end

--- Whether an accumulator of a tile waits in memory: products of bytes are added to it once a
--- group, and to others at each step. Where all k are a group, the sum of a block is nothing before
--- its end.
local function waits(isa, stage, one)
  if stage.arithmetic.takes ~= 'bytes' then return false end
  if stage.stream.format.products.group == 0 then return one.scope == 'block' end
  return keeps_in_memory(isa, stage) and one.scope ~= 'group'
end

--- Registers of a kind that the accumulators of a tile take.
---@param file string  a key of isa.files
local function accumulated(isa, stage, file, rows, vectors)
  local count = 0
  for _, one in ipairs(stage.arithmetic.held(stage.stream.format)) do
    if one.file == file and not waits(isa, stage, one) then
      local chains = one.scope == 'block' and stage.sum.chains or 1
      local across = one.lanes and weight_layout.round_up(vectors * isa.lanes, one.lanes)
        // one.lanes or vectors
      count = count + (rows + one.rows - 1) // one.rows * across * chains
    end
  end
  return count
end

--- Whether the accumulators of a tile find room, and so many vectors beside them.
local function has_room(isa, stage, rows, vectors, held)
  for _, file in ipairs(record.sorted_keys(isa.files)) do
    local beside = file == 'vector' and held or 0
    if accumulated(isa, stage, file, rows, vectors) + beside > isa.files[file] then
      return false
    end
  end
  return true
end

--- Vectors whose weights are decoded side by side: where registers are few, those of a panel.
local function side_by_side(isa, stage, vectors)
  return keeps_in_memory(isa, stage) and math.min(vectors, weight_layout.lanes // isa.lanes)
    or vectors
end
M.side_by_side = side_by_side

--- Whether the bytes of all vectors of a k are held while activations go by, one after the other:
--- that takes fewer registers than an activation of each row.
local function holds_bytes(isa, stage, vectors)
  return stage.arithmetic.takes == 'bytes' and isa.broadcasts and vectors > 1
end

--- Vectors beside the sums of so many rows: activations and weights under way, and what groups
--- hold. A single vector's FMA may take the activations from memory.
local function beside_sums(isa, stage, rows, vectors, holds)
  if holds_bytes(isa, stage, vectors) then
    -- None of the activations is there while bytes are decoded.
    return vectors * (1 + opened_registers(stage)) + math.max(1, decoded_in)
  end
  if keeps_in_memory(isa, stage) then
    return 2 * side_by_side(isa, stage, vectors) + 1 + decoded_in
  end
  local from_memory = isa.broadcasts and vectors == 1 and decodes(stage)
  local held = holds == 'weights' and vectors or from_memory and 1 or rows
  return held + 1 + format_registers(stage, vectors)
end

--- Whether a tile of one vector is worth it where a wider one has room: what takes several
--- instructions is decoded for as many rows as there are registers, and their activations are the
--- FMA's operands. Products of bytes read such operands no faster than they multiply: two vectors
--- that share one take 0.87 to 0.95 of the time on Zen 5.
local function decodes_for_many(isa, stage)
  if stage.arithmetic.takes == 'bytes' then return not isa.broadcasts end
  return isa.broadcasts and decodes(stage) and opened_registers(stage) > 0
end

--- Rows of a register tile of `cols` columns, and vectors of sums for each.
local function capacity(isa, stage, cols)
  local vectors, rows = #stage.stream.branches * (cols // isa.lanes), 0
  local holds = decodes(stage) and 'activations' or 'weights'
  local function fits(count)
    return has_room(isa, stage, count, vectors, beside_sums(isa, stage, count, vectors, holds))
  end
  while fits(rows + 1) do rows = rows + 1 end
  -- One row uses each weight once, so it needs no register to stay in.
  local least = 2 + format_registers(stage, vectors)
  if rows < 1 and has_room(isa, stage, 1, vectors, least) then rows = 1 end
  return rows, vectors
end

--- Vector registers of a tile: a single row takes its weights from memory.
local function registers(isa, stage, rows, vectors, holds)
  if rows == 1 and not keeps_in_memory(isa, stage) then holds = 'activations' end
  return accumulated(isa, stage, 'vector', rows, vectors)
    + beside_sums(isa, stage, rows, vectors, holds)
end

--- Columns that few rows read side by side, at most: twice as many where registers leave a row no
--- other beside it, and its sums would wait for each other; unless no CPU fetches them ahead.
---@param fetching Fetching|false
local function columns_abreast(isa, stage, fetching)
  local columns = weight_layout.side_by_side(stage.stream.layout)
  if fetching and not fetching.fetches_few then return columns end
  local sums = #stage.stream.branches * (columns // isa.lanes) * stage.sum.chains
  if stage.arithmetic.takes ~= 'value' or sums >= busy_sums then return columns end
  local alone = decodes_for_many(isa, stage) and capacity(isa, stage, 2 * columns) == 1
  return alone and 2 * columns or columns
end

--- Rows of the next wider tile, where it holds activations and computes as many sums from fewer
--- loads than the main one does; nil where it does not. What a core decodes in a clock is scarce
--- where its other thread is busy.
local function rows_that_hold(isa, stage, wider, main)
  if not wider or main.rows < 2 or decodes(stage) then return nil end
  local _, vectors = capacity(isa, stage, main.cols)
  local _, more = capacity(isa, stage, wider.cols)
  local rows = 0
  while has_room(isa, stage, rows + 1, more, rows + 2) do rows = rows + 1 end
  local as_many = rows * more >= main.rows * vectors
  return as_many and rows + more < main.rows + vectors and rows or nil
end

--- The register tiles of a stage, as drafts. Wide ones, for few rows, come first, each serving
--- more rows than the one before; the main tile serves any number; a tile of one bundle takes what
--- is left over by the main tile's width.
---@param isa table
---@param stage Stage
---@param fetching Fetching|false  says how many panels few rows read side by side, at most; false:
--- weights are near, and any number is
---@param main_columns integer   of the main tile, at least, where two rows of it fit
---@param leaves boolean          any number of panels may be left for these tiles
---@param unit integer            outputs that the operand of the stage behind is laid in
---@return table[] tiles
---@return table main
function M.dense(isa, stage, fetching, main_columns, leaves, unit)
  local layout = stage.stream.layout
  local columns, most_abreast = layout.columns, columns_abreast(isa, stage, fetching)
  local streams = fetching and fetching.streams
  local one_stream = weight_layout.side_by_side(layout)
  local chosen, main, narrowest = {}, nil, nil
  for _, cols in ipairs(widths) do
    local rows, vectors = 0, 0
    local wide_enough = main and main.rows > 1 and cols < main_columns
    local unwanted = cols == three_panels and (main or not isa.fused)
      or cols > most_abreast
    local fits = cols % isa.lanes == 0 and weight_layout.takes(layout, cols)
      and (cols % unit == 0 or unit % cols == 0)
    if fits and cols <= columns and not (wide_enough or unwanted) then
      rows, vectors = capacity(isa, stage, cols)
      narrowest = cols
    end
    -- A tile of one vector loads as much as it computes; half a panel is for lack of registers.
    local worth = not main or (vectors > 1 or decodes_for_many(isa, stage))
      and (cols >= weight_layout.lanes or main.rows < 3)
    if worth and rows > (main and main.rows or 0) then
      main = { cols = cols, rows = rows }
      chosen[#chosen + 1] = main
    end
  end
  if not main and narrowest and decodes(stage) then
    -- Groups hold more than there are registers: a row has to do with those of memory.
    main = { cols = narrowest, rows = 1 }
    chosen[1] = main
  end
  if not main then error(('no register tile of %s fits %s'):format(isa.name, stage.name)) end
  local held = rows_that_hold(isa, stage, chosen[#chosen - 1], main)
  if held then
    chosen[#chosen] = nil
    main = chosen[#chosen]
    main.rows = held
  end
  if columns % main.cols ~= 0 or leaves and main.cols > layout.width then
    local rows = math.max(1, (capacity(isa, stage, layout.width)))
    if not held then rows = math.min(main.rows, rows) end
    chosen[#chosen + 1] = { cols = layout.width, rows = rows }
  end
  local list, last = {}, nil
  for _, tile in ipairs(chosen) do
    local _, vectors = capacity(isa, stage, tile.cols)
    local of_few = tile ~= main and tile.cols > main.cols
    if not (of_few and streams and tile.cols // weight_layout.lanes > streams) then
      local side = side_by_side(isa, stage, vectors)
      local few = keeps_in_memory(isa, stage) and side == vectors
      local all = few or holds_bytes(isa, stage, vectors)
      local holds = (held and tile == main or decodes(stage) and not all) and 'activations'
        or 'weights'
      list[#list + 1] = {
        rows = tile.rows, cols = tile.cols, vectors = vectors, holds = holds, side_by_side = side,
        registers = registers(isa, stage, tile.rows, vectors, holds),
        serves_all = tile == main, streams = of_few, parts = not of_few and isa.fused,
        fetched = fetching and tile.cols > one_stream,
      }
    end
    if tile == main then last = list[#list] end
  end
  return list, last
end

--- The tile of opened weights whose rows an instruction multiplies, as a draft: a bundle.
---@param stage Stage
---@return table[] tiles
---@return table main
function M.of_matrix(isa, stage)
  local cols, rows = stage.stream.layout.width, isa.matrix.rows
  local main = {
    rows = rows, cols = cols, vectors = #stage.stream.branches * (cols // isa.lanes),
    holds = 'activations', side_by_side = 1, registers = rows + format_registers(stage, 1),
    serves_all = true, streams = false, parts = false, matrix = true,
  }
  return { main }, main
end

--- The drafts of tiles that at most so many rows take, and no more of each: the widest that serves
--- them all is the main one, narrower ones take what is left of the columns.
---@param isa table
---@param stage Stage
---@param dense table[]      of any number of rows
---@param most_rows integer  fewer than those of the widest or of the narrowest tile
---@param streams integer|false  panels that rows of every CPU read side by side; false: any number
---@param leaves boolean     any number of panels may be left for these tiles
---@return table[] tiles
---@return table main
function M.limited(isa, stage, dense, most_rows, streams, leaves)
  local list, main, left = {}, nil, stage.stream.layout.columns
  for _, tile in ipairs(dense) do
    local rows = math.min(tile.rows, most_rows)
    local all = tile.serves_all or rows == most_rows and not tile.fetched
      and (not streams or tile.cols // weight_layout.lanes <= streams)
    if left >= tile.cols or leaves then
      list[#list + 1] = {
        rows = rows, cols = tile.cols, vectors = tile.vectors, holds = tile.holds,
        side_by_side = tile.side_by_side,
        registers = registers(isa, stage, rows, tile.vectors, tile.holds), serves_all = all,
        streams = not main and not all, parts = false, fetched = tile.fetched,
      }
      main = main or all and list[#list]
    end
    if all then left = left % tile.cols end
  end
  return list, main
end

--- Whether some tile that reads whole bundles is narrower than one of them.
---@param tiles Tile[]
---@param own Layout
function M.is_narrow(tiles, own)
  return #lists.filter(tiles, function(tile) return tile.cols < own.width end) > 0
end

--- Rows that threads take at least: two tiles of few.
---@param main Tile
function M.row_step(main) return main.holds == 'activations' and 2 * main.rows or main.rows end

--- So many k in a line of so many FMAs at most. Of 8 k gcc spills a register.
local line_k, line_fmas = 4, 48

--- What suits a tile (a draft): several k in a line of one of many rows (one at a time, what counts
--- and fetches is a quarter of all instructions: a core whose two threads share its decoders has no
--- room for them); ffn_wide_sums() of kernel.h in its place, where there is no FMA instruction.
---@type table<string, fun(isa: table, stage: Stage, tile: table): boolean>
local suits = {
  together = function(isa, stage, tile)
    return isa.fused and tile.serves_all and tile.rows > 2 and stage.sum.blocks > 1
      and stage.sum.chains == 1 and tile.rows * tile.vectors * line_k <= line_fmas
  end,
  wide = function(isa, stage, tile)
    local panels = tile.vectors * isa.lanes / weight_layout.lanes
    return isa.wide ~= 'never' and stage.sum.chains == 1 and panels % 1 == 0 and panels <= 4
  end,
}

--- A tile without a choice, that takes one k after the other.
---@param draft table
---@return Tile
function M.plain(draft)
  draft.together, draft.wide, draft.ways = 1, 'never', false
  draft.matrix, draft.fetched = false, false
  return record.strict('tile', draft)
end

--- The drafts of a stage's weights: how many k stand in a line, and what stands in for them.
---@param drafts table[]
---@return Refusal[]
function M.lines(isa, stage, drafts)
  local function takes(form, draft)
    return suits[form](isa, stage, draft) and needs.takes(form, stage)
  end
  for _, draft in ipairs(drafts) do
    draft.together = takes('together', draft) and line_k or 1
    draft.wide = takes('wide', draft) and isa.wide or 'never'
  end
  return needs.refused(stage, lists.filter({ 'together', 'wide' }, function(form)
    return #lists.filter(drafts, function(draft) return suits[form](isa, stage, draft) end) > 0
  end))
end

--- Drafts become tiles.
---@param drafts table[]
---@param ways (fun(draft: table, rows: integer): string[])|false
function M.finish(drafts, ways)
  for _, draft in ipairs(drafts) do
    draft.ways = ways and {}
    for rows = 1, ways and draft.rows or 0 do draft.ways[rows] = ways(draft, rows) end
    draft.matrix, draft.fetched = draft.matrix or false, draft.fetched or false
    record.strict('tile', draft)
  end
end

--- The tiles that skip zeros: as wide as for as many rows, and what is left over of the columns.
---@param isa table
---@param stage Stage
---@param dense Tile[]
---@param most_rows integer
---@return Tile[]
function M.nonzero(isa, stage, dense, most_rows)
  local columns, result, taken = stage.stream.layout.columns, {}, false
  local function add(tile)
    local rows = math.min(tile.rows, most_rows)
    result[#result + 1] = M.plain {
      rows = rows, cols = tile.cols, vectors = tile.vectors, holds = tile.holds,
      side_by_side = tile.side_by_side,
      registers = registers(isa, stage, rows, tile.vectors, tile.holds),
      serves_all = rows == most_rows, streams = false, parts = false,
    }
    taken = taken or rows == most_rows and columns % tile.cols == 0
  end
  for _, tile in ipairs(dense) do
    if not taken then add(tile) end
  end
  return result
end

return M
