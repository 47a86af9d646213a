--- Which of the tests that take turns a run makes. Writes a dyndep file, from which ninja learns
--- what TARGET takes besides, a list of the same for the summary, and beside it, LIST.ranks, all
--- parts, a line each: how many of its group come before it, and its tests.
---
---   lua5.4 turns.lua TARGET DYNDEP LIST GROUP...
---
--- A GROUP is parts divided by |, of which one is run, whose turn it is (support/turn.lua); a part
--- is the names of tests, without build/ and .ok. With TURNS=all every part is run.
local target, dyndep, list = arg[1], arg[2], arg[3]
local turn = dofile('tests/support/turn.lua')

---@param group string
---@return string[][] parts  the tests of each
local function parts_of(group)
  local parts = {}
  for part in group:gmatch('[^|]+') do
    local names = {}
    for name in part:gmatch('%S+') do names[#names + 1] = ('build/%s.ok'):format(name) end
    assert(#names > 0, 'a part of no tests: ' .. group)
    parts[#parts + 1] = names
  end
  assert(#parts > 1, 'nothing to take turns with: ' .. group)
  return parts
end

local write = dofile('tests/support/write.lua')

local tests, seen, ranks = {}, {}, {}
for i = 4, #arg do
  local parts = parts_of(arg[i])
  local whose = turn.part(#parts)
  for n, names in ipairs(parts) do
    for _, name in ipairs(names) do
      assert(not seen[name], name .. ' stands twice')
      seen[name] = true
      if not whose or n - 1 == whose then tests[#tests + 1] = name end
    end
  end
  for rank, n in ipairs(turn.order(#parts)) do
    ranks[#ranks + 1] = ('%d %s\n'):format(rank - 1, table.concat(parts[n + 1], ' '))
  end
end
assert(#tests > 0, 'no group')
local all = table.concat(tests, ' ')
write(dyndep, ('ninja_dyndep_version = 1\nbuild %s: dyndep | %s\n'):format(target, all))
write(list, all .. '\n')
write(list .. '.ranks', table.concat(ranks))
