--- Seeded defects: is each noticed? A defect of list.lua is put into a copy of the project, kernels
--- are made from it, and the suite is run on them. A defect is killed when a test fails.
---
---   lua5.4 tests/mutants/run.lua SUITE_OBJECTS [WORD]     only defects whose name has WORD
---
--- Without a word a twentieth of them, whose turn it is (tests/turn); or all by MUTANTS=all.
---
--- SUITE_OBJECTS is the folder of the suite's compiled tests, which no defect touches. A defect
--- that the suite cannot meet names its test, a script, which runs in the copy instead. What a
--- defect does not change is not compiled again, and where it changes nothing but kernels that the
--- CPU cannot run, surviving says nothing: it is skipped. Exit status 1 where a defect survives,
--- cannot be put in, or a test fails without any.
---
--- Two processes share the work, each in a folder of its own; a third argument is for them.
local objects_folder, only, worker = arg[1], arg[2], arg[3]
if only == '' then only = nil end
local whole = 'build/mutants'
local folder = worker and whole .. '/' .. worker or whole
local base = whole .. '/base'
local workers = 2
local parts = 20
local turn = dofile('tests/support/turn.lua')

--- Tests that need no more than the layers of specs.lua, in the order in which they are run: those
--- of activations take longest and notice least.
local suites = {
  'alloc', 'bits', 'bound', 'descriptor', 'exact', 'formats', 'memory', 'misuse', 'modes',
  'special', 'threads', 'walks', 'zeros',
  'traced', 'activation',
}
--- Tests of what headers hold, which have to be compiled with the defect.
local header_tests = { 'add', 'fma', 'parallel_pthreads', 'parallel_team', 'wide' }
local libraries = '-lmpfr -lgmp -lm -pthread'

local function run(command, ...) return os.execute(command:format(...)) == true end

local function read(path)
  local handle = io.open(path, 'rb')
  local text = handle and handle:read('a')
  return handle and handle:close() and text
end

local write = dofile('tests/support/write.lua')

local lines_of = dofile('tests/support/lines_of.lua')

--- Replaces the one place where `find` stands; an error where there are none or several.
local function put_in(defect)
  local path = folder .. '/tree/' .. defect.file
  local text = assert(read(path), path .. ' is not there')
  local from, to = text:find(defect.find, 1, true)
  if not from then return nil, 'its text is not in ' .. defect.file end
  if text:find(defect.find, to + 1, true) then
    return nil, 'its text stands twice in ' .. defect.file
  end
  write(path, text:sub(1, from - 1) .. defect.put .. text:sub(to + 1))
  return true
end

--- Compiles those files of `made` that differ from the baseline's, all of them where a header does;
--- the others' objects are taken over.
local function compile(made, baseline)
  local function same(path, name)
    local before = baseline and read(baseline .. '/' .. name)
    return before and before == read(path)
  end
  local headers_same = true
  for _, path in ipairs(lines_of(('find %s -name "*.[hi]*"'):format(made))) do
    local name = path:match('([^/]+)$')
    headers_same = headers_same and same(path, name) ~= false
  end
  local changed = {}
  for _, path in ipairs(lines_of(('ls %s/*.c | grep -v selfcheck.c'):format(made))) do
    local name = path:match('([^/]+)$')
    if headers_same and same(path, name) then
      assert(run('ln %s/%s.o %s.o', baseline, name, path))
    else
      changed[#changed + 1] = path
    end
  end
  write(made .. '/changed', table.concat(changed, '\n'))
  return #changed == 0 or run([[
    xargs -a %s/changed -P 2 -I {} sh -c 'gcc -O1 -w -I%s -I%s/tree/runtime \
      -Itests/support/plain -Itests -Itests/kernels -c {} -o {}.o' >>%s/log 2>&1]], made, made,
    folder, folder)
end

