--- The files that a change touched, and how lately. A clone that knows where the change began, as
--- its origin is at another commit, takes what came since; another one takes the last commits along
--- first parents, as many as are a turn.
local turn = dofile((debug.getinfo(1, 'S').source:match('^@(.*)/[^/]*$') or '.') .. '/turn.lua')

local function lines_of(command)
  local pipe, list = assert(io.popen('git ' .. command .. ' 2>/dev/null')), {}
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

--- Where the change began, where that is known.
local function base(git)
  for _, name in ipairs { 'origin/HEAD', 'origin/main', 'origin/master' } do
    local fork = git('merge-base HEAD ' .. name)[1]
    local head = git('rev-parse HEAD')[1]
    if fork and fork ~= head then return fork end
  end
end

--- Path -> how many commits ago it was touched, 0 by the last one.
---@param git nil|fun(arguments: string): string[]  the lines that git prints; for the test
---@return table<string, integer>
return function(git)
  git = git or lines_of
  local from = base(git)
  local range = from and from .. '..HEAD' or ('-n %d'):format(turn.stretch)
  local ages, age = {}, -1
  for _, line in ipairs(git('log --first-parent -m --name-only --format=commit:%H ' .. range)) do
    if line:match('^commit:') then
      age = age + 1
    elseif line ~= '' and not ages[line] then
      ages[line] = age
    end
  end
  return ages
end
