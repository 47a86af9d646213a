--- Modules that a config excepts from packing, told by names, parts of names and patterns. Origins
--- look these up in ways of their own, so an answer may be 'perhaps'; then the tensors tell.
local paths = require 'tensors.paths'

local M = {}

local escaped = { ['.'] = '%.', ['-'] = '%-', ['_'] = '_', d = '%d', w = '[%w_]' }

--- The pattern of Lua that means what a regular expression does; nil where it says more than
--- patterns can: groups, classes, counts.
---@param regex string
---@return string|nil
function M.pattern(regex)
  local parts, at, repeatable = { '^' }, 1, false
  while at <= #regex do
    local c = regex:sub(at, at)
    local part = c:find '^[%w_/]$' and c or c == '-' and '%-' or c == '.' and '.' or nil
    if c == '\\' then
      at = at + 1
      part = escaped[regex:sub(at, at)]
    elseif c:find '^[*+?]$' and repeatable then
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

--- Whether a name is that of a module, of what it is in, or of its last parts.
local function is_name(name, module)
  return paths.is_of(module, name)
    or ('.' .. module .. '.'):find('.' .. name .. '.', 1, true) ~= nil
end

--- Whether a name may be meant for a module: a part of a name, a name in front of which something
--- else stands, the name of a class.
local function may_be(name, module)
  local tail = module:match '%.%d+%..*$'
  return module:find(name, 1, true) ~= nil or name:find '^%u[%w_]*$' ~= nil
    or tail ~= nil and name:sub(-#tail) == tail
end

--- What a list of a config says of a module: 'yes', it is an exception; 'no'; 'perhaps'.
---@param list string[]
---@return fun(module: string): string
function M.listed(list)
  return function(module)
    local answer = 'no'
    for _, name in ipairs(list) do
      local regex = name:match '^re:(.*)$' or name:find '[*^$\\|([]' and name
      local pattern = regex and M.pattern(regex)
      if pattern and module:find(pattern) or not regex and is_name(name, module) then
        return 'yes'
      end
      if regex and not pattern or not regex and may_be(name, module) then answer = 'perhaps' end
    end
    return answer
  end
end

return M
