--- Text in lines.
local M = {}

--- Parts with spaces between, in lines of at most `columns` characters; a part is never cut.
---@param parts string[]
---@param columns integer
---@return string[]
function M.lines(parts, columns)
  local lines, line = {}, ''
  for _, part in ipairs(parts) do
    if line ~= '' and #line + 1 + #part > columns then
      lines[#lines + 1] = line
      line = ''
    end
    line = line == '' and part or line .. ' ' .. part
  end
  lines[#lines + 1] = line
  return lines
end

--- The same as one text, without a line break at its end.
---@param indent string|nil what every line begins with; counts among the columns
---@return string
function M.wrap(parts, columns, indent)
  indent = indent or ''
  return indent .. table.concat(M.lines(parts, columns - #indent), '\n' .. indent)
end

--- Pieces of text with a blank line between; empty ones leave none.
---@param pieces string[]
---@return string
function M.paragraphs(pieces)
  local kept = {}
  for _, piece in ipairs(pieces) do
    piece = piece:gsub('^\n+', ''):gsub('\n*$', '\n')
    if piece ~= '\n' then kept[#kept + 1] = piece end
  end
  return table.concat(kept, '\n')
end

--- A comment of C.
---@param lines string[]
---@return string
function M.comment(lines)
  return (('/* ' .. table.concat(lines, '\n * ')):gsub('[ \t]+\n', '\n')) .. ' */\n'
end

return M
