--- Modules that a config excepts from packing, told by names, parts of names and patterns. Origins
--- look these up in ways of their own, so an answer may be 'perhaps'; then the tensors tell.
local lists = require 'common.list'

local M = {}

local escaped = { ['.'] = '%.', ['-'] = '%-', ['_'] = '_', d = '%d', w = '[%w_]' }

--- Repeats of anything: each tries all lengths with all of those behind it, so that ten of a
--- stranger's would not end.
local most_repeats = 3

--- The pattern of Lua that means what a regular expression does; nil where it says more than
--- patterns can: groups, classes, counts, many repeats.
---@param regex string
---@return string|nil
local function pattern_of(regex)
  local parts, at, repeatable, repeats = { '^' }, 1, false, 0
  while at <= #regex do
    local c = regex:sub(at, at)
    local part = c:find '^[%w_/]$' and c or c == '-' and '%-' or c == '.' and '.' or nil
    if c == '\\' then
      at = at + 1
      part = escaped[regex:sub(at, at)]
    elseif c:find '^[*+?]$' and repeatable then
      if c ~= '?' and parts[#parts] ~= '%d' then repeats = repeats + 1 end
      if repeats > most_repeats then return nil end
      parts[#parts + 1], repeatable, at = c, false, at + 1
      goto continue
    elseif c == '$' and at == #regex or c == '^' and at == 1 then
      if c == '$' then parts[#parts + 1] = c end
      repeatable, at = false, at + 1
      goto continue
    end
    if not part then return nil end
    parts[#parts + 1], repeatable, at = part, true, at + 1
    ::continue::
  end
  return table.concat(parts)
end

--- Whether a name may be meant for a module: a part of a name, a name in front of which something
--- else stands, the name of a class.
local function may_be(name, module)
  local tail = module:match '%.%d+%..*$'
  return module:find(name, 1, true) ~= nil or name:find '^%u[%w_]*$' ~= nil
    or tail ~= nil and name:sub(-#tail) == tail
end

--- Whether one of a set of names is a module, what it is in, or some of its parts: a list may have
--- a name for each of thousands.
local function is_named(names, module)
  local starts = { 1 }
  for at in module:gmatch '()%.' do starts[#starts + 1] = at + 1 end
  starts[#starts + 1] = #module + 2
  for i = 1, #starts - 1 do
    for j = i + 1, #starts do
      if names[module:sub(starts[i], starts[j] - 2)] then return true end
    end
  end
  return false
end

--- What a list of a config says of a module: 'yes', it is an exception; 'no'; 'perhaps'. Of what is
--- packed nobody asks whether it may be: 'no'.
---@param list string[]
---@return fun(module: string, is_packed: boolean): string
function M.listed(list)
  local patterns, unreadable, names = {}, false, lists.set(list)
  for _, name in ipairs(list) do
    local regex = name:match '^re:(.*)$' or name:find '[*^$\\|([]' and name
    local pattern = regex and pattern_of(regex)
    if pattern then patterns[#patterns + 1] = pattern end
    unreadable = unreadable or regex and not pattern or false
  end
  return function(module, is_packed)
    if is_named(names, module) then return 'yes' end
    for _, pattern in ipairs(patterns) do
      if module:find(pattern) then return 'yes' end
    end
    if is_packed then return 'no' end
    for _, name in ipairs(list) do
      if may_be(name, module) then return 'perhaps' end
    end
    return unreadable and 'perhaps' or 'no'
  end
end

return M
