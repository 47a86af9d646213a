--- C text as pieces and as file-scope items: enough to rename identifiers, to find what a file
--- defines and to cut it into translation units. It reads our own C, not all of C.
local M = {}

---@class Piece
---@field kind string  word, number, string, comment, space, other
---@field text string

--- Where the string or character literal that begins at `at` ends.
local function literal_end(text, at)
  local quote = text:sub(at, at)
  local to = at + 1
  while text:sub(to, to) ~= quote do
    if to > #text then error('a literal without its end: ' .. text:sub(at, at + 40)) end
    to = to + (text:sub(to, to) == '\\' and 2 or 1)
  end
  return to
end

local function piece_at(text, at, before)
  local first, two = text:sub(at, at), text:sub(at, at + 1)
  if first:find('[%a_]') then return 'word', select(2, text:find('^[%w_]+', at)) end
  if first:find('%d') then return 'number', select(2, text:find('^%d[%w_.]*', at)) end
  if first:find('%s') then return 'space', select(2, text:find('^%s+', at)) end
  if two == '/*' then return 'comment', assert(select(2, text:find('*/', at + 2, true))) end
  if two == '//' then return 'comment', select(2, text:find('^[^\n]*', at)) end
  if first == '"' or first == "'" then return 'string', literal_end(text, at) end
  if first == '<' and before == 'include' then return 'string', text:find('>', at, true) end
  return 'other', at
end

---@param text string
---@return Piece[]
function M.pieces(text)
  local pieces, at, before = {}, 1, ''
  while at <= #text do
    local kind, to = piece_at(text, at, before)
    pieces[#pieces + 1] = { kind = kind, text = text:sub(at, to) }
    if kind ~= 'space' then before = text:sub(at, to) end
    at = to + 1
  end
  return pieces
end

---@class Item
---@field kind string       directive, comment, function, data
---@field text string       with the comment before it and the line end behind it
---@field head string       of a function: what is before its body
---@field names string[]    what it defines; of an enum its enumerators
---@field internal boolean  it has internal linkage
---@field inline boolean    it is to be inlined

--- The names that an item's pieces define.
local function defined_names(pieces)
  local names, last, in_enum = {}, nil, false
  for i, piece in ipairs(pieces) do
    if piece.kind == 'word' then
      last = piece.text
      if last == 'enum' then in_enum = true end
      if in_enum and last ~= 'enum' then names[#names + 1] = last end
    elseif not in_enum and piece.kind == 'other' and piece.text:find('[%[=;({]') and last then
      -- An attribute has brackets of its own.
      if not last:find('^__') and pieces[i - 1].text ~= ')' then return { last } end
    end
  end
  return names
end

local function finish_item(pieces, is_function)
  local words, text, head, depth = {}, {}, {}, 0
  for i, piece in ipairs(pieces) do
    text[i] = piece.text
    if piece.kind == 'word' then words[piece.text] = words[piece.text] or depth == 0 end
    if piece.text == '{' then depth = depth + 1 end
    if depth == 0 and piece.kind ~= 'comment' then head[#head + 1] = piece.text end
    if piece.text == '}' then depth = depth - 1 end
  end
  return {
    kind = is_function and 'function' or 'data',
    text = table.concat(text),
    head = is_function and table.concat(head):gsub('^%s+', ''):gsub('%s+$', '') or '',
    names = words.typedef and {} or defined_names(pieces),
    internal = words.static or words.FFN_INLINE or words.FFN_NOINLINE or words.enum or false,
    inline = words.inline or words.FFN_INLINE or false,
  }
end

--- The file-scope items of a text. Directives inside of an item belong to it.
---@param text string
---@return Item[]
function M.items(text)
  local items, current, depth, is_function, last = {}, {}, 0, false, ''
  local line_start, directive = true, nil
  local function close(item)
    items[#items + 1] = item
    current, is_function, last = {}, false, ''
  end
  local function is_empty()
    for _, piece in ipairs(current) do
      if piece.kind ~= 'space' and piece.kind ~= 'comment' then return false end
    end
    return true
  end
  for _, piece in ipairs(M.pieces(text)) do
    if directive then
      -- To the end of the line that does not go on.
      local stop = piece.kind == 'space' and last ~= '\\' and piece.text:find('\n', 1, true)
      directive = directive .. (stop and piece.text:sub(1, stop) or piece.text)
      last = piece.text
      if stop then
        if is_empty() then
          local before = {}
          for i, p in ipairs(current) do before[i] = p.text end
          close { kind = 'directive', text = table.concat(before) .. directive, head = '',
            names = {}, internal = false, inline = false }
        else
          current[#current + 1] = { kind = 'directive', text = directive }
        end
        directive, line_start = nil, true
        if stop < #piece.text then
          current[#current + 1] = { kind = 'space', text = piece.text:sub(stop + 1) }
        end
      end
    elseif piece.text == '#' and line_start then
      directive, last = '#', '#'
    else
      current[#current + 1] = piece
      if piece.text == '{' then
        if depth == 0 and last == ')' then is_function = true end
        depth = depth + 1
      elseif piece.text == '}' then
        depth = depth - 1
      end
      local ended = depth == 0 and (piece.text == ';' or piece.text == '}' and is_function)
      if piece.kind == 'space' then
        line_start = piece.text:find('\n', 1, true) ~= nil
      elseif piece.kind ~= 'comment' then
        line_start, last = false, piece.text
      end
      if ended then close(finish_item(current, is_function)) end
    end
  end
  if #current > 0 then
    local rest = {}
    for i, p in ipairs(current) do rest[i] = p.text end
    close { kind = 'comment', text = table.concat(rest), head = '', names = {}, internal = false,
      inline = false }
  end
  return items
end

--- The names with internal linkage that a text defines, in order.
---@param text string
---@return string[]
function M.internal_names(text)
  local names, seen = {}, {}
  for _, item in ipairs(M.items(text)) do
    for _, name in ipairs(item.internal and item.names or {}) do
      if not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  return names
end

--- The text with each word of code given to `new_name`, which returns its new name or nil. Words
--- behind "." and "->" are fields and stay; so do comments and strings, unless `other` takes them.
---@param text string
---@param new_name fun(word: string): string|nil
---@param other nil|fun(kind: string, text: string): string
---@return string
function M.rename(text, new_name, other)
  local out, before, before_that = {}, '', ''
  for i, piece in ipairs(M.pieces(text)) do
    local result = piece.text
    if piece.kind == 'word' then
      local field = before == '.' or (before == '>' and before_that == '-')
      result = not field and new_name(result) or result
    elseif other and (piece.kind == 'comment' or piece.kind == 'string') then
      result = other(piece.kind, result)
    end
    out[i] = result
    if piece.kind ~= 'space' then before, before_that = piece.text, before end
  end
  return table.concat(out)
end

return M
