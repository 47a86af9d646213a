--- What the comments of functions say: what is computed, on which rows, columns and k, and at which
--- multiples of bytes pointers begin. All of it is printed from the plan, so that comment and code
--- cannot disagree; a text serves all stages, formats and instruction sets.
local describe = require 'emit.describe'
local environment = require 'emit.environment'
local formats = require 'weights.format'
local lists = require 'common.list'
local record = require 'common.record'
local weight_layout = require 'weights.layout'

local M = {}

local commented, float_bytes = environment.commented, 4

--- A sentence on where pointers begin: { name in C, multiple of bytes } each.
local function begins(pointers)
  local first = pointers[1]
  local parts = { ('`%s` begins at a multiple of %d bytes'):format(first[1], first[2]) }
  for i = 2, #pointers do parts[i] = ('`%s` of %d'):format(table.unpack(pointers[i])) end
  return table.concat(parts, ', ')
end

--- What groups of packed weights begin at a multiple of, however many panels lie side by side.
---@param placed PlacedGroup of one panel
---@return integer
local function multiple_of(placed)
  local multiple = weight_layout.alignment
  while (placed.bytes | placed.head_bytes) % multiple > 0 do multiple = multiple // 2 end
  return multiple
end

--- What a vector of an instruction set begins at a multiple of.
local function of_vector(isa) return isa.lanes * float_bytes end

local function of_weights(s) return multiple_of(s.stage.stream.layout.placed) end

local function rows_of(tile)
  return tile.rows == 1 and 'one row' or ('at most %d rows'):format(tile.rows)
end

--- The k of a tile.
---@param s StagePlan
---@param form string  sums, or nonzero
local function k_of(s, form, is_shape)
  local sum = s.stage.sum
  if form == 'nonzero' then return 'the `count` k in `list`' end
  if sum.blocks == 1 then return is_shape and 'all k' or ('all %d k'):format(s.stage.inputs) end
  return is_shape and 'the k of a block'
    or ('at most %d k from block * %d on'):format(sum.block, sum.block)
end

--- A tile.
---@param s StagePlan
---@param tile Tile
---@param form string         sums, or nonzero
---@param is_shape boolean|nil  it is one text for several stages
function M.tile(s, tile, form, isa, is_shape)
  local sums = tile.vectors * isa.lanes
  local shape = is_shape and ('[%d][%d]'):format(tile.vectors, isa.lanes)
    or ('[branch][%d]'):format(tile.cols)
  local extent = is_shape and ('%d sums'):format(sums)
    or ('%d columns%s'):format(tile.cols, sums > tile.cols and ' of each branch' or '')
  return ('sum[row]%s %s a w: %s x %s, %s%s. %s.'):format(shape,
    s.stage.sum.blocks > 1 and '(+)=' or '=', rows_of(tile), extent, k_of(s, form, is_shape),
    tile.wide == 'always' and '' or ', in ' .. describe.registers(tile.registers, isa),
    begins { { 'sum', of_vector(isa) }, { form == 'nonzero' and 'weights' or 'w', of_weights(s) },
      { 'a', float_bytes } })
end

--- The tile of panels abreast.
---@param s StagePlan
function M.abreast_tile(s, isa)
  local a = s.abreast
  return ('sum[row][branch][%d] of %s%d panels = what `from` has, or 0, + a w, added to what sum '
    .. 'has where `adds` says so: at most %d rows x `count` k, in %s. %s.'):format(a.columns,
      a.visited < weight_layout.lanes and 'half of each of ' or '', a.panels, a.tile.rows,
      describe.registers(a.tile.registers, isa),
      begins { { 'sum', of_vector(isa) }, { 'from', of_vector(isa) }, { 'w', of_weights(s) },
        { 'a', float_bytes } })
end

--- A tile of a sum over tokens.
function M.token_tile(tile, isa)
  return ('sum[row][%d] (+)= a w: %s x %d columns, `count` tokens, in %s. %s.'):format(tile.cols,
    rows_of(tile), tile.cols, describe.registers(tile.registers, isa),
    begins { { 'w', weight_layout.alignment }, { 'sum', float_bytes }, { 'a', float_bytes } })
end

--- What becomes of integers that one instruction gives.
M.scaled = 'The sum of a row and a vector of outputs, to which products with a group, integers, '
  .. 'are scaled and added. The row begins at `a`, a multiple of 4 bytes; k is the first of the '
  .. 'group.'

