--- Texts that differ by the numbers of quoted names alone, as the first of them and how many there
--- are: each name that is told stands in the model as it is told.
local M = {}

--- What texts have in common that are alike.
---@param text string
function M.key(text)
  return (text:gsub('"[^"]*"', function(name) return (name:gsub('%d+', '*')) end))
end

--- Those of a list that are not alike, in their order.
---@param texts string[]
---@return { first: string, count: integer }[]
function M.of(texts)
  local list, by_key, seen = {}, {}, {}
  for _, text in ipairs(texts) do
    local key = M.key(text)
    if not by_key[key] then
      by_key[key] = { first = text, count = 0 }
      list[#list + 1] = by_key[key]
    end
    if not seen[text] then by_key[key].count = by_key[key].count + 1 end
    seen[text] = true
  end
  return list
end

--- One of them: 'Cast "a1": why (and 31 alike)'.
function M.told(one)
  return one.count > 1 and ('%s (and %d alike)'):format(one.first, one.count - 1) or one.first
end

return M
