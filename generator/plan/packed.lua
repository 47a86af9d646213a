--- Packed weights as a whole: where the panels and the biases of each stage stand, of which
--- matrices, in which format. An entry of "kernels" in PLAN.json, by which ffn-pack lays bytes as
--- pack() of a kernel does; and what `ffngen vendor` holds a packed file against.
local layout = require 'plan.layout'
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

--- The order of fields in JSON.
M.fields = {
  'layer', 'packed', 'kind', 'stages_share_x', 'inputs', 'hidden', 'outputs', 'parameters',
  'packed_bytes', 'stages',
}
local stage_fields = {
  'name', 'format', 'inputs', 'outputs', 'matrices', 'bias', 'width', 'at', 'bias_at',
}

---@class PackedStage
---@field name string
---@field format string      of its weights, a word of weights/
---@field inputs integer
---@field outputs integer
---@field matrices string[]  gate, up, down or chain: of each branch, as they lie side by side
---@field bias boolean       each branch has one
---@field width integer      columns of a bundle
---@field at integer         bytes of packed weights in front of its panels
---@field bias_at integer    and of its biases, where it has some; else of what comes behind it
---@field operand_at integer|false  and of the scale of its operand, an f32; false: it finds its own

---@class PackedKernel
---@field layer string       its name
---@field packed string      without its arithmetic: ffn_kernel.packed
---@field kind string
---@field stages_share_x boolean  stages stand side by side: each takes x, and gives an output
---@field inputs integer
---@field hidden integer     0: no down projection
---@field outputs integer    of all its outputs, where it has several
---@field parameters integer of its activation, that are packed with the weights
---@field packed_bytes integer
---@field stages PackedStage[]

--- The fields of a stage: it has a scale of its operand, or says nothing of one.
---@param stage PackedStage
---@return string[]
function M.stage_fields(stage)
  local scale = stage.operand_at and { 'operand_at' } or {}
  return lists.append({ table.unpack(stage_fields) }, scale)
end

--- The packed weights of a layer.
---@param layer Layer
---@return PackedKernel
function M.of(layer)
  local stages, list, outputs = layer.passes.forward, {}, 0
  local panels, bytes = layout.packed(stages)
  for i, stage in ipairs(stages) do
    local stream = stage.stream
    if layer.beside or i == #stages then outputs = outputs + stage.outputs end
    list[i] = record.strict('packed stage', {
      name = stage.name, format = stream.format.name, inputs = stage.inputs,
      outputs = stage.outputs,
      matrices = lists.map(stream.branches, function(branch) return branch.matrix end),
      bias = stream.bias, width = stream.layout.width, at = panels[i].at,
      bias_at = panels[i].bias_at, operand_at = panels[i].operand_at,
    })
  end
  return record.strict('packed kernel', {
    layer = layer.name, packed = layer.packed, kind = layer.kind,
    stages_share_x = layer.beside ~= false, inputs = stages[1].inputs, hidden = layer.hidden,
    outputs = outputs, parameters = #layer.runtime_parameters, packed_bytes = bytes, stages = list,
  })
end

return M
