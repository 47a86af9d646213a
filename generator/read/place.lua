--- Places: on which line of a spec a value stands, for messages. Lua tells the line of a call only.
local M = {}

--- The tokens of a text that Lua has accepted, for finding lines: { text =, line = } each. A quoted
--- string keeps its opening quote, as "; numbers come in pieces.
local function tokens_of(text)
  local tokens, at, line = {}, 1, 1
  local function token(pattern)
    local from, to = text:find(pattern, at)
    if from then tokens[#tokens + 1] = { text = text:sub(from, to), line = line } end
    return to
  end
  --- Past the end of a quoted string.
  local function quoted()
    local quote, to = text:match('^["\']', at), at
    if not quote then return nil end
    repeat
      to = text:find('[\\' .. quote .. ']', to + 1)
      local escape = text:sub(to, to) == '\\'
      if escape then to = to + 1 end
    until not escape
    tokens[#tokens + 1] = { text = '"' .. text:sub(at + 1, to - 1), line = line }
    return to
  end
  local function skipped(pattern) return select(2, text:find(pattern, at)) end
  local function long_string()
    local to = skipped('^%[(=*)%[.-%]%1%]')
    if to then tokens[#tokens + 1] = { text = '"', line = line } end
    return to
  end
  while at <= #text do
    local to = skipped('^%s+') or skipped('^%-%-%[(=*)%[.-%]%1%]') or skipped('^%-%-[^\n]*')
      or long_string() or quoted() or token('^[%w_]+') or token('^.')
    line = line + select(2, text:sub(at, to):gsub('\n', ''))
    at = to + 1
  end
  return tokens
end

--- The item of a table constructor that opens at token `at`: the places of its key and its value.
---@param wanted string|integer a field, or a position in the list
local function item(tokens, at, wanted)
  local function text(i) return tokens[i].text end
  -- A table that is the argument of a call, as in llama_d_ff { ... }.
  if text(at):match('^[%a_]') then at = at + 1 end
  if text(at) == '(' then at = at + 1 end
  if text(at) ~= '{' then return nil end
  local i, count = at + 1, 0
  while text(i) ~= 'end' and text(i) ~= '}' do
    local key, value = nil, i
    if text(i):match('^[%a_]') and text(i + 1) == '=' and text(i + 2) ~= '=' then
      key, value = text(i), i + 2
    elseif text(i) == '[' and text(i + 2) == ']' then
      key, value = text(i + 1):match('^"(.*)') or math.tointeger(tonumber(text(i + 1))), i + 4
    elseif text(i) ~= '[' then
      count = count + 1
      key = count
    end
    if key == wanted then return i, value end
    local depth = 0
    repeat
      local token = text(i)
      if token:match('^[{(%[]$') then depth = depth + 1 end
      if token:match('^[})%]]$') then depth = depth - 1 end
      i = i + 1
    until token == 'end' or depth < 0 or depth == 0 and token:match('^[,;]$')
    if depth < 0 then return nil end
  end
end

--- The line of a value in the table that a layer of the spec was given; where the text does not
--- tell (a table made elsewhere, a computed key), of the nearest thing around it.
---@param source table { text, line, kind, name }
---@param path (string|integer)[] fields and positions, outermost first
function M.line_of(source, path)
  local tokens, at = tokens_of(source.text), nil
  -- Past the last token there are as many ends as anyone looks ahead.
  setmetatable(tokens, { __index = function() return { text = 'end', line = source.line } end })
  for i = 1, #tokens do
    if tokens[i].line == source.line and tokens[i].text == source.kind then
      local next_text = tokens[i + 1].text == '(' and tokens[i + 2].text or tokens[i + 1].text
      at = at or i + 1
      if next_text == '"' .. source.name then at = i + 1 break end
    end
  end
  if not at then return source.line end
  -- Past the name, which may be an expression in brackets.
  local depth = 0
  repeat
    local bracket = tokens[at].text
    if bracket == '(' then depth = depth + 1 elseif bracket == ')' then depth = depth - 1 end
    at = at + 1
  until depth <= 0 or at > #tokens
  local line = source.line
  for _, step in ipairs(path) do
    local key, value = item(tokens, at, step)
    if not key then break end
    line, at = tokens[key].line, value
  end
  return line
end

return M
