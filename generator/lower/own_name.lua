--- The name of a spec's layer: one that says this layer and no other. A user's activation may be
--- named like another one with its parameters, or like two layers of a chain.
local activations = require 'activation'
local english = require 'lower.english'
local kinds = require 'kind'
local lists = require 'common.list'
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

--- What else a name says, in English.
---@return string[]
local function others_of(text, words, known)
  local list = {}
  for _, reading in ipairs(name_grammar.readings(text, known)) do
    if not record.equal(words_of(reading), words) then
      list[#list + 1] = english.reading(reading, known)
    end
  end
  return list
end

--- A list with its item i in front.
local function in_front(list, i)
  local moved = { list[i] }
  for j, item in ipairs(list) do
    if j ~= i then moved[#moved + 1] = item end
  end
  return moved
end

local formats_read = ', because a format such as f32 may be an output f of width 32'

--- What helps where formats of outputs read as more outputs: f32 as an output f of 32. A format
--- that does not, in front, parts them from outputs.
---@param said table  what words_of() takes
---@return string
local function remedy_of(said, known)
  if #parts_of.of_stages(said.formats) == 1 then return '; rename an output' end
  local function is_one_layer(change)
    local words = words_of(setmetatable(change, { __index = said }))
    return #others_of(name_grammar.encode_layer(words, known), words, known) == 0
  end
  for i = 2, #said.outputs do
    local other, formats = in_front(said.outputs, i), { table.unpack(said.formats) }
    formats[1] = formats[i]
    if is_one_layer { outputs = other, formats = in_front(said.formats, i),
      arithmetics = in_front(said.arithmetics, i) } then
      -- Who imports a model cannot change the order.
      return formats_read .. ('; write the outputs in another order: d_out = { %s }%s'):format(
        table.concat(lists.map(other, function(o)
          return ('{ %s = %d }'):format(o.name, o.width)
        end), ', '), is_one_layer { formats = formats }
          and ('; or give %s the format %s, too'):format(said.outputs[1].name, formats[1]) or '')
    end
  end
  return formats_read .. '; give all outputs the same format'
end

---@param spec Spec
---@param formats string[]      of each stage
---@param arithmetics string[]  of each stage; none of what is packed alone
---@return string
function M.of(spec, formats, arithmetics)
  local known = spec.activations or activations
  local said = {
    kind = spec.kind, variant = spec.variant, activation = spec.activation, widths = spec.widths,
    parameters = spec.parameters, bias = spec.bias, dropout = spec.dropout,
    formats = formats, arithmetics = arithmetics,
    d_model = spec.d_model, d_ff = spec.d_ff, d_out = spec.d_out, outputs = spec.outputs,
  }
  local words = words_of(said)
  local text = name_grammar.encode_layer(words, known)
  if #text > max_layer_name then
    spec.refuse('layers', ('the kernel names that these layers make have more than %d characters')
      :format(max_layer_name))
  end
  local readings = name_grammar.readings(text, known)
  assert(#readings > 0, text)
  if #readings == 1 and record.equal(words_of(readings[1]), words) then return text end
  local own, others = english.reading(words, known), others_of(text, words, known)
  spec.refuse(kinds.by_name[spec.kind].named_by, spec.outputs
    and ('the name of its kernels would be %s, which also says another layer: "%s"%s'):format(
      text, table.concat(others, '" and "'), remedy_of(said, known))
    or ('its kernels would be named %s, which says two layers: "%s" and "%s"; rename an '
      .. 'activation of this file'):format(text, own, table.concat(others, '" and "')))
end

return M
