--- The formats that weights are stored in, by name. One file each, and a name in this list.
local record = require 'common.record'

--- In the order of their enumerators in C: append only.
local names = { 'f32' }

---@class WeightFormat
---@field name string
---@field about string
---@field c_type string   of what is stored for one weight
---@field bytes integer   of it
---@field helpers string  C of every kernel: NAME_of_float(), float_of_NAME(), where it is no f32
---@field encode string   C: what is stored for the float $1
---@field decode string   C: the float that the stored $1 means
---@field vector fun(word: function, address: string): string  C: a vector of floats from an address

local M = { names = {}, by_name = {} }

for _, name in ipairs(names) do
  local format = require('weights.' .. name)
  M.names[#M.names + 1] = name
  M.by_name[name] = record.strict('weight format ' .. name, {
    name = format.name, about = format.about, c_type = format.c_type, bytes = format.bytes,
    helpers = format.helpers, encode = format.encode, decode = format.decode,
    vector = format.vector,
  })
end

return M
