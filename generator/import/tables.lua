--- Vectors and tables of a model, which are no matrix of a product: norms, biases that no product
--- takes, embeddings, positions. The file of weights has them as the model's file has.
local number_types = require 'import.number_types'
local other_tensors = require 'import.other_tensors'
local paths = require 'tensors.paths'

local M = {}

--- Names of tables that say neither norm nor embedding.
local names = { 'position', 'relative_attention_bias', 'token' }

--- What names without numbers say: a model has few of them, and many tensors of each.
local said = {}

local function says_table(look)
  if said[look] == nil then
    local kind = other_tensors.kind_of(look)
    said[look] = kind == 'norms' or kind == 'embeddings'
    for _, name in ipairs(names) do said[look] = said[look] or look:find(name, 1, true) ~= nil end
  end
  return said[look]
end

--- Whether a tensor of two dimensions or more is a table by its name: one with a bias is a matrix.
---@param model ModelFolder
---@param key string
function M.is_table(model, key)
  local shape = model.shapes[key]
  local module = key:match '^(.*)%.weight$'
  if not module then return not key:find 'in_proj_weight$' end
  local bias = model.shapes[module .. '.bias']
  if bias and #bias == 1 and bias[1] == shape[1] then return false end
  return says_table(paths.without_numbers(key):lower())
end

--- A tensor as rows, where its numbers are floats.
---@param model ModelFolder
---@param key string
local function rows_of(model, key)
  local stored, shape = model.stored[key], model.shapes[key]
  local encoding = number_types.of_type[stored.dtype]
  if not encoding then return nil end
  local width, count, bytes = shape[#shape] or 1, 1, number_types.bytes[encoding]
  for i = 1, #shape - 1 do count = count * shape[i] end
  if width < 1 or count < 1 then return nil end
  return {
    name = key, count = count, width = width,
    place = {
      tensor = key, file = stored.file, first = stored.first, bytes = stored.bytes,
      encoding = encoding, row_bytes = width * bytes, column_bytes = bytes, scaled = false,
      format = false,
    },
  }
end

--- The vectors and tables that are there, sorted by name.
---@param model ModelFolder
---@param taken table<string, boolean>  by name
---@param is_other fun(key: string): boolean  told to be left out, or part of something else
---@return table[]  as found.lua takes rows
function M.of(model, taken, is_other)
  local result = {}
  for _, key in ipairs(model.keys) do
    local shape = model.shapes[key]
    local is_one = #shape < 2 and not taken[key] or #shape > 1 and #shape < 4
      and M.is_table(model, key)
    result[#result + 1] = is_one and not is_other(key) and rows_of(model, key) or nil
  end
  table.sort(result, function(a, b) return a.name < b.name end)
  return result
end

return M
