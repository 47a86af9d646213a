--- What is too long for every change takes turns. No state is kept: whose turn it is follows from
--- the number of the commit, counted along first parents, of which every `stretch` are a turn. So
--- a change that brings no more than a stretch passes no turn over, however many commits it brings:
--- N parts have all been run after N stretches. What a larger change passes over waits a round, or
--- until a run has the time for more than its turn (order() below).
---
---   lua5.4 tests/support/turn.lua          prints the number of the turn
---
--- TURNS=all asks for all parts, TURNS=7 for those of turn 7. A shallow clone does not know the
--- number of its commit: there the date stands in for it. Where there is no history at all, it is
--- turn 0, which is told.
local M = {}

--- Commits along first parents: somewhat more than a change brings.
M.stretch = 64
--- Of a shallow clone: seconds that stand in for a commit.
local seconds_of_commit = 300

local here = debug.getinfo(1, 'S').source:match('^@(.*)/[^/]*$') or '.'

local function first_line(command)
  local pipe = assert(io.popen(command .. ' 2>/dev/null'))
  local line = pipe:read('l')
  pipe:close()
  return line
end

--- What stands in for the number of the commit, and whence it is.
---@param git fun(arguments: string): string|nil  a line that git prints; for the test
---@return integer number, string source
function M.count(git)
  git = git or function(arguments)
    return first_line(("git -C '%s' %s"):format(here, arguments))
  end
  if git('rev-parse --is-shallow-repository') == 'false' then
    local count = math.tointeger(tonumber(git('rev-list --count --first-parent HEAD')))
    if count then return count, 'commit' end
  end
  local date = math.tointeger(tonumber(git('log -1 --format=%ct')))
  if date then return date // seconds_of_commit, 'date' end
  return 0, 'none'
end

local commit, source

--- The number of the commit, or what stands in for it.
function M.commit()
  local given = os.getenv('TURNS')
  if given and given ~= 'all' then
    local turn = math.tointeger(tonumber(given))
    if not turn or turn < 0 then error('TURNS is all or the number of a turn, not ' .. given, 0) end
    return turn * M.stretch
  end
  if not commit then
    commit, source = M.count()
    if source == 'none' then
      io.stderr:write('turns: there is no history here, so it is turn 0; TURNS=7 is another\n')
    end
  end
  return commit
end

--- The number of the turn, from 0 on.
function M.number() return M.commit() // M.stretch end

--- Whether all parts are asked for.
function M.all() return os.getenv('TURNS') == 'all' end

--- A number of parts -> the one whose turn it is, from 0 on; nil where all of them are asked for.
---@param parts integer
---@return integer|nil
function M.part(parts)
  if M.all() then return nil end
  return M.number() % parts
end

--- Numbers that look random, the same for the same ones.
local function mixed(a, b)
  local x = a * 0x9E3779B97F4A7C15 + b * 0x632BE59BD9B4E019
  x = (x ~ x >> 31) * 0xD6E8FEB86659FD93
  return x ~ x >> 32
end

--- Parts in the order in which a run has time for them: the one whose turn it is, then the others,
--- in an order that is another one at every commit, so that none is always the last.
---@param parts integer
---@param number integer|nil  of the commit
---@return integer[]  from 0 on
function M.order(parts, number)
  number = number or M.commit()
  local first, list = number // M.stretch % parts, {}
  for part = 0, parts - 1 do list[part + 1] = part end
  table.sort(list, function(a, b)
    if (a == first) ~= (b == first) then return a == first end
    local x, y = mixed(number, a), mixed(number, b)
    if x ~= y then return math.ult(x, y) end
    return a < b
  end)
  return list
end

--- How many stretches a round of many items takes.
M.round = 10

--- Many items, of which a run takes as many as it has time for, in this order. They stand on a
--- wheel that turns once in a round; first comes what has passed last, back to where the run ends.
--- So each item is met in every round of M.round * M.stretch commits, if no change brings more
--- commits than a run reaches back: a tenth of the items for every stretch.
---@param items integer
---@param number integer|nil  of the commit
---@return integer[] order  from 1 on
function M.wheel(items, number)
  local around = M.round * M.stretch
  local place, list = (number or M.commit()) % around, {}
  for i = 1, items do list[i] = { i, (place - (i - 1) * around // items) % around } end
  table.sort(list, function(a, b)
    if a[2] ~= b[2] then return a[2] < b[2] end
    return a[1] > b[1]
  end)
  for i, item in ipairs(list) do list[i] = item[1] end
  return list
end

--- How many commits a run reaches back that took so many of so many items.
function M.reach(taken, items)
  return items == 0 and M.round * M.stretch or M.round * M.stretch * taken // items
end

if arg and arg[0] and arg[0]:match('support/turn%.lua$') then print(M.number()) end
return M
