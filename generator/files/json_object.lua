--- The text of a JSON object from a stranger (RFC 8259), decoded: to the letter, since to forgive a
--- missing comma is to guess; not nested without end, which no stack bears; with no key twice, of
--- which one would have to go; and with no more values than its reader says, since a value of two
--- bytes takes a hundred here.
local limits = require 'common.limits'

local M = {}

local byte, match = string.byte, string.match

--- The characters that JSON is made of.
local quote, comma, colon, minus = byte '"', byte ',', byte ':', byte '-'
local open_object, close_object, open_list, close_list = byte('{}[]', 1, 4)
local zero, nine = byte('09', 1, 2)

--- What stands for null: no table of the text is it.
local null = {}
M.null = null

local escapes = {
  ['"'] = '"', ['\\'] = '\\', ['/'] = '/', b = '\b', f = '\f', n = '\n', r = '\r', t = '\t',
}

---@class JsonReader
---@field text string
---@field at integer    the next byte, no space
---@field depth integer objects and lists around it
---@field most integer  of these
---@field depth_limit string  which is the limit of this name
---@field left integer  values that may yet be made
---@field values_limit string  of how many
local Reader = {}
Reader.__index = Reader

local function refuse(reason) error({ reason = reason }, 0) end

--- Past the space at a place.
local function skipped(text, at)
  local char = byte(text, at)
  return char and char <= 32 and match(text, '^[ \t\n\r]*()', at) or at
end

--- Past a character, and the space behind; whether it stood there.
function Reader:take(char)
  if byte(self.text, self.at) ~= char then return false end
  self.at = skipped(self.text, self.at + 1)
  return true
end

--- The character of an escape at a place, and how long it was.
local function unescaped(text, at)
  local hex = text:match('^\\u(%x%x%x%x)', at)
  local code, length = hex and tonumber(hex, 16), 6
  if not code then return escapes[text:sub(at + 1, at + 1)], 2 end
  local low = text:match('^\\u(%x%x%x%x)', at + 6)
  low = low and tonumber(low, 16)
  if code >> 10 == 0x36 and low and low >> 10 == 0x37 then
    code, length = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff), 12
  end
  return code >> 11 ~= 0x1b and utf8.char(code) or nil, length
end

