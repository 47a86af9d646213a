--- The first line of a template, `%% takes: s, tile`: what it is handed, and a check that it reads
--- these names and, beside the words of instruction sets, no others.
local isas = require 'isa'
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

--- Names that a template takes at most: what needs more is handed a record.
M.most = 12

--- What every template has, without being told.
local words = record.sorted_keys(isas.by_name.c.words)

--- Words of Lua, which are no names.
local keywords = { 'and', 'break', 'do', 'else', 'elseif', 'end', 'false', 'for', 'function',
  'goto', 'if', 'in', 'local', 'nil', 'not', 'or', 'repeat', 'return', 'then', 'true', 'until',
  'while' }

--- The names of a first line; nil where there is none.
---@param text string  of a template
---@param name string  of its file, for errors
---@return string[]|nil
function M.of(text, name)
  local line = text:match('^%%%%([^\n]*)')
  if not line then return nil end
  local list, names = line:match('^ takes: (.+)$') or '', {}
  for part in (list .. ', '):gmatch('(.-), ') do
    if not part:match('^[%a_][%w_]*$') then
      error(name .. ':1: a first line is "%% takes: ", and names with ", " between them', 0)
    end
    names[#names + 1] = part
  end
  return names
end

--- Code as a function that has so many names around it.
local function within(names, code, name)
  local head = #names > 0 and 'local ' .. table.concat(names, ', ') .. '; ' or ''
  local chunk, problem = load(head .. 'return function() ' .. code .. '\nend', '@' .. name, 't')
  if not chunk then error(problem, 0) end
  return chunk()
end

--- Names that code reads or sets without declaring them, as Lua itself finds them: every word of it
--- is a local around it in turn, some at a time, and those that it means, it keeps.
local function free_names(code, name)
  local candidates, free = {}, {}
  for word in code:gmatch('%f[%w_][%a_][%w_]*') do candidates[#candidates + 1] = word end
  local is_keyword = lists.set(keywords)
  candidates = lists.filter(lists.unique(candidates), function(word)
    return not is_keyword[word]
  end)
  for first = 1, math.max(1, #candidates), 100 do -- a function keeps 255 at most
    local some = { table.unpack(candidates, first, math.min(first + 99, #candidates)) }
    local f, i = within(some, code, name), 1
    local kept = debug.getupvalue(f, i)
    while kept do
      if kept ~= '_ENV' then free[#free + 1] = kept end
      i = i + 1
      kept = debug.getupvalue(f, i)
    end
  end
  return free
end

--- Refuses a first line that does not say what the code reads.
---@param takes string[]    the names of the first line
---@param builtin string[]  others that any template may read
---@param code string       Lua
---@param name string
---@return string[]  all that the code reads, words and builtin names among them
function M.check(takes, builtin, code, name)
  local function wrong(...) error(('%s:1: %s'):format(name, string.format(...)), 0) end
  if #takes > M.most then
    wrong('takes %d names, %d are the most: hand it a record', #takes, M.most)
  elseif #lists.unique(takes) < #takes then
    wrong('takes a name twice')
  end
  local free = free_names(code, name)
  local is_read, is_taken = lists.set(free), lists.set(takes)
  local is_known = lists.set(lists.append(lists.append({}, builtin), words))
  for _, one in ipairs(takes) do
    if is_known[one] then wrong('takes "%s", which every template has', one) end
    if not is_read[one] then wrong('takes "%s" and does not read it', one) end
  end
  for _, one in ipairs(free) do
    if not is_known[one] and not is_taken[one] then
      wrong('does not take "%s", which is read below', one)
    end
  end
  return free
end

return M
