--- What a register tile's templates are handed, cut by what it is about: where k comes from, what
--- is fetched, which weights are read, where sums are kept; and the loops that are made of it.
local addresses = require 'emit.addresses'
local fetching = require 'emit.fetching'
local grouped = require 'emit.grouped'
local operands = require 'emit.operands'
local products = require 'emit.products'
local record = require 'common.record'
local texts = require 'common.text'
local tile_sums = require 'emit.tile_sums'
local ungrouped = require 'emit.ungrouped'
local weight_layout = require 'weights.layout'

local M = { plus = addresses.plus, terms = addresses.terms }

local lanes, plus = weight_layout.lanes, addresses.plus

--- Whether a tile is handed a lane beside the address of a group: it is narrower than a bundle.
function M.takes_lane(s, tile) return tile.cols < s.stage.stream.layout.width end

--- How far behind the lines of a k the weights of a lane lie, in C.
function M.lane_text(s, lane) return ('%s * %d'):format(lane, s.stage.stream.layout.element) end

---@class TileUse
---@field s StagePlan
---@field tile Tile|StraightTile
---@field first integer         first column of its bundle
---@field lane boolean|nil      `lane` says where in its bundle it begins, beside that
---@field guards boolean        rows beyond the first are there only for so many `rows`
---@field k KUse
---@field fetching FetchingUse
---@field abreast Abreast|nil   panels abreast: sums go on from `from` where it is not NULL, and are
--- added to those of earlier blocks where `adds` says so
---@field halves Halves|nil      the second half is told by how far it is behind the first
---@field bundled Bundled|nil    vectors are in the order of memory
---@field tokens boolean|nil    k are tokens: a row is a column of the operand, and sums go where
--- they belong, rows at `stride`, added to what is there where the C variable `adds` says so

---@class KUse  where k comes from
---@field ends string           C: where the loop over k ends
---@field count string|nil      C: what a variable `count` is, where that is not a parameter
---@field bytes string|nil      C: from a k to the next, unless it is as far as in all of the stage
---@field last_block string|nil C: whether the block is the last, unless that is as in all of it
---@field listed boolean|nil    from a list of inputs
---@field together integer|nil  so many stand in a line
---@field left boolean|nil      and some may be left
---@field unrolled boolean|nil  the loop becomes straight-line code
---@field one_chain boolean|nil a chain is summed at a time

---@class TileK: KUse
---@field bound string       C: where an inner loop ends
---@field chains integer
---@field step integer       k of a step of the format
---@field each integer       k that are multiplied at once
---@field line integer       k that are taken together: whole steps, and all chains
---@field rest integer       k of the last block that fill no line
---@field ragged boolean     any block may have k that fill none
---@field last_block string  '' where there is one block

---@class TileLane  where in its bundle a tile begins
---@field given boolean  a parameter says so
---@field taken boolean  and is needed
---@field text string    C: what it adds to addresses; '' nothing, or elsewhere

---@class TileRows
---@field guarded boolean  rows beyond the first may not be there
---@field of fun(row: integer, lines: string): string  statements for a row that may not be

---@alias OneK fun(chain: integer, ahead: integer|string, states: State[]|nil): string

---@class TileText
---@field s StagePlan
---@field tile Tile|StraightTile
---@field N string
---@field k TileK
---@field lane TileLane
---@field rows TileRows
---@field fetching TileFetching
---@field weights TileWeights
---@field sums TileSums
---@field activation fun(row: integer, ahead: integer|string): string
---@field loop fun(one_k: OneK|nil): string  its sums over a block

--- Whether the block under way is the last of its sum, in C.
local function last_block(sum, N)
  if sum.parts > 1 then return ('(block + 1) %% %s_PART_BLOCKS == 0'):format(N) end
  return ('block + 1 == %s_BLOCKS'):format(N)
end

---@param use TileUse
---@return TileK
local function k_of(env, use)
  local sum, format, given, N = use.s.stage.sum, use.s.stage.stream.format, use.k, env.NAME(use.s)
  local levels, line = #format.levels > 0, grouped.line(use)
  return record.strict('k of a tile', {
    ends = given.ends, bound = use.fetching.advances and 'end' or given.ends,
    count = given.count or '', bytes = given.bytes or N .. '_STEP',
    listed = given.listed or false, together = given.together or 1, left = given.left or false,
    unrolled = given.unrolled or false, one_chain = given.one_chain or false,
    chains = sum.chains, step = format.step.k, each = use.s.stage.arithmetic.k, line = line,
    rest = levels and 0 or sum.last % line,
    ragged = use.abreast ~= nil and line > 1 and not levels,
    last_block = not use.abreast and sum.blocks > 1 and (given.last_block or last_block(sum, N))
      or '',
  })
end

