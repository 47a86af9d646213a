--- Whole layers of experts of a GGUF model: beside the experts the router, which is a product, and
--- what a spec says of the choice.
local blocks = require 'import.gguf.block_tensors'
local lists = require 'common.list'
local number_types = require 'import.number_types'
local outputs = require 'import.gguf.product_outputs'
local problems = require 'common.problem'
local products = require 'import.products'
local record = require 'common.record'
local routers = require 'import.gguf.routers'
local tensor_places = require 'import.gguf.tensor_places'

local M = {}

--- Why a block is no `moe`, or what its router is in one.
---@param o GgufReading
---@return table|nil fields
---@return string|nil reason
local function fields_of(o)
  for _, name in ipairs(o.block.left) do
    local stem = name:sub(#o.block.prefix + 1):match '^[^.]+'
    if lists.has(blocks.router, stem) or lists.has(blocks.experts, stem) then
      return nil, ('"%s" is left out'):format(record.shown(name, 80))
    end
  end
  if o.rule.beside and o.block.stems.ffn_up then
    return nil, 'a layer lies beside its experts, and what both give is made one otherwise'
  end
  local weight = o.block.stems.ffn_gate_inp.weight
  if weight and not number_types.bytes[tensor_places.encodings[weight.type] or ''] then
    return nil, ('its router is stored as %s, and that of a moe has floats'):format(weight.type)
  end
  return routers.fields(o.router, o.block.stems.exp_probs_b ~= nil)
end

--- Whether a block with experts is taken whole. Where --also all meets a router that no spec has,
--- its matrices are products as others are.
---@param o GgufReading
---@return table|nil fields  of the router, in a spec
function M.asked(o)
  if not o.wants_routers then return nil end
  local fields, reason = fields_of(o)
  if not fields and not o.wants_all then
    problems.bad_input(o.path, '--also router: block %s: %s. Leave out router: then the experts '
      .. 'alone are imported, and your program chooses among them', o.block.prefix:sub(1, -2),
      reason)
  end
  return fields
end

--- One output of the router: a matrix, or a row that stands alone.
local function output_of(o, stem, name, count)
  local module, of = o.block.prefix .. stem, o.block.stems[stem]
  outputs.expect_alone(o, module, of, 'bias')
  local weight, bias, d_model = of.weight, of.bias, o.sizes.d_model
  if not weight or weight.shape[1] ~= d_model or (weight.shape[2] or 1) ~= count
    or #weight.shape > 2 or bias and bias.shape[1] ~= count then
    problems.bad_input(o.path, '--also router: "%s.weight" is no matrix of %d inputs and %d '
      .. 'outputs', record.shown(module, 80), d_model, count)
  end
  return outputs.of_rows(o, { name = name, word = 'router' }, module, weight, bias, 0, count)
end

--- The tensor that is added where experts are chosen.
local function correction_of(o)
  local stem = o.block.stems.exp_probs_b
  local t = stem and (stem.bias or stem.weight)
  if t and (#t.shape ~= 1 or t.shape[1] ~= o.sizes.experts) then
    problems.bad_input(o.path, '"%s" has other numbers than one for each of %d experts', t.name,
      o.sizes.experts)
  end
  return t and t.name or nil
end

--- What a block has beside its experts: the router's layer, and what a spec says of the choice.
--- The index of both is the reader's.
---@param o GgufReading
---@param fields table
---@param has_shared boolean
---@return table layer
---@return table mixture
function M.of(o, fields, has_shared)
  local has_gate = o.block.stems.ffn_gate_inp_shexp ~= nil
  local list = { output_of(o, 'ffn_gate_inp', 'logits', o.sizes.experts) }
  if has_gate then list[2] = output_of(o, 'ffn_gate_inp_shexp', 'gate', 1) end
  return products.layers({ {
    part = 'router', index = 0, at = o.block.prefix .. 'ffn_gate_inp', outputs = list, because = {},
  } })[1], {
    experts = o.sizes.experts, top_k = o.sizes.used, router = fields,
    gate = has_shared and (has_gate and 'sigmoid' or 'none'), correction = correction_of(o),
    text = routers.text(o),
  }
end

return M
