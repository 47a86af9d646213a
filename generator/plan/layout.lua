--- Where packed weights and the tensors of a pass lie: sizes and offsets, all in bytes.
local formats = require 'operand.format'
local lists = require 'common.list'
local record = require 'common.record'
local weight_layout = require 'weights.layout'

local M = {}

--- ffn_packed_header of kernel.h.
M.header_bytes = 64

M.round_up, M.common_multiple = weight_layout.round_up, weight_layout.common_multiple

--- The bytes of so many biases, sums or results.
---@param count integer
function M.bytes(count) return count * formats.lanes.f32.bytes end

---@class Panels  the packed weights of a stage
---@field at integer       from the start of packed weights
---@field bias_at integer  f32 biases [branch][columns], behind the panels
---@field operand_at integer|false  the f32 scale of its operand, where that comes with the weights:
--- behind the header, at a place that its index alone decides

local function has_operand_scale(s) return s.arithmetic.scales == 'static' end

--- The packed weights of each stage, and their bytes in all. A line behind the header has the
--- scales of operands, if a stage has one.
---@param stages Stage[]
---@return Panels[]
---@return integer
function M.packed(stages)
  local list, at = {}, M.header_bytes
  if #lists.filter(stages, has_operand_scale) > 0 then
    at = M.round_up(at + M.bytes(#stages), weight_layout.alignment)
  end
  for i, s in ipairs(stages) do
    local layout = s.stream.layout
    local bias_at = at + layout.bytes + layout.pad
    local stop = bias_at + (s.stream.bias and M.bytes(layout.branches * layout.columns) or 0)
    list[i] = record.strict('panels', {
      at = at, bias_at = bias_at,
      operand_at = has_operand_scale(s) and M.header_bytes + M.bytes(i - 1),
    })
    at = stop
  end
  return list, at
end

--- Inputs of a row in one block of a stage's operand, and what fills it up.
---@param s Stage
function M.row(s)
  return M.round_up(s.sum.block, math.max(weight_layout.lanes, s.operand.format.group))
end

--- Bytes that a row has in FFN_LAID_BESIDE of walk.h, beside those of its numbers.
local laid_beside = 16

--- The bytes of these, in all planes. Of a row that waits as floats first the walk knows them, too;
--- one whose numbers lie beside its bytes is of x, which does not wait.
---@param s Stage
function M.block_bytes(s)
  local format, row, bytes = s.operand.format, M.row(s), 0
  for _, plane in ipairs(format.planes) do
    bytes = bytes + M.round_up(row, plane.every) // plane.every * plane.bytes
  end
  if format.of_rows and format == format.alone then
    if bytes > row + laid_beside then error(('%s: too much beside a row'):format(s.name), 0) end
    bytes = row + laid_beside
  end
  return M.round_up(bytes, weight_layout.alignment)
end

--- The bytes of so many inputs of an operand in all planes, filled up to whole groups.
---@param format OperandFormat
---@param inputs integer
function M.laid_bytes(format, inputs)
  local bytes, filled = 0, M.round_up(inputs, format.group)
  for _, plane in ipairs(format.planes) do
    bytes = bytes + filled // plane.every * plane.bytes
  end
  return bytes
end

--- The bytes of a row of a stage's operand, in all blocks.
---@param s Stage
function M.row_bytes(s)
  return s.sum.blocks * M.block_bytes(s)
end

--- Outputs that threads take multiples of, where a stage lays them so.
---@param laid OperandFormat
function M.unit(laid) return M.common_multiple(weight_layout.unit, laid.unit) end

---@class Buffer  work memory for operands, one after the other
---@field bytes integer    of one row of the largest
---@field tensors string[]

--- The bytes of a row that waits for a stage as floats, where it lays whole rows; else of its
--- operand.
local function waiting_bytes(s)
  return s.operand.format.of_rows and M.bytes(M.row(s)) or M.row_bytes(s)
end

--- Which buffer each operand of a pass lies in: a tensor lives from the stage that makes it (the
--- first of those that the caller gives: from its first stage) to the last one that reads it. Rows
--- of floats that wait are laid where the operand of the stage before was.
---@param stages Stage[]
---@return Buffer[] buffers
---@return table<string, integer> of a tensor's name
---@return integer[] of_operand   of each stage
function M.buffers(stages)
  local buffers, of, of_operand, last_read, free_after = {}, {}, {}, {}, {}
  for i, s in ipairs(stages) do last_read[s.operand.tensor] = i end
  local function put(b, tensor, bytes)
    buffers[b] = buffers[b] or { bytes = 0, tensors = {} }
    buffers[b].bytes = math.max(buffers[b].bytes, bytes)
    table.insert(buffers[b].tensors, tensor)
  end
  local function place(tensor, from, bytes)
    local b = 1
    while free_after[b] and free_after[b] >= from do b = b + 1 end
    put(b, tensor, bytes)
    of[tensor], free_after[b] = b, last_read[tensor]
  end
  local made = {}
  for i, s in ipairs(stages) do
    local tensor = s.operand.tensor
    if not of[tensor] then place(tensor, i, M.row_bytes(stages[last_read[tensor]])) end
    of_operand[i] = of[tensor]
    if made[tensor] and s.operand.format.of_rows then
      of_operand[i] = of_operand[i - 1]
      put(of_operand[i], tensor .. ' in bytes', M.row_bytes(s))
      free_after[of_operand[i]], free_after[of[tensor]] = i, i - 1
    end
    for _, result in ipairs(s.results) do
      local reader = stages[last_read[result.tensor]]
      if reader then
        place(result.tensor, i, waiting_bytes(reader))
        made[result.tensor] = true
      end
    end
  end
  for b, buffer in ipairs(buffers) do buffers[b] = record.strict('buffer', buffer) end
  return buffers, of, of_operand
end

return M
