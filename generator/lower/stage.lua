--- Stages of any pass: what each is made of, and the order of its sums.
local arithmetics = require 'arithmetic'
local expression = require 'lower.expression'
local formats = require 'weights.format'
local lists = require 'common.list'
local operands = require 'operand'
local record = require 'common.record'
local weight_layout = require 'weights.layout'

local M = {}

--- Longest block of one accumulation: a pair of panels of it (16 KiB) stays in L1 beside the
--- activations of a row tile, which leaves the way to memory free for the next block; and the
--- rounding error of a sum grows with the block, not with the whole length. A block of tokens, in
--- sums over tokens, is as long: a batch that is split at a multiple of it keeps its bits.
M.longest_block = 128

--- Independent FMAs in flight that fill two FMA ports of latency 4, in f32 lanes of 512 bits.
local lanes_in_flight = 8 * 16

---@class Operand  where the k of a stage come from
---@field tensor string  x, a hidden tensor, a saved one or a gradient
---@field zeros boolean  many may be exact zeros: what made it ends in relu or its like
---@field format OperandFormat  what its rows are laid into
---@field parts string[] the tensors that it is made of, one after the other: mostly itself alone

---@class Branch  one matrix of a stream
---@field name string
---@field matrix string  its role, an enumerator of ffn_matrix: gate, up, down, chain

---@class Stream  packed weights, read once for each row tile; or an operand in panels like theirs
---@field format table       one of weights/
---@field layout Layout      where they lie
---@field branches Branch[]  matrices side by side: the activated one first
---@field bias boolean       each branch adds one
---@field packed string|false the tensor that is packed at run time, in place of weights

---@class Sum  the order in which an output is summed
---@field parts integer       cut into blocks each for itself, one after the other
---@field block integer       k of one accumulation, from +0
---@field blocks integer      of so many, added in ascending order; 0 for tokens
---@field last integer        k of the last one of a part
---@field chains integer      interleaved in a block, folded pairwise
---@field roundings integer   most between a product and its place in the sum, bias included

---@class Result
---@field tensor string  where it goes: y, a hidden tensor, a saved one, a gradient
---@field value Expression
---@field wanted string|nil the gradient for whose sake alone it is kept

---@class Stage  one walk over one stream of weights
---@field name string       names its functions and sizes in C
---@field kind string       weights, or what lower/backward.lua says
---@field inputs integer   of several parts: of each, whole blocks
---@field outputs integer
---@field operand Operand
---@field stream Stream|false
---@field arithmetic Arithmetic
---@field sum Sum|false
---@field results Result[]  the epilogue
---@field beside boolean     others read its operand, too, and what each gives is the caller's
---@field forward table|false  what ffn_stage tells the reference: activation, parameters, product;
--- and the rate of dropout of its results in training
---@field of integer|false     of a backward stage: the forward one whose matrices it takes; of a
--- mask or a fold: the forward one whose results it multiplies, or sums by
---@field wants string[]|false the gradients for whose sake it runs; false: always

--- Sums of a small layer are cut into interleaved chains, so that latency does not rule it.
local function chains(inputs, lanes)
  local c = 1
  while c < formats.most_chains and c * lanes < lanes_in_flight and inputs >= 8 * c do c = c * 2 end
  return c
end

--- How so many k are cut into blocks, in which the operand's groups are whole.
---@param length integer
---@param format OperandFormat
---@param one_chain boolean|nil  they are in one, whatever their number
---@return integer block
---@return integer blocks
function M.blocks(length, format, one_chain)
  local blocks = (length + M.longest_block - 1) // M.longest_block
  if one_chain or blocks == 1 or length <= format.group then return length, 1 end
  local share = (length + blocks - 1) // blocks
  local block = weight_layout.round_up(share, math.max(weight_layout.lanes, format.group))
  return block, (length + block - 1) // block
end

--- The order of a sum of `parts` times `length` products, for `lanes` outputs side by side. Nothing
--- is interleaved where the operand has groups: only the sum of a group waits for the one before.
---@param arithmetic Arithmetic
---@param format OperandFormat
---@param whole integer  k of weights that lie together: a part begins with a multiple of these
---@return Sum
local function sum_of_products(arithmetic, format, length, lanes, bias, parts, whole)
  local block, blocks = M.blocks(length, format, arithmetic.one_chain)
  local interleaved = format.group > 1 and 1 or chains(block, lanes)
  if parts > 1 then block = weight_layout.round_up(block, whole) end
  local sum = {
    parts = parts, block = block, blocks = parts * blocks, last = length - (blocks - 1) * block,
    chains = interleaved,
  }
  sum.roundings = arithmetic.roundings(sum, format.group) + (bias and 1 or 0)
  return record.strict('sum', sum)
end

--- The order of a sum over all tokens of a call, added to what its result holds, or to nothing.
---@return Sum
local function token_sum()
  return record.strict('sum', {
    parts = 1, block = M.longest_block, blocks = 0, last = 0, chains = 1,
    roundings = M.longest_block,
  })
end

--- The order of a stage's sums.
local function sum_of(s, arithmetic, format)
  if s.kind == 'tokens' or s.kind == 'columns' then return token_sum() end
  if s.kind == 'values' or s.kind == 'fold' or s.kind == 'mask' then return false end
  local parts = s.parts or 1
  return sum_of_products(arithmetic, format, s.inputs // parts,
    #s.branches * weight_layout.columns(s.outputs), s.bias, parts, s.format.group)
end

--- A stage of any pass.
---@param s table name, inputs, outputs, operand, results; of a stream of weights: branches, bias,
--- format; where it is not the rule arithmetic; for a forward stage forward; of a backward one:
--- kind, of, wants, and where k runs over outputs parts, where it runs over tokens packed; sharing:
--- the weight formats of all stages that read its operand, where there are several
---@return Stage
function M.stage(s)
  local arithmetic = arithmetics.by_name[s.arithmetic or arithmetics.names[1]]
  local products = arithmetic.takes == 'bytes'
    and lists.map(s.sharing or { s.format }, function(format) return format.products end) or {}
  local format = operands.of(arithmetic.operand, products, s.inputs,
    #products > 0 and expression.read_input(s.results))
  local sum = sum_of(s, arithmetic, format)
  local inputs = sum and sum.parts > 1 and sum.blocks * sum.block or s.inputs
  return record.strict('stage', {
    name = s.name, kind = s.kind or 'weights', outputs = s.outputs,
    inputs = inputs,
    operand = record.strict('operand', {
      tensor = s.operand.tensor, zeros = s.operand.zeros,
      format = format, parts = s.operand.parts or { s.operand.tensor },
    }),
    stream = s.branches and record.strict('stream', {
      format = s.format, branches = s.branches, bias = s.bias or false, packed = s.packed or false,
      layout = weight_layout.of(s.format, #s.branches, s.packed and M.longest_block or inputs,
        s.outputs, s.packed),
    }) or false,
    arithmetic = arithmetic, sum = sum, results = s.results,
    beside = s.beside or false, forward = s.forward or false, of = s.of or false,
    wants = s.wants or false,
  })
end

return M