function Reader:string()
  local whole, to = match(self.text, '^([^"\\\0-\31]*)"()', self.at + 1)
  if whole then -- nothing is escaped, as in nearly all
    self.at = skipped(self.text, to)
    return whole
  end
  local text, at, parts, count, joined = self.text, self.at + 1, {}, 0, {}
  while true do
    local plain = text:match('^[^"\\\0-\31]+', at) or ''
    at = at + #plain
    local mark = text:sub(at, at)
    if mark == '"' then
      parts[count + 1], count = plain, count + 1
      break
    end
    if mark == '' then refuse 'a string has no end' end
    local char, length
    if mark == '\\' then char, length = unescaped(text, at) end
    if not char then refuse 'a string has a character that must be escaped' end
    parts[count + 1], parts[count + 2], count, at = plain, char, count + 2, at + length
    if count == 4096 then -- else a text of escapes takes ten times what it says
      joined[#joined + 1], count = table.concat(parts, '', 1, count), 0
    end
  end
  self.at = at
  self:take(quote)
  joined[#joined + 1] = table.concat(parts, '', 1, count)
  return table.concat(joined)
end

--- Items with commas between, up to a bracket.
---@param item fun(reader: JsonReader, into: table)
function Reader:items(close, item, into)
  self.depth = self.depth + 1
  if self.depth > self.most then refuse(limits.told(self.depth_limit)) end
  if not self:take(close) then
    repeat item(self, into) until not self:take(comma)
    if not self:take(close) then refuse 'it is not a JSON object' end
  end
  self.depth = self.depth - 1
  return into
end

local function member(reader, object)
  if byte(reader.text, reader.at) ~= quote then refuse 'it is not a JSON object' end
  local key = reader:string()
  if object[key] ~= nil then refuse(('"%s" occurs twice'):format(key)) end
  if not reader:take(colon) then refuse 'it is not a JSON object' end
  object[key] = reader:value()
end

local function append(reader, list) list[#list + 1] = reader:value() end

local function is_number(text)
  local whole, rest = text:match('^%-?(%d+)(.*)$')
  rest = rest:gsub('^%.%d+', ''):gsub('^[eE][+-]?%d+', '')
  return rest == '' and (#whole == 1 or whole:sub(1, 1) ~= '0')
end

--- A number at the reader's place; nil where it is none.
local function number_of(reader)
  local text, to = match(reader.text, '^([1-9]%d*)()[^%d.eE+-]', reader.at)
  if not text then
    text, to = match(reader.text, '^(%-?%d[%d.eE+-]*)()', reader.at)
    if not text or not is_number(text) then return nil end
  end
  reader.at = skipped(reader.text, to)
  return tonumber(text)
end

local words = { ['null'] = null, ['true'] = true, ['false'] = false }

function Reader:value()
  local char, left = byte(self.text, self.at), self.left - 1
  self.left = left
  if left < 0 then refuse(limits.told(self.values_limit)) end
  if char == quote then return self:string() end
  if char == open_object then
    self.at = skipped(self.text, self.at + 1)
    return self:items(close_object, member, {})
  elseif char == open_list then
    self.at = skipped(self.text, self.at + 1)
    return self:items(close_list, append, {})
  end
  local number = char and (char == minus or char >= zero and char <= nine) and number_of(self)
  if number then return number end
  local word, to = match(self.text, '^(%l+)()%f[^%w]', self.at)
  if words[word] == nil then refuse 'it is not a JSON object' end
  self.at = skipped(self.text, to)
  return words[word]
end

--- The value at the reader's place, made of as many as a limit says.
---@param limit string
function Reader:item(limit)
  self.left, self.values_limit = limits.most(limit), limit
  return self:value()
end

--- Walks the object at the reader's place and keeps nothing of it; false where there is none.
---@param each fun(key: string, reader: JsonReader)  takes what stands behind the key
function Reader:members(each)
  if not self:take(open_object) then return false end
  self:items(close_object, function()
    if byte(self.text, self.at) ~= quote then refuse 'it is not a JSON object' end
    local key = self:string()
    if not self:take(colon) then refuse 'it is not a JSON object' end
    each(key, self)
  end)
  return true
end

--- What a function makes of a reader at the begin of an object, which is all of a text.
local function whole(text, depth, make)
  if not utf8.len(text) then return nil, 'it is no UTF-8' end
  local reader = setmetatable({ text = text, at = text:match('^[ \t\n\r]*()'), depth = 0,
    most = limits.most(depth), depth_limit = depth }, Reader)
  local ok, result = pcall(function()
    local made = make(reader)
    if reader.at <= #text then
      refuse(text:match('^[}%]]', reader.at) and 'there is a bracket too many' or 'it is not a '
        .. 'JSON object')
    end
    return made
  end)
  if ok then return result end
  if type(result) ~= 'table' or not rawget(result, 'reason') then error(result, 0) end
  return nil, result.reason
end

--- An object with all that is in it.
---@param text string
---@param depth string   the limit of objects and lists in each other
---@param values string  that of all values
---@return table|nil
---@return string|nil problem
function M.decode(text, depth, values)
  return whole(text, depth, function(reader)
    if byte(text, reader.at) ~= open_object then
      -- A list is told from brackets that never end.
      reader:item(values)
      refuse 'it is not a JSON object'
    end
    return reader:item(values)
  end)
end

--- Walks an object as Reader:members() does.
---@param text string
---@param depth string
---@param each fun(key: string, reader: JsonReader)
---@return boolean|nil ok
---@return string|nil problem
function M.walk(text, depth, each)
  return whole(text, depth, function(reader)
    if reader:members(each) then return true end
    reader:item 'entry' -- brackets that never end are told
    refuse 'it is not a JSON object'
  end)
end

return M
