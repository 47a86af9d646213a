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

--- A paragraph in lines. No line ends inside of backquotes, which are left out.
---@param text string
---@param columns integer
---@param indent string|nil
---@return string
function M.wrapped(text, columns, indent)
  local words = {}
  local joined = text:gsub('`(.-)`', function(code) return (code:gsub(' ', '\1')) end)
  for word in joined:gmatch('%S+') do words[#words + 1] = word:gsub('\1', ' ') end
  return M.wrap(words, columns, indent)
end

--- A name, and beside it its meaning in lines; a long name has a line of its own.
---@param name string
---@param meaning string
---@param columns integer
---@param indent integer  the column where the meaning begins
---@return string
function M.item(name, meaning, columns, indent)
  local block = M.wrapped(meaning, columns, (' '):rep(indent))
  if #name > indent - 4 then return ('  %s\n%s'):format(name, block) end
  return ('  %-' .. indent - 2 .. 's%s'):format(name, block:sub(indent + 1))
end

--- A text without the space around it. (What `^%s*(.-)%s*$` says takes quadratic time where there
--- is much space inside.)
---@param text string
---@return string
function M.trimmed(text)
  local from, to = text:match '^%s*()', #text
  while to >= from and text:find('^%s', to) do to = to - 1 end
  return text:sub(from, to)
end

--- Lines with something else between them: an indentation, a mark, the sign that a macro goes on.
---@param text string
---@param between string
---@return string
function M.rejoined(text, between) return (text:gsub('\n', between)) end

--- Statements that a condition stands in front of: in braces, if they are several lines.
---@param head string
---@param lines string
---@return string
function M.under(head, lines)
  local inside = '\n  ' .. M.rejoined(lines, '\n  ')
  return lines:find('\n', 1, true) and head .. ' {' .. inside .. '\n}' or head .. inside
end

--- Parts with commas between, and what closes them behind the last.
---@param parts string[]
---@param close string
---@return string[]
function M.closed(parts, close)
  local result = {}
  for i, part in ipairs(parts) do result[i] = part .. (i == #parts and close or ',') end
  return result
end

--- Where a line of C may go on in the next, best first: what stands before and behind.
local joints = {
  { '', ' : ' }, { '', ' ? ' }, { ',', ' ' }, { ' ||', ' ' }, { ' &&', ' ' }, { ' +', ' ' },
  { '(', '' },
}

--- A line of C in lines of at most `columns`, as far as it has joints; what goes on is indented.
local function folded(line, columns, indent)
  if #line <= columns or line:find('^%s*#') or line:find('"', 1, true) then return line end
  indent = indent or line:match('^ *') .. '    '
  for _, joint in ipairs(joints) do
    local before, behind = joint[1], joint[2]
    local at, from = nil, 1
    while true do
      local start = line:find(before .. behind, from, true)
      if not start or start + #before - 1 > columns then break end
      at, from = start + #before - 1, start + 1
    end
    -- What a macro takes inside of a call stays together.
    local macro = at and before == ',' and line:sub(1, at):match '.*%(()%u[%u%d_]+%([^()]*$'
    if macro then at = macro - 1 end
    local rest = at and indent .. line:sub(at + 1):gsub('^ ', '')
    if rest and (#rest <= columns or before ~= '') then
      return line:sub(1, at) .. '\n' .. folded(rest, columns, indent)
    end
  end
  return line
end

--- C whose names are longer than its lines were made for: those beyond `columns` are broken.
---@param code string
---@param columns integer
---@return string
function M.fold(code, columns)
  return (code:gsub('[^\n]+', function(line)
    if #line <= columns then return nil end
    local of_macro = line:match '^(.-) *\\$'
    if not of_macro then return folded(line, columns) end
    return M.rejoined(folded(of_macro, columns - 2), ' \\\n') .. ' \\'
  end))
end

--- Statements of C, whose indentation is that of the braces they stand in; where a line opens no
--- brace and ends no statement, the next goes on.
---@param code string
---@return string
function M.indented(code)
  local lines, depth, goes_on = {}, 0, 0
  for line in code:gmatch('[^\n]+') do
    local own = line:match('^%s*(.-)%s*$')
    local _, opened = own:gsub('{', '')
    local _, closed = own:gsub('}', '')
    local closes_first = own:find('^}') and 1 or 0
    if own ~= '' then
      lines[#lines + 1] = ('  '):rep(depth - closes_first + goes_on) .. own
    end
    depth = depth + opened - closed
    local is_whole = own:find('[{};/]$') or own:find('^[%u_]+$') -- or a macro for a loop
    local opens_one = own:find('^if %b()$') or own:find('^for %b()$')
    goes_on = is_whole and 0 or opens_one and 1 or 2
  end
  return table.concat(lines, '\n') .. '\n'
end

--- Whether a name of C stands in some code, by itself. (A pattern with a frontier in front would be
--- tried at each letter.)
---@param code string
---@param name string
function M.has_word(code, name)
  local from, to = code:find(name, 1, true)
  while from do
    if not code:find('^[%w_]', to + 1) and (from == 1 or not code:find('^[%w_]', from - 1)) then
      return true
    end
    from, to = code:find(name, from + 1, true)
  end
  return false
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
---@param head string|nil  what it begins with already, in lines of its own
---@return string
function M.comment(lines, head)
  local text = (head and ' *\n * ' or '/* ') .. table.concat(lines, '\n * ')
  return (head or '') .. text:gsub('[ \t]+\n', '\n') .. ' */\n'
end

return M
