--- The rows of x and y that the origin's code told, as tests/data/import/remake.py stores them.
local json = require 'dkjson'
local support = require 'support'

local M = {}

---@param path string
---@return table<string, number[][]>
function M.of(path)
  local model, file = {}, support.read(path)
  local length = string.unpack('<I8', file)
  for key, tensor in pairs(json.decode(file:sub(9, 8 + length))) do
    local rows = {}
    for row = 1, tensor.shape and tensor.shape[1] or 0 do
      rows[row] = {}
      for i = 1, tensor.shape[2] do
        local at = 8 + length + tensor.data_offsets[1] + 8 * ((row - 1) * tensor.shape[2] + i - 1)
        rows[row][i] = string.unpack('<d', file, at + 1)
      end
    end
    model[key] = rows
  end
  return model
end

return M
