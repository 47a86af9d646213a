--- What is said of a target: how much was tried, or what was found, made small.
local files = require 'folder'
local process = require 'process'
local serial = require 'serial'

local M = {}

--- The smallest case that still fails, within the time.
local function smallest(root, work, case, problem)
  local target = require(work.name)
  local ends, tried = os.time() + work.shrink, 0
  local again
  repeat
    again = false
    for candidate in target.smaller(case) do
      if os.time() >= ends then break end
      tried = tried + 1
      local still = process.one(root, work, candidate)
      if still then
        case, problem, again = candidate, still, true
        break
      end
    end
  until not again
  return case, problem, tried
end

---@param work FuzzWork
---@param totals table<string|integer, integer> by outcome; [1] is their sum
---@param seconds integer
function M.passed(work, totals, seconds)
  local parts, names = {}, {}
  for outcome in pairs(totals) do
    if outcome ~= 1 then names[#names + 1] = outcome end
  end
  table.sort(names)
  for i, outcome in ipairs(names) do parts[i] = ('%d %s'):format(totals[outcome], outcome) end
  print(('%-7s %6d cases in %d s, %.1f a second (%s), seed %d'):format(work.name, totals[1] or 0,
    seconds, (totals[1] or 0) / math.max(1, seconds), table.concat(parts, ', '), work.seed))
  io.stdout:flush()
end

--- Text fit for a terminal.
local function shown(text)
  return (text:sub(1, 3000):gsub('[^\n\32-\126]', function(c) return ('\\%d'):format(c:byte()) end))
end

---@param work FuzzWork
---@param problem string
function M.found(root, work, problem)
  local number = files.read(work.folder .. '/number') or '?'
  local case = serial.case(files.read(work.folder .. '/case.lua'))
  print(('%s: case %s of seed %d FAILED: %s'):format(work.name, number, work.seed, shown(problem)))
  io.stdout:flush()
  local small, still, tried = smallest(root, work, case, problem)
  local path = ('build/fuzz/%s.found.lua'):format(work.name)
  files.write(root .. '/' .. path, serial.text(small))
  print(('the smallest of %d tried:\n%s\n%s'):format(tried,
    shown(require(work.name).show(small)), shown(still)))
  print(('again:   FUZZ=%s FUZZ_SEED=%d FUZZ_CASE=%s ninja fuzz'):format(work.name, work.seed,
    number))
  print(('smaller: FUZZ=%s FUZZ_FILE=%s ninja fuzz'):format(work.name, path))
  io.stdout:flush()
end

return M
