--- What an arithmetic is: which sums there are while an output is summed, and what becomes of them.
local lists = require 'common.list'
local record = require 'common.record'

---@class Arithmetic
---@field name string
---@field word string      what a spec says as its arithmetic: instruction sets have its words under
--- this; its name if nothing is said
---@field scales 'dynamic'|'static'  what a spec says as its operand_scales: they are found for each
--- row, or come with the weights, one for each product
---@field about string
---@field k integer         of one step
---@field takes 'value'|'bytes' what a step takes of the weights: the f32 of a k, what the value of
--- their format gives; or four of them in the bytes of a lane, what its products take
---@field operand string    what it multiplies them with: a word of operand/
---@field multiplies (fun(products: Products): boolean)|false  whether it takes such bytes
---@field most_inputs (fun(products: Products): integer)|false  of a stage of such bytes; false: any
---@field held fun(format: Format): Accumulator[]  the sums that a tile holds
---@field words table<string, ArithmeticWord>  that only instruction sets with it have; the builder
--- has each under its name
---@field one_chain boolean  sums are in no blocks: each goes on over all k
---@field trains boolean    a layer that is trained may be summed so
---@field bound 'roundings'|'bytes'|false  what the bound of runtime/reference.c is made of:
--- roundings of floats; or what inputs are off by as bytes, with few roundings of exact sums, and
--- then runtime/reference_s8.c has the bits; false: no bound is stated
---@field roundings fun(sum: table, group: integer): integer  most between a product and its place
--- in the sum, whose block, blocks and chains are known; group: k with one scale of the operand
---@field begin_block fun(v: Builder): Node   what the sum of a block begins with
---@field begin_group GroupHook|false  in front of the k of a group of weights
---@field narrow (fun(products: Products): integer|false)|false  k of which some instruction sets
--- sum the products in 16 bits: less than a group of weights; false: there are none
---@field end_narrow fun(v: Builder, a: Accumulators)|false  behind these
---@field opens fun(v: Builder, bytes: Node, products: Products): Node  what waits in scratch for
--- such bytes; they themselves if nothing is said
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
---@field scope 'group'|'shared'|'block'  of k, after which it begins anew: shared is what begins
--- with 0 where the operand has another scale, of weights whose groups have a factor

---@class ArithmeticWord
---@field gives 'f'|'i'    a vector of floats, of integers of 32 bits
---@field takes string[]   such kinds, of each argument

---@class Accumulators  those of a row and a vector of outputs, in a hook
---@field narrow boolean  one of this name has sums of 16 bits
---@field get fun(name: string): Node
---@field set fun(name: string, value: Node)
---@field operand fun(plane: string): Node  of the row, at the k of the step or the group

local M = {}

local schema = record.schema {
  name = 'string', word = { 'string', false }, about = 'string', k = 'integer',
  scales = { 'string', 'dynamic', one_of = { 'dynamic', 'static' } },
  takes = { one_of = { 'value', 'bytes' } },
  operand = 'string', accumulators = 'table', words = { 'table', {} },
  one_chain = { 'boolean', false },
  trains = { 'boolean', false }, bound = { 'any', false, one_of = { 'roundings', 'bytes' } },
  roundings = 'function',
  begin_block = 'function', begin_group = { 'function', false }, step = 'function',
  end_group = { 'function', false }, end_shared = { 'function', false }, end_block = 'function',
  multiplies = { 'function', false }, most_inputs = { 'function', false },
  opens = { 'function', function(_, bytes) return bytes end },
  narrow = { 'function', false }, end_narrow = { 'function', false },
}
local accumulator_schema = record.schema {
  name = 'string', type = { one_of = { 'f32', 'int32' } }, file = 'string', rows = 'integer',
  lanes = { 'integer', false }, scope = { one_of = { 'group', 'shared', 'block' } },
}

--- Complains of an arithmetic as of its file.
local function wrong(name, problem, ...)
  error(('arithmetic/%s.lua: ' .. problem):format(name, ...), 0)
end

---@return Accumulator[]
local function accumulators_of(name, said)
  local kept, list = false, {}
  for i, one in ipairs(said) do
    local place = ('arithmetic/%s.lua: accumulator %d'):format(name, i)
    local own = record.strict('accumulator', accumulator_schema:read(one, place))
    if own.scope == 'block' then
      if kept or own.name ~= 'sum' or own.type ~= 'f32' then
        wrong(name, 'what is kept from block to block is one f32, named sum')
      end
      kept = true
    end
    list[i] = own
  end
  if not kept then wrong(name, 'no accumulator is kept from block to block') end
  return list
end

--- The record of an arithmetic, from what its file says; an error where that does not hold.
---@param name string
---@param said table
---@return Arithmetic
function M.record(name, said)
  local own = schema:read(said, ('arithmetic/%s.lua'):format(name))
  if own.name ~= name then wrong(name, 'its name is "%s"', own.name) end
  local takes_bytes = own.takes == 'bytes'
  if takes_bytes ~= (own.multiplies ~= false) then
    wrong(name, 'multiplies says which bytes are taken, and nothing of values')
  end
  local accumulators = accumulators_of(name, own.accumulators)
  --- Sums over shared k are for groups that have a factor.
  function own.held(format)
    local shares = takes_bytes and format.products.factor
    return lists.filter(accumulators, function(one) return shares or one.scope ~= 'shared' end)
  end
  own.accumulators, own.word = nil, own.word or name
  return record.strict('arithmetic ' .. name, own)
end

return M
