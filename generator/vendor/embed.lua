--- embed: a file of weights -> constants in C, packed as pack() would, for small layers.
local emit = require 'emit.emit'
local problems = require 'common.problem'
local record = require 'common.record'
local vector = require 'emit.vector'
local weights_file = require 'vendor.weights_file'

local M = {}

--- More than this as C text is slow to compile; such weights belong in a file.
local max_bytes = 1 << 20

local panel, header_floats = 16, 16

--- The tensors that a layer's weights consist of, in the order in which it computes.
local function tensors_of(layer)
  local tensors = {}
  local function add(name, shape, names)
    tensors[#tensors + 1] = { name = name, shape = shape, names = names }
  end
  for i, stage in ipairs(layer.stages) do
    for _, branch in ipairs(stage.branches) do
      local shape = { stage.outputs, stage.inputs }
      if branch.matrix == 'chain' then
        local n = i - 1
        local in_sequence = ('%d'):format(n)
        add('weight ' .. i, shape, { 'w' .. n, in_sequence .. '.weight' })
        if stage.bias then
          add('bias ' .. i, { stage.outputs }, { 'b' .. n, in_sequence .. '.bias' })
        end
      else
        local n = branch.name
        add(n .. '.weight', shape, { n .. '.weight', n .. '_proj.weight', 'w_' .. n })
        if stage.bias then
          add(n .. '.bias', { stage.outputs }, { n .. '.bias', n .. '_proj.bias', 'b_' .. n })
        end
      end
    end
  end
  if layer.runtime_beta then add('beta', { 1 }, { 'beta' }) end
  return tensors
end

--- The floats behind the header of packed weights: kernel.h says where each stands.
local function packed_values(plan, lists)
  local values, next_list = {}, 0
  for i = 1, plan.packed_bytes // 4 - header_floats do values[i] = 0.0 end
  local function take()
    next_list = next_list + 1
    return lists[next_list]
  end
  for _, s in ipairs(plan.stages) do
    local stage = s.stage
    for b = 0, #stage.branches - 1 do
      local weight, bias = take(), stage.bias and take()
      for column = 0, stage.outputs - 1 do
        local at = s.panels_at - header_floats + column // panel * s.panel_floats + b * panel
          + column % panel
        for k = 0, stage.inputs - 1 do
          values[at + k * s.step + 1] = weight[column * stage.inputs + k + 1]
        end
        if bias then
          values[s.bias_at - header_floats + b * s.columns + column + 1] = bias[column + 1]
        end
      end
    end
  end
  return values, plan.layer.runtime_beta and take()[1] or 0.0
end

--- Numbers as C constants, in lines.
local function constants(values)
  local lines, line = {}, ''
  for _, x in ipairs(values) do
    local text = vector.float_literal(x) .. ','
    if #line + #text + 1 > 98 then
      lines[#lines + 1] = line
      line = ''
    end
    line = (line == '' and '   ' or line) .. ' ' .. text
  end
  lines[#lines + 1] = line
  return table.concat(lines, '\n')
end

---@class EmbeddedWeights
---@field spec string
---@field count integer  floats behind the header
---@field hash string    of the layer, in C
---@field beta string    in C
---@field values string  in C

---@param path string
---@param spec Spec
---@param plan Plan any of the layer: all share one layout
---@return EmbeddedWeights
function M.weights(path, spec, plan)
  if plan.packed_bytes > max_bytes then
    problems.bad_input('--weights', '%d bytes of packed weights are too many for C text (most: %d)'
      .. '; keep them in a file and pack() them at start', plan.packed_bytes, max_bytes)
  end
  local values, beta = packed_values(plan, weights_file.read(path, tensors_of(plan.layer)))
  return record.strict('weights', {
    spec = spec.name, count = #values, hash = emit.layer_hash(plan.layer.name),
    beta = vector.float_literal(beta), values = constants(values),
  })
end

return M
