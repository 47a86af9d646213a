--- The text of a JSON object from a stranger (RFC 8259), decoded: to the letter, since to forgive a
--- missing comma is to guess; not nested without end, which no stack bears; and with no key twice,
--- of which one would have to go.
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
---@field most integer
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
  local text, at, parts = self.text, self.at + 1, {}
  while true do
    local plain = text:match('^[^"\\\0-\31]+', at) or ''
    parts[#parts + 1], at = plain, at + #plain
    local mark = text:sub(at, at)
    if mark == '"' then break end
    if mark == '' then refuse 'a string has no end' end
    local char, length
    if mark == '\\' then char, length = unescaped(text, at) end
    if not char then refuse 'a string has a character that must be escaped' end
    parts[#parts + 1], at = char, at + length
  end
  self.at = at
  self:take(quote)
  return table.concat(parts)
end

--- Items with commas between, up to a bracket.
---@param item fun(reader: JsonReader, into: table)
function Reader:items(close, item, into)
  self.depth = self.depth + 1
  if self.depth > self.most then refuse 'brackets in brackets without end' end
  if not self:take(close) then
    repeat item(self, into) until not self:take(comma)
    if not self:take(close) then refuse 'it is no JSON object' end
  end
  self.depth = self.depth - 1
  return into
end

local function member(reader, object)
  if byte(reader.text, reader.at) ~= quote then refuse 'it is no JSON object' end
  local key = reader:string()
  if object[key] ~= nil then refuse(('"%s" stands there twice'):format(key)) end
  if not reader:take(colon) then refuse 'it is no JSON object' end
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
  local char = byte(self.text, self.at)
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
  if words[word] == nil then refuse 'it is no JSON object' end
  self.at = skipped(self.text, to)
  return words[word]
end

---@param text string
---@param most integer objects and lists in each other
---@return table|nil
---@return string|nil problem
function M.decode(text, most)
  if not utf8.len(text) then return nil, 'it is no UTF-8' end
  local reader = setmetatable({ text = text, at = text:match('^[ \t\n\r]*()'), depth = 0,
    most = most }, Reader)
  local ok, result = pcall(function()
    if not reader:take(open_object) then
      -- A list is told from brackets that never end.
      reader:value()
      refuse 'it is no JSON object'
    end
    local object = reader:items(close_object, member, {})
    if reader.at <= #text then
      refuse(text:match('^[}%]]', reader.at) and 'a bracket too many' or 'it is no JSON object')
    end
    return object
  end)
  if ok then return result end
  if type(result) ~= 'table' then error(result, 0) end
  return nil, result.reason
end

return M
