--- Templates: C text with `% lua` lines and `${expression}`.
--- One template line becomes one line of Lua, so every error has the template's own file:line.
--- A value must be a string or an integer: nil, floats and unknown names are errors.
--- A line of nothing but `${expression}` takes the value's lines at its own indentation, and
--- vanishes when the value is empty.
---
--- The first line of a kernel's template names what it takes, `%% takes: s, tile`: it sees these
--- names and the words of the instruction set, and nothing else, and sets none of them. Templates
--- of folders and packages see all that they are given.
local disk = require 'common.disk'
local lists = require 'common.list'
local prefixes = require 'common.prefix'
local record = require 'common.record'
local template_inputs = require 'emit.template_inputs'

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
  if text:sub(-1) == '\n' then text = text:sub(1, -2) end
  if indent ~= '' then text = text:gsub('[^\n]+', indent .. '%0') end
  return text .. '\n'
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

--- Lua code, a line for each line of a template.
local function code_of(text, name)
  local lua = {}
  for line in (text:gsub('\n$', '') .. '\n'):gmatch('(.-)\n') do
    local code = #lua == 0 and line:match('^%%%%.*$') and '' or line:match('^%s*%%(.*)$')
    if not code and line:gsub('%$%b{}', ''):find('${', 1, true) then
      error(('%s:%d: "${" without its "}" on the line'):format(name, #lua + 1), 0)
    end
    lua[#lua + 1] = code or statement(line)
  end
  return table.concat(lua, '\n')
end

--- What code of every template may say of Lua itself, and of this file.
local builtin = { _put = true, _value = value, _indented = indented, ipairs = ipairs, math = math }

--- A template that says what it takes: its names are constants.
local function closed(takes, code, name)
  local free = template_inputs.check(takes, record.sorted_keys(builtin), code, name)
  local is_taken = lists.set(takes)
  local constants = lists.map(free, function(one) return one .. ' <const>' end)
  local source = ('local %s = ...; %s'):format(table.concat(constants, ', '), code)
  local chunk, problem = load(source, '@' .. name, 't', {})
  if not chunk then error(problem, 0) end
  return function(own, kernel)
    own = own or {}
    if not record.count(own, is_taken) then
      local unknown = lists.filter(record.sorted_keys(own), function(one)
        return not is_taken[one]
      end)
      error(('%s:1: is given "%s", which it does not take'):format(name, unknown[1]), 2)
    end
    local out = {}
    local function put(line) out[#out + 1] = line end
    local values = lists.map(free, function(one)
      local v = one == '_put' and put or builtin[one]
      if v == nil then v = rawget(own, one) end
      if v == nil and kernel then v = kernel[one] end
      if v == nil then error(('%s:1: takes "%s" and is not given it'):format(name, one), 0) end
      return v
    end)
    chunk(table.unpack(values))
    return table.concat(out)
  end
end

--- A template that sees all that it is given.
local function open(code, name)
  -- Loaded once: its names are those of the environment that a call gives it.
  local source, chunk = 'local _ENV = ...; ' .. code, nil
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

--- Compiles a template into a function from what it is given to text. One that says what it takes
--- is given these and no others; what is missing there is the kernel's, as the words of its
--- instruction set are.
---@param text string
---@param name string shown in errors
---@return fun(own: table|nil, kernel: table|nil): string
function M.compile(text, name)
  local takes, code = template_inputs.of(text, name), code_of(text, name)
  if takes then return closed(takes, code, name) end
  return open(code, name)
end

local loaded = {}

--- Complains of a kernel's template that would see all that stands around it.
local function check_kernel(text, path)
  if not template_inputs.of(text, path) then
    error(path .. ':1: a template of kernels begins with what it takes: "%% takes: s, tile"', 0)
  end
end

--- A file of templates/, compiled once. Its text takes the prefix, the values that are filled in
--- do not.
---@param root string the project's folder
---@param file string
---@param prefix string|nil
---@return fun(own: table|nil, kernel: table|nil): string
function M.load(root, file, prefix)
  prefix = prefix or prefixes.default
  local key = prefix .. ' ' .. file
  if not loaded[key] then
    local path = 'templates/' .. file
    local text = prefixes.text(assert(disk.read(root .. path), path), prefix)
    if file:match '^kernel/' then check_kernel(text, path) end
    loaded[key] = M.compile(text, path)
  end
  return loaded[key]
end

return M
