--- What is too long for every change takes turns: tests/turn counts changes, and every change moves
--- it on by one, so that so many changes run all parts.
local path = 'tests/turn'
local most_commits = 100 -- of a change

local function first_line(command)
  local pipe = assert(io.popen(command))
  local line = pipe:read('l')
  pipe:close()
  return line
end

--- A number of parts -> the one whose turn it is, from 0 on; nil where TURNS=all asks for all of
--- them. A turn that nobody moves on would try the same ones for ever.
---@param parts integer
---@return integer|nil
return function(parts)
  if os.getenv('TURNS') == 'all' then return nil end
  local count = math.tointeger(tonumber(first_line('cat ' .. path)))
  assert(count and count >= 0, path .. ' holds the number of the change')
  local moved = first_line('git log -1 --format=%H -- ' .. path) or 'HEAD'
  local since = tonumber(first_line(('git rev-list --count %s..HEAD'):format(moved))) or 0
  if since > most_commits then
    error(('%s says %d since %d commits: it counts changes; write %d'):format(path, count, since,
      count + 1), 0)
  end
  return count % parts
end