--- Generates, compiles and links the suite for the tree. Returns nil where that fails.
local function build(made, baseline)
  local generate, log = folder .. '/tree/ffngen', folder .. '/log'
  if not run('%s generate tests/mutants/specs.lua --out %s >%s 2>&1', generate, made, log) then
    return nil
  end
  if not run('%s activations --out %s >>%s 2>&1', generate, made, log) then return nil end
  -- Headers of the runtime that generated folders do not have.
  if not run('cp %s/tree/runtime/*.h* %s', folder, made) then return nil end
  for _, test in ipairs(header_tests) do
    if not run('cp tests/kernels/%s.c %s', test, made) then return nil end
  end
  if not compile(made, baseline) then return nil end
  local objects = { objects_folder .. '/plain.o', objects_folder .. '/oracle.o' }
  for _, name in ipairs(suites) do
    objects[#objects + 1] = ('%s/%s.o'):format(objects_folder, name)
  end
  return run('gcc %s %s/*.o %s/libtest.a -o %s/suite %s >>%s/log 2>&1', table.concat(objects, ' '),
    made, objects_folder, made, libraries, folder)
end

--- Every instruction set by name, and whether the CPU can run it.
local function instruction_sets(made)
  local program = folder .. '/isas'
  write(program .. '.c', [[
#include "ffn.h"

#include <stdio.h>

int main(void) {
  for (int isa = 0; isa < FFN_ISA_COUNT; isa++)
    printf("%s %u\n", ffn_isa_name((ffn_isa)isa), ffn_cpu() >> isa & 1);
}
]])
  assert(run('gcc -I%s %s.c %s/ffn.c %s/cpu.c -o %s', made, program, made, made, program))
  local sets = {}
  for _, line in ipairs(lines_of(program)) do
    local name, runs = line:match('^(%w+) ([01])$')
    sets[name] = runs == '1'
  end
  return sets
end

--- What the CPU lacks to run any file that a defect changed, by name; nil where it can run one.
local function lacking(made, sets)
  local name
  for path in read(made .. '/changed'):gmatch('[^\n]+') do
    name = path:match('_(%w+)%.c$')
    if sets[name] ~= false then return nil end
  end
  return name
end

--- Compiles the test of the wrapper for C++, which is no part of the suite.
local function build_wrapper(made)
  local no_kernels = '-e /act_ -e /' .. table.concat(header_tests, '.c -e /') .. '.c'
  return run([[
    g++ -std=c++17 -I%s tests/kernels/hpp.cpp $(ls %s/*.o | grep -v %s) -o %s/hpp -lm \
      >>%s/log 2>&1]], made, made, no_kernels, folder, folder)
end

--- Runs the suite, in two processes, of which the first failure ends both; the activations' tests
--- last.
---@param suite string
---@param full string 'FULL=1' for every combination, or ''
local function passes(suite, full)
  local all = table.concat(suites, ' ', 1, #suites - 1) .. ' ' .. table.concat(header_tests, ' ')
  for _, names in ipairs { all, suites[#suites] } do
    if not run([[bash -c '
      exec 2>/dev/null # where bash tells of crashes
      for half in 1 2; do
        %s timeout 240 %s --fail-fast $half/2 %s >%s/suite_$half.log 2>&1 &
      done
      wait -n && wait -n && exit
      kill $(jobs -p) 2>/dev/null
      wait
      exit 1']], full, suite, names, folder) then
      return false
    end
  end
  return true
end

--- Whether the suite without any defect passes in its full form, too: asked when a defect does not
--- survive that alone.
local full_sound

--- What the suite says of a tree: quickly, then, to those that survive, in its full form.
local function try_suite(made, defect)
  if not passes(made .. '/suite', '') then return 'killed' end
  local lack = defect and lacking(made, instruction_sets(base))
  if lack then return 'skipped', 'its kernels are of ' .. lack .. ', which this CPU lacks' end
  if not defect or passes(made .. '/suite', 'FULL=1') then return 'survived' end
  if full_sound == nil then full_sound = passes(base .. '/suite', 'FULL=1') end
  if not full_sound then return 'broken', 'the full suite fails without any defect' end
  return 'killed'
end

--- A script of the copy, by itself, with all that takes turns elsewhere.
local function try_script(test)
  local log, interpreter = folder .. '/test.log', test:match('%.lua ') and 'lua5.4 ' or ''
  local own = interpreter == '' and ' ' .. folder .. '/test' or ''
  local command = interpreter .. folder .. '/tree/' .. test .. own
  if not run('TURNS=all timeout 900 %s >%s 2>&1', command, log) then
    return 'killed'
  end
  -- A test that says nothing but that it lacks its tools.
  local lack = read(log):match('^(no [^\n]*): skipped\n$')
  if lack then return 'skipped', lack end
  return 'survived'
end

--- One defect (or none), by its own test or by the suite: 'killed', 'survived', 'skipped' or
--- 'broken', with a reason.
local function try(defect, test)
  assert(run('rm -rf %s/tree %s/made %s/test && mkdir -p %s/tree && cp -r generator templates '
    .. 'runtime tests generated ffngen LICENSE README.md %s/tree', folder, folder, folder, folder,
    folder))
  if defect then
    local ok, problem = put_in(defect)
    if not ok then return 'broken', problem end
  end
  if test then return try_script(test) end
  local made = defect and folder .. '/made' or base
  local of_wrapper = not defect or defect.file:match('%.hpp$')
  if not build(made, defect and base) or of_wrapper and not build_wrapper(made) then
    return 'broken', 'it does not build: see ' .. folder .. '/log'
  end
  if defect and not of_wrapper and read(made .. '/changed') == '' then
    return 'survived', 'no layer of specs.lua meets it'
  end
  if of_wrapper and not run('timeout 300 %s/hpp >%s/suite.log 2>&1', folder, folder) then
    return 'killed'
  end
  return try_suite(made, defect)
end

--- The defects to try: by name, all, or those whose turn it is.
local function chosen()
  local all, list = dofile('tests/mutants/list.lua'), {}
  local part = not only and os.getenv('MUTANTS') ~= 'all' and turn(parts)
  for i, defect in ipairs(all) do
    local is_wanted = not only or defect.name:find(only, 1, true)
    if is_wanted and (not part or i % parts == part) then list[#list + 1] = defect end
  end
  return list, part
end

--- What a process takes at a time: a defect of the suite, or all of one test, which is tried
--- without any first. The longest come first.
---@return table[][]
local function units_of(list)
  local units, by_test = {}, {}
  for _, defect in ipairs(list) do
    local unit = defect.test and by_test[defect.test] or { at = #units }
    if #unit == 0 then units[#units + 1] = unit end
    if defect.test then by_test[defect.test] = unit end
    unit[#unit + 1] = defect
  end
  table.sort(units, function(a, b)
    if #a ~= #b then return #a > #b end
    return a.at < b.at
  end)
  return units
end

--- Tries what no other process has begun. Returns how many were killed, skipped, tried.
local function work(units)
  local killed, skipped, tried = 0, 0, 0
  for i, unit in ipairs(units) do
    local is_mine = run('mkdir %s/unit_%d 2>/dev/null', whole, i)
    local is_sound = is_mine and (not unit[1].test or try(nil, unit[1].test) ~= 'killed')
    for _, defect in ipairs(is_mine and unit or {}) do
      local result, reason = 'broken', 'its test fails without any defect'
      if is_sound then result, reason = try(defect, defect.test) end
      if result == 'skipped' then skipped = skipped + 1 else tried = tried + 1 end
      if result == 'killed' then killed = killed + 1 end
      print(('%-9s %s%s'):format(result, defect.name, reason and ': ' .. reason or ''))
      io.stdout:flush()
    end
  end
  return killed, skipped, tried
end

if worker then
  assert(run('mkdir -p %s', folder))
  write(folder .. '/counts', ('%d %d %d'):format(work(units_of(chosen()))))
  os.exit(true)
end

assert(run('rm -rf %s', folder))
local began = os.time()
if try(nil) ~= 'survived' then
  print(('without any defect the suite fails: see log and suite_*.log in %s/'):format(folder))
  os.exit(false)
end
local list, part = chosen()
if part then print(('part %d of %d: %d seeded defects'):format(part + 1, parts, #list)) end
io.stdout:flush()
local command = ''
for i = 1, workers do
  command = ("%s lua5.4 %s '%s' '%s' %d &"):format(command, arg[0], objects_folder, only or '', i)
end
assert(run('%s wait', command))
local killed, skipped, tried = 0, 0, 0
for i = 1, workers do
  local counts = assert(read(('%s/%d/counts'):format(folder, i)), 'a process of mine has failed')
  local a, b, c = counts:match('(%d+) (%d+) (%d+)')
  killed, skipped, tried = killed + a, skipped + b, tried + c
end
print(('%d of %d seeded defects killed, %d skipped, in %d s'):format(killed, tried, skipped,
  os.time() - began))
os.exit(killed == tried and tried > 0 and tried + skipped == #list)
