--- The sums of a tile, in C: what they are called, what they begin with, and where they are kept.
local addresses = require 'emit.addresses'
local chain_order = require 'emit.chains'
local lists = require 'common.list'
local record = require 'common.record'
local summings = require 'emit.summing'
local sums = require 'emit.sums'

local M = {}

local plus = addresses.plus

---@class TileSums
---@field zero string         the declaration of what they begin with; ''
---@field added string        C: whether they are added to what is kept; '' never
---@field folds { into: integer, from: integer }[]  of chains that are summed side by side
---@field order ChainStep[]   of chains that are summed one after the other
---@field name fun(row: integer, v: integer, chain: integer): string
---@field names fun(first: integer, last: integer, chain: integer): string[]  of some rows
---@field names_of fun(row: integer, v: integer): fun(accumulator: string): string
---@field begun fun(row: integer): string             the declaration of a row's
---@field begun_chain fun(chain: integer): string     that of all of a chain
---@field fold fun(first: integer, last: integer, into: integer, from: integer): string  what adds
--- a chain of some rows to another
---@field take fun(row: integer): string  what adds them to those that are kept
---@field keep fun(row: integer): string
---@field reads boolean  what multiplies takes the address of the operand
---@field multiply fun(row: integer, v: integer, chain: integer, weights: string, operand: string?):
--- string  what multiplies a row's operand, x and its number if nothing is said, and weights

--- Halves of chains that are folded into the first ones, pairwise.
local function folds_of(chains)
  local list = {}
  while chains > 1 do
    chains = chains // 2
    for chain = 0, chains - 1 do list[#list + 1] = { into = chain, from = chain + chains } end
  end
  return list
end

--- Whether sums are added to what is kept of earlier ones, in C.
local function added_text(use)
  if use.tokens or use.abreast then return 'adds' end
  return use.s.stage.sum.blocks > 1 and 'block > 0' or ''
end

--- Where the sums of each row are kept between blocks.
---@param use TileUse
---@param pitch integer  columns from a vector to the next
---@param summing Summing
---@return fun(row: integer): KeptRow
local function kept_rows(env, use, pitch, summing, name)
  local tile, branches = use.tile, #use.s.stage.stream.branches
  local per_branch = tile.cols // env.isa.lanes
  local columns = use.abreast and use.abreast.columns or tile.cols
  return function(row)
    local base = use.tokens and plus('sum', { { row, 'stride' } }) or 'sum'
    local function offset(v)
      local branch = v // per_branch
      local column = v % per_branch * pitch
      return use.tokens and column or (row * branches + branch) * columns + column
    end
    return {
      summing = summing, vectors = tile.vectors, loose = use.tokens or false,
      sum = function(v) return name(row, v, 0) end,
      offset = not use.bundled and offset,
      where = function(v)
        local terms = use.bundled and addresses.kept(env, use, row, v) or { { offset(v), '' } }
        return plus(base, terms)
      end,
    }
  end
end

--- The declarations of a row's sums of panels abreast, which go on from those of an earlier visit.
---@param kept KeptRow
---@param row integer
---@param zero string  what they begin with else
local function gone_on(env, kept, row, zero)
  local lines = {}
  for v = 0, kept.vectors - 1 do
    local from = plus('from', { { kept.offset(v), '' } })
    local there = row > 0 and ('from && rows > %d'):format(row) or 'from'
    lines[v + 1] = ('%s %s = %s ? %s : %s;'):format(env.isa.vec, kept.sum(v), there,
      env.load(from), zero)
  end
  return table.concat(lines, '\n')
end

---@param env table
---@param use TileUse
---@param pitch integer  columns from a vector to the next
---@return TileSums
function M.of(env, use, pitch)
  local tile, chains = use.tile, use.s.stage.sum.chains
  local reads = summings.reads(env.isa, use.s.stage, tile)
  local summing = summings.of(env.isa, use.s.stage, reads)
  local function name(row, v, chain)
    return chains == 1 and ('s%d_%d'):format(row, v) or ('s%d_%d_%d'):format(row, v, chain)
  end
  local function names(first, last, chain)
    local list = {}
    for row = first, last do
      for v = 0, tile.vectors - 1 do list[#list + 1] = name(row, v, chain) end
    end
    return list
  end
  local function names_of(row, v, chain)
    return function(accumulator)
      return accumulator == 'sum' and name(row, v, chain or 0)
        or ('%s%d_%d'):format(accumulator, row, v)
    end
  end
  local kept = kept_rows(env, use, pitch, summing, name)
  return record.strict('sums of a tile', {
    zero = use.abreast and '' or sums.zero(env, summing), added = added_text(use),
    folds = folds_of(chains), order = chain_order.steps(chains), name = name, names = names,
    names_of = names_of,
    begun = function(row)
      if use.abreast then return gone_on(env, kept(row), row, summing.zero) end
      local list = {}
      for chain = 0, chains - 1 do lists.append(list, names(row, row, chain)) end
      return sums.cleared(env, summing, list)
    end,
    begun_chain = function(chain)
      return sums.cleared(env, summing, names(0, tile.rows - 1, chain))
    end,
    fold = function(first, last, into, from)
      return sums.add(env, summing, names(first, last, into), names(first, last, from))
    end,
    take = function(row) return sums.take(env, kept(row)) end,
    keep = function(row) return sums.keep(env, kept(row)) end,
    reads = reads,
    multiply = function(row, v, chain, weights, operand)
      return summing.step({
        sum = names_of(row, v, chain), operand = function() return operand or 'x' .. row end,
      }, weights)
    end,
  })
end

return M
