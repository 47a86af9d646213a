--- Vectors and tables of a GGUF model, which are no matrix of a product: norms, biases that no
--- product takes, embeddings, factors of positions. The packed file has them as the model's has.
local forms = require 'import.gguf.product_forms'
local found_rows = require 'import.found_rows'
local tensor_places = require 'import.gguf.tensor_places'
local types = require 'files.ggml_types'

local M = {}

--- Whether a tensor of two dimensions is read a row at a time.
local function is_table(t)
  local stem = t.name:match '^[%a.]-blk%.%d+%.(.+)%.weight$' or t.name:match '^(.+)%.weight$'
  return #t.shape == 2 and stem ~= nil and forms.is_table(stem)
end

--- A tensor as rows, where its numbers are floats or blocks that rows may have.
---@param t PlacedTensor
local function rows_of(t)
  local encoding, kind = tensor_places.encodings[t.type], types.by_name[t.type]
  if not encoding or not found_rows.takes(encoding) then return nil end
  local width, count = t.shape[1], t.shape[2] or 1
  if width < 1 or count < 1 or width % kind.numbers ~= 0 then return nil end
  return {
    name = t.name, count = count, width = width,
    place = {
      tensor = t.name, file = t.file, first = t.first, bytes = t.bytes, encoding = encoding,
      row_bytes = width // kind.numbers * kind.bytes,
      column_bytes = kind.numbers == 1 and kind.bytes or 0, scaled = false, format = false,
    },
  }
end

--- The vectors and tables that are there.
---@param model GgufModel
---@param taken table<string, boolean>     tensors of layers and products
---@param is_left fun(name: string): boolean
---@return table[]  as found.lua takes rows
function M.of(model, taken, is_left)
  local result = {}
  for _, name in ipairs(model.names) do
    local t = model.tensors[name]
    local is_one = #t.shape == 1 and not taken[name] or is_table(t)
    result[#result + 1] = is_one and not is_left(name) and rows_of(t) or nil
  end
  return result
end

return M
