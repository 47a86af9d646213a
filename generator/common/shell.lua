--- Words for a shell to read back.
local M = {}

---@param text string a file, a folder, an option's value
function M.word(text)
  if text:match('^%-') then text = './' .. text end
  if text:match('^[%w_./+,-]+$') then return text end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- A command of ffngen that makes a folder again, run there: files by their last names, options in
--- the order of the list.
---@param verb string
---@param specs string[] paths of spec files
---@param options table[] { '--word', value or true or nil or false, default }
---@return string
function M.remake(verb, specs, options)
  local words = { 'ffngen', verb }
  for _, path in ipairs(specs) do words[#words + 1] = M.word(path:match('[^/]+$')) end
  for _, option in ipairs(options) do
    local word, value, default = option[1], option[2], option[3]
    if value and value ~= default then
      words[#words + 1] = word
      if value ~= true then words[#words + 1] = M.word(value) end
    end
  end
  return table.concat(words, ' ') .. ' --out .'
end

return M
