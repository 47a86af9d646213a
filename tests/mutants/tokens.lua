--- A text as tokens: words, numbers and operators of any language. Spaces and comments between them
--- do not count. In quoted strings spaces do; what stands in long brackets of Lua is code.
---
---@class Token
---@field text string
---@field first integer       where it begins in the text, and where it ends
---@field last integer
---@field gap string          what stands in front of it
---@field counts boolean|nil  the gap does, as it lies in a quoted string
---@field quoted boolean|nil  it lies in a string
---@field long boolean|nil    and that in long brackets
---@field column integer|nil  of the first token in a line
---@field told boolean|nil    it lies in a line of Lua of a template
local M = {}

local is_operator = {}
for operator in ([[
  <<= >>= ... << >> <= >= == ~= != && || -> :: .. // ++ -- += -= *= /= %= &= |= ^=
]]):gmatch '%S+' do is_operator[operator] = true end

local block, hash, lua = '^/%*.-%*/', '^#[^\n]*', { '^%-%-%[(=*)%[.-%]%1%]', '^%-%-[^\n]*' }
local c = { block, '^//[^\n]*' }

--- The comments of each language, by the ends of files' names. In templates // divides.
local comments = {
  lua = lua, c = c, h = c, hpp = c, tpl = { block }, py = { hash }, sh = { hash },
}

--- Where a comment ends that begins here.
local function comment_end(language, text, at, told)
  for _, pattern in ipairs(told and lua or comments[language] or {}) do
    local _, last = text:find(pattern, at)
    if last then return last end
  end
end

--- What opens a string, what closes it, and whether that takes more than a quote. A shell's quotes
--- stand inside of each other: they are no strings here.
local function opened(language, text, at)
  if language == 'lua' then
    local equals = text:match('^%[(=*)%[', at)
    if equals then return '[' .. equals .. '[', ']' .. equals .. ']', true end
  elseif language == 'py' then
    local three = text:match("^'''", at) or text:match('^"""', at)
    if three then return three, three, true end
  end
  local quote = comments[language] and language ~= 'sh' and text:match('^[\'"]', at)
  return quote, quote
end

--- A word, an escaped character, an operator, or one character.
local function piece(text, at)
  local word = text:match('^[%w_\128-\255]+', at) or text:match('^\\.', at)
  if word then return word end
  for length = 3, 2, -1 do
    local operator = text:sub(at, at + length - 1)
    if is_operator[operator] then return operator end
  end
  return text:sub(at, at)
end

--- A space that ends no line, or the end of a line that goes on.
local function space_at(text, at)
  return text:match('^[^%S\n]+', at) or text:match('^\\\r?\n', at)
end

---@param text string
---@param language string|nil  how the file's name ends; none: a piece of any language
---@return Token[]
function M.of(text, language)
  local list, at, behind = {}, 1, 1 -- behind: where the gap begins
  local line, is_first, told = 1, true, language == 'tpl' and text:sub(1, 1) == '%'
  local close, long -- what closes the string that is open
  local function add(word, quoted, counts)
    list[#list + 1] = {
      text = word, first = at, last = at + #word - 1, gap = text:sub(behind, at - 1),
      quoted = quoted, counts = counts, long = long, told = told or nil,
      column = is_first and at - line or nil,
    }
    at, is_first = at + #word, false
    behind = at
  end
  --- What is no token ends here; lines may have ended in it.
  local function pass(last)
    local breaks = text:sub(at, last):match '.*()\n'
    if breaks then
      line, is_first = at + breaks, true
      told = language == 'tpl' and text:sub(line, line) == '%'
    end
    at = last + 1
  end
  while at <= #text do
    local space = space_at(text, at)
    local last = not space and not close and comment_end(language, text, at, told)
    if space then
      pass(at + #space - 1)
    elseif text:sub(at, at) == '\n' then
      if close and not long then close = nil end
      pass(at)
    elseif last then
      pass(last)
    elseif close then
      local ends = text:sub(at, at + #close - 1) == close
      add(ends and close or piece(text, at), true, not long or nil)
      if ends then close, long = nil, nil end
    else
      local open, closer, is_long = opened(language, text, at)
      if open then
        close, long = closer, is_long
        add(open)
      else
        add(piece(text, at))
      end
    end
  end
  return list
end

return M
