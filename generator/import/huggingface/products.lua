--- Products of a model of Hugging Face beside its feed-forward layers: those of attention, told by
--- the names of modules; the head; and any other matrix that is no table. What is looked for is
--- named first, and gets its place when it is known to be wanted.
local attention = require 'import.huggingface.attention'
local head = require 'import.huggingface.head'
local lists = require 'common.list'
local modules = require 'import.quantized.modules'
local paths = require 'tensors.paths'
local placing = require 'import.huggingface.placing'
local problems = require 'common.problem'
local products = require 'import.products'
local record = require 'common.record'
local tables = require 'import.tables'
local weight_names = require 'tensors.names'

local M = {}

---@class Block  the tensors of one layer of a stack
---@field prefix string    model.layers.0.
---@field index integer
---@field rests string[]   what stands behind the prefix in the names of tensors
---@field stack ConcludedStack

--- The module whose matrix a tensor is, alone or with others; nil of what is no matrix, and of what
--- is taken or left.
---@param r ModelReading
---@param key string
---@return string|nil
local function module_of(r, key)
  if r.taken[key] or r.is_left(key) then return nil end
  local shape = r.model.shapes[key]
  local module = key:match '^(.*)%.weight$'
  if module and #shape == 2 then
    local is_one = modules.is_packed(r, module) or not tables.is_table(r.model, key)
    return is_one and module or nil
  end
  local scheme = r.quantized and r.quantized.scheme
  for _, tail in ipairs(scheme and scheme.tails or {}) do
    if key:sub(-#tail) == tail then return key:sub(1, -#tail - 1) end
  end
end

--- The modules of matrices that nothing has taken.
---@param r ModelReading
---@param keys string[]
---@return string[]
local function modules_of(r, keys)
  local result = {}
  for _, key in ipairs(keys) do result[#result + 1] = module_of(r, key) end
  return lists.unique(result)
end

--- What lies in a module: the matrix of an output, and its bias.
---@param r ModelReading
---@param output table  { module, from, outputs, in_out, weight_key, bias_key }
---@return Because[]
local function place(r, output)
  local module = output.module
  local key = output.weight_key or module .. '.weight'
  local outputs, inputs
  if output.weight_key then
    outputs, inputs = table.unpack(r.model.shapes[key])
  else
    outputs, inputs = modules.shape(r, module)
  end
  if not outputs then
    problems.bad_input(r.model.path, '"%s" is a matrix whose shape its tensors do not tell: '
      .. '--leave %s leaves it to the host', record.shown(module, 80), record.shown(module, 80))
  end
  if r.is_in_out then output.in_out = r.is_in_out(module) end
  if output.in_out then outputs, inputs = inputs, outputs end
  local w = {
    outputs = output.outputs or outputs, inputs = inputs, in_out = output.in_out or false,
    whole = outputs, from = output.from or 0, step = 1, experts = false, expert = 0,
  }
  local packed, because, operand_scale
  if not output.weight_key then packed, because, operand_scale = modules.placed(r, module, w) end
  output.outputs, output.inputs = w.outputs, w.inputs
  output.weight = packed or placing.tensor(r, key, w)
  output.operand_scale = operand_scale or false
  local bias = output.bias_key or module .. '.bias'
  if r.model.shapes[bias] and not placing.is_nothing(r, module, bias, w.whole) then
    output.bias = placing.bias(r, bias, w)
  end
  return because or {}
end

--- Gives each output of a product its place.
---@param r ModelReading
---@param p FoundProduct
---@return FoundProduct
function M.placed(r, p)
  for _, output in ipairs(p.outputs) do
    for _, b in ipairs(place(r, output)) do
      local is_known = lists.has(lists.map(p.because, function(o) return o.text end), b.text)
      if not is_known then p.because = lists.append(lists.append({}, p.because), { b }) end
    end
    if output.inputs ~= p.outputs[1].inputs then
      problems.bad_input(r.model.path, '"%s" has %d inputs, and "%s" beside it %d: they read one x',
        record.shown(output.module, 80), output.inputs, record.shown(p.outputs[1].module, 80),
        p.outputs[1].inputs)
    end
  end
  return p
end

--- Any other matrix.
---@param r ModelReading
---@param blocks Block[]
---@param conclusion Conclusion
---@param is_named table<string, boolean>  modules that are products already
---@param count integer  of layers
---@return FoundProduct[]
local function others_of(r, blocks, conclusion, is_named, count)
  local index_of, result = {}, {}
  for _, block in ipairs(blocks) do index_of[block.prefix] = block.index end
  local function add(output)
    local before = output.module:match '^.-%.%d+%.'
    result[#result + 1] = {
      part = 'other', index = before and index_of[before] or count, because = output.because or {},
      outputs = { output },
    }
  end
  local rule = conclusion.rule.attention
  for _, module in ipairs(modules_of(r, r.model.keys)) do
    local last = paths.last(module)
    if not is_named[module] then
      add { name = last, module = module, word = false,
        in_out = rule and rule.in_out and lists.has(weight_names.data.conv1d, last) or false }
    end
  end
  for _, key in ipairs(r.model.keys) do
    local before = key:match '^(.*)in_proj_weight$' -- torch.nn.MultiheadAttention's
    if before and not r.taken[key] and not r.is_left(key) then
      add { name = 'in_proj', module = before .. 'in_proj', word = 'qkv', weight_key = key,
        bias_key = before .. 'in_proj_bias', because = {
          { field = 'd_out', text = 'rows: q, k and v, one after the other' },
        } }
    end
  end
  return result
end

--- The products of a name. What is near to the name of one is suggested; what is not may be that
--- of a layer.
---@param r ModelReading
---@param named FoundProduct[]
---@param node string
local function of_node(r, named, node)
  local wanted = lists.filter(named, function(p) return products.is_named(p, node) end)
  local near = record.suggest(node, lists.map(named, products.name))
  if #wanted == 0 and near:find('did you mean', 1, true) then
    problems.bad_input('--node', '%s has no layer "%s"%s', record.shown(r.model.path),
      record.shown(node), near)
  end
  return wanted
end

--- The products that are asked for, as found layers.
---@param r ModelReading
---@param blocks Block[]
---@param conclusion Conclusion
---@param count integer  of layers
---@return table[] layers
local function of_layers(r, blocks, conclusion, count)
  local also, node = r.options.also, r.options.node
  local named, is_named = {}, {}
  local is_all = node ~= nil or also.all
  local near = not node and blocks or lists.filter(blocks, function(block)
    return paths.is_behind(node, block.prefix)
  end)
  local is_block = node and #near > 0 -- what is wrong elsewhere is no matter of one product
  if is_all or also.attention then
    for _, block in ipairs(near) do
      local keys = lists.map(block.rests, function(rest) return block.prefix .. rest end)
      lists.append(named, attention.of(r, block, conclusion.rule.attention or {},
        modules_of(r, keys), not is_all))
    end
  end
  if not is_block and (is_all or also.head) then
    named[#named + 1] = head.of(r, conclusion, count, not is_all)
  end
  for _, p in ipairs(named) do
    for _, output in ipairs(p.outputs) do is_named[output.module] = true end
  end
  if is_all then lists.append(named, others_of(r, blocks, conclusion, is_named, count)) end
  if node then named = of_node(r, named, node) end
  return products.layers(lists.map(named, function(p) return M.placed(r, p) end))
end

--- The layers of a model with the products that are asked for: by --also, or by a name that no
--- layer has.
---@param r ModelReading
---@param blocks Block[]
---@param conclusion Conclusion
---@param layers table[]
function M.added(r, blocks, conclusion, layers)
  local node, is_layer = r.options.node, false
  for _, layer in ipairs(layers) do is_layer = is_layer or layer.at == node end
  if not r.options.also and not node or is_layer then return layers end
  return products.sorted(lists.append(layers, of_layers(r, blocks, conclusion,
    layers[#layers].index + 1)))
end

--- Whether a tensor is no vector or table of the model's own: it is told to be left, or one of
--- those that packed rows have beside them.
---@param r ModelReading
---@return fun(key: string): boolean
function M.is_other(r)
  return function(key)
    local module = paths.split(key):sub(1, -2)
    return r.is_left(key) or modules.is_packed(r, module) and key ~= module .. '.bias'
  end
end

return M
