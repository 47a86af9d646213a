--- Products of safetensors alone: the names of modules tell them, and where names do not tell how a
--- matrix lies, --order does.
local configs = require 'import.config'
local lists = require 'common.list'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local huggingface_products = require 'import.huggingface.products'
local record = require 'common.record'
local weight_names = require 'tensors.names'

local M = {}

--- The block of a module: what stands in front of all in its layer.
local function block_of(name) return name:match '^.-%.%d+%.' or name:match '^%d+%.' end

--- The blocks in which layers stand.
---@param model ModelFolder
---@param layers table[]
---@param config Config
---@return Block[]
local function blocks_of(model, layers, config)
  local blocks, of_prefix = {}, {}
  for _, layer in ipairs(layers) do
    local prefix = block_of(layer.at .. '.')
    if prefix and not of_prefix[prefix] then
      of_prefix[prefix] = {
        prefix = prefix, index = layer.index, rests = {}, stack = { config = config },
      }
      blocks[#blocks + 1] = of_prefix[prefix]
    end
  end
  for _, key in ipairs(model.keys) do
    local block = of_prefix[block_of(key)]
    if block then table.insert(block.rests, key:sub(#block.prefix + 1)) end
  end
  return blocks
end

--- Whether the matrix of a module is [in][out], as those of GPT-2 are that others have, too.
---@param order string|nil
local function is_in_out(path, order, module)
  if not lists.has(weight_names.data.conv1d, paths.last(module)) then return false end
  if not order then
    problems.bad_input(path, '"%s" may be [out][in] or, as in GPT-2, [in][out]: add --order out-in '
      .. 'or --order in-out', record.shown(module, 80))
  end
  return order == 'in-out'
end

--- The layers of a model with the products that are asked for.
---@param model ModelFolder
---@param options ImportOptions
---@param is_left fun(key: string): boolean
---@param layers table[]
---@param taken table<string, boolean>  tensors of layers; those of products are added
---@return table[]
function M.added(model, options, is_left, layers, taken)
  if options.also and options.also.router and not options.also.all then
    problems.bad_input(model.path, '--also router: names of tensors do not tell what a router '
      .. 'computes: name the folder with the model\'s config.json, or add --also all, which takes '
      .. 'its matrix alone')
  end
  local config = configs.of_text(model.path, '{}')
  return huggingface_products.added({
    model = model, options = options, is_left = is_left, taken = taken, spans = {}, read = {},
    about = {}, reason = false,
    is_in_out = function(module) return is_in_out(model.path, options.order, module) end,
  }, blocks_of(model, layers, config), {
    rule = { attention = false, head = false }, configs = { config },
  }, layers)
end

return M
