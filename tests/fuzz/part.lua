--- Parts of smaller cases. What a case has is not touched.
local M = {}

--- A table with another value in one of its fields.
---@return table
function M.with(case, field, value)
  local copy = {}
  for key, v in pairs(case) do copy[key] = v end
  copy[field] = value
  return copy
end

--- A list without one of its items.
---@return any[]
function M.without(list, i)
  local fewer = { table.unpack(list) }
  table.remove(fewer, i)
  return fewer
end

return M
