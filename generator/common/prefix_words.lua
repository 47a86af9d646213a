--- Which words may be a product's prefix: it becomes the name of files, of a library, of targets,
--- of a namespace, and the begin of every name in C.
local record = require 'common.record'
local words = require 'common.system_words'

local M = {}

--- Whether systems or compilers declare a name, or C++ keeps it.
---@param name string
function M.is_declared(name)
  if words.names[name] or words.keywords[name] then return true end
  for _, family in ipairs(words.families) do
    if name:sub(1, #family) == family then return true end
  end
  -- sinf32, strtof64x: C23 has them of each type.
  local plain = name:find '[%dx]$' and name:match '^(.-)f%d+x?$'
  return plain and words.names[plain] ~= nil or false
end

--- The first name of a text that begins with a prefix and that systems declare, or nil.
---@param text string
---@param prefix string
function M.declared_in(text, prefix)
  local seen = {}
  for name in text:gmatch('%f[%w_]' .. prefix .. '_[%w_]+') do
    if not seen[name] and M.is_declared(name) then return name end
    seen[name] = true
  end
  return nil
end

--- Whether Windows has a device of a file's name, whatever its ending.
---@param name string
function M.is_device(name) return words.devices[name:lower():match '^[^.]*'] or false end

local form = 'a prefix is 2 to 40 small letters, digits and single _, a letter first, and does not '
  .. 'begin with ffn_; not "%s"%s'

local function has_form(text)
  return text:match '^%l[%l%d_]*[%l%d]$' and #text <= 40 and not text:match '__'
    and not text:match '^ffn_'
end

--- The nearest word that has the form, or nil.
local function nearest(text)
  local near = text:lower():gsub('[^%l%d]+', '_'):gsub('^[_%d]+', ''):gsub('^ffn_', ''):sub(1, 40)
    :gsub('_$', '')
  return has_form(near) and near or nil
end

--- Why a word of that form is none for a prefix, or nil.
local function taken(word)
  if words.headers[word] or word:match 'intrin$' then
    return 'C, C++ or a system has a header of this name, which the folder\'s would hide'
  elseif M.is_device(word) then
    return 'Windows has a device of this name, and no files'
  elseif words.targets[word] then
    return 'build systems have a target of this name'
  elseif words.libraries[word] then
    return ('lib%s.a would stand before the system\'s'):format(word)
  end
  return nil
end

--- A prefix as it is written in C: of capitals, dashes and dots, which targets may have, small
--- letters and _; or nil and why there is none.
---@param text string
---@return string|nil prefix
---@return string|nil problem
function M.prefix(text)
  local word = text:lower():gsub('[.-]', '_')
  if not text:match '^%a[%w_.-]*$' or not has_form(word) then
    local near = nearest(text)
    return nil, form:format(record.shown(text), near and (': "%s"?'):format(near) or '')
  end
  local problem = taken(word)
  if problem then
    return nil, ('prefix "%s": %s; another word, such as my_%s'):format(word, problem, word)
  end
  return word
end

--- Why a prefix is no namespace, or nil.
---@param prefix string
function M.namespace_problem(prefix)
  if not M.is_declared(prefix) then return nil end
  return ('"%s" is no name for a namespace, C or C++ or a system has it; another --prefix, such as '
    .. 'my_%s'):format(prefix, prefix)
end

return M
