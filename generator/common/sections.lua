--- Sections of a C file, as SQLite marks them for its amalgamation: what stands between a line
--- `/*@ name */` and its `/*@ end */`. Whoever copies the file keeps, drops or replaces each; the
--- marks vanish. The file is plain C as it is.
local record = require 'common.record'

local M = {}

local function fail(where, line, message, ...)
  error(('%s:%d: %s'):format(where, line, message:format(...)), 0)
end

--- Calls visit(line, open sections) for every line that is no mark, and enter(name, line
--- number, live) at the begin of a section; inside of one where that gave false, nothing is live
--- and visit() is not called.
local function walk(text, where, enter, visit)
  local open, live, number = {}, true, 0
  for line in text:gmatch('([^\n]*)\n') do
    number = number + 1
    local name = line:find('/*@', 1, true) and line:match('^%s*/%*@ ([%w_]+) %*/$')
    if name == 'end' then
      if #open == 0 then fail(where, number, 'an end without its section') end
      live = table.remove(open).outer
    elseif name then
      open[#open + 1] = { name = name, line = number, outer = live }
      live = enter(name, number, live) and live
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
---@return string
function M.apply(text, choice, where)
  local out, seen, names = {}, {}, record.sorted_keys(choice)
  walk(text, where, function(name, line, live)
    local chosen = choice[name]
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

--- The names that a line of C defines at the outermost level: macros, functions, types; and, in an
--- enum, its constants.
---@param line string
---@param in_enum boolean
---@return string|nil
local function defined(line, in_enum)
  if in_enum then return line:match '^%s+([%u][%u%d_]*)%s*[=,]' end
  return line:match '^#define ([%w_]+)' or line:match '^} ([%w_]+);'
    or line:match '^typedef [^(]-([%w_]+);' or line:match '^typedef [%w_ ]-([%w_]+) __attribute__'
    or not line:find '^typedef' and line:match '^%a[^(=]-([%w_]+)%(' or nil
end

--- A text cut where the sections begin and end that a choice says nothing of.
---@param text string
---@param choice table<string, boolean|string>
---@param where string
---@return table[] parts  { sections = names, outermost first; text = without comments }
---@return table<string, string[]> definers  name -> the sections in which it is defined
---@return table<string, boolean> all        these sections; false where one defines nothing
local function undecided(text, choice, where)
  local parts, definers, all, open_before, lines, in_enum = {}, {}, {}, false, {}, false
  local function close(sections)
    parts[#parts + 1] = {
      sections = sections, text = (table.concat(lines, '\n'):gsub('/%*.-%*/', '')),
    }
    lines = {}
  end
  local sections = {}
  walk(text, where, function(name, _, live)
    if choice[name] == nil and all[name] == nil then all[name] = not live end
    return choice[name] == nil or choice[name] == true
  end, function(line, open)
    local now = {}
    for _, section in ipairs(open) do
      if choice[section.name] == nil then now[#now + 1] = section.name end
    end
    local key = table.concat(now, ' ')
    if key ~= open_before then
      close(sections)
      open_before, sections = key, now
    end
    lines[#lines + 1] = line
    local name = defined(line, in_enum)
    if line:find '^enum.*{$' then in_enum = true end
    if line:find '^}' then in_enum = false end
    if name and #now > 0 then
      definers[name] = definers[name] or {}
      for _, section in ipairs(now) do
        all[section] = true
        table.insert(definers[name], section)
      end
    end
  end)
  close(sections)
  return parts, definers, all
end

--- A caller as parts: lines between `#ifdef NAME` and `#endif` are there with what defines NAME.
local function with_conditions(parts, caller, definers)
  local code = caller:gsub('/%*.-%*/', '')
  code = code:gsub('#ifdef ([%w_]+)\n(.-)\n#endif', function(name, lines)
    if not definers[name] then return nil end
    assert(not lines:find '\n#', 'a condition inside of #ifdef ' .. name)
    parts[#parts + 1] = { sections = definers[name], text = lines }
    return ''
  end)
  parts[#parts + 1] = { sections = {}, text = code }
end

--- A choice in which those sections that it says nothing of come by what is called: where a name
--- that one defines is said by a caller, in no such section, or in another that comes.
---@param text string
---@param choice table<string, boolean|string>
---@param callers string[]  texts
---@param where string
---@return table<string, boolean|string>
function M.called(text, choice, callers, where)
  local parts, definers, all = undecided(text, choice, where)
  local chosen = {}
  for _, name in ipairs(record.sorted_keys(choice)) do chosen[name] = choice[name] end
  for _, name in ipairs(record.sorted_keys(all)) do
    if not all[name] then
      error(('%s: section "%s" defines nothing that could be called, and is not chosen')
        :format(where, name), 0)
    end
    chosen[name] = false
  end
  for _, caller in ipairs(callers) do with_conditions(parts, caller, definers) end
  local changed = true
  local function look(code)
    for name in code:gmatch '[%a_][%w_]*' do
      for _, section in ipairs(definers[name] or {}) do
        if not chosen[section] then chosen[section], changed = true, true end
      end
    end
  end
  while changed do
    changed = false
    for _, part in ipairs(parts) do
      local comes = not part.seen
      for _, section in ipairs(part.sections) do comes = comes and chosen[section] end
      if comes then
        part.seen = true
        look(part.text)
      end
    end
  end
  return chosen
end

--- What stands in the sections of a name.
---@param text string
---@param name string
---@param where string
---@return string
function M.take(text, name, where)
  local out = {}
  walk(text, where, function() return true end, function(line, open)
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
