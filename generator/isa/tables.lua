--- Words that look up one of sixteen bytes: four bits of a line choose, and give a float; or each
--- byte of a lane chooses, and gives a byte without a sign. An instruction set says how, the tables
--- are here.
local lists = require 'common.list'
local texts = require 'common.text'

local M = {}

--- Twice the floats of E2M1, whose zero has no sign; and the levels of GGUF's iq4, 2^24 of them: as
--- they stand in the upper byte of a lane, which scales of E2M1 are too small for. Bytes without a
--- sign are larger by the offset.
local tables = {
  { name = 'e2m1', power = 0, offset = 12, bytes = { 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4,
    -6, -8, -12 } },
  { name = 'iq4', power = 24, offset = 128, bytes = { -127, -104, -83, -65, -49, -35, -22, -10, 1,
    13, 25, 38, 53, 69, 89, 113 } },
}

--- Helpers of words with those of these beside: functions of a line and of the bit where the four
--- begin, a constant.
---@param helpers table<string, string>
---@param text string   C with NAME; BYTES, or FLOATS, those that words give; POWER; and VALUE
---@param value table<integer, string>|nil  C of what words give, by POWER
---@return table<string, string>
function M.beside(helpers, text, value)
  for _, t in ipairs(tables) do
    local floats = lists.map(t.bytes, function(byte)
      return ('%s0x%xp%df,'):format(byte < 0 and '-' or '', math.abs(byte), t.power)
    end)
    helpers['from_' .. t.name] = text:gsub('%f[%w]%u+%f[%W]', {
      NAME = 'ffn_from_' .. t.name, BYTES = table.concat(t.bytes, ', '), POWER = t.power,
      FLOATS = texts.wrap(floats, 80, '      '):sub(1, -2),
      VALUE = value and value[t.power],
    })
  end
  return helpers
end

--- The same of words that give bytes, of an instruction set that has them.
---@param helpers table<string, string>
---@param text string  C with NAME and BYTES
---@return table<string, string>
function M.bytes_beside(helpers, text)
  for _, t in ipairs(tables) do
    local bytes = lists.map(t.bytes, function(byte) return byte + t.offset end)
    helpers['bytes_' .. t.name] = text:gsub('%f[%w]%u+%f[%W]', {
      NAME = 'ffn_bytes_' .. t.name, BYTES = table.concat(bytes, ', '),
    })
  end
  return helpers
end

return M
