--- Where the numbers of a GGUF tensor lie: rows of a matrix, a vector. Shapes begin with the
--- numbers of a row.
local found_records = require 'import.found'
local number_types = require 'import.number_types'
local problems = require 'common.problem'
local record = require 'common.record'
local types = require 'files.ggml_types'
local weights = require 'weights'

local M = {}

--- The encodings of ggml's types that layers take: numbers, and formats whose blocks hold all that
--- they mean. ggml's names are ours in capitals.
M.encodings = {}
for _, names in ipairs { record.sorted_keys(number_types.bytes), weights.names } do
  for _, name in ipairs(names) do
    local is_type = types.by_name[name:upper()] ~= nil
    if is_type and found_records.block(name) then M.encodings[name:upper()] = name end
  end
end

--- A shape as messages have it: rows first.
---@param shape integer[]
function M.shape_text(shape)
  local parts = {}
  for i = #shape, 1, -1 do parts[#parts + 1] = shape[i] end
  return '[' .. table.concat(parts, '][') .. ']'
end

---@param path string
---@param t PlacedTensor
local function encoding_of(path, t)
  local encoding = M.encodings[t.type]
  if not encoding then
    problems.bad_input(path, '"%s" is stored as %s, which no format of ffngen holds: quantize '
      .. 'the model as Q4_K, Q5_K, Q6_K, Q8_0, Q4_0 or BF16', t.name, t.type)
  end
  return encoding
end

--- Rows [first, first + ...) of a matrix.
---@param path string
---@param t PlacedTensor
---@param first integer
function M.rows(path, t, first)
  local kind = types.by_name[t.type]
  local row = t.shape[1] // kind.numbers * kind.bytes
  return {
    tensor = t.name, file = t.file, first = t.first + first * row, bytes = t.bytes,
    encoding = encoding_of(path, t), row_bytes = row,
    column_bytes = kind.numbers == 1 and kind.bytes or 0,
  }
end

--- Numbers [first, first + ...) of a bias.
---@param path string
---@param t PlacedTensor
---@param first integer
function M.vector(path, t, first)
  local encoding = encoding_of(path, t)
  local bytes = number_types.bytes[encoding]
  if not bytes then
    problems.bad_input(path, '"%s": its type is %s, and a bias must be F32, F16 or '
      .. 'BF16', t.name, t.type)
  end
  return {
    tensor = t.name, file = t.file, first = t.first + first * bytes, bytes = t.bytes,
    encoding = encoding, row_bytes = 0, column_bytes = bytes,
  }
end

return M
