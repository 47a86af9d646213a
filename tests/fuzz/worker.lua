--- Tries cases of one target; run.lua starts it, under limits.
---
---   lua5.4 worker.lua ROOT TARGET FOLDER SEED FIRST COUNT SECONDS   cases by number
---   lua5.4 worker.lua ROOT TARGET FOLDER FILE                       the one case of a file
---
--- It ends with the first that fails: exit code 3, and FOLDER/problem says what is wrong. Before a
--- case is tried it is in FOLDER/case.lua, its number in FOLDER/number. FOLDER/counts says what
--- became of how many.
local root, target_name, place, seed_or_file = arg[1], arg[2], arg[3], arg[4]
local here = arg[0]:match('^(.*)/[^/]*$')
package.path = table.concat({
  here .. '/?.lua', root .. '/tests/support/?.lua', root .. '/generator/?.lua',
  root .. '/generator/?/init.lua', package.path,
}, ';')

local files = require 'folder'
local random_of = require 'random'
local serial = require 'serial'
local target = require(target_name)

local desk = place .. '/desk'

--- Tries a case in an empty folder.
local function try(case)
  files.empty(desk)
  files.write(place .. '/case.lua', serial.text(case))
  local ok, problem, outcome = pcall(target.check, case, desk, root)
  if not ok then problem = 'thrown: ' .. tostring(problem) end
  if problem then
    files.write(place .. '/problem', problem)
    os.exit(3)
  end
  return outcome
end

if not arg[5] then
  try(serial.case(files.read(seed_or_file)))
  os.exit(0)
end

local seed, first, count = tonumber(seed_or_file), tonumber(arg[5]), tonumber(arg[6])
local ends, counts = os.time() + tonumber(arg[7]), {}
for number = first, first + count - 1 do
  if os.time() >= ends then break end
  files.write(place .. '/number', ('%d'):format(number))
  local outcome = try(target.make(random_of.new(seed, target_name, number), root))
  counts[outcome] = (counts[outcome] or 0) + 1
  if number % 64 == 0 then collectgarbage() end
  files.write(place .. '/counts', serial.text(counts))
end
os.exit(0)