---@param use TileUse
---@param by_one boolean  weights stand by themselves
---@return TileLane
local function lane_of(use, by_one)
  local taken = use.lane and (use.abreast or M.takes_lane(use.s, use.tile)) and true or false
  return record.strict('lane of a tile', {
    given = use.lane or false, taken = taken,
    text = taken and by_one and M.lane_text(use.s, 'lane') or '',
  })
end

---@param use TileUse
---@return TileRows
local function rows_of(use)
  return record.strict('rows of a tile', {
    guarded = use.guards,
    of = function(row, lines)
      if row == 0 or not use.guards then return lines end
      return texts.under(('if (rows > %d)'):format(row), lines)
    end,
  })
end

--- What makes one k: each step of a chain, `ahead` of a line, with what groups hold.
---@param t TileText
---@param settles boolean  the compiler is kept from reading weights twice
---@return OneK
local function one_k_of(env, t, settles)
  -- A single vector's FMA takes it from memory. Kernels of f32 wait for memory, not for pipes.
  local splat = t.tile.vectors > 1 and not t.s.stage.stream.format.floats and 'splat_at' or 'splat'
  local s, bytes = t.s, t.s.stage.arithmetic.takes == 'bytes'
  --- Of a row, at a k: the operand in each lane, or where it is read.
  local function operand(row, ahead)
    if not bytes then return env.word(splat, t.activation(row, ahead)) end
    local k = ahead == 0 and 'k' or ('(k + %d)'):format(ahead)
    local of = t.sums.reads and operands.address or operands.number
    return of(env, s, row, k, s.stage.operand.format.multiplied)
  end
  return function(chain, ahead, states, first, last)
    local weights = t.weights.reader(states)
    return env.render('step.c.tpl', {
      tile = t.tile, rows = t.rows,
      step = record.strict('step of a tile', {
        settles = settles, first = first or 0, last = last or t.tile.vectors - 1,
        vec = bytes and env.isa.ivec or env.isa.vec,
        zero = bytes and env.isplat('0') or env.zero(), reads = t.sums.reads,
        operand = function(row) return operand(row, ahead) end,
        weights = function(v) return weights(v, ahead) end,
        multiply = function(row, v)
          return t.sums.multiply(row, v, chain, 'w' .. v, t.sums.reads and operand(row, ahead))
        end,
      }),
    })
  end
end

--- The sums of a tile over a block.
---@param t TileText
---@param one_k OneK
---@return string
local function loop(env, t, one_k)
  local k = t.k
  if k.listed then
    return env.render('nonzero_loop.c.tpl', {
      s = t.s, tile = t.tile, N = t.N, lane = t.lane, k = k, fetching = t.fetching, sums = t.sums,
      one_k = one_k,
    })
  elseif k.one_chain then
    return env.render('chains_loop.c.tpl', { tile = t.tile, k = k, sums = t.sums, one_k = one_k })
  end
  local function together()
    return env.render('together.c.tpl', { N = t.N, k = k, fetching = t.fetching, one_k = one_k })
  end
  local function begin() return env.render('group_begin.c.tpl', { fetching = t.fetching }) end
  local function ascend()
    return env.render('ascend.c.tpl', {
      k = k, fetching = t.fetching, weights = t.weights, together = together, begin = begin,
      one_k = one_k,
    })
  end
  return env.render('loop.c.tpl', {
    tile = t.tile, k = k, rows = t.rows, fetching = t.fetching, weights = t.weights, sums = t.sums,
    ascend = ascend, one_k = one_k,
  })
end

--- What the templates of a tile are handed.
---@param env table
---@param use TileUse
---@return TileText
function M.of(env, use)
  local s, tile, isa, N = use.s, use.tile, env.isa, env.NAME(use.s)
  local by_one = s.stage.stream.format.c_type ~= false
  local pitch = use.abreast and use.abreast.visited < lanes and lanes or isa.lanes
  local k, lane = k_of(env, use), lane_of(use, by_one)
  local rows, sums = rows_of(use), tile_sums.of(env, use, pitch)
  local t = {
    s = s, tile = tile, N = N, k = k, lane = lane, rows = rows,
    fetching = fetching.of(env, use, k),
    weights = (by_one and ungrouped or grouped).weights(env, use, k, lane, pitch,
      products.of(env, s, tile, rows, sums)),
    sums = sums,
  }
  function t.activation(row, ahead)
    if use.tokens then return ('a[%s]'):format(plus('k * ' .. N .. '_ROW', { { row, '' } })) end
    return ('a[%s]'):format(plus('k', { { row, N .. '_ROW' }, { ahead, '' } }))
  end
  local one_k = one_k_of(env, t, isa.settles and by_one and not use.abreast
    and (tile.rows == 2 or use.guards and tile.rows > 2) or false)
  function t.loop(own) return loop(env, t, own or one_k) end
  return record.strict('tile text', t)
end

return M
