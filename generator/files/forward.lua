--- A file that is read from front to back, in pieces: numbers in little-endian order, texts, and
--- what nobody wants, which is passed without a look. No step goes beyond the file's end.
local limits = require 'common.limits'
local problems = require 'common.problem'

local M = {}

local piece = 1 << 16 -- bytes that are read together

---@class Forward
---@field path string    for messages
---@field kind string    what the file should be, for messages
---@field handle file*
---@field size integer
---@field text string    a piece of it
---@field base integer   where that begins in the file
---@field at integer     the next byte in the piece, from 1; it may be beyond
local Forward = {}
Forward.__index = Forward

---@return Forward
function M.new(path, kind, handle, size)
  return setmetatable({
    path = path, kind = kind, handle = handle, size = size, text = '', base = 0, at = 1,
  }, Forward)
end

--- Ends the reading.
function Forward:refuse(message, ...)
  problems.bad_input(self.path, 'not %s: ' .. message, self.kind, ...)
end

--- The same, where another copy of the file helps.
function Forward:refuse_damaged(message, ...)
  self:refuse(message .. '; the file is damaged: download it or convert the model again', ...)
end

--- Ends the reading where the file ends too early.
---@param what string  that it ends in
function Forward:refuse_end(what)
  self:refuse('the file ends within %s: was a download cut short?', what)
end

--- Where the next byte is in the file.
function Forward:place() return self.base + self.at - 1 end

--- Bytes from there on.
function Forward:left() return self.size - self:place() end

--- Sees to it that so many bytes are in the piece.
---@param count integer
---@param what string  that they belong to
function Forward:ask(count, what)
  if #self.text - self.at + 1 >= count then return end
  local place = self:place()
  if count > self.size - place then self:refuse_end(what) end
  self.handle:seek('set', place)
  self.text, self.base, self.at = self.handle:read(math.max(count, piece)) or '', place, 1
  if #self.text < count then self:refuse_end(what) end
end

--- A number, as string.unpack has it.
---@param format string
---@param bytes integer
function Forward:number(format, bytes, what)
  self:ask(bytes, what)
  local value = string.unpack(format, self.text, self.at)
  self.at = self.at + bytes
  return value
end

--- A count or a length of 64 bits, which Lua takes for negative from 2^63 on.
---@param most integer
function Forward:count(most, what)
  local value = self:number('<i8', 8, what)
  if value < 0 then self:refuse_damaged('%s: 2^63 or more of them', what) end
  if value > most then
    self:refuse_damaged('%s: %d, and at most %d are possible', what, value, most)
  end
  return value
end

--- The same of what a limit is for.
---@param name string
---@param what string|nil  that it belongs to
function Forward:limited(name, what)
  local value = self:number('<i8', 8, what or name)
  if value < 0 then self:refuse_damaged('%s: 2^63 or more of them', what or name) end
  limits.hold(self.path, name, value, what)
  return value
end

--- So many bytes as a text.
function Forward:bytes(count, what)
  self:ask(count, what)
  local text = self.text:sub(self.at, self.at + count - 1)
  self.at = self.at + count
  return text
end

--- Passes bytes.
function Forward:skip(count, what)
  if count > self:left() then self:refuse_end(what) end
  self.at = self.at + count
end

--- Passes texts, each behind its length, without making one.
---@param name string  of the limit for the bytes of one
function Forward:skip_texts(count, name, what)
  local most = limits.most(name)
  local unpack, text, at, last = string.unpack, self.text, self.at, #self.text - 7
  for _ = 1, count do
    if at > last then
      self.at = at
      self:ask(8, what)
      text, at, last = self.text, self.at, #self.text - 7
    end
    local length = unpack('<i8', text, at)
    if length < 0 then self:refuse_damaged('%s: a text of 2^63 bytes or more', what) end
    if length > most then limits.refuse(self.path, name, length, what) end
    at = at + 8 + length
  end
  self.at = at
  if self:left() < 0 then self:refuse_end(what) end
end

return M
