--- Random numbers by seed: the same on every machine, whatever Lua's own generator is.
local M = {}

---@class Random
---@field state integer
local Random = {}
Random.__index = Random

--- A generator for a place: a seed, and words or numbers that tell it from others.
---@vararg integer|string
---@return Random
function M.new(...)
  local random = setmetatable({ state = 0 }, Random)
  for _, part in ipairs { ... } do
    local text = tostring(part)
    for i = 1, #text do random.state = (random.state ~ text:byte(i)) * 0x100000001b3 + 1 end
    random:bits()
  end
  return random
end

--- 64 bits (splitmix64).
---@return integer
function Random:bits()
  self.state = self.state + 0x9e3779b97f4a7c15
  local z = self.state
  z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
  z = (z ~ (z >> 27)) * 0x94d049bb133111eb
  return z ~ (z >> 31)
end

--- In [0, count).
function Random:below(count) return (self:bits() >> 1) % count end

--- In [first, last].
function Random:range(first, last) return first + self:below(last - first + 1) end

function Random:pick(list) return list[self:below(#list) + 1] end

--- True that often of a hundred times.
function Random:chance(percent) return self:below(100) < percent end

---@param count integer
---@return string
function Random:bytes(count)
  local bytes = {}
  for i = 1, count do bytes[i] = string.char(self:below(256)) end
  return table.concat(bytes)
end

--- A number that is small more often than large.
function Random:skewed(most) return self:below(self:below(most) + 1) end

return M
