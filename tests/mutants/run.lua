--- Seeded defects: is each noticed? A defect of list.lua is put into a copy of the project, kernels
--- are made from it, and the suite is run on them. A defect is killed when a test fails.
---
---   lua5.4 tests/mutants/run.lua SUITE_OBJECTS [WORD]     only defects whose name has WORD
---
--- Without a word a tenth of them, whose turn it is (support/turn.lua); all by MUTANTS=all, an
--- eighth by MUTANTS=3/8; or by MUTANTS_SECONDS=600 as many as begin in that time, those of files
--- that the change touched and those whose turn it is.
---
--- MUTANTS_TRIED=FILE beside these keeps what became of each in FILE, and leaves out what stands
--- there: a run that was ended goes on, and its last line counts all. FILE is of one commit.
---
--- SUITE_OBJECTS is the folder of the suite's compiled tests, which no defect touches. A defect
--- that the suite cannot meet names its test, a script, which runs in the copy instead. What a
--- defect does not change is not compiled again, and where it changes nothing but kernels that the
--- CPU cannot run, surviving says nothing: it is skipped. The test that killed a defect before is
--- run first (killers.lua), and no other if it does so again. Exit status 1 where a defect
--- survives, cannot be put in, or a test fails without any.
---
--- Two processes share the work, each in a folder of its own; a third argument is for them.
local objects_folder, only, worker = arg[1], arg[2], arg[3]
if only == '' then only = nil end
local whole = 'build/mutants'
local folder = worker and whole .. '/' .. worker or whole
local workers = 2

local order = dofile('tests/mutants/order.lua')
local place = dofile('tests/mutants/place.lua')
local scripts = dofile('tests/mutants/script.lua').new(whole, folder)
local suite = dofile('tests/mutants/suite.lua').new(objects_folder, whole, folder)
local tools = dofile('tests/mutants/tools.lua')
local touched = dofile('tests/support/touched.lua')
local tried = dofile('tests/mutants/tried.lua').open(os.getenv('MUTANTS_TRIED'))
local turn = dofile('tests/support/turn.lua')
local killers = dofile('tests/mutants/killers.lua')
local defects = dofile('tests/mutants/list.lua')
local run, read, write = tools.run, tools.read, tools.write

--- The tree as it is, and this defect put into it, or what is wrong with the defect. The copy is of
--- bytes: with hard links a test that writes into its tree would write into the project.
local function put_in(defect)
  assert(run('rm -rf %s/tree %s/made %s/test && mkdir -p %s/tree && cp -r generator templates '
    .. 'runtime tests generated ffngen LICENSE README.md %s/tree', folder, folder, folder, folder,
    folder))
  if not defect then return true end
  local path = folder .. '/tree/' .. defect.file
  local mutated, problem = place.put_in(defect, assert(read(path), path .. ' is not there'))
  if mutated then write(path, mutated) end
  return mutated ~= nil, problem
end

--- One defect: 'killed', 'survived', 'skipped' or 'broken', with a reason, or with what killed it.
local function try(defect)
  if defect.test then
    local result, reason = scripts:try(defect, killers[defect.name], put_in)
    local lack = result == 'survived' and suite.lacked_by(defect, suite:lacked_sets())
    if lack then return 'skipped', 'this CPU lacks ' .. lack end
    return result, reason
  end
  local ok, problem = put_in(defect)
  if not ok then return 'broken', problem end
  return suite:try(defect, killers[defect.name])
end

