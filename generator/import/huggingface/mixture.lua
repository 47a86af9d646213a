--- Whole layers of experts of a model of Hugging Face: beside the experts the router, which is a
--- product, the expert that every token passes, and what a spec says of the choice.
local lists = require 'common.list'
local modules = require 'import.quantized.modules'
local one_layer = require 'import.huggingface.layer'
local problems = require 'common.problem'
local products = require 'import.products'
local huggingface_products = require 'import.huggingface.products'
local record = require 'common.record'

local M = {}

--- Which of some names a file has in a layer.
local function one_of(r, prefix, names, ending)
  return lists.filter(names, function(name)
    return r.model.shapes[prefix .. name .. ending] ~= nil
      or ending ~= '' and modules.is_packed(r, prefix .. name)
  end)[1]
end

--- Why a layer is no `moe`; nil: it is one.
---@param r ModelReading
---@param m ConcludedMixture
---@param prefix string
local function reason_of(r, m, prefix)
  if m.reason then return m.reason end
  local names = lists.append({}, m.corrections)
  for _, module in ipairs(m.router_at) do
    names[#names + 1] = module .. '.weight'
    if modules.is_packed(r, prefix .. module) then
      return ('"%s" is packed, and the router of a moe has floats'):format(record.shown(
        prefix .. module, 80))
    end
  end
  names[#names + 1] = m.gate_at and m.gate_at .. '.weight' or nil
  for _, name in ipairs(names) do
    if r.is_left(prefix .. name) then
      return ('"%s" is left out'):format(record.shown(prefix .. name, 80))
    end
  end
end

--- Whether a part's layers are taken whole. Where --also all meets a router that no spec has, its
--- matrices are products as others are, and the head of the spec tells why.
---@param r ModelReading
---@param part StackPart
---@param at string  where the layers are
function M.is_whole(r, part, at)
  local also, m = r.options.also, part.mixture
  if not m or not also or not also.router or r.options.node then return false end
  for _, number in ipairs(part.layers) do
    local reason = reason_of(r, m, ('%s.%d.'):format(at, number))
    if reason and not also.all then
      problems.bad_input(r.model.path, '--also router: layers "%s": %s. Leave out router: then the '
        .. 'experts alone are imported, and your program chooses among them', at, reason)
    elseif reason then
      r.about[#r.about + 1] = ('No moe of layers "%s", whose routers are products as others are: '
        .. '%s'):format(at, reason)
      return false
    end
  end
  return true
end

local function refuse(r, name, message, ...)
  problems.bad_input(r.model.path, '--also router: "%s" ' .. message, record.shown(name, 80), ...)
end

--- The router as a product of one x, with the gate of the shared expert behind it.
---@param m ConcludedMixture
---@param d_model integer
local function router_of(r, m, prefix, index, d_model)
  local name = one_of(r, prefix, m.router_at, '.weight')
  if not name then refuse(r, prefix .. m.router_at[1] .. '.weight', 'is not there') end
  local outputs = { { name = 'logits', module = prefix .. name, word = 'router' } }
  if m.gate_at then
    outputs[2] = { name = 'gate', module = prefix .. m.gate_at, word = 'router' }
    if not one_of(r, prefix, { m.gate_at }, '.weight') then
      refuse(r, outputs[2].module .. '.weight', 'is not there')
    end
  end
  local p = huggingface_products.placed(r, {
    part = 'router', index = index, at = prefix .. name, because = {}, outputs = outputs,
  })
  for i, output in ipairs(outputs) do
    local count, has_bias = i == 1 and m.experts or 1, i == 1 and m.bias
    if output.outputs ~= count or output.inputs ~= d_model then
      refuse(r, output.module, 'is [%d][%d], and config.json says [%d][%d]', output.outputs,
        output.inputs, count, d_model)
    end
    if (output.bias and true or false) ~= has_bias then
      refuse(r, output.module .. '.bias', 'is %s, and the class of this model has %s',
        has_bias and 'not there' or 'there', has_bias and 'a bias' or 'none')
    end
  end
  return products.layers({ p })[1]
end

--- The tensor that is added where experts are chosen.
---@param m ConcludedMixture
local function correction_of(r, m, prefix)
  if #m.corrections == 0 then return nil end
  local name = one_of(r, prefix, m.corrections, '')
  if not name then refuse(r, prefix .. m.corrections[1], 'is not there') end
  local shape, count = r.model.shapes[prefix .. name], 1
  for _, size in ipairs(shape) do count = count * size end
  if count ~= m.experts then
    refuse(r, prefix .. name, 'has %d numbers, and there are %d experts', count, m.experts)
  end
  return prefix .. name
end

--- Adds what a layer has beside its experts.
---@param r ModelReading
---@param part StackPart
---@param prefix string
---@param index integer
---@param layers table[]  is added to
---@param mixtures table[]  is added to
function M.add(r, part, prefix, index, layers, mixtures)
  local m = part.mixture
  if m.shared then one_layer.add(r, m.shared, prefix, index, layers) end
  layers[#layers + 1] = router_of(r, m, prefix, index, part.fields.d_model)
  mixtures[#mixtures + 1] = {
    index = index, experts = m.experts, top_k = m.used, router = m.fields, gate = m.gate,
    correction = correction_of(r, m, prefix), text = m.text,
  }
end

return M
