--- What an arithmetic is: which sums there are while an output is summed, and what becomes of them.
local lists = require 'common.list'
local record = require 'common.record'

---@class Arithmetic
---@field name string
---@field about string
---@field k integer         of one step
---@field takes 'value'|'bytes' what a step takes of the weights: the f32 of a k, what the value of
--- their format gives; or four of them in the bytes of a lane, what its products take
---@field operand string    what it multiplies them with: a word of operand/
---@field multiplies (fun(products: Products): boolean)|false  whether it takes such bytes
---@field held fun(format: Format): Accumulator[]  the sums that a tile holds
---@field words table<string, ArithmeticWord>  that only instruction sets with it have; the builder
--- has each under its name
---@field trains boolean    a layer that is trained may be summed so
---@field bounded boolean   the bound of runtime/reference.c holds for it; else none is stated
---@field roundings fun(sum: table): integer  most between a product and its place in the sum, whose
--- block, blocks and chains are known
---@field begin_block fun(v: Builder): Node   what the sum of a block begins with
---@field begin_group GroupHook|false  in front of the k of a group of weights
---@field step fun(v: Builder, a: Accumulators, weights: Node, products: Products|false)  so many k
---@field end_group GroupHook|false     behind them
---@field end_shared GroupHook|false    behind the k that have a scale of the operand: one group of
--- weights, or two of them, after the last one's end
---@field end_block fun(v: Builder, before: Node, sum: Node): Node  the sum of more and of fewer
--- products: of blocks, or of interleaved chains

---@alias GroupHook fun(v: Builder, a: Accumulators, state: State, products: Products)
--- with what the weights' innermost level holds

---@class Accumulator  for each row and vector of outputs
---@field name string      sum: what is kept from block to block, an f32
---@field type 'f32'|'int32'
---@field file string      registers that hold it: a key of an instruction set's `files`
---@field rows integer     of a tile, in one of these
---@field lanes integer|false  outputs in it; false: those of a vector
---@field step fun(v: Builder, a: Accumulators, weights: Node, products: Products|false)
--- so many k
--- with 0 where the operand has another scale, of weights whose groups have a factor

---@class ArithmeticWord
---@field gives 'f'|'i'    a vector of floats, of integers of 32 bits
---@field takes string[]   such kinds, of each argument

---@class Accumulators  those of a row and a vector of outputs, in a hook
---@field get fun(name: string): Node
---@field set fun(name: string, value: Node)
---@field operand fun(plane: string): Node  of the row, at the k of the step or the group

local M = {}

local required = {
  'about', 'accumulators', 'begin_block', 'end_block', 'k', 'operand', 'roundings', 'step', 'takes',
}

--- Complains of an arithmetic as of its file.
local function wrong(name, problem, ...)
  error(('arithmetic/%s.lua: ' .. problem):format(name, ...), 0)
end

---@return Accumulator[]
local function accumulators_of(name, list)
  local kept
  for i, one in ipairs(list) do
    if one.scope == 'block' then
      if kept or one.name ~= 'sum' or one.type ~= 'f32' then
        wrong(name, 'what is kept from block to block is one f32, named sum')
      end
      kept = true
    end
    list[i] = record.strict('accumulator', {
      name = one.name, type = one.type, file = one.file, rows = one.rows,
      lanes = one.lanes or false, scope = one.scope,
    })
  end
  if not kept then wrong(name, 'no accumulator is kept from block to block') end
  return list
end

--- The record of an arithmetic, from what its file says; an error where that does not hold.
---@param name string
---@param said table
---@return Arithmetic
function M.record(name, said)
  for _, field in ipairs(required) do
    if said[field] == nil then wrong(name, 'the field "%s" is missing', field) end
  end
  if said.name ~= name then wrong(name, 'its name is "%s"', tostring(said.name)) end
  if said.takes ~= 'value' and said.takes ~= 'bytes' then
    wrong(name, 'takes must be "value" or "bytes"')
  end
  if (said.takes == 'bytes') ~= (said.multiplies ~= nil) then
    wrong(name, 'multiplies says which bytes are taken, and nothing of values')
  end
  local accumulators = accumulators_of(name, said.accumulators)
  --- Sums over shared k are for groups that have a factor.
  local function held(format)
    local shares = said.takes == 'bytes' and format.products.factor
    return lists.filter(accumulators, function(one) return shares or one.scope ~= 'shared' end)
  end
  local known = {
    name = name, about = said.about, k = said.k, takes = said.takes, operand = said.operand,
    held = held, words = said.words or {},
    trains = said.trains or false, bounded = said.bounded or false, roundings = said.roundings,
    begin_block = said.begin_block, multiplies = said.multiplies or false,
    begin_group = said.begin_group or false, step = said.step,
    end_group = said.end_group or false, end_shared = said.end_shared or false,
    end_block = said.end_block,
  }
  for _, field in ipairs(record.sorted_keys(said)) do
    if (known[field] == nil or field == 'held') and field ~= 'accumulators' then
      wrong(name, 'unknown field "%s"%s', tostring(field),
        record.suggest(tostring(field), record.sorted_keys(known)))
    end
  end
  return record.strict('arithmetic ' .. name, known)
end

return M
