--- The name of a spec's layer: one that says this layer and no other. A user's activation may be
--- named like another one with its parameters, or like two layers of a chain.
local activations = require 'activation'
local english = require 'lower.english'
local kinds = require 'kind'
local name_grammar = require 'lower.name'
local parts_of = require 'lower.name_parts'
local record = require 'common.record'

local M = {}

local max_layer_name = 200 -- with instruction set and suffixes still a file name of 255 bytes

--- What a name is to say: run-time parameters, which add nothing to it, are left out.
local function words_of(l)
  local function fixed(parameters) return type(parameters) == 'table' and parameters or nil end
  local widths
  for i, layer in ipairs(l.widths or {}) do
    widths = widths or {}
    widths[i] = {
      width = layer.width, activation = layer.activation, parameters = fixed(layer.parameters),
    }
  end
  return {
    kind = l.kind, variant = l.variant, activation = l.activation, widths = widths,
    parameters = fixed(l.parameters), bias = l.bias, dropout = l.dropout,
    formats = parts_of.of_stages(l.formats), arithmetics = parts_of.arithmetics_of(l.arithmetics),
    d_model = l.d_model, d_ff = l.d_ff, d_out = not widths and l.d_out or nil, outputs = l.outputs,
  }
end

---@param spec Spec
---@param formats string[]      of each stage
---@param arithmetics string[]  of each stage; none of what is packed alone
---@return string
function M.of(spec, formats, arithmetics)
  local known = spec.activations or activations
  local words = words_of {
    kind = spec.kind, variant = spec.variant, activation = spec.activation, widths = spec.widths,
    parameters = spec.parameters, bias = spec.bias, dropout = spec.dropout,
    formats = formats, arithmetics = arithmetics,
    d_model = spec.d_model, d_ff = spec.d_ff, d_out = spec.d_out, outputs = spec.outputs,
  }
  local text = name_grammar.encode_layer(words, known)
  if #text > max_layer_name then
    spec.refuse('layers', ('the kernel names that these layers make have more than %d characters')
      :format(max_layer_name))
  end
  local readings = name_grammar.readings(text, known)
  assert(#readings > 0, text)
  if #readings == 1 and record.equal(words_of(readings[1]), words) then return text end
  local said = { english.reading(words, known) }
  for _, reading in ipairs(readings) do
    if not record.equal(words_of(reading), words) then
      said[#said + 1] = english.reading(reading, known)
    end
  end
  spec.refuse(kinds.by_name[spec.kind].named_by, ('its kernels would be named %s, which says two '
    .. 'layers: "%s"; rename an %s of this file'):format(text, table.concat(said, '" and "'),
    spec.outputs and 'output' or 'activation'))
end

return M
