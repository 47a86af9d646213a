--- Products beside the feed-forward layers, as --also asks for them: outputs of one x are one
--- `linear`, each a matrix of its own. Readers tell what they found; here it becomes found layers.
local lists = require 'common.list'
local part_numbers = require 'import.parts'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class FoundProduct  outputs of one x
---@field part string            a name of parts.lua
---@field index integer          of the block; of the head the number of layers
---@field at string|nil          its name; nil: told by the modules and names of its outputs
---@field outputs FoundOutput[]  in the order of the spec
---@field because Because[]

---@class FoundOutput
---@field name string            q, k, v, q_a: behind the last dot of the product's name
---@field module string          model.layers.0.self_attn.q_proj; a fused one is told of each
---@field word string|false      for --weights and --arithmetic: q, k, v, o, head, qkv
---@field outputs integer
---@field inputs integer
---@field weight table           what found.lua calls placed
---@field bias table|false
---@field operand_scale number|nil  that x is rounded by

--- The name of an output in a spec: letters and digits.
local function spec_name(name) return (name:gsub('[^%l%d]', '')) end

--- The name of several outputs together: qkv, q_a_kv_a.
local function joined(outputs)
  local are_letters = true
  local names = lists.map(outputs, function(output)
    are_letters = are_letters and #output.name == 1
    return output.name
  end)
  return table.concat(names, are_letters and '' or '_')
end

--- The name of a product: the module of one matrix; of several what holds them, and their names.
---@param p FoundProduct
---@return string
function M.name(p)
  if p.at then return p.at end
  if #p.outputs == 1 then return p.outputs[1].module end
  return paths.shared_prefix(lists.map(p.outputs, function(output)
    return output.module
  end)) .. joined(p.outputs)
end

--- Whether a name is that of a product, or of a module of its.
---@param p FoundProduct
---@param name string
function M.is_named(p, name)
  if M.name(p) == name then return true end
  return #lists.filter(p.outputs, function(output) return output.module == name end) > 0
end

--- What a spec of kind linear is given.
---@param p FoundProduct
local function fields_of(p)
  local fields, has_bias = { d_model = p.outputs[1].inputs }, false
  for _, output in ipairs(p.outputs) do has_bias = has_bias or output.bias and true or false end
  fields.bias = has_bias
  if #p.outputs == 1 then
    fields.d_out = p.outputs[1].outputs
  else
    fields.d_out = lists.map(p.outputs, function(output)
      return { [spec_name(output.name)] = output.outputs }
    end)
  end
  return fields
end

--- One table for equal ones: layers that look alike share theirs.
local function shared(known, value, key)
  known[key] = known[key] or value
  return known[key]
end

local function key_of_fields(p)
  local texts = { p.outputs[1].inputs }
  for _, output in ipairs(p.outputs) do
    texts[#texts + 1] = ('%s=%d%s'):format(output.name, output.outputs, output.bias and '+' or '')
  end
  return table.concat(texts, ' ')
end

local function key_of_reasons(because)
  return table.concat(lists.map(because, function(b) return b.field .. '\0' .. b.text end), '\0')
end

--- Found layers of products, in the order of their indices and parts. Products that only their
--- names tell are numbered in the order in which they are given.
---@param products FoundProduct[]
---@return table[] layers  what found.lua takes
function M.layers(products)
  local layers, fields, reasons, others, nothing = {}, {}, {}, {}, {}
  for i, p in ipairs(products) do
    local part = part_numbers.by_name[p.part]
    if p.part == 'other' then
      part = part + (others[p.index] or 0)
      others[p.index] = (others[p.index] or 0) + 1
    end
    layers[i] = {
      index = p.index, part = part, at = M.name(p), kind = 'linear', around = nothing,
      fields = shared(fields, fields_of(p), key_of_fields(p)),
      because = shared(reasons, p.because, key_of_reasons(p.because)),
      matrices = {},
    }
    for at, output in ipairs(p.outputs) do
      layers[i].matrices[at] = {
        role = 'chain', at = at - 1, word = output.word, outputs = output.outputs,
        inputs = output.inputs, weight = output.weight, bias = output.bias,
        operand_scale = output.operand_scale,
      }
    end
  end
  return M.sorted(layers)
end

--- Layers of all kinds in one order: of the model's layers, and in each of its parts.
---@param layers table[]
---@return table[] layers
function M.sorted(layers)
  table.sort(layers, function(a, b)
    if a.index ~= b.index then return a.index < b.index end
    return (a.part or 0) < (b.part or 0)
  end)
  return layers
end

---@class Also  what --also asks for
---@field attention boolean
---@field head boolean
---@field router boolean  of mixtures of experts, with the expert that all tokens share
---@field all boolean

local words = { 'attention', 'head', 'router', 'all' }

--- What --also says, or nil and what is wrong.
---@param text string
---@return Also|nil
---@return string|nil problem
function M.also(text)
  local asked = {}
  for word in (text .. ','):gmatch '([^,]*),' do
    if not lists.has(words, word) then
      return nil, ('unknown word "%s"%s'):format(record.shown(word), record.suggest(word, words))
    end
    if asked[word] then return nil, ('"%s" is there twice'):format(word) end
    asked[word] = true
  end
  local all = asked.all or false
  return record.strict('also', {
    attention = all or asked.attention or false, head = all or asked.head or false,
    router = all or asked.router or false, all = all,
  })
end

--- Refuses `router` of a model that has none, and of one layer alone.
---@param path string
---@param options ImportOptions
---@param mixtures table[]  that were found
function M.expect_routers(path, options, mixtures)
  local also = options.also
  if not also or not also.router or also.all then return end
  if options.node then
    problems.usage('leave out --node, or router in --also: a router belongs to all experts of a '
      .. 'layer')
  end
  if #mixtures == 0 then
    problems.bad_input(path, '--also router: import finds no experts in this model')
  end
end

return M
