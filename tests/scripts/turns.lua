--- Which of the tests that take turns a run makes. Writes a dyndep file, from which ninja learns
--- what TARGET takes besides, and a list of the same for the summary.
---
---   lua5.4 turns.lua TARGET DYNDEP LIST GROUP...
---
--- A GROUP is parts divided by |, of which one is run, whose turn it is (tests/turn); a part is the
--- names of tests, without build/ and .ok. With TURNS=all every part is run.
local target, dyndep, list = arg[1], arg[2], arg[3]
local turn = dofile('tests/support/turn.lua')

---@param group string
---@return string[] parts
local function parts_of(group)
  local parts = {}
  for part in group:gmatch('[^|]+') do
    assert(part:find('%S'), 'a part of no tests: ' .. group)
    parts[#parts + 1] = part
  end
  assert(#parts > 1, 'nothing to take turns with: ' .. group)
  return parts
end

local write = dofile('tests/support/write.lua')

local tests, names = {}, {}
for i = 4, #arg do
  local parts = parts_of(arg[i])
  local whose = turn(#parts)
  for n, part in ipairs(parts) do
    for name in part:gmatch('%S+') do
      assert(not names[name], name .. ' stands twice')
      names[name] = true
      if not whose or n - 1 == whose then tests[#tests + 1] = ('build/%s.ok'):format(name) end
    end
  end
end
assert(#tests > 0, 'no group')
local all = table.concat(tests, ' ')
write(dyndep, ('ninja_dyndep_version = 1\nbuild %s: dyndep | %s\n'):format(target, all))
write(list, all .. '\n')
