--- Commands for a shell to read back.
local M = {}

---@param text string a file, a folder, an option's value; $FFNGEN/ is ffngen's own folder
function M.quoted(text)
  local own = text:match('^%$FFNGEN/(.*)$')
  if own then return '"$FFNGEN"/' .. M.quoted(own) end
  if text:match('^%-') then text = './' .. text end
  if text:match('^[%w_./+,-]+$') then return text end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- A command of ffngen that makes a folder again, run there: options in the order of the list.
---@param verb string
---@param specs string[] spec files, as seen from there
---@param options table[] { '--option', value or true or nil or false, default }
---@return string
function M.remake(verb, specs, options)
  local parts = { 'ffngen', verb }
  for _, path in ipairs(specs) do parts[#parts + 1] = M.quoted(path) end
  for _, option in ipairs(options) do
    local name, value, default = option[1], option[2], option[3]
    if value and value ~= default then
      parts[#parts + 1] = name
      if value ~= true then parts[#parts + 1] = M.quoted(value) end
    end
  end
  return table.concat(parts, ' ') .. ' --out .'
end

return M
