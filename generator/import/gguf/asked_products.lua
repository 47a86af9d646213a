--- The products of a GGUF model that --also or --node asks for, as layers.
local gguf_products = require 'import.gguf.products'
local lists = require 'common.list'
local problems = require 'common.problem'
local products = require 'import.products'
local record = require 'common.record'

local M = {}

--- Whether a name is that of a product, or of one of its matrices.
---@param item GgufProduct
local function is_named(item, node)
  return item.at == node or lists.has(item.modules, node)
end

--- What was asked for and is not there, or is there and no product.
---@param list GgufProduct[]
---@param also Also
local function check(o, list, also)
  local has = {}
  for _, item in ipairs(list) do
    has[item.what] = true
    if also.attention and not also.all and item.is_attention then
      problems.bad_input(o.path, '"%s": no product of attention takes this matrix: add --also all, '
        .. 'which takes it alone, or --leave %s', record.shown(item.tensors[1], 80),
        record.shown(item.tensors[1], 80))
    end
  end
  for _, what in ipairs { 'attention', 'head' } do
    if also[what] and not also.all and not has[what] then
      problems.bad_input(o.path, '--also %s: the model has %s', what, what == 'head'
        and 'no head: "output.weight" is missing' or 'no matrix of attention')
    end
  end
end

---@param o GgufProducts
---@param options ImportOptions
---@return table[] layers  as found.lua takes them
---@return table<string, boolean> taken  names of their tensors
function M.of(o, options)
  local also, node = options.also, options.node
  if not also and not node then return {}, {} end
  local list = gguf_products.of(o)
  if also and not node then check(o, list, also) end
  local taken = record.fields(o.taken)
  local wanted = lists.filter(list, function(item)
    local is_asked = also ~= nil and (also.all or also[item.what])
    if not node then return is_asked end
    return is_named(item, node) or is_asked and item.at:sub(1, #node + 1) == node .. '.'
  end)
  local layers = products.layers(lists.map(wanted, function(item)
    for _, name in ipairs(item.tensors) do taken[name] = true end
    return item.make()
  end))
  return layers, taken
end

return M