--- The defects to try, in their order, and the wheel if they follow it.
local function chosen()
  local asked = os.getenv('MUTANTS')
  if only then
    local list = {}
    for _, defect in ipairs(defects) do
      if defect.name:find(only, 1, true) then list[#list + 1] = defect end
    end
    return list
  end
  if asked == 'all' then return defects end
  if asked then return order.share(defects, asked) end
  local wheel = turn.wheel(#defects)
  if os.getenv('MUTANTS_SECONDS') then return order.of(defects, wheel, touched()), wheel end
  return order.of(defects, table.move(wheel, 1, #wheel // turn.round + 1, 1, {}), {}), wheel
end

--- What a process takes at a time: a defect, or, where all are tried, all of one test. The longest
--- come first.
---@return table[][]
local function units_of(list, is_in_order)
  local units, by_test = {}, {}
  for _, defect in ipairs(list) do
    local unit = not is_in_order and by_test[defect.test or {}] or { at = #units }
    if #unit == 0 then units[#units + 1] = unit end
    if defect.test then by_test[defect.test] = unit end
    unit[#unit + 1] = defect
  end
  if is_in_order then return units end
  table.sort(units, function(a, b)
    if #a ~= #b then return #a > #b end
    return a.at < b.at
  end)
  return units
end

local results = { killed = 0, survived = 0, broken = 0, skipped = 0 }

--- Tries what no other process has begun, until the time is over. Leaves a line for each defect.
local function work(units, ends)
  local handle = assert(io.open(folder .. '/results', 'w'))
  for i, unit in ipairs(units) do
    if ends and os.time() >= ends then break end
    local is_mine = run('mkdir %s/unit_%d 2>/dev/null', whole, i)
    for _, defect in ipairs(is_mine and unit or {}) do
      local result, reason = try(defect)
      local shown = result ~= 'killed' and reason and ': ' .. reason or ''
      print(('%-9s %s%s'):format(result, defect.name, shown))
      io.stdout:flush()
      local line = ('%s\t%s\t%s\n'):format(result, defect.name, result == 'killed' and reason or '')
      handle:write(line)
      handle:flush()
      tried:add(line)
    end
  end
  handle:close()
end

local ends = tonumber(os.getenv('MUTANTS_ENDS') or nil)
if worker then
  assert(run('mkdir -p %s', folder))
  local list, wheel = chosen()
  work(units_of(tried:left_of(list), wheel ~= nil), ends)
  os.exit(true)
end

assert(run('rm -rf %s', folder))
local began = os.time()
local seconds = tonumber(os.getenv('MUTANTS_SECONDS') or nil)
put_in(nil)
if not suite:make_baselines() then
  print(('without any defect the suite fails: see log and suite_*.log in %s/'):format(folder))
  os.exit(false)
end
local list, wheel = chosen()
print(('%d of %d seeded defects'):format(#tried:left_of(list), #defects))
io.stdout:flush()
local command = seconds and ('export MUTANTS_ENDS=%d;'):format(began + seconds) or ''
for i = 1, workers do
  command = ("%s lua5.4 %s '%s' '%s' %d &"):format(command, arg[0], objects_folder, only or '', i)
end
assert(os.execute(tools.keep_compiled(command .. ' wait')))

--- What became of each, by both processes.
local by_name, seen_killers, count = {}, {}, 0
local texts = { tried:text_of(list) }
for i = 1, workers do
  texts[#texts + 1] = assert(read(('%s/%d/results'):format(folder, i)),
    'a process of mine has failed')
end
for _, text in ipairs(texts) do
  for result, name, killer in text:gmatch('(%l+)\t([^\t\n]*)\t([^\n]*)\n') do
    results[result], count = results[result] + 1, count + 1
    by_name[name] = result
    if killer ~= '' then seen_killers[name] = killer end
  end
end
scripts.keep_killers(defects, killers, seen_killers, whole .. '/killers.lua')

local is_tried, left = {}, {}
for _, defect in ipairs(list) do
  is_tried[defect] = by_name[defect.name] ~= nil
  if not is_tried[defect] then left[#left + 1] = defect.name .. '\n' end
end
write(whole .. '/left', table.concat(left))
if #left > 0 then
  print(('%d seeded defects left out, as the time was over: their names are in %s/left'):format(
    #left, whole))
end
if wheel then
  print(('those whose turn it is, back to %d commits ago; a change may bring so many, and each '
    .. 'defect comes round in %d'):format(turn.reach(order.of_wheel(defects, wheel, is_tried),
    #defects), turn.round * turn.stretch))
end
local met = count - results.skipped
print(('%d of %d seeded defects killed, %d skipped, in %d s'):format(results.killed, met,
  results.skipped, os.time() - began))
os.exit(results.killed == met and (seconds ~= nil or met > 0 and #left == 0))
