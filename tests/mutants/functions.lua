--- The functions of a file, by the names that the file spells. A function inside another one is a
--- part of it.
local M = {}

local function set(text)
  local names = {}
  for word in text:gmatch '%S+' do names[word] = true end
  return names
end

-- C and templates of C: functions and macros -----------------------------------------------------

local keywords = set 'if for while switch return sizeof do else case'

local nesting = { ['('] = 1, ['{'] = 1, [')'] = -1, ['}'] = -1 }

--- Behind the bracket that closes the one at `i`.
local function behind(tokens, i)
  local depth = 0
  while tokens[i] do
    local is_code = tokens[i].long or not tokens[i].quoted
    depth = depth + (is_code and nesting[tokens[i].text] or 0)
    i = i + 1
    if depth == 0 then return i end
  end
end

--- A word without spaces, which `${}` of a template may be parts of, and what is behind it.
local function word_at(tokens, i)
  local text = ''
  repeat
    local after = i + 1
    if tokens[i].text == '$' and tokens[after] and tokens[after].text == '{' then
      after = behind(tokens, after) or after
    end
    for k = i, after - 1 do text = text .. (k > i and tokens[k].gap or '') .. tokens[k].text end
    i = after
  until not tokens[i] or tokens[i].gap ~= ''
    or not tokens[i].text:find '^[%w_$*&]' and tokens[i].text ~= '::'
  return text, i
end

--- The name in front of a head's brackets, and what is behind them. Where a template is handed all
--- of a head, what it is handed is the name.
local function head_of(tokens, i)
  local column, name = tokens[i].column, nil
  while tokens[i] do
    local token = tokens[i]
    if token.told then
      i = i + 1
    elseif token.text:find '^[;=,:)}#]$' or token.text:find '^%]'
      or name and token.column and token.column <= column then
      return nil
    elseif token.text == '(' then
      name = name and name:gsub('^[*&]+', '') or ''
      return name ~= '' and not keywords[name] and name or nil, behind(tokens, i)
    elseif token.text == '{' then
      return name and name:match '%${[^{}]*}$', i
    else
      name, i = word_at(tokens, i)
    end
  end
end

--- Where the body opens behind a head's brackets.
local function body_of(tokens, i)
  while tokens[i] and (tokens[i].told or tokens[i].text:find '^[%w_]+$') do i = i + 1 end
  return tokens[i] and tokens[i].text == '{' and i or nil
end

--- The end of a body: in the line where it opens, or at the first bracket that begins a line in the
--- head's column. Brackets are not counted, as lines of a preprocessor or a template may close one
--- twice.
local function body_end(tokens, open, column)
  local i, closed = open + 1, behind(tokens, open)
  while tokens[i] and not tokens[i].column do i = i + 1 end
  if closed and closed <= i then return closed - 1 end
  while tokens[i] and not (tokens[i].column == column and tokens[i].text == '}') do i = i + 1 end
  return tokens[i] and i
end

--- The last token of a line that the preprocessor reads; a line that goes on is one with the next.
local function line_end(tokens, i)
  local function goes_on(next) return not next.column or next.gap:find '\\\r?\n' end
  while tokens[i + 1] and goes_on(tokens[i + 1]) do i = i + 1 end
  return i
end

--- Takes what begins at a token, and says what its last one is.
local function c_at(tokens, i, found)
  local token = tokens[i]
  if not token.column or token.told then return i end
  if token.text == '#' then
    local last = line_end(tokens, i)
    if tokens[i + 1].text == 'define' then found(word_at(tokens, i + 2), i, last) end
    return last
  end
  local name, after = head_of(tokens, i)
  local open = name and after and body_of(tokens, after)
  local last = open and body_end(tokens, open, token.column)
  if last then found(name, i, last) end
  return last or i
end

local function c(tokens, found)
  local i = 1
  while tokens[i] do i = c_at(tokens, i, found) + 1 end
end

-- Lua: `name`, `M.name`, `Class:name`, or the field or variable that holds a function; and in long
-- brackets those of C -----------------------------------------------------------------------------

local opens, ends = set 'function if do repeat', set 'end until'

--- The words, dots and colons from a token on, in a direction.
local function chain(tokens, i, step)
  local text, is_word = '', nil
  while tokens[i] and tokens[i].text:find '^[%w_.:]+$' do
    local word = tokens[i].text:find '%w' ~= nil
    if word == is_word then break end
    text = step > 0 and text .. tokens[i].text or tokens[i].text .. text
    i, is_word = i + step, word
  end
  return text, i - step
end

local function lua(tokens, found)
  local depth, done, name, first = 0, 0, nil, nil
  for i, token in ipairs(tokens) do
    local text = not token.quoted and token.text
    if depth > 0 and opens[text] then
      depth = depth + 1
    elseif text == 'function' then
      depth, first = 1, i
      name = chain(tokens, i + 1, 1)
      if name == '' and tokens[i - 1] and tokens[i - 1].text == '=' then
        name, first = chain(tokens, i - 2, -1)
      end
    elseif depth > 0 and ends[text] then
      depth = depth - 1
      if depth == 0 and name ~= '' then found(name, first, i) end
    elseif depth == 0 and token.long and i > done then
      done = c_at(tokens, i, found)
    end
  end
end

-- Python: `def`, or `Class.def` -------------------------------------------------------------------

local function py(tokens, found)
  local class, of_class, name, first, column
  local function close(i)
    if name then found(name, first, i) end
    name = nil
  end
  for i, token in ipairs(tokens) do
    if token.column and not token.quoted then
      if name and token.column <= column then close(i - 1) end
      if class and token.column <= of_class then class = nil end
      if not name and token.text == 'class' then
        class, of_class = tokens[i + 1].text, token.column
      elseif not name and token.text == 'def' then
        name = (class and class .. '.' or '') .. tokens[i + 1].text
        first, column = i, token.column
      end
    end
  end
  close(#tokens)
end

local finders = { lua = lua, c = c, h = c, hpp = c, tpl = c, py = py }

---@param tokens Token[]
---@param language string  how the file's name ends
---@return table[] list  of each its name, and the numbers of its first token and its last
function M.of(tokens, language)
  local list, find = {}, finders[language]
  if find then
    find(tokens, function(name, first, last)
      list[#list + 1] = { name = name, first = first, last = last }
    end)
  end
  return list
end

return M
