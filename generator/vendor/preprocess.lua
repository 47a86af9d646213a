--- The part of the C preprocessor that vendoring does ahead: lists of rows (the .inc files) are
--- spelled out, and conditions whose answer is known are decided. What is left reads as if written
--- by hand, and needs no file of its own.
local M = {}

--- The arguments of a macro's call: split at commas outside of brackets.
local function arguments_of(text)
  local list, depth, start = {}, 0, 1
  for i = 1, #text do
    local c = text:sub(i, i)
    if c == '(' then depth = depth + 1 elseif c == ')' then depth = depth - 1 end
    if c == ',' and depth == 0 then
      list[#list + 1] = text:sub(start, i - 1)
      start = i + 1
    end
  end
  list[#list + 1] = text:sub(start)
  for i, argument in ipairs(list) do list[i] = argument:gsub('^%s+', ''):gsub('%s+$', '') end
  return list
end

--- A row's text: the macro's body with arguments for parameters, # and ## carried out.
local function row(body, parameters, arguments)
  local values = {}
  for i, parameter in ipairs(parameters) do
    values[parameter] = assert(arguments[i], 'a row with too few arguments')
  end
  return (body:gsub('(#?#?)([%a_][%w_]*)', function(operator, word)
    local v = values[word]
    if not v then return nil end
    if operator == '#' then return '"' .. v .. '"' end
    return operator .. v
  end):gsub('%s*##%s*', ''))
end

--- The rows of a list, each through the macro's body. Where both sides of a condition come to the
--- same, it is dropped.
local function expand_rows(list, macro, parameters, body)
  local out, branches = {}, nil
  local text = list:gsub('^/%*.-%*/\n', '')
  while #text > 0 do
    local line, rest = text:match('^([^\n]*)\n(.*)$')
    if line:find('^#if') then
      branches = { condition = line, out }
      out, text = {}, rest
    elseif line:find('^#else') then
      branches[2] = out
      out, text = {}, rest
    elseif line:find('^#endif') then
      local whole, first = branches[1], table.concat(branches[2] or out, '\n')
      local second = branches[2] and table.concat(out, '\n')
      if first ~= second then whole[#whole + 1] = branches.condition end
      whole[#whole + 1] = first
      if second and first ~= second then
        whole[#whole + 1] = '#else'
        whole[#whole + 1] = second
      end
      if first ~= second then whole[#whole + 1] = '#endif' end
      out, branches, text = whole, nil, rest
    else
      local called, arguments, behind = text:match('^([%w_]+)(%b())\n(.*)$')
      assert(called == macro, 'a list has a row of something else: ' .. line)
      out[#out + 1] = row(body, parameters, arguments_of(arguments:sub(2, -2)))
      text = behind
    end
  end
  return table.concat(out, '\n')
end

--- Spells out each
---     #define MACRO(parameters) body
---     #include "list.inc"
---     #undef MACRO
---@param text string
---@param lists table<string, string>  file name -> its text
---@return string
function M.expand(text, lists)
  return ((text:gsub('\\\n', '\1')):gsub(
    '#define (FFN_%w+)%(([^)\n]*)%) ([^\n]*)\n#include "([%w_]+%.inc)"\n#undef %1\n( *)([^\n]*)',
    function(macro, parameters, body, file, indent, next_line)
      local list = assert(lists[file], file .. ' is no list')
      if next_line:find('^};') then indent = indent .. '  ' end
      local lines = expand_rows(list, macro, arguments_of(parameters),
        (body:gsub('^%s*\1%s*', ''):gsub('%s*\1', '\n'):gsub('\n  ', '\n')))
      lines = lines:gsub('[^\n]+', function(line)
        return line:find('^#') and line or indent .. line
      end)
      if next_line:find('^};') then indent = indent:sub(3) end
      return lines .. '\n' .. indent .. next_line
    end):gsub('\1', '\\\n'))
end

--- Decides conditions on known macros, and drops what they rule out.
---@param text string
---@param known table<string, boolean>  true: defined, and not 0
---@return string
function M.decide(text, known)
  local out, open = {}, {}
  local function live()
    for _, level in ipairs(open) do
      if level.decided and not level.keep then return false end
    end
    return true
  end
  for line in text:gmatch('[^\n]*\n') do
    local word, rest = line:match('^#(%l+)%s*(.-)%s*\n$')
    local name = rest and (rest:match('^!?defined%(([%w_]+)%)') or rest:match('^!?([%w_]+)'))
    local plain = rest and rest:match('^!?defined%([%w_]+%)$') or rest and rest:match('^!?[%w_]+$')
    if word == 'if' or word == 'ifdef' or word == 'ifndef' then
      local value = plain and known[name]
      local level = { decided = value ~= nil and plain ~= nil, keep = value }
      if word == 'ifndef' or rest:sub(1, 1) == '!' then level.keep = not level.keep end
      if not level.decided and live() then out[#out + 1] = line end
      open[#open + 1] = level
    elseif word == 'else' and open[#open].decided then
      open[#open].keep = not open[#open].keep
    elseif word == 'endif' then
      local level = table.remove(open)
      if not level.decided and live() then out[#out + 1] = line end
    elseif live() then
      out[#out + 1] = line
    end
  end
  -- What was dropped leaves two empty lines, or one behind a bracket, at most.
  return (table.concat(out):gsub('\n\n\n+', '\n\n'))
end

return M
