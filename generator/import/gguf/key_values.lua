--- Values of a file's keys that are refused: what the key is, and what the value must be.
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@param path string
---@param name string  of the key
---@param value any    nil: there is no such key
---@param must string  in words, such as "a number"
function M.refuse(path, name, value, must)
  if value == nil then
    problems.bad_input(path, 'it has no key %s: convert the model again', name)
  end
  problems.bad_input(path, '%s is %s, and must be %s: convert the model again', name,
    type(value) == 'table' and 'a list' or record.described(value), must)
end

return M
