--- Seeded defects: is each noticed? Every defect of list.lua is put into a copy of the project,
--- kernels are made from it, and the suite is run on them. A defect is killed when a test fails.
---
---   lua5.4 tests/mutants/run.lua SUITE_OBJECTS [WORD]     only defects whose name has WORD
---
--- SUITE_OBJECTS is the folder of the suite's compiled tests, which no defect touches. A defect
--- that the suite cannot meet names its test, a script, which runs in the copy instead. Exit status
--- 1 where a defect survives, cannot be put in, or a test fails without any.
local objects_folder, only = arg[1], arg[2]
local folder = 'build/mutants'
local jobs = 2

--- Tests that need no more than the layers of specs.lua.
local tests = {
  'bits', 'bound', 'descriptor', 'exact', 'memory', 'special', 'threads', 'walks', 'activation',
  'allocations', 'each', 'guard', 'kernels', 'model', 'oracle', 'parallel', 'pool', 'spread',
}
--- Tests of what headers hold, which have to be compiled with the defect.
local header_tests = { 'fma', 'parallel_pthreads', 'parallel_team' }
local libraries = '-lcriterion -lmpfr -lgmp -lm -pthread'

local function run(command)
  local ok, _, code = os.execute(command)
  return ok == true, code
end

local function read(path)
  local handle = assert(io.open(path, 'rb'))
  local text = handle:read('a')
  handle:close()
  return text
end

local function write(path, text)
  local handle = assert(io.open(path, 'wb'))
  assert(handle:write(text))
  handle:close()
end

--- Replaces the one place where `find` stands; an error where there are none or several.
local function put_in(defect)
  local path = folder .. '/tree/' .. defect.file
  local text = read(path)
  local from, to = text:find(defect.find, 1, true)
  if not from then return nil, 'its text is not in ' .. defect.file end
  if text:find(defect.find, to + 1, true) then
    return nil, 'its text stands twice in ' .. defect.file
  end
  write(path, text:sub(1, from - 1) .. defect.put .. text:sub(to + 1))
  return true
end

--- Generates, compiles and links the suite for the tree. Returns nil where that fails.
local function build()
  local made = folder .. '/made'
  local generate = ('lua5.4 %s/tree/generator/main.lua'):format(folder)
  local log = folder .. '/log'
  if not run(('%s generate tests/mutants/specs.lua --out %s >%s 2>&1'):format(generate, made, log))
    or not run(('%s activations --out %s >>%s 2>&1'):format(generate, made, log)) then
    return nil
  end
  for _, test in ipairs(header_tests) do
    if not run(('cp tests/kernels/%s.c %s'):format(test, made)) then return nil end
  end
  local compile = ([[
    ls %s/*.c | grep -v -e selfcheck -e _neon.c |
    xargs -P %d -I {} sh -c 'gcc -O1 -w -I%s -I%s/tree/runtime -Itests -c {} -o {}.o' \
      >>%s/log 2>&1]]):format(made, jobs, made, folder, folder)
  if not run(compile) then return nil end
  local list = {}
  for i, test in ipairs(tests) do list[i] = ('%s/%s.o'):format(objects_folder, test) end
  return run(('gcc %s %s/*.o -o %s/suite %s >>%s/log 2>&1'):format(table.concat(list, ' '), made,
    folder, libraries, folder))
end

--- Compiles the test of the wrapper for C++, which is no part of the suite.
local function build_wrapper()
  return run(([[
    g++ -std=c++17 -I%s/made tests/kernels/hpp.cpp \
      $(ls %s/made/*.o | grep -v -e act_ -e fma -e parallel_) \
      -o %s/hpp -lm >>%s/log 2>&1]]):format(folder, folder, folder, folder))
end

--- One defect (or none), by its own test or by the suite: 'killed', 'survived', 'skipped' or
--- 'broken', with a reason.
local function try(defect, test)
  assert(run(('rm -rf %s && mkdir -p %s/tree && cp -r generator templates runtime tests ffngen '
    .. 'LICENSE README.md %s/tree'):format(folder, folder, folder)))
  if defect then
    local ok, problem = put_in(defect)
    if not ok then return 'broken', problem end
  end
  if test then
    local log = folder .. '/test.log'
    if not run(('timeout 300 %s/tree/%s %s/test >%s 2>&1'):format(folder, test, folder, log)) then
      return 'killed'
    end
    -- A test that says nothing but that it lacks its tools.
    local lack = read(log):match('^(no [^\n]*): skipped\n$')
    if lack then return 'skipped', lack end
    return 'survived'
  end
  local of_wrapper = not defect or defect.file:match('%.hpp$')
  if not build() or (of_wrapper and not build_wrapper()) then
    return 'broken', 'it does not build: see ' .. folder .. '/log'
  end
  if of_wrapper and not run(('timeout 300 %s/hpp >%s/suite.log 2>&1'):format(folder, folder)) then
    return 'killed'
  end
  -- The activations' tests take longest and notice least, so they come last.
  for _, suites in ipairs { '!(activation)/*', 'activation/*' } do
    if not run(('timeout 300 %s/suite --fail-fast --filter "%s" >%s/suite.log 2>&1'):format(folder,
      suites, folder)) then
      return 'killed'
    end
  end
  return 'survived'
end

local baseline, problem = try(nil)
if baseline ~= 'survived' then
  print(('without any defect the suite fails: see %s (%s)'):format(folder, problem or 'suite.log'))
  os.exit(false)
end

local killed, tried, sound = 0, 0, {}
for _, defect in ipairs(dofile('tests/mutants/list.lua')) do
  if not only or defect.name:find(only, 1, true) then
    local result, reason
    if defect.test and not sound[defect.test] then
      sound[defect.test] = try(nil, defect.test) ~= 'killed'
    end
    if defect.test and not sound[defect.test] then
      result, reason = 'broken', defect.test .. ' fails without any defect'
    else
      result, reason = try(defect, defect.test)
    end
    if result ~= 'skipped' then tried = tried + 1 end
    if result == 'killed' then killed = killed + 1 end
    print(('%-9s %s%s'):format(result, defect.name, reason and ': ' .. reason or ''))
    io.stdout:flush()
  end
end
print(('%d of %d seeded defects killed'):format(killed, tried))
os.exit(killed == tried and tried > 0)
