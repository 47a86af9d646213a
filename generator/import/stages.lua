--- Where each matrix of a found layer stands among its stages, and what these store: the matrices
--- are those of such a layer, in its sizes, and those that lie side by side are stored alike.
local kinds = require 'kind'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class StagePlace
---@field role string
---@field at integer       of a chain, from 0
---@field outputs integer
---@field inputs integer
---@field stage integer    from 0
---@field branch integer   from 0
---@field output string|false   its name, of several outputs of one x

--- What a layer has, in the order of matrices.
---@param kind string
---@param fields table  what its spec is given
---@param has_gate boolean
---@return StagePlace[]
local function wanted(kind, fields, has_gate)
  local widths = lists.map(fields.layers or {}, function(layer) return { width = layer[1] } end)
  local list, outputs = {}, nil
  if type(fields.d_out) == 'table' then
    outputs = lists.map(fields.d_out, function(output)
      local name = record.sorted_keys(output)[1]
      return { name = name, width = output[name] }
    end)
  end
  for i, stage in ipairs(kinds.by_name[kind].stages({
    d_model = fields.d_model, d_ff = fields.d_ff, d_out = fields.d_out or fields.d_model,
    widths = widths, outputs = outputs,
  }, has_gate)) do
    for j, role in ipairs(stage.matrices) do
      list[#list + 1] = {
        role = role, at = role == 'chain' and i - 1 or 0, outputs = stage.outputs,
        inputs = stage.inputs, stage = i - 1, branch = j - 1,
        output = stage.output,
      }
    end
  end
  return list
end

--- The places of a layer's matrices. Layers of a model share their fields, mostly.
---@param known table<table, table>  by fields, for layers that are told alike
local function places_of(layer, known)
  local has_gate = layer.matrices[1].role == 'gate'
  local of_fields = known[layer.fields] or {}
  known[layer.fields] = of_fields
  local key = layer.kind .. (has_gate and ', gate' or '')
  of_fields[key] = of_fields[key] or wanted(layer.kind, layer.fields, has_gate)
  return of_fields[key]
end

local function refuse(path, layer, message, ...)
  problems.bad_input(path, '%s: ' .. message, record.shown(layer.at, 80), ...)
end

local function scale_text(scale) return scale and ('%.9g'):format(scale) or 'none' end

--- Where the matrices of a layer stand, in their order.
---@param path string for messages
---@param layer FoundLayer
---@param known table<table, table>  of all calls for a model
---@return StagePlace[]
---@return string[] formats  of each stage
function M.of(path, layer, known)
  local places, formats, biases = places_of(layer, known), {}, 0
  if #places ~= #layer.matrices then
    refuse(path, layer, '%d matrices, where such a layer has %d', #layer.matrices, #places)
  end
  for i, p in ipairs(places) do
    local m = layer.matrices[i]
    if m.role ~= p.role or m.at ~= p.at then
      refuse(path, layer, 'it has no matrix for %s', p.role)
    end
    if m.outputs ~= p.outputs or m.inputs ~= p.inputs then
      refuse(path, layer, '"%s" is [%d][%d], and as %s it must be [%d][%d]',
        record.shown(m.weight.tensor, 80), m.outputs, m.inputs, p.role, p.outputs, p.inputs)
    end
    local format, other = m.weight.format, formats[p.stage + 1]
    if other and other ~= format then
      refuse(path, layer, 'gate and up lie side by side, in one format; "%s" is %s, and the other '
        .. '%s', record.shown(m.weight.tensor, 80), format, other)
    end
    formats[p.stage + 1] = format
    local beside = (p.branch > 0 or p.output) and layer.matrices[1] or m
    if beside.operand_scale ~= m.operand_scale then
      refuse(path, layer, '"%s" and "%s" multiply one x, which is rounded by one scale; of these '
        .. 'it is %s and %s', record.shown(beside.weight.tensor, 80),
        record.shown(m.weight.tensor, 80), scale_text(beside.operand_scale),
        scale_text(m.operand_scale))
    end
    if m.bias or m.affine then biases = biases + 1 end
  end
  if biases > 0 and not layer.fields.bias then
    refuse(path, layer, 'it has biases, and its rule knows none')
  elseif biases == 0 and layer.fields.bias then
    refuse(path, layer, 'it has no bias, and its rule knows of some')
  end
  return places, formats
end

return M
