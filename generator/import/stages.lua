--- Where each matrix of a found layer stands among its stages, and what these store: the matrices
--- are those of such a layer, in its sizes, and those that lie side by side are stored alike.
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class StageMatrix
---@field matrix Matrix
---@field stage integer   from 0
---@field branch integer  from 0

--- What a kind of layer has: { role, at, outputs, inputs, stage, branch } of each matrix.
local wanted = {}

local function gated(role, outputs, inputs)
  return { role, 0, outputs, inputs, 0, role == 'gate' and 0 or 1 }
end

function wanted.ffn(f, has_gate)
  local list = { { 'up', 0, f.d_ff, f.d_model, 0, 0 } }
  if has_gate then list = { gated('gate', f.d_ff, f.d_model), gated('up', f.d_ff, f.d_model) } end
  list[#list + 1] = { 'down', 0, f.d_out or f.d_model, f.d_ff, 1, 0 }
  return list
end

function wanted.glu(f)
  return { gated('gate', f.d_out, f.d_model), gated('up', f.d_out, f.d_model) }
end

function wanted.selfgate(f) return { { 'gate', 0, f.d_model, f.d_model, 0, 0 } } end

function wanted.linear(f) return { { 'chain', 0, f.d_out, f.d_model, 0, 0 } } end

function wanted.mlp(f)
  local list, inputs = {}, f.d_model
  for i, layer in ipairs(f.layers) do
    list[i] = { 'chain', i - 1, layer[1], inputs, i - 1, 0 }
    inputs = layer[1]
  end
  return list
end

--- The matrices of a layer by stage and branch.
---@param path string for messages
---@param layer FoundLayer
---@return StageMatrix[]
---@return string[] formats  of each stage
function M.of(path, layer)
  local function refuse(message, ...)
    problems.bad_input(path, '%s: ' .. message, record.shown(layer.at, 80), ...)
  end
  local by_place, biases = {}, 0
  for _, m in ipairs(layer.matrices) do
    by_place[m.role .. m.at] = m
    if m.bias or m.affine then biases = biases + 1 end
  end
  local list, formats = wanted[layer.kind](layer.fields, by_place.gate0 ~= nil), {}
  if #list ~= #layer.matrices then
    refuse('%d matrices, where such a layer has %d', #layer.matrices, #list)
  end
  for i, place in ipairs(list) do
    local role, at, outputs, inputs, stage, branch = table.unpack(place)
    local m = by_place[role .. at]
    if not m then refuse('it has no matrix for %s', role) end
    if m.outputs ~= outputs or m.inputs ~= inputs then
      refuse('"%s" is [%d][%d], and as %s it must be [%d][%d]', record.shown(m.weight.tensor, 80),
        m.outputs, m.inputs, role, outputs, inputs)
    end
    local format = m.weight.format
    if formats[stage + 1] and formats[stage + 1] ~= format then
      refuse('gate and up lie side by side, in one format; "%s" is %s, and the other %s',
        record.shown(m.weight.tensor, 80), format, formats[stage + 1])
    end
    formats[stage + 1] = format
    list[i] = { matrix = m, stage = stage, branch = branch }
  end
  if biases > 0 and not layer.fields.bias then refuse('it has biases, and its rule knows none') end
  if biases == 0 and layer.fields.bias then refuse('it has no bias, and its rule knows of some') end
  return list, formats
end

return M
