--- The suite on the kernels of a tree: made, compiled, run. In two stages, of few layers and of
--- all; a defect that few layers notice is killed, others are tried on all. Each stage has a
--- baseline, made without any defect: what a defect leaves as it is there is not compiled again.
local layers = dofile('tests/mutants/layers.lua')
local tools = dofile('tests/mutants/tools.lua')
local run, read, write, lines_of = tools.run, tools.read, tools.write, tools.lines_of

local M = {}

--- Tests that need no more than the layers of specs.lua, in the order in which they are run: those
--- of activations (passes()) take longest and notice least.
local suites = {
  'alloc', 'api', 'bits', 'bound', 'descriptor', 'exact', 'formats', 'memory', 'misuse', 'modes',
  'special', 'threads', 'walks', 'windows', 'zeros',
  'traced', 'activation',
}
--- Tests of what headers hold, which have to be compiled with the defect.
local header_tests = { 'add', 'fma', 'parallel_pthreads', 'parallel_team', 'wide' }
local libraries = '-lmpfr -lgmp -lm -pthread'
local spec = 'tests/mutants/specs.lua'

M.stages = { 'few', 'all' }

---@param objects string  the folder of the suite's compiled tests, which no defect touches
---@param whole string  where baselines are
---@param folder string  of this process: its tree, and what it makes of it
function M.new(objects, whole, folder)
  return setmetatable({ objects = objects, whole = whole, folder = folder, names = {} },
    { __index = M })
end

function M:base(stage) return self.whole .. '/base_' .. stage end

--- Seconds that a run of the suite may take: eight times those without a defect, for a defect can
--- make a loop endless, and a busy machine takes longer.
function M:limit()
  return math.tointeger(tonumber(read(self.whole .. '/limit') or nil)) or 1800
end

--- Lets kernels of a folder run whose instructions this CPU lacks, if they have stand-ins.
---@param made string|nil  without one nothing is rewritten
---@return string flags  for the compiler; '' where the CPU lacks nothing, or too much
function M.stand_ins(made)
  return lines_of('tests/scripts/stand_in.sh ' .. (made or ''))[1] or ''
end

--- The intrinsics take longer to read than most kernels take to compile. And what stands in for
--- some of them.
function M:precompile()
  local header, flags = self.whole .. '/intrinsics.h', M.stand_ins()
  local stand_in = flags ~= '' and '#include "support/stand_in.h"\n' or ''
  write(header, '#if defined __x86_64__\n#include <immintrin.h>\n#endif\n' .. stand_in)
  assert(run('gcc -O1 -w %s -Itests -x c-header %s -o %s.gch', flags, header, header))
  local source = stand_in ~= '' and 'tests/support/stand_in.c' or '-x c /dev/null'
  assert(run('gcc -O1 -w %s -c %s -o %s/stand_in.o', flags, source, self.whole))
end

