--- Sections of a C file, as SQLite marks them for its amalgamation: what stands between a line
--- `/*@ name */` and its `/*@ end */`, or inside of a comment between ` *@ name` and ` *@ end`.
--- Whoever copies the file keeps, drops or replaces each; the marks vanish. The file is plain C as
--- it is.
local record = require 'common.record'

local M = {}

local function fail(where, line, message, ...)
  error(('%s:%d: %s'):format(where, line, message:format(...)), 0)
end

--- What a line marks: the name of a section that begins, 'end', or nothing.
local function mark_of(line)
  if not line:find('*@', 1, true) then return nil end
  return line:match('^%s*/%*@ ([%w_]+) %*/$') or line:match('^ %*@ ([%w_]+)$')
end

--- Calls visit(line, open sections) for every line that is no mark, and enter(name, line
--- number, live) at the begin of a section; inside of one where that gave false, nothing is live
--- and visit() is not called. Where it gave 'marked', it is called for the marks, too.
local function walk(text, where, enter, visit)
  local open, live, number = {}, true, 0
  for line in text:gmatch('([^\n]*)\n') do
    number = number + 1
    local name = mark_of(line)
    if name == 'end' then
      if #open == 0 then fail(where, number, 'an end without its section') end
      local section = table.remove(open)
      live = section.outer
      if live and section.taken == 'marked' then visit(line, open) end
    elseif name then
      local taken = enter(name, number, live)
      if live and taken == 'marked' then visit(line, open) end
      open[#open + 1] = { name = name, line = number, outer = live, taken = taken }
      live = taken and live
    elseif live then
      visit(line, open)
    end
  end
  if #open > 0 then
    fail(where, open[#open].line, 'section "%s" has no end', open[#open].name)
  end
end

--- Appends a line: what is left out leaves no gap of empty ones.
local function put(out, line)
  if line ~= '' or (#out > 0 and out[#out] ~= '') then out[#out + 1] = line end
end

local function joined(out) return #out > 0 and table.concat(out, '\n') .. '\n' or '' end

--- A text with its sections chosen: true keeps one, false drops it, a text stands in its place.
---@param text string
---@param choice table<string, boolean|string>
---@param where string the file, for errors
---@param leave boolean|nil  sections that the choice says nothing of stay, with their marks
---@return string
function M.apply(text, choice, where, leave)
  local out, seen, names = {}, {}, record.sorted_keys(choice)
  walk(text, where, function(name, line, live)
    local chosen = choice[name]
    if chosen == nil and leave then return 'marked' end
    if chosen == nil then
      fail(where, line, 'unknown section "%s"%s', name, record.suggest(name, names))
    end
    seen[name] = true
    if live and type(chosen) == 'string' then
      for l in chosen:gmatch('([^\n]*)\n') do put(out, l) end
    end
    return chosen == true
  end, function(line) put(out, line) end)
  for _, name in ipairs(names) do
    if not seen[name] then error(('%s has no section "%s"'):format(where, name), 0) end
  end
  return joined(out)
end

--- What stands in the sections of a name.
---@param text string
---@param name string
---@param where string
---@param choice table<string, boolean>|nil  what is dropped of sections inside of these: false
---@return string
function M.take(text, name, where, choice)
  local out = {}
  walk(text, where, function(own)
    return not choice or choice[own] ~= false
  end, function(line, open)
    for _, section in ipairs(open) do
      if section.name == name then
        out[#out + 1] = line .. '\n'
        return
      end
    end
  end)
  if #out == 0 then error(('%s has no section "%s", or an empty one'):format(where, name), 0) end
  return table.concat(out)
end

--- The whole text, without the marks.
---@param text string
---@param where string
---@return string
function M.plain(text, where)
  local out = {}
  walk(text, where, function() return true end, function(line) put(out, line) end)
  return joined(out)
end

return M
