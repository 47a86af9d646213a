--- Templates: C text with `% lua` lines and `${expression}`.
--- One template line becomes one line of Lua, so every error has the template's own file:line.
--- A value must be a string or an integer: nil, floats and unknown names are errors.
--- A line of nothing but `${expression}` takes the value's lines at its own indentation, and
--- vanishes when the value is empty.
local prefixes = require 'common.prefix'

local M = {}

--- `level`: how far up the template's line is on the stack.
local function value(v, level)
  if type(v) == 'string' then return v end
  if math.type(v) == 'integer' then return tostring(v) end
  error(('a template value must be a string or an integer, not %s (%s)')
    :format(math.type(v) or type(v), tostring(v)), level or 2)
end

local function indented(indent, v)
  local text = value(v, 3)
  if text == '' then return '' end
  return (text:gsub('\n$', ''):gsub('[^\n]+', indent .. '%0')) .. '\n'
end

--- One line of text as one Lua statement.
local function statement(line)
  local indent, alone = line:match('^(%s*)%$(%b{})$')
  if alone then
    return ('_put(_indented(%q, %s))'):format(indent, alone:sub(2, -2))
  end
  local parts, position = {}, 1
  while true do
    local from, to, body = line:find('%$(%b{})', position)
    if not from then break end
    parts[#parts + 1] = ('%q'):format(line:sub(position, from - 1))
    parts[#parts + 1] = ('_value(%s)'):format(body:sub(2, -2))
    position = to + 1
  end
  parts[#parts + 1] = ('%q'):format(line:sub(position) .. '\n'):gsub('\\\n', '\\n')
  return '_put(' .. table.concat(parts, ' .. ') .. ')'
end

--- Compiles a template into a function from an environment to text.
---@param text string
---@param name string shown in errors
---@return fun(env: table): string
function M.compile(text, name)
  local lua = {}
  for line in (text:gsub('\n$', '') .. '\n'):gmatch('(.-)\n') do
    local code = line:match('^%s*%%(.*)$')
    if not code and line:gsub('%$%b{}', ''):find('${', 1, true) then
      error(('%s:%d: "${" without its "}" on the line'):format(name, #lua + 1), 0)
    end
    lua[#lua + 1] = code or statement(line)
  end
  -- Loaded once: its names are those of the environment that a call gives it.
  local source, chunk = 'local _ENV = ...; ' .. table.concat(lua, '\n'), nil
  return function(env)
    if not chunk then
      local problem
      chunk, problem = load(source, '@' .. name, 't')
      if not chunk then error(problem, 0) end
    end
    local out = {}
    local scope = setmetatable({
      _value = value,
      _indented = indented,
      _put = function(line) out[#out + 1] = line end,
      ipairs = ipairs,
      math = math,
    }, {
      __index = function(_, key)
        local v = env[key]
        if v == nil then error(('unknown name "%s"'):format(key), 2) end
        return v
      end,
      __newindex = function(_, key)
        error(('"%s" is not local: templates set no globals'):format(key), 2)
      end,
    })
    chunk(scope)
    return table.concat(out)
  end
end

local loaded = {}

--- A file of templates/, compiled once. Its text takes the prefix, the values that are filled in
--- do not.
---@param root string the project's folder
---@param file string
---@param prefix string|nil
---@return fun(env: table): string
function M.load(root, file, prefix)
  prefix = prefix or prefixes.default
  local key = prefix .. ' ' .. file
  if not loaded[key] then
    local path = 'templates/' .. file
    local handle = assert(io.open(root .. path, 'rb'))
    loaded[key] = M.compile(prefixes.text(handle:read('a'), prefix), path)
    handle:close()
  end
  return loaded[key]
end

return M
