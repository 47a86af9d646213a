--- Where packed weights and the tensors of a pass lie: sizes and offsets, all in bytes.
local record = require 'common.record'
local layer = require 'lower.layer'
local tiles = require 'plan.tiles'

local M = {}

--- FFN_ALIGNMENT of ffn.h: what begins somewhere in memory begins at a multiple of it.
M.alignment = 64

--- ffn_packed_header of kernel.h.
local header_bytes = 64

function M.round_up(n, step) return (n + step - 1) // step * step end

---@class Panels  the packed weights of a stage
---@field columns integer  outputs, rounded up to whole panels
---@field count integer    panels
---@field step integer     weights of one k in a panel: [branch][16]
---@field size integer     weights in a panel: inputs * step
---@field at integer       from the start of packed weights
---@field pad integer      bytes behind the panels, to the next alignment
---@field bias_at integer  f32 biases [branch][columns], behind the panels
---@field bytes integer    of panels, pad and biases

--- The packed weights of each stage, and their bytes in all.
---@param stages Stage[]
---@return Panels[]
---@return integer
function M.packed(stages)
  local list, at = {}, header_bytes
  for i, s in ipairs(stages) do
    local branches, columns = #s.stream.branches, tiles.columns(s)
    local step = branches * layer.panel
    local panels = columns // layer.panel * s.inputs * step * s.stream.format.bytes
    local bias_at = M.round_up(at + panels, M.alignment)
    local stop = bias_at + (s.stream.bias and 4 * branches * columns or 0)
    list[i] = record.strict('panels', {
      columns = columns, count = columns // layer.panel, step = step, size = s.inputs * step,
      at = at, pad = bias_at - at - panels, bias_at = bias_at, bytes = stop - at,
    })
    at = stop
  end
  return list, at
end

--- Floats of a row in one block of a stage's operand.
---@param s Stage
function M.row(s) return M.round_up(s.sum.block, layer.panel) end

---@class Buffer  work memory for operands, one after the other
---@field floats integer   of one row of the largest
---@field tensors string[]

--- Which buffer each operand of a pass lies in: a tensor lives from the stage that makes it (the
--- first of those that the caller gives: from its first stage) to the last one that reads it.
---@param stages Stage[]
---@return Buffer[] buffers
---@return table<string, integer> of a tensor's name
function M.buffers(stages)
  local buffers, of, last_read, free_after = {}, {}, {}, {}
  for i, s in ipairs(stages) do last_read[s.operand.tensor] = i end
  local function place(tensor, from)
    local reader = stages[last_read[tensor]]
    local floats, b = reader.sum.blocks * M.row(reader), 1
    while free_after[b] and free_after[b] >= from do b = b + 1 end
    buffers[b] = buffers[b] or { floats = 0, tensors = {} }
    buffers[b].floats = math.max(buffers[b].floats, floats)
    table.insert(buffers[b].tensors, tensor)
    of[tensor], free_after[b] = b, last_read[tensor]
  end
  for i, s in ipairs(stages) do
    if not of[s.operand.tensor] then place(s.operand.tensor, i) end
    for _, result in ipairs(s.results) do
      if last_read[result.tensor] then place(result.tensor, i) end
    end
  end
  for b, buffer in ipairs(buffers) do buffers[b] = record.strict('buffer', buffer) end
  return buffers, of
end

return M
