--- Strict records and nearest names: nothing unknown passes, and the error says the right one.
local M = {}

--- Edit distance (Levenshtein), capped by the lengths: small inputs only.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal
    diagonal, row[0] = row[0], i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      diagonal, row[j] = row[j], math.min(row[j] + 1, row[j - 1] + 1, diagonal + cost)
    end
  end
  return row[#b]
end

--- Someone else's name or text, fit for one line of a message: without control characters, bytes
--- that are no UTF-8, or an end that is far away.
---@param v any
---@param most integer|nil bytes
---@return string
function M.shown(v, most)
  if type(v) ~= 'string' and type(v) ~= 'number' and type(v) ~= 'boolean' then
    return 'a ' .. type(v)
  end
  local text = tostring(v)
  most = most or 60
  local rest = ''
  if #text > most then
    text, rest = text:sub(1, most):gsub('[\xc0-\xff]?[\x80-\xbf]*$', ''), '...'
  end
  text = text:gsub(utf8.len(text) and '%c' or '[%c\x80-\xff]', function(byte)
    return ('\\%d'):format(byte:byte())
  end)
  return text .. rest
end

--- ` (did you mean "name"?)`, or the list of choices where nothing is near.
---@param given string
---@param choices string[]
---@return string
function M.suggest(given, choices)
  local best, best_distance
  given = given:sub(1, 60)
  for _, choice in ipairs(choices) do
    local d = distance(given:lower(), choice:lower())
    if not best_distance or d < best_distance then best, best_distance = choice, d end
  end
  -- Nothing is near that shares no letter.
  if best and best_distance <= math.max(2, #given // 3) and best_distance < #given then
    return (' (did you mean "%s"?)'):format(best)
  end
  return ' (choose from: ' .. table.concat(choices, ', ') .. ')'
end

--- Keys of a table in a fixed order: the only way this generator walks a table by key.
---@return any[]
function M.sorted_keys(t)
  local keys, are_texts = {}, true
  local key = next(t) -- luacheck: ignore
  while key ~= nil do
    keys[#keys + 1] = key
    are_texts = are_texts and type(key) == 'string'
    key = next(t, key) -- luacheck: ignore
  end
  if are_texts then -- in no time, where they are many
    table.sort(keys)
    return keys
  end
  table.sort(keys, function(a, b)
    if type(a) ~= type(b) then return type(a) < type(b) end
    if type(a) == 'number' or type(a) == 'string' then return a < b end
    return type(a) == 'boolean' and b and not a -- tables and functions have no order
  end)
  return keys
end

--- Whether two values say the same: tables by what they hold, to any depth.
---@param a any
---@param b any
---@param is_one (fun(t: table): boolean)|nil  tables that are equal to themselves alone
function M.equal(a, b, is_one)
  if rawequal(a, b) then return true end
  if type(a) ~= 'table' or type(b) ~= 'table' then return a == b end
  local keys = M.sorted_keys(a)
  if #keys ~= #M.sorted_keys(b) or is_one and is_one(a) then return false end
  for _, key in ipairs(keys) do
    local other = rawget(b, key)
    if other == nil or not M.equal(a[key], other, is_one) then return false end
  end
  return true
end

--- How many keys a table has; nil where they have to be known and one is not.
---@param known table<any, any>|nil  by key
---@return integer|nil
function M.count(t, known)
  local count, key = 0, next(t) -- luacheck: ignore
  while key ~= nil do
    if known and known[key] == nil then return nil end
    count = count + 1
    key = next(t, key) -- luacheck: ignore
  end
  return count
end

--- What makes a table strict, by what it is: records are many, and kinds of them few.
local strict_of = {}

local function strictness(kind)
  return {
    __index = function(t, key)
      local known = M.sorted_keys(t)
      for i, field in ipairs(known) do known[i] = tostring(field) end
      error(('%s has no field "%s"%s'):format(kind, tostring(key),
        M.suggest(tostring(key), known)), 2)
    end,
    __newindex = function(_, key)
      error(('%s: field "%s" is set twice or too late'):format(kind, tostring(key)), 2)
    end,
  }
end

--- The fields of a record, in a table of their own that takes others.
---@return table<string, any>
function M.fields(t)
  local fields = {}
  for _, key in ipairs(M.sorted_keys(t)) do fields[key] = t[key] end
  return fields
end

--- A record whose unknown fields are errors, for reading as for writing.
---@param kind string what it is, for the message
---@param fields table<string, any>
function M.strict(kind, fields)
  strict_of[kind] = strict_of[kind] or strictness(kind)
  return setmetatable(fields, strict_of[kind])
end

return M
