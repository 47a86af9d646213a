--- Words for a shell to read back.
local M = {}

---@param text string a file, a folder, an option's value
function M.word(text)
  if text:match('^%-') then text = './' .. text end
  if text:match('^[%w_./+,-]+$') then return text end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

return M
