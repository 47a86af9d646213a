--- Which fields of the strict records that a piece of work makes are ever read by it.
local record = require 'common.record'

local M = {}

local entries = { '^activation ', '^command ', '^cpu profile ', '^operand ', '^weight format ' }

--- Runs work with records that take notes, and tells what was never read: `sum.chains`, sorted.
--- Entries of vocabularies are not among them: they are made once a process.
---@param work fun()
---@return string[]
---@return integer how many fields there are
function M.unread(work)
  local notes, fields_of = {}, setmetatable({}, { __mode = 'k' })
  local strict, sorted_keys, raw_get = record.strict, record.sorted_keys, rawget

  --- The record stays empty, so that every access asks its metatable.
  local function noting(name, fields)
    for _, pattern in ipairs(entries) do
      if name:match(pattern) then return strict(name, fields) end
    end
    if fields_of[fields] then return fields end -- layers share what readers hand in
    local own = {}
    for key, value in pairs(fields) do own[key] = value end
    for key in pairs(own) do
      fields[key] = nil
      local note = type(key) == 'string' and name .. '.' .. key
      if note then notes[note] = notes[note] or 'unread' end
    end
    fields_of[fields] = own
    local known = strict(name, own)
    return setmetatable(fields, {
      __index = function(_, key)
        if type(key) == 'string' then notes[name .. '.' .. key] = 'read' end
        return known[key]
      end,
      __newindex = function(_, key, value) known[key] = value end,
      __len = function() return #own end,
    })
  end

  record.strict = noting
  record.sorted_keys = function(t) return sorted_keys(fields_of[t] or t) end
  rawget = function(t, key) return raw_get(fields_of[t] or t, key) end -- luacheck: ignore
  local ok, problem = pcall(work)
  record.strict, record.sorted_keys = strict, sorted_keys
  rawget = raw_get -- luacheck: ignore
  if not ok then error(problem, 0) end
  local list, count = {}, 0
  for note, state in pairs(notes) do
    count = count + 1
    if state == 'unread' then list[#list + 1] = note end
  end
  table.sort(list)
  return list, count
end

return M
