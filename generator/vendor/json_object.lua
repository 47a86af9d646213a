--- The text of a JSON object from a stranger, decoded: not nested without end, which no stack
--- bears, and with no key twice, of which a decoder would keep one.
local json = require 'dkjson'

local M = {}

--- Goes through the text once, before anything is decoded.
---@param most integer objects and lists in each other
---@return string|nil problem
local function problem_of(text, most)
  local depth, keys, at = 0, {}, 1
  while true do
    at = text:find('[{}%[%]"]', at)
    if not at then return nil end
    local mark = text:sub(at, at)
    if mark == '"' then
      local last = at
      repeat
        last = text:find('["\\]', last + 1)
        local escape = last and text:sub(last, last) == '\\'
        if escape then last = last + 1 end
      until not escape
      if not last then return 'a string has no end' end
      if text:match('^%s*:', last + 1) and keys[depth] then
        local key = json.decode(text:sub(at, last))
        if key and keys[depth][key] then return ('"%s" stands there twice'):format(key) end
        if key then keys[depth][key] = true end
      end
      at = last
    elseif mark == '{' or mark == '[' then
      depth = depth + 1
      if depth > most then return 'brackets in brackets without end' end
      keys[depth] = mark == '{' and {} or nil
    else
      depth = depth - 1
      if depth < 0 then return 'a bracket too many' end
    end
    at = at + 1
  end
end

---@param text string
---@param most integer objects and lists in each other
---@return table|nil
---@return string|nil problem
function M.decode(text, most)
  local problem = problem_of(text, most)
  if problem then return nil, problem end
  local object = json.decode(text)
  if type(object) ~= 'table' or object[1] ~= nil then return nil, 'it is no JSON object' end
  return object
end

return M
