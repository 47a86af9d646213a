--- A reader of JSON (RFC 8259) that shares no code with the generator's and forgives nothing.
local M = {}

local escapes = {
  ['"'] = '"', ['\\'] = '\\', ['/'] = '/', b = '\b', f = '\f', n = '\n', r = '\r', t = '\t',
}

local value -- (text, at) -> value, next place; throws

local function space(text, at) return text:match('^[ \t\r\n]*()', at) end

local function expect(ok, at) return ok or error(('no JSON at byte %d'):format(at), 0) end

local function quoted(text, at)
  local out = {}
  at = at + 1
  while true do
    local plain, to = text:match('^([^"\\\0-\31]+)()', at)
    if plain then out[#out + 1], at = plain, to end
    local c = text:sub(at, at)
    if c == '"' then return table.concat(out), at + 1 end
    expect(c == '\\', at)
    local hex = text:match('^u(%x%x%x%x)', at + 1)
    local char = escapes[text:sub(at + 1, at + 1)]
    out[#out + 1] = hex and utf8.char(tonumber(hex, 16)) or expect(char, at)
    at = at + (hex and 6 or 2)
  end
end

--- What stands between brackets, with commas: item(at) reads one, and gives the next place.
local function items(text, at, close, item)
  at = space(text, at + 1)
  if text:sub(at, at) == close then return at + 1 end
  while true do
    at = space(text, item(at))
    local c = text:sub(at, at)
    if c == close then return at + 1 end
    expect(c == ',', at)
    at = space(text, at + 1)
  end
end

local function object(text, at)
  local result = {}
  at = items(text, at, '}', function(from)
    expect(text:sub(from, from) == '"', from)
    local key, to = quoted(text, from)
    expect(result[key] == nil, from)
    to = space(text, to)
    expect(text:sub(to, to) == ':', to)
    result[key], to = value(text, space(text, to + 1))
    return to
  end)
  return result, at
end

local function list(text, at)
  local result = {}
  at = items(text, at, ']', function(from)
    local v, to = value(text, from)
    result[#result + 1] = v
    return to
  end)
  return result, at
end

local function number(text, at)
  local digits, to = text:match('^(%-?%d+)()', at)
  expect(digits and not digits:match('^%-?0%d'), at)
  local fraction = text:match('^%.%d+()', to)
  local exponent = text:match('^[eE][+-]?%d+()', fraction or to)
  local last = exponent or fraction or to
  local all = text:sub(at, last - 1)
  if fraction or exponent then return tonumber(all) + 0.0, last end
  return math.tointeger(tonumber(all)) or 0.5, last
end

value = function(text, at)
  local c = text:sub(at, at)
  if c == '"' then return quoted(text, at) end
  if c == '{' then return object(text, at) end
  if c == '[' then return list(text, at) end
  for word, v in pairs { ['true'] = true, ['false'] = false, null = M } do
    if text:sub(at, at + #word - 1) == word then return v, at + #word end
  end
  return number(text, at)
end

--- An object, or nil.
---@return table|nil
function M.object(text)
  if not utf8.len(text) then return nil end
  local ok, result, at = pcall(function()
    local from = space(text, 1)
    expect(text:sub(from, from) == '{', from)
    return object(text, from)
  end)
  return ok and space(text, at) == #text + 1 and result or nil
end

return M
