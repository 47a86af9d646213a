--- The text of a JSON object from a stranger (RFC 8259), decoded: to the letter, since to forgive a
--- missing comma is to guess; not nested without end, which no stack bears; and with no key twice,
--- of which one would have to go.
local M = {}

--- What stands for null: no table of the text is it.
local null = {}

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

--- Past a pattern, and the space behind; its capture, or nil where something else stands.
function Reader:take(pattern)
  local found, to = self.text:match('^(' .. pattern .. ')[ \t\n\r]*()', self.at)
  if found then self.at = to end
  return found
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
  self:take '"'
  return table.concat(parts)
end

--- Items with commas between, up to a bracket.
function Reader:items(close, item)
  self.depth = self.depth + 1
  if self.depth > self.most then refuse 'brackets in brackets without end' end
  if not self:take(close) then
    repeat item() until not self:take ','
    if not self:take(close) then refuse 'it is no JSON object' end
  end
  self.depth = self.depth - 1
end

function Reader:object()
  local object = {}
  self:items('}', function()
    if self.text:sub(self.at, self.at) ~= '"' then refuse 'it is no JSON object' end
    local key = self:string()
    if object[key] ~= nil then refuse(('"%s" stands there twice'):format(key)) end
    if not self:take ':' then refuse 'it is no JSON object' end
    object[key] = self:value()
  end)
  return object
end

local function is_number(text)
  local whole, rest = text:match('^%-?(%d+)(.*)$')
  rest = rest:gsub('^%.%d+', ''):gsub('^[eE][+-]?%d+', '')
  return rest == '' and (#whole == 1 or whole:sub(1, 1) ~= '0')
end

function Reader:value()
  if self:take '{' then return self:object() end
  if self:take '%[' then
    local list = {}
    self:items('%]', function() list[#list + 1] = self:value() end)
    return list
  end
  if self.text:sub(self.at, self.at) == '"' then return self:string() end
  local number = self:take '%-?%d[%d.eE+-]*'
  if number and is_number(number) then return tonumber(number) end
  if self:take 'null%f[^%w]' then return null end
  if self:take 'true%f[^%w]' then return true end
  if self:take 'false%f[^%w]' then return false end
  refuse 'it is no JSON object'
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
    if not reader:take '{' then
      -- A list is told from brackets that never end.
      reader:value()
      refuse 'it is no JSON object'
    end
    local object = reader:object()
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
