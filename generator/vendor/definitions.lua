--- A C text of the runtime as pieces: functions, types, macros and constants, each with the names
--- that it defines, and what stands around them. The text is laid out as clang-format does it.
local M = {}

---@class Piece
---@field kind string       definition; plain: there with its frame; directive, comment, blank
---@field text string       whole lines
---@field names string[]    that a definition defines
---@field frame Frame     the innermost one that it stands in
---@field comments Piece[]  above it, and those at the head of its part of the text

---@class Frame  a conditional with its branches, or a whole text
---@field conditions string
---@field comments Piece[]
---@field outer Frame|false
---@field defines boolean   a definition stands in it
---@field plain Piece[]     in no frame inside of it
---@field bare Frame[]     inside of it, without a definition, or as a guard around a header

--- The constants of an enumeration.
local function constants(code)
  local names = {}
  for name in (code:match '%b{}' or ''):gmatch '[{,]%s*([%a_][%w_]*)' do
    names[#names + 1] = name
  end
  return names
end

--- The names that a piece of code without comments and strings defines: none where it is a
--- directive, a macro that is called, or a macro that has no value and says whether.
local function names_of(code)
  if code:find '^#' then
    return { code:match '^#define ([%w_]+)[ (][^\n]' or code:match '^#undef ([%w_]+)' }
  end
  if code:find '^[%u%d_]+\n$' then return {} end
  code = code:gsub('__attribute__%b()', '')
  local head = code:match '^[^{=]*'
  if head:find '^typedef' then
    local names = head:find '^typedef enum' and constants(code) or {}
    names[#names + 1] = code:match '([%w_]+)%s*;%s*$'
    return names
  elseif head:find '^enum' then
    return constants(code)
  end
  local name = head:match '([%w_]+)%(' or head:match '([%w_]+)%[' or head:match '([%w_]+)%s*;?%s*$'
  return { name or error('defines nothing: ' .. code) }
end

--- Lines of a text, and the same with blanks for comments and strings.
local function lines_of(text)
  local function blanks(found) return (found:gsub('[^\n]', ' ')) end
  local bare = text:gsub('/%*.-%*/', blanks):gsub('"[^"\n]*"', blanks)
  local raw, code = {}, {}
  for line in text:gmatch '[^\n]*\n' do raw[#raw + 1] = line end
  for line in bare:gmatch '[^\n]*\n' do code[#code + 1] = line:gsub('%s+\n', '\n') end
  return raw, code
end

--- The last line of the piece that begins in a line.
local function last_line(raw, code, first)
  local last, depth = first, 0
  if raw[first] == '\n' then return first end
  if code[first]:find '^#' then
    while raw[last]:find '\\\n$' do last = last + 1 end
  elseif code[first] == '\n' then
    while not raw[last]:find '%*/\n$' do last = last + 1 end
  elseif not code[first]:find '^[%u%d_]+\n$' then
    repeat
      local line = code[last]
      depth = depth + select(2, line:gsub('{', '')) - select(2, line:gsub('}', ''))
      last = last + 1
    until depth == 0 and line:find '[;}]\n$'
    last = last - 1
  end
  return last
end

---@return Frame
local function frame_of(conditions, comments, outer)
  return {
    conditions = conditions, comments = comments, outer = outer, defines = false, plain = {},
    bare = {},
  }
end

--- What kind of piece begins in a line.
local function kind_of(raw, code)
  if raw == '\n' then return 'blank' end
  if code == '\n' then
    return not raw:find '^%s*/%*@' and 'comment'
      or error('a section that is not chosen around definitions: ' .. raw)
  end
  return code:match '^#%s*[ie][fln][^c]' and 'directive' or 'definition'
end

---@param text string
---@return Piece[]
---@return Frame whole
function M.of(text)
  local raw, code = lines_of(text)
  local whole = frame_of('', {}, false)
  local pieces, frame, first = {}, whole, 1
  local ruler, heading, above
  while first <= #raw do
    local last, kind = last_line(raw, code, first), kind_of(raw[first], code[first])
    local piece = { kind = kind, text = table.concat(raw, '', first, last), frame = frame }
    pieces[#pieces + 1] = piece
    if kind == 'comment' then
      above = piece
    elseif kind == 'blank' then
      -- A comment by itself heads what follows, up to the next.
      if above and pieces[#pieces - 1] == above then
        local is_ruler = above.text:find '^/%* %-%-%-%-'
        ruler, heading = is_ruler and above or ruler, not is_ruler and above or nil
      end
      above = nil
    else
      piece.comments = {}
      for _, comment in ipairs { ruler or false, heading or false, above or false } do
        if comment then table.insert(piece.comments, comment) end
      end
    end
    if kind == 'directive' then
      if piece.text:find '^#if' then
        frame = frame_of(piece.text, piece.comments, frame)
        piece.frame = frame
      elseif piece.text:find '^#endif' then
        local is_guard = frame.plain[1] and frame.conditions:find '^#ifndef'
          and frame.plain[1].text == frame.conditions:gsub('^#ifndef', '#define')
        if not frame.defines or is_guard then table.insert(frame.outer.bare, frame) end
        frame = frame.outer
      else
        frame.conditions = frame.conditions .. piece.text
      end
    elseif kind == 'definition' then
      piece.names = names_of(table.concat(code, '', first, last))
      if #piece.names == 0 then
        piece.kind = 'plain'
        table.insert(frame.plain, piece)
      end
      local around = #piece.names > 0 and frame
      while around do around.defines, around = true, around.outer end
    end
    first = last + 1
  end
  return pieces, whole
end

return M