--- What calls a tile for each number of rows.
---@param tile Tile
function M.rows(tile, isa)
  local sums = tile.vectors * isa.lanes
  return tile.rows == 1
    and ('The %d sums of one row, by the tile; pointers begin as the tile says.'):format(sums)
    or ('The %d sums of each of 1 to %d rows, by the tile: each number of rows is a loop of its '
      .. 'own; pointers begin as the tile says.'):format(sums, tile.rows)
end

--- What gives the address of weights.
---@param s StagePlan
function M.weights(s)
  if s.stage.stream.layout.group == 1 then
    return 'The bundle of the output `column`, from input k on.'
  end
  return 'The group that holds input k, of the bundle of the output `column`.'
end

--- What goes over all columns.
M.columns = 'All rows x columns [task->first, task->last), all k, by the widest tile that serves '
  .. 'the rows and fits what is left.'

--- What does so where few inputs are not zero.
M.nonzero_columns = 'All rows x columns [task->first, task->last), over the `listed` k of the '
  .. "task's list."

--- What goes over a chunk of columns.
M.chunk = 'All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and '
  .. 'at most `most` rows, constants at each call: sums stay in cache while k ascends, and each '
  .. 'block of weights while all rows pass over it. Returns the columns of the chunk.'

--- What does so with weights that are decoded first.
M.scratch_chunk = 'Many rows x a chunk of columns from `column` on, all k, in tiles of `cols` '
  .. 'columns and at most `most` rows: each block of weights is decoded into scratch, and all rows '
  .. 'pass over it. Returns the columns of the chunk.'

--- What decodes a block of weights.
---@param s StagePlan
function M.scratch(s, isa)
  local layout = s.stage.stream.layout
  local bytes = s.stage.arithmetic.takes == 'bytes'
  return ('A k block of the columns [column, column + cols), whole bundles, into scratch, in '
    .. '%s: [bundle][%s]%s[16]. Scratch begins at a multiple of %d bytes, groups of weights of %d.')
    :format(bytes and 'bytes' or 'f32', bytes and 'group][line' or 'k',
      layout.members > 1 and '[member]' or '', of_vector(isa), of_weights(s))
end

--- Panels abreast.
---@param s StagePlan
function M.abreast(s)
  local a = s.abreast
  return ('2 to %d rows x the columns of %d panels from `column` on: all rows visit %d k of the '
    .. 'panels before the next ones. A prefetcher follows several streams faster than one%s.')
    :format(a.rows, a.panels, a.step,
      a.every > 0 and ', and each tile of several fetches a part of the next visit' or '')
end

--- The results of a stage in terms of its sums.
---@param s StagePlan
function M.results(s)
  return table.concat(lists.map(s.stage.results, function(result)
    return describe.result(s.stage, result)
  end), ', ')
end

--- What makes them of the sums of a tile, and in how many registers.
---@param s StagePlan
---@param isa table
---@param made string  what it makes of them
function M.finish(s, isa, made)
  local pointers = { { 'sum', of_vector(isa) } }
  if s.laid.unit == 1 then
    pointers[2] = { 'out', s.final and float_bytes or of_vector(isa) }
  end
  return ('%s, of all rows x `%s` columns from `column` on%s%s. %s.'):format(made,
    s.laid.unit > 1 and 'count' or 'cols',
    s.epilogue > 0 and ', in ' .. describe.registers(s.epilogue, isa) or '',
    s.final and '' or '; beyond the last output it meets zero weights', begins(pointers))
end

--- A text for each function of a layer that takes tokens in lanes, in lines.
---@param lanes Lanes
---@param inputs integer
---@param outputs integer
function M.lanes(lanes, inputs, outputs)
  return record.strict('comments of lanes', {
    into = commented(('All %d inputs of `count` tokens from x into `to`, side by side. Where lanes '
      .. 'are left over, copies of the first token fill them, from `rows`. x begins at any float.')
      :format(inputs)),
    out = commented(('All %d outputs of `count` tokens to y, each where it belongs; by way of '
      .. '`rows` where lanes are left over. y begins at any float.'):format(outputs)),
    layer = commented(('At most %d tokens from `token` on through all stages, all columns and k, '
      .. 'each in a lane of its own. x and y begin at any float, packed weights and `beside` at a '
      .. 'multiple of %d bytes.'):format(lanes.tokens, weight_layout.alignment)),
  })
end

