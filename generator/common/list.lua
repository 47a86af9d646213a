--- Lists: what several files ask of them.
local M = {}

--- Whether a list holds a value.
---@param list any[]
---@param value any
function M.has(list, value)
  for _, item in ipairs(list) do
    if item == value then return true end
  end
  return false
end

--- The values of a list as keys, for many questions of has().
---@param list any[]
---@return table<any, boolean>
function M.set(list)
  local set = {}
  for _, item in ipairs(list) do set[item] = true end
  return set
end

--- Appends every item of `more`.
---@return any[] list
function M.append(list, more)
  for _, item in ipairs(more) do list[#list + 1] = item end
  return list
end

--- The items of a list, each once, where it stands first.
function M.unique(list)
  local result, seen = {}, {}
  for _, item in ipairs(list) do
    if not seen[item] then result[#result + 1] = item end
    seen[item] = true
  end
  return result
end

--- The items that a test lets through.
---@param keep fun(item: any): boolean
function M.filter(list, keep)
  local result = {}
  for _, item in ipairs(list) do
    if keep(item) then result[#result + 1] = item end
  end
  return result
end

--- What a function makes of every item.
function M.map(list, make)
  local result = {}
  for i, item in ipairs(list) do result[i] = make(item) end
  return result
end

--- The items as lists of those that have the same key, in the order of the first ones.
---@param key fun(item: any): any
---@return any[][]
function M.parted(list, key)
  local parts, by_key = {}, {}
  for _, item in ipairs(list) do
    local of = key(item)
    if not by_key[of] then
      by_key[of] = {}
      parts[#parts + 1] = by_key[of]
    end
    table.insert(by_key[of], item)
  end
  return parts
end

return M
