--- Texts of C with gaps that are filled in again and again, at each number of a tile: they are cut
--- once.
local M = {}

--- What marks a gap where C text stands around it.
---@param key string
---@return string
function M.mark(key) return '\1' .. key .. '\1' end

---@param text string
---@param gap string|nil  a pattern of Lua that captures the key of a gap; nil: that of mark()
---@return string[] pieces  a text, a key, a text and so on; a text is the last
function M.cut(text, gap)
  gap = gap or '\1(.-)\1'
  local pieces, from = {}, 1
  local first, last, key = text:find(gap)
  while first do
    pieces[#pieces + 1] = text:sub(from, first - 1)
    pieces[#pieces + 1] = key
    from = last + 1
    first, last, key = text:find(gap, from)
  end
  pieces[#pieces + 1] = text:sub(from)
  return pieces
end

---@param pieces string[]  as cut() gives them
---@param value_of fun(key: string): string
---@return string
function M.filled(pieces, value_of)
  local parts = {}
  for i = 1, #pieces, 2 do
    parts[i] = pieces[i]
    if pieces[i + 1] then parts[i + 1] = value_of(pieces[i + 1]) end
  end
  return table.concat(parts)
end

return M
