--- Bytes as people read them.
local M = {}

---@param n integer
---@return string
function M.text(n)
  if n < 10240 then return ('%d B'):format(n) end
  if n < 10 << 20 then return ('%.1f KiB'):format(n / 1024) end
  return ('%.1f MiB'):format(n / (1 << 20))
end

return M