--- And for those of a stage.
---@param s StagePlan
---@param shape LanesShape
---@param lanes Lanes
function M.lanes_stage(s, shape, lanes, isa)
  return record.strict('comments of a stage in lanes', {
    chain = commented(('%s: sums of at most %d outputs over %s, %d tokens side by side. `outputs` '
      .. 'is a constant at each call: what fewer outputs do not use compiles away. %s.'):format(
        s.stage.name, shape.most, shape.chains == 1 and ('all %d k'):format(s.stage.inputs)
        or ('every %d. of %d k, from `k` on'):format(shape.chains, s.stage.inputs), lanes.tokens,
        begins { { 'a', of_vector(isa) }, { 'w', of_weights(s) } })),
    lanes = commented(('At most %d `outputs` of %d tokens, over all %d k: chains are folded as '
      .. 'soon as they can be. %s.'):format(shape.most, lanes.tokens, s.stage.inputs,
        begins { { 'out', of_vector(isa) }, { 'a', of_vector(isa) }, { 'w', of_weights(s) } })),
  })
end

--- A tile of what does not walk.
---@param code StraightCode
function M.straight(code, isa)
  local s, tile = code.s, code.tile
  local of_a = tile.dots and math.min(of_vector(isa), 32) or float_bytes
  return commented(('%s: %s x %d column%s%s, all %d k. %s.'):format(s.stage.name,
    code.guards and rows_of(tile) or tile.rows == 1 and 'one row' or tile.rows .. ' rows',
    code.valid, code.valid > 1 and 's' or '',
    code.first > 0 and (', from column %d of a bundle on'):format(code.first) or '',
    s.stage.inputs,
    begins { { 'w', of_weights(s) }, { 'a', of_a },
      { 'out', s.final and float_bytes or of_vector(isa) } }))
end

--- The sums of some outputs in few bytes of code.
---@param c CompactStage
---@param assigns string  how those of a block become those of the stage
function M.compact_sums(c, assigns)
  local sum = c.plan.stage.sum
  return commented(('sum[%d] %s a w over `count` k%s. %s.'):format(c.cols, assigns,
    sum.chains > 1 and (', in %d chains'):format(sum.chains) or '',
    begins { { 'w', of_weights(c.plan) }, { 'a', float_bytes }, { 'sum', float_bytes } }))
end

--- What lays a row for products of bytes.
---@param format OperandFormat
---@param kept integer  bytes that are kept of a group, in front of it
function M.compact_lay(format, kept)
  return commented(('A row of floats from `row` on as %s: %s behind %d bytes that are kept of '
    .. 'them.'):format(format.about, format.of_rows and 'all numbers, and zeros up to whole groups,'
    or ('each %d numbers'):format(format.group), kept))
end

--- What makes results of them.
---@param s StagePlan
function M.compact_finish(s)
  return commented(M.results(s) .. ", of `count` columns of a row; pointers begin at any float.")
end

--- A stage of training that has no sums, and one whose sums are over tokens.
---@param made string  what it makes
function M.task(made) return made .. ', of all rows x columns [task->first, task->last).' end
function M.over_tokens(made)
  return made .. ': rows [task->first, task->last), all columns, over all tokens of the task.'
end

--- What functions do between a group of one output and numbers.
local packs = {
  pack = 'Packs %s of one output into lane `lane` of `members` panels side by side',
  take = "Packs %s of one output from the format's own blocks into lane `lane` of `members` panels "
    .. 'side by side',
  unpack = 'Unpacks %s of one output from lane `lane` of `members` panels side by side',
  give = "Gives back %s of one output as the format's own blocks from lane `lane` of `members` "
    .. 'panels side by side',
  one = 'Weight k of %s of one output, in lane `lane` of `members` panels side by side',
}

---@param kind string   a function of packing.lua
---@param format Format
---@param placed PlacedGroup
---@return string  a whole comment
function M.packing(kind, format, placed)
  local of = format.group > 1 and ('a group of %d weights'):format(format.group) or 'one weight'
  local pointers, source = { { 'group', multiple_of(placed) } }, format.source
  if kind == 'take' or kind == 'give' then
    pointers[2] = { 'own', formats.number_types[source.number].bytes }
  elseif kind ~= 'one' then
    pointers[2] = { 'w', float_bytes }
  end
  return ('/* %s */\n'):format(commented(('%s. %s.'):format(packs[kind]:format(of),
    begins(pointers))))
end

return M
