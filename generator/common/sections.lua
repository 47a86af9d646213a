--- Sections of a C file, as SQLite marks them for its amalgamation: what stands between a line
--- `/*@ name */` and its `/*@ end */`, or inside of a comment between ` *@ name` and ` *@ end`.
--- Whoever copies the file keeps, drops or replaces each; the marks vanish. The file is plain C as
--- it is.
local record = require 'common.record'

local M = {}

--- An error about a place of a text.
local function fail(where, text, at, message, ...)
  local _, before = text:sub(1, at):gsub('\n', '')
  error(('%s:%d: %s'):format(where, before + 1, message:format(...)), 0)
end

--- What a line marks: the name of a section that begins, 'end', or nothing.
local function mark_of(line)
  return line:match('^%s*/%*@ ([%w_]+) %*/$') or line:match('^ %*@ ([%w_]+)$')
end

--- The next mark of a text: its name, where its line begins, and where its line break is; nil
--- where there is none.
local function next_mark(text, from)
  local at = from
  while true do
    at = text:find('*@', at, true)
    if not at then return nil end
    local begin, stop = at, text:find('\n', at, true)
    while begin > from and text:byte(begin - 1) ~= 10 do begin = begin - 1 end
    local name = stop and mark_of(text:sub(begin, stop - 1))
    if name then return name, begin, stop end
    at = at + 2
  end
end

--- Calls visit(lines, open sections) for whole lines between marks, and enter(name, place, live) at
--- the begin of a section; inside of one where that gave false, nothing is live and visit() is not
--- called. Where it gave 'marked', it is called for the marks, too.
local function walk(text, where, enter, visit)
  local open, live, from = {}, true, 1
  local function pass_over(stop)
    if live and stop >= from then visit(text:sub(from, stop), open) end
  end
  for name, begin, stop in function() return next_mark(text, from) end do
    pass_over(begin - 1)
    local line = text:sub(begin, stop)
    from = stop + 1
    if name == 'end' then
      if #open == 0 then fail(where, text, begin - 1, 'an end without its section') end
      local section = table.remove(open)
      live = section.outer
      if live and section.taken == 'marked' then visit(line, open) end
    else
      local taken = enter(name, begin - 1, live)
      if live and taken == 'marked' then visit(line, open) end
      open[#open + 1] = { name = name, at = begin - 1, outer = live, taken = taken }
      live = taken and live
    end
  end
  -- What no line break ends is no line.
  pass_over(text:match '.*()\n' or 0)
  if #open > 0 then
    fail(where, text, open[#open].at, 'section "%s" has no end', open[#open].name)
  end
end

--- Appends lines: what is left out leaves no gap of empty ones.
local function put(out, lines)
  local last = out[#out]
  local is_behind_empty = not last or last == '\n' or last:find('\n\n', -2, true)
  lines = lines:gsub('^\n+', is_behind_empty and '' or '\n')
  if lines:find('\n\n\n', 1, true) then lines = lines:gsub('\n\n\n+', '\n\n') end
  if lines ~= '' then out[#out + 1] = lines end
end

--- A text with its sections chosen: true keeps one, false drops it, a text stands in its place.
---@param text string
---@param choice table<string, boolean|string>
---@param where string the file, for errors
---@param leave boolean|nil  sections that the choice says nothing of stay, with their marks
---@return string
function M.apply(text, choice, where, leave)
  local out, seen, names = {}, {}, record.sorted_keys(choice)
  walk(text, where, function(name, at, live)
    local chosen = choice[name]
    if chosen == nil and leave then return 'marked' end
    if chosen == nil then
      fail(where, text, at, 'unknown section "%s"%s', name, record.suggest(name, names))
    end
    seen[name] = true
    if live and type(chosen) == 'string' then
      put(out, chosen:match '.*\n' or '')
    end
    return chosen == true
  end, function(lines) put(out, lines) end)
  for _, name in ipairs(names) do
    if not seen[name] then error(('%s has no section "%s"'):format(where, name), 0) end
  end
  return table.concat(out)
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
  end, function(lines, open)
    for _, section in ipairs(open) do
      if section.name == name then
        out[#out + 1] = lines
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
  walk(text, where, function() return true end, function(lines) put(out, lines) end)
  return table.concat(out)
end

return M