--- Whether a file that a compiler read for a baseline is the same here.
local function is_same(path, base, base_tree, made, tree)
  local here = path
  if path:sub(1, #base + 1) == base .. '/' then
    here = made .. path:sub(#base + 1)
  elseif path:sub(1, #base_tree + 1) == base_tree .. '/' then
    here = tree .. path:sub(#base_tree + 1)
  end
  if here == path then return true end
  local text = read(path)
  return text and text == read(here)
end

--- Compiles those files of `made` that are not the baseline's, or read what is not; the others'
--- objects are taken over.
function M:compile(made, baseline)
  local flags, changed, seen = M.stand_ins(made), {}, {}
  local function same(path)
    if seen[path] == nil then
      seen[path] = is_same(path, baseline, self.whole .. '/tree', made, self.folder .. '/tree')
        or false
    end
    return seen[path]
  end
  for _, path in ipairs(lines_of(('ls %s/*.c | grep -v selfcheck.c'):format(made))) do
    local object = baseline and ('%s/%s.o'):format(baseline, path:match('([^/]+)$'))
    local list = object and read(object .. '.d')
    local all_same = list ~= nil and list ~= false
    for word in (list or ''):gsub('^[^:]*:', ''):gmatch('[^%s\\]+') do
      all_same = all_same and same(word)
    end
    if all_same then
      assert(run('ln -f %s %s.o', object, path))
    else
      changed[#changed + 1] = path
    end
  end
  write(made .. '/changed', table.concat(changed, '\n'))
  return #changed == 0 or run([[
    xargs -a %s/changed -P %d -I {} sh -c 'gcc -O1 -w %s -include %s/intrinsics.h -I%s \
      -I%s/tree/runtime -Itests/support/plain -Itests -Itests/kernels -MMD -MF {}.o.d -c {} \
      -o {}.o' >>%s/log 2>&1]], made, baseline and 1 or 2, flags, self.whole, made,
    self.folder, self.folder)
end

--- Generates, compiles and links the suite for the tree. Returns nil where that fails.
---@param stage string
---@param baseline string|nil  a folder
function M:build(stage, made, baseline)
  local generate, log = self.folder .. '/tree/ffngen', self.folder .. '/log'
  local own_spec = ('%s/tree/%s'):format(self.folder, spec)
  local text = assert(read(own_spec))
  if stage == 'few' then
    -- Of the same name, which is written into kernels.
    own_spec = self.folder .. '/few/specs.lua'
    assert(run('mkdir -p %s/few', self.folder))
    write(own_spec, layers.part_of(text, layers.few))
  end
  if not run('%s generate %s --out %s >%s 2>&1', generate, own_spec, made, log) then return nil end
  if not run('%s activations --out %s >>%s 2>&1', generate, made, log) then return nil end
  -- Headers of the runtime that generated folders do not have.
  if not run('cp %s/tree/runtime/*.h* %s', self.folder, made) then return nil end
  for _, test in ipairs(header_tests) do
    if not run('cp tests/kernels/%s.c %s', test, made) then return nil end
  end
  if not self:compile(made, baseline) then return nil end
  local objects = { self.objects .. '/plain.o', self.objects .. '/oracle.o',
    self.whole .. '/stand_in.o' }
  for _, name in ipairs(suites) do
    objects[#objects + 1] = ('%s/%s.o'):format(self.objects, name)
  end
  return run('gcc %s %s/*.o %s/libtest.a -o %s/suite %s >>%s/log 2>&1',
    table.concat(objects, ' '), made, self.objects, made, libraries, self.folder)
end

--- Runs tests of the suite, in two processes, of which the first failure ends both; the
--- activations' last.
---@param suite string
---@param names string[]
---@param full string 'FULL=1' for every combination, or ''
function M:passes(suite, names, full)
  local rounds = { {}, {} }
  for _, name in ipairs(names) do
    local round = rounds[name == 'activation' and 2 or 1]
    round[#round + 1] = name .. '/'
  end
  for _, round in ipairs(rounds) do
    if #round > 0 and not run([[bash -c '
      exec 2>/dev/null # where bash tells of crashes
      for half in 1 2; do
        %s timeout %d %s --fail-fast $half/2 %s >%s/suite_$half.log 2>&1 &
      done
      wait -n && wait -n && exit
      kill $(jobs -p) 2>/dev/null
      wait
      exit 1']], full, self:limit(), suite, table.concat(round, ' '), self.folder) then
      return false
    end
  end
  return true
end

--- The tests of a stage: those that pass there without any defect.
function M:tests_of(stage)
  if self.names[stage] then return self.names[stage] end
  local names = {}
  for name in (read(self:base(stage) .. '/passing') or ''):gmatch('%S+') do
    names[#names + 1] = name
  end
  self.names[stage] = names
  return names
end

--- Makes the baselines, of the tree without any defect. Returns nil where all layers fail.
function M:make_baselines()
  self:precompile()
  local all = table.move(header_tests, 1, #header_tests, #suites + 1, { table.unpack(suites) })
  local base = self:base('all')
  if not self:build('all', base) then return nil end
  local began = os.time()
  if not self:passes(base .. '/suite', all, '') then return nil end
  write(self.whole .. '/limit', tostring(60 + 8 * (os.time() - began)))
  write(base .. '/passing', table.concat(all, ' '))
  -- Few layers are too few for some tests; those of activations have passed just now.
  local few, passing = self:base('few'), {}
  if not self:build('few', few, base) then return nil end
  for _, name in ipairs(all) do
    if name == 'activation' or run('timeout %d %s/suite --fail-fast %s/ >%s/suite_1.log 2>&1',
      self:limit(), few, name, self.folder) then
      passing[#passing + 1] = name
    end
  end
  write(few .. '/passing', table.concat(passing, ' '))
  return true
end

--- Which test failed, as it says itself; nil where it did not come to that.
function M:killer()
  for half = 1, 2 do
    local text = read(('%s/suite_%d.log'):format(self.folder, half)) or ''
    local file = text:match('FAILED [^\n:]*/([%w_]+)%.c:')
    if file then return file end
  end
end

--- The instruction sets that this CPU lacks.
---@return string[]
function M:lacked_sets()
  if self.lacked then return self.lacked end
  local made, program = self:base('all'), self.folder .. '/isas'
  write(program .. '.c', [[
#include "ffn.h"

#include <stdio.h>

int main(void) {
  for (int isa = 0; isa < FFN_ISA_COUNT; isa++)
    if (!(ffn_cpu() >> isa & 1))
      puts(ffn_isa_name((ffn_isa)isa));
}
]])
  assert(run('gcc %s -Itests -include %s/intrinsics.h -I%s %s.c %s/ffn.c %s/cpu.c %s/stand_in.o '
    .. '-o %s', M.stand_ins(), self.whole, made, program, made, made, self.whole, program))
  self.lacked = lines_of(program)
  return self.lacked
end

--- The instruction set whose own file a defect is in, where the CPU lacks it. Generator tests read
--- text, on any CPU.
---@param lacked string[]
---@return string|nil
function M.lacked_by(defect, lacked)
  local name = defect.test:match '%.sh' and defect.file:match '^generator/isa/([%w_]+)%.lua$'
  for _, each in ipairs(lacked) do
    if each == name then return each end
  end
end

--- What the CPU lacks to run any file that a defect changed, by name; nil where it can run one.
function M:lacking(made)
  local lacked
  for path in read(made .. '/changed'):gmatch('[^\n]+') do
    lacked = nil
    for _, name in ipairs(self:lacked_sets()) do
      local ending = ('_%s.c'):format(name)
      if path:sub(-#ending) == ending then lacked = name end
    end
    if not lacked then return nil end
  end
  return lacked
end

--- Compiles and runs the test of the wrapper for C++, which is no part of the suite.
function M:wrapper_passes(made)
  local no_kernels = '-e /act_ -e /' .. table.concat(header_tests, '.c -e /') .. '.c'
  local program = made .. '/hpp'
  if not run([[
    g++ -std=c++17 -I%s tests/kernels/hpp.cpp $(ls %s/*.o | grep -v %s) %s/stand_in.o -o %s -lm \
      >>%s/log 2>&1]], made, made, no_kernels, self.whole, program, self.folder) then
    return nil
  end
  return run('timeout 300 %s >%s/suite.log 2>&1', program, self.folder)
end

--- Whether the suite of all layers without any defect passes in its full form, too: asked when a
--- defect does not survive that alone.
function M:is_full_sound()
  if self.full_sound == nil then
    self.full_sound = self:passes(self:base('all') .. '/suite', self:tests_of('all'), 'FULL=1')
  end
  return self.full_sound
end

--- The tests of a stage for a tree. That of activations takes longest by far, and meets none of the
--- kernels: on few layers it is run where activations changed, on all of them always.
function M:tests_for(stage, made)
  if stage ~= 'few' then return self:tests_of(stage) end
  local names = {}
  local is_of_activations = (read(made .. '/changed') or ''):find('/act_', 1, true)
  for _, name in ipairs(self:tests_of(stage)) do
    if name ~= 'activation' or is_of_activations then names[#names + 1] = name end
  end
  return names
end

--- A stage, quickly: the test that killed the defect before, then all of them.
---@return string|nil result  nil where the stage says nothing
function M:try_stage(stage, defect, first)
  local made, base = self.folder .. '/made', self:base(stage)
  assert(run('rm -rf %s', made))
  if not self:build(stage, made, base) then
    return 'broken', 'it does not build: see ' .. self.folder .. '/log'
  end
  if defect.file:match('%.hpp$') then
    local passed = self:wrapper_passes(made)
    if passed == nil then return 'broken', 'hpp.cpp does not build' end
    if not passed then return 'killed', stage .. ' hpp' end
  elseif read(made .. '/changed') == '' then
    return nil
  end
  local names = self:tests_for(stage, made)
  for _, name in ipairs(names) do
    if name == first and not self:passes(made .. '/suite', { first }, '') then
      return 'killed', stage .. ' ' .. first
    end
  end
  if not self:passes(made .. '/suite', names, '') then
    local killer = self:killer()
    return 'killed', killer and stage .. ' ' .. killer or stage
  end
end

--- What the suite says of the tree: of few layers, of all, then, of what survives, in its full
--- form.
---@param hint string|nil  stage and test that killed the defect before
---@return string result, string|nil reason
function M:try(defect, hint)
  local stage_before, first = (hint or ''):match('^(%l+) ?([%w_]*)$')
  for _, stage in ipairs(M.stages) do
    local is_last = stage == M.stages[#M.stages]
    if is_last or stage_before ~= M.stages[#M.stages] then
      local result, reason = self:try_stage(stage, defect, first)
      if result then return result, reason end
    end
  end
  local made = self.folder .. '/made'
  if read(made .. '/changed') == '' then return 'survived', 'no layer of specs.lua meets it' end
  local lack = self:lacking(made)
  if lack then return 'skipped', 'its kernels are of ' .. lack .. ', which this CPU lacks' end
  if self:passes(made .. '/suite', self:tests_of('all'), 'FULL=1') then return 'survived' end
  if not self:is_full_sound() then return 'broken', 'the full suite fails without any defect' end
  return 'killed', 'all'
end

return M
