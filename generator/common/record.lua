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

--- The same of a value of any kind, for "KEY is VALUE" in a message.
---@param v any
function M.described(v)
  if v == nil then return 'missing' end
  if type(v) == 'table' then return #v > 0 and 'a list' or 'an object' end
  return type(v) == 'string' and ('"%s"'):format(M.shown(v)) or M.shown(v)
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
  local count = 0
  for key in next, t do -- luacheck: ignore
    if known and known[key] == nil then return nil end
    count = count + 1
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

---@class Schema  what tables of a kind hold
---@field by_name table<string, Field>
---@field names string[]
---@field judged string[]  those whose values are held to something
local Schema = {}
Schema.__index = Schema

---@class Field
---@field kind string     of Lua's types, 'integer' or 'any'
---@field default any     what stands for it where it is left out; an empty table is a new one each
--- time; nil: it must be there
---@field one_of any[]|nil
---@field least number|nil

--- Fields are kinds, or tables such as { 'integer', 0, least = 0 }, { one_of = { 'value', 'bytes' }
--- } and { 'function', false }, the default being the second.
---@param fields table<string, string|table>
---@return Schema
function M.schema(fields)
  local by_name, judged, names = {}, {}, M.sorted_keys(fields)
  for _, name in ipairs(names) do
    local said = type(fields[name]) == 'table' and fields[name] or { fields[name] }
    local field = {
      kind = said[1] or 'any', default = said[2], one_of = said.one_of, least = said.least,
    }
    by_name[name] = field
    if field.kind ~= 'any' or field.one_of then judged[#judged + 1] = name end
  end
  return setmetatable({ by_name = by_name, names = names, judged = judged }, Schema)
end

local function as_error(place, problem) error(('%s: %s'):format(place, problem), 0) end

--- What is wrong with the value of a field, or nil.
local function problem_of(name, value, field)
  if field.one_of then
    local choices = {}
    for i, choice in ipairs(field.one_of) do
      if value == choice then return nil end
      choices[i] = tostring(choice)
    end
    if type(value) ~= 'string' then
      return ('%s must be one of %s'):format(name, table.concat(choices, ', '))
    end
    return ('unknown %s "%s"%s'):format(name, M.shown(value), M.suggest(value, choices))
  end
  local kind, least = field.kind, field.least
  local is_right = kind == 'any' or type(value) == kind
    or kind == 'integer' and math.type(value) == kind
  if is_right and (not least or value >= least) then return nil end
  local article = kind:find '^[aeiou]' and 'an' or 'a'
  if least then return ('%s must be %s %s of at least %d'):format(name, article, kind, least) end
  return ('%s must be %s %s'):format(name, article, kind)
end

--- An error for what a schema does not know.
function Schema:refuse_unknown(given, place, fail)
  for _, key in ipairs(M.sorted_keys(given)) do
    if not self.by_name[key] then
      fail(place, ('unknown field "%s"%s'):format(M.shown(key), M.suggest(tostring(key),
        self.names)))
    end
  end
end

--- Makes a table whole, in place: models have a million of them.
---@generic T: table
---@param given T
---@param place string where it stands, for the message
---@param fail fun(place: string, problem: string)|nil  ends in an error
---@return T given
function Schema:fill(given, place, fail)
  fail = fail or as_error
  if type(given) ~= 'table' then fail(place, 'must be a table, not ' .. M.shown(given)) end
  local count = M.count(given, self.by_name) or self:refuse_unknown(given, place, fail)
  for i = 1, count < #self.names and #self.names or 0 do
    local name = self.names[i]
    if given[name] == nil then
      local default = self.by_name[name].default
      if default == nil then fail(place, ('the field "%s" is missing'):format(name)) end
      given[name] = type(default) == 'table' and #default == 0 and {} or default
    end
  end
  for i = 1, #self.judged do
    local name = self.judged[i]
    local value, field = given[name], self.by_name[name]
    if value ~= field.default and (type(value) ~= field.kind or field.one_of or field.least) then
      local problem = problem_of(name, value, field)
      if problem then fail(place, problem) end
    end
  end
  return given
end

--- What a table says and leaves out, whole, in a table of its own that takes other fields.
---@param given table
---@param place string
---@param fail fun(place: string, problem: string)|nil
---@return table
function Schema:read(given, place, fail)
  return self:fill(type(given) == 'table' and M.fields(given) or given, place, fail)
end

return M
