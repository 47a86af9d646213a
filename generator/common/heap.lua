--- The memory that a reader may take: 48 MiB beside four times the bytes of headers that it read,
--- and 16 MiB more between two looks: a large table is copied when it grows.
--- Who reads adds what it reads and looks from time to time; garbage goes where it must, and what
--- cannot go is too much. So a limit holds for whatever a stranger's few bytes become here.
local limits = require 'common.limits'

local M = {}

local per_byte = 4
local slack = 8 << 10   -- kilobytes that may be made between two looks
local first = 16 << 10  -- and before the first collection: most models need no more

---@class Heap
---@field path string    for messages
---@field start number   kilobytes before the reading
---@field bytes integer  of headers
---@field above number   kilobytes at which garbage is collected
local Heap = {}
Heap.__index = Heap

---@param path string  of the model
---@return Heap
function M.new(path)
  local start = collectgarbage 'count'
  return setmetatable({ path = path, start = start, bytes = 0, above = start + first }, Heap)
end

--- Bytes of a header were read.
function Heap:add(bytes) self.bytes = self.bytes + bytes end

--- Kilobytes that may be alive.
function Heap:most()
  return self.start + (limits.most 'memory' + per_byte * self.bytes) / 1024
end

--- Whether there is still room. It takes long where much was made since the last time, and no time
--- else.
function Heap:look()
  if collectgarbage 'count' < self.above then return end
  collectgarbage()
  local alive, most = collectgarbage 'count', self:most()
  if alive > most then
    local taken = (alive - self.start) * 1024 // 1 | 0
    limits.refuse(self.path, 'memory', taken - per_byte * self.bytes,
      ('headers of %d bytes'):format(self.bytes))
  end
  self.above = math.max(alive + slack / 2, math.min(alive * 1.5 + slack, most))
end

return M
