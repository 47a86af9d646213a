--- Stages of any pass: what each is made of, and the order of its sums.
local record = require 'common.record'

local M = {}

--- Outputs side by side in packed weights, FFN_PANEL of kernel.h: one cache line of f32 for each k.
M.panel = 16

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
---@field parts string[] the tensors that it is made of, one after the other: mostly itself alone

---@class Branch  one matrix of a stream
---@field name string
---@field matrix string  its role, an enumerator of ffn_matrix: gate, up, down, chain

---@class Stream  packed weights, read once for each row tile; or an operand in panels like theirs
---@field format table       one of weights/
---@field branches Branch[]  matrices side by side: the activated one first
---@field transposed boolean k runs over the outputs of [out][in]; of several matrices one after the
--- other: the parts of the sum
---@field bias boolean       each branch adds one
---@field packed string|false the tensor that is packed at run time, in place of weights

---@class Arithmetic
---@field name string  fma_f32: x times w into an f32 accumulator, one rounding for each k
---@field k integer    how many k one instruction takes

---@class Sum  the order in which an output is summed
---@field over string         inputs, or tokens
---@field parts integer       cut into blocks each for itself, one after the other
---@field length integer      how many products, of all parts; 0 for tokens: as many as there are
---@field block integer       k of one accumulation, from +0
---@field blocks integer      of so many, added in ascending order; 0 for tokens
---@field last integer        k of the last one of a part
---@field chains integer      interleaved in a block, folded pairwise
---@field accumulates boolean adds to what its result holds
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
---@field forward table|false  what ffn_stage tells the reference: activation, parameters, product;
--- and the rate of dropout of its results in training
---@field of integer|false     of a backward stage: the forward one whose matrices it takes; of a
--- mask: the forward one whose results it multiplies
---@field wants string[]|false the gradients for whose sake it runs; false: always

local fma_f32 = record.strict('arithmetic', { name = 'fma_f32', k = 1 })

--- Sums of a small layer are cut into interleaved chains, so that latency does not rule it.
local function chains(inputs, lanes)
  local c = 1
  while c < 8 and c * lanes < lanes_in_flight and inputs >= 8 * c do c = c * 2 end
  return c
end

local function log2(n)
  local bits = 0
  while n > 1 do n, bits = n // 2, bits + 1 end
  return bits
end

--- The order of a sum of `parts` times `length` products, for `lanes` outputs side by side.
---@return Sum
function M.sum(length, lanes, bias, parts)
  local blocks, block = (length + M.longest_block - 1) // M.longest_block, length
  if blocks > 1 then
    local share = (length + blocks - 1) // blocks
    block = (share + M.panel - 1) // M.panel * M.panel
  end
  parts, blocks = parts or 1, (length + block - 1) // block
  local c = chains(block, lanes)
  return record.strict('sum', {
    over = 'inputs', parts = parts, length = parts * length, block = block,
    blocks = parts * blocks, last = length - (blocks - 1) * block, chains = c, accumulates = false,
    roundings = (block + c - 1) // c + log2(c) + parts * blocks - 1 + (bias and 1 or 0),
  })
end

--- The order of a sum over all tokens of a call, added to what its result holds, or to nothing.
---@return Sum
function M.token_sum()
  return record.strict('sum', {
    over = 'tokens', parts = 1, length = 0, block = M.longest_block, blocks = 0, last = 0,
    chains = 1, accumulates = true, roundings = M.longest_block,
  })
end

--- The order of a stage's sums.
local function sum_of(s)
  if s.kind == 'tokens' or s.kind == 'columns' then return M.token_sum() end
  if s.kind == 'values' or s.kind == 'fold' or s.kind == 'mask' then return false end
  local columns = (s.outputs + M.panel - 1) // M.panel * M.panel
  local parts = s.parts or 1
  return M.sum(s.inputs // parts, #s.branches * columns, s.bias, parts)
end

--- A stage of any pass.
---@param s table name, inputs, outputs, operand, results; of a stream of weights: branches, bias,
--- format; for a forward stage forward; of a backward one: kind, of, wants, and where k runs over
--- outputs transposed and parts, where it runs over tokens packed
---@return Stage
function M.stage(s)
  local sum = sum_of(s)
  return record.strict('stage', {
    name = s.name, kind = s.kind or 'weights', outputs = s.outputs,
    inputs = sum and sum.parts > 1 and sum.blocks * sum.block or s.inputs,
    operand = record.strict('operand', {
      tensor = s.operand.tensor, zeros = s.operand.zeros,
      parts = s.operand.parts or { s.operand.tensor },
    }),
    stream = s.branches and record.strict('stream', {
      format = s.format, branches = s.branches, transposed = s.transposed or false,
      bias = s.bias or false, packed = s.packed or false,
    }) or false,
    arithmetic = fma_f32, sum = sum, results = s.results, forward = s.forward or false,
    of = s.of or false, wants = s.wants or false,
  })
end

return M
