--- Tuning, as far as it can be tested without measuring: the CPU's name, candidates and verdicts,
--- records and their refusals, and what generation makes of them. tests/scripts/tune.sh does the
--- rest.
local unit = require 'luaunit'
local support = require 'support'
local kernel_code = require 'emit.kernel_code'
local candidates = require 'tune.candidates'
local machine = require 'tune.machine'
local cpus = require 'cpu'
local choice_names = require 'emit.choices'
local isas = require 'isa'
local lists = require 'common.list'
local pipeline = require 'pipeline'
local plan = require 'plan.plan'
local process = require 'tune.process'
local progress = require 'tune.progress'
local record_text = require 'tune.record_text'
local regimes = require 'tune.regimes'
local tuned = require 'tune.tuned'
local version = require 'common.version'

local spec_text = "ffn 'a' { variant = 'swiglu', d_model = 40, d_ff = 70 }\n"
  .. "linear 'b' { d_model = 9, d_out = 33, bias = true }\n"
local analytical = cpus.by_name.generic.choices
local kernel_name = 'ffn_swiglu_d40_f70_f32_c'

-- The CPU ----------------------------------------------------------------------------------------

TestCpu = {}

function TestCpu.test_names()
  for text, name in pairs {
    ['processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n'
      .. 'model name\t: Intel(R) Xeon(R) Gold 6430 CPU @ 2.10GHz\nstepping\t: 8\n\n'
      .. 'processor\t: 1\nmodel name\t: Another\n'] = 'intel-xeon-gold-6430-cpu-6-143-8',
    ['model name : AMD Ryzen 9 7950X 16-Core Processor\ncpu family : 25\nmodel : 97\nstepping : 2']
      = 'amd-ryzen-9-7950x-16-core-processor-25-97-2',
    ['processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n'
      .. 'CPU part\t: 0xd0c\nCPU revision\t: 1\n'] = '0x41-0xd0c-0x3-1',
    ['model name : Lonely'] = 'lonely',
  } do
    unit.assertEquals(machine.name_in(text), name)
    unit.assertTrue(machine.is_name(name))
  end
  unit.assertNil(machine.name_in('processor : 0\nmodel : 5\n'))
  unit.assertNil(machine.name_in(''))
  for _, word in ipairs { '', 'a b', 'a/b', '*/', 'a\n' } do
    unit.assertFalse(machine.is_name(word), word)
  end
  unit.assertFalse(machine.is_name(nil))
end

-- Candidates -------------------------------------------------------------------------------------

TestCandidates = {}

local function text_of(choices) return choice_names.all_text(choices) end

--- From each profile: every choice is tried, alone or with those that it suits; what acts in
--- another regime is as it was.
function TestCandidates.test_all()
  for _, profile in ipairs(cpus.all) do
    local own = profile.choices
    local list = candidates.all(own, text_of, 0)
    -- A layer is near or far, so one of these has the text of another and is not built.
    unit.assertTrue(#list <= 30, ('%s: a kernel takes too long to build'):format(profile.name))
    unit.assertEquals(list[1].regime, '')
    unit.assertEquals(candidates.text(list[1].choices, own), "the plan's own choices")
    local tried = {}
    for i = 2, #list do
      local changed, of_regime = 0, nil
      for _, regime in ipairs(regimes.all) do
        if regime.name == list[i].regime then of_regime = regime end
      end
      for _, field in ipairs(candidates.fields) do
        unit.assertEquals(math.type(list[i].choices[field]), 'integer')
        if list[i].choices[field] ~= own[field] then
          changed, tried[field] = changed + 1, true
          unit.assertTrue(lists.has(of_regime.fields, field), field)
        end
      end
      unit.assertTrue(changed == 1 or changed <= #of_regime.together)
      unit.assertEquals(list[i].text, text_of(list[i].choices))
    end
    unit.assertEquals(support.keys(tried), candidates.fields)
  end
end

--- What any profile reads at run time is among the candidates from any other: tuning from the wrong
--- profile can find the right one.
function TestCandidates.test_from_one_profile_to_another()
  for _, from in ipairs(cpus.all) do
    local list = candidates.all(from.choices, text_of, 0)
    for _, to in ipairs(cpus.all) do
      local found = { decode = false, batch = false }
      for i, c in ipairs(list) do
        local decodes = c.choices.few_ahead == to.choices.few_ahead
          and c.choices.few_rows == to.choices.few_rows
          and c.choices.streams == to.choices.streams
        found.decode = found.decode or decodes and (i == 1 or c.regime == 'decode')
        found.batch = found.batch or c.choices.fetch_ahead == to.choices.fetch_ahead
          and c.choices.fetch_level == to.choices.fetch_level
          and (i == 1 or c.regime == 'batch')
      end
      unit.assertEquals(found, { decode = true, batch = true }, from.name .. ' to ' .. to.name)
    end
  end
end

--- Choices that change nothing in the C are not measured.
function TestCandidates.test_same_text_once()
  local list = candidates.all(analytical, function(c) return ('%d'):format(c.sum_bytes) end, 0)
  unit.assertEquals(#list, 3)
  unit.assertEquals(#candidates.all(analytical, function() return 'always this' end, 0), 1)
end

--- A kernel is measured at no more tokens than it takes, and at as many; what acts at more rows is
--- not tried.
function TestCandidates.test_few_tokens()
  local function tokens(max_tokens)
    local all = lists.append({ table.unpack(regimes.all) }, { regimes.final })
    return lists.map(all, function(regime)
      return table.concat(regimes.tokens(regime, max_tokens), ' ')
    end)
  end
  unit.assertEquals(tokens(0), { '1 4', '8 16 64', '64 256', '1 4 16 64 256' })
  unit.assertEquals(tokens(1), { '1', '', '', '1' })
  unit.assertEquals(tokens(4), { '1 4', '', '', '1 4' })
  unit.assertEquals(tokens(8), { '1 4', '8', '8', '1 4 8' })
  unit.assertEquals(tokens(64), { '1 4', '8 16 64', '64', '1 4 16 64' })
  unit.assertEquals(tokens(300), tokens(0))
  for i, candidate in ipairs(candidates.all(analytical, text_of, 4)) do
    unit.assertEquals(candidate.regime, i > 1 and 'decode' or '')
  end
end

--- Every choice acts in one regime, and every regime is measured with few tokens first.
function TestCandidates.test_regimes()
  local fields = {}
  for _, regime in ipairs(regimes.all) do
    for _, field in ipairs(regime.fields) do fields[#fields + 1] = field end
    unit.assertTrue(not regime.together or #regime.fields > 1)
  end
  table.sort(fields)
  unit.assertEquals(fields, candidates.fields)
  unit.assertEquals(lists.map(regimes.cells(regimes.all[1], { 1, 2 }, 0), regimes.cell_text), {
    '1 cold 1', '1 hot 1', '1 cold 2', '1 hot 2', '4 cold 1', '4 hot 1', '4 cold 2', '4 hot 2',
  })
  unit.assertEquals(regimes.final.tokens, { 1, 4, 16, 64, 256 })
end

--- The page has the tokens of each regime, and the numbers that act there.
function TestCandidates.test_page()
  local text = support.read(support.root .. '/generator/tune/README.md')
  for _, regime in ipairs(lists.append({ table.unpack(regimes.all) }, { regimes.final })) do
    support.assert_has(text, ('\n| `%s` | %s | %s'):format(regime.name,
      table.concat(regime.tokens, ', '), #regime.fields > 0
        and ('`%s` |\n'):format(table.concat(regime.fields, '`, `')) or ''), regime.name)
  end
end

function TestCandidates.test_verdicts()
  local quiet = { 1, 1 }
  unit.assertTrue(candidates.wins({ 0.9, 0.9 }, { 0.9, 0.9 }, quiet))
  unit.assertTrue(candidates.wins({ 0.9, 1.02 }, { 0.9, 1.02 }, quiet))
  unit.assertFalse(candidates.wins({ 0.5, 1.031 }, { 0.5, 1.031 }, quiet))
  unit.assertFalse(candidates.wins({ 0.985, 0.985 }, { 0.985, 0.985 }, quiet))
  -- A cell where the same code differs from itself by more says nothing of a small loss.
  unit.assertTrue(candidates.wins({ 0.8, 1.09 }, { 0.8, 1.09 }, { 1.1, 0.9 }))
  unit.assertFalse(candidates.wins({ 0.8, 1.1 }, { 0.8, 1.1 }, { 1.09, 0.92 }))
  -- Where the same code seems 3 % faster or slower than itself, nobody wins.
  unit.assertFalse(candidates.wins({ 0.5, 0.5 }, { 0.5, 0.5 }, { 0.97, 0.97 }))
  unit.assertFalse(candidates.wins({ 0.5, 0.5 }, { 0.5, 0.5 }, { 1.03, 1.03 }))
  unit.assertAlmostEquals(candidates.mean { 0.5, 0.98 }, 0.7, 1e-9)
  -- Together: a small gain is one, where it is more than the noise.
  unit.assertTrue(candidates.holds({ 0.99, 0.995 }, { 0.99, 0.995 }, { 1.005, 1 }))
  unit.assertFalse(candidates.holds({ 0.99, 0.995 }, { 0.99, 0.995 }, { 1.02, 1 }))
  unit.assertFalse(candidates.holds({ 0.99, 0.995 }, { 0.99, 0.995 }, { 0.98, 1 }))
  unit.assertFalse(candidates.holds({ 0.5, 1.031 }, { 0.5, 1.031 }, quiet))
  -- A loss that is not sure is none.
  unit.assertTrue(candidates.wins({ 0.9, 1.05 }, { 0.88, 1.02 }, quiet))
  unit.assertTrue(candidates.holds({ 0.9, 1.05 }, { 0.88, 1.02 }, quiet))
  unit.assertFalse(candidates.wins({ 1.05, 0.95 }, { 0.9, 0.9 }, quiet))
  -- What loses anywhere stands behind what does not.
  unit.assertTrue(candidates.score { 0.8, 1.2 } > candidates.score { 0.99, 0.99 })
  unit.assertTrue(candidates.score { 0.9, 0.9 } < candidates.score { 0.95, 0.95 })
end

function TestCandidates.test_together()
  local own = cpus.by_name.intel.choices
  local c = candidates.together({
    { choices = candidates.choices({ few_ahead = 0, streams = 4 }, own) },
    { choices = candidates.choices({ fetch_ahead = 1024 }, own) },
  }, own)
  unit.assertEquals(candidates.text(c, own), 'fetch_ahead = 1024, few_ahead = 0, streams = 4')
end

function TestCandidates.test_progress()
  unit.assertEquals(progress.text(0, 125, 'a'), '[........................] 2:05 left  a')
  unit.assertEquals(progress.text(0.5, 59, 'b'), '[############............] 0:59 left  b')
  unit.assertEquals(progress.text(7, 0, 'c'), '[########################] 0:00 left  c')
end

function TestCandidates.test_interrupts()
  unit.assertTrue(process.is_interrupt(process.interrupted))
  unit.assertTrue(process.is_interrupt('generator/tune.lua:7: interrupted!'))
  unit.assertFalse(process.is_interrupt('something else'))
  unit.assertFalse(process.is_interrupt({}))
  unit.assertErrorMsgEquals(process.interrupted, process.lines, 'kill -INT $$', print)
  unit.assertErrorMsgEquals(process.interrupted, process.lines, 'exit 130', print)
  unit.assertFalse(process.lines('exit 3', print))
end

function TestCandidates.test_writable()
  local folder = support.folder()
  unit.assertTrue(process.is_writable(folder .. "/new folder/it's a file"))
  unit.assertTrue(process.is_writable('no such file here'))
  support.write(folder .. '/file', '')
  unit.assertTrue(process.is_writable(folder .. '/file'))
  unit.assertFalse(process.is_writable(folder .. '/file/record.lua'))
  unit.assertFalse(process.is_writable(folder .. '/file/deeper/record.lua'))
  unit.assertFalse(process.is_writable(folder))
end

--- The numbers of threads that tune takes are those whose cells the measuring program holds.
function TestCandidates.test_counts_of_threads()
  local most = support.read(support.root .. '/generator/tune/measure.c'):match('CELLS_MOST = (%d+)')
  local function tune(list)
    return support.ffngen { 'tune', support.root .. '/no.lua', '--threads', list }
  end
  local counts = {}
  while #counts < 6 do counts[#counts + 1] = #counts + 1 end
  unit.assertTrue(#regimes.cells(regimes.final, counts, 0) <= math.tointeger(tonumber(most)))
  support.assert_code(tune(table.concat(counts, ',')), 4, 'no such spec')
  local outcome = tune(table.concat(counts, ',') .. ',7')
  support.assert_code(outcome, 2, 'too many')
  support.assert_has(outcome.err, 'these are 7 numbers of threads: give at most 6', '7')
end

--- A kernel that notes how many threads it is lent, at cells of several numbers of them.
local lending = [[
#include "subjects.h"
#include <stdio.h>
static size_t lent;
static void pack(void *packed, const ffn_weights *weights) { (void)packed, (void)weights; }
static void run(const ffn_kernel *kernel, const ffn_call *call) {
  (void)kernel;
  lent = call->parallel ? call->parallel->threads : 1;
}
int main(void) {
  static const ffn_stage stage = {.inputs = 1, .outputs = 1, .matrix = {FFN_MATRIX_CHAIN}};
  static const ffn_kernel kernel = {.inputs = 1, .outputs = 1, .stage_count = 1, .stages = &stage,
    .packed_bytes = 64, .work_rows = 1, .work_row_bytes = 64, .pack = pack, .run = run};
  subjects set = {.kernels = {&kernel}, .count = 1};
  open_subjects(&set, 1, 4, 0);
  for (size_t threads = 1; threads <= 4; threads++) {
    const cell c = {1, threads, 0, 1, 0};
    time_calls(&set, &kernel, &c, 1);
    printf("%zu ", lent);
  }
  close_subjects(&set);
}
]]

--- A cell has its own number of threads, whatever others have.
function TestCandidates.test_threads_of_cells()
  local folder, root = support.folder(), support.root
  support.write(folder .. '/main.c', lending)
  support.assert_code(support.run({ 'gcc', '-O1', '-pthread', '-I' .. root .. '/generator/tune',
    '-I' .. root .. '/runtime', '-I' .. root .. '/generated', 'main.c',
    root .. '/generator/tune/subjects.c', root .. '/runtime/ffn.c', '-lm', '-o', 'main' },
    { dir = folder }), 0, 'gcc')
  unit.assertEquals(support.run({ './main' }, { dir = folder }).out:match('%d[%d ]*%d'), '1 2 3 4')
end

-- Records ----------------------------------------------------------------------------------------

TestRecords = {}

--- What a record says of the kernel's C, as this generator writes it.
local function code_of(choices)
  local path = support.folder() .. '/my.lua'
  support.write(path, spec_text)
  local wanted = pipeline.lower(pipeline.read { path }, { 'c' })
  for _, kernel in ipairs(wanted) do
    if kernel.name == kernel_name then
      return kernel_code.code(support.root .. '/', plan.plan(kernel.layer, isas.by_name.c, choices))
    end
  end
end

--- A record as tune makes it: one kernel measured, some choices better.
local function example(changes)
  local choices = candidates.choices(changes or { rows_per_walk = 56, stream_rows = 8 })
  local function run(name, list)
    local rows = {}
    for i, c in ipairs(list) do
      rows[i] = { choices = c, ratios = { 1, 0.91234 }, mean = 0.95, verdict = 'wins', rounds = 7 }
    end
    return { name = name, cells = { '1 cold 1', '1 hot 2' }, candidates = rows }
  end
  return {
    cpu = 'test-cpu-1',
    kernels = { {
      name = kernel_name, code = code_of(choices), compiler = 'cc "quoted" 1.0', choices = choices,
      from = 'zen4', untried = 2,
      regimes = { run('prefill', { candidates.choices {}, choices }), run('all', { choices }) },
    } },
  }
end

local function write_record(text)
  local folder = support.folder()
  support.write(folder .. '/record.lua', text)
  support.write(folder .. '/my.lua', spec_text)
  return folder, folder .. '/record.lua'
end

function TestRecords.test_there_and_back()
  local r = example()
  local text = record_text.of(r)
  local _, path = write_record(text)
  local back = tuned.read(path)
  unit.assertEquals(back.cpu, r.cpu)
  unit.assertEquals(back.by_name[kernel_name].choices.rows_per_walk, 56)
  unit.assertEquals(back.by_name[kernel_name].choices.stream_rows, 8)
  unit.assertEquals(back.by_name[kernel_name].choices.sum_bytes, analytical.sum_bytes)
  unit.assertEquals(record_text.of { cpu = back.cpu, kernels = back.kernels }, text)
  unit.assertTrue(tuned.is_current(path))
  unit.assertEquals(back.kernels[1].from, 'zen4')
  unit.assertEquals(back.kernels[1].untried, 2)
  unit.assertEquals(lists.map(back.kernels[1].regimes, function(run) return run.name end),
    { 'prefill', 'all' })
  unit.assertEquals(back.kernels[1].regimes[1].candidates[2].rounds, 7)
  r.kernels[1].regimes = {} -- the time held none
  _, path = write_record(record_text.of(r))
  unit.assertEquals(tuned.read(path).kernels[1].regimes, {})
  for line in text:gmatch('[^\n]+') do unit.assertTrue(#line <= 100, line) end
end

--- A record of another version is measured anew; what is none is not written over.
function TestRecords.test_of_others()
  local _, path = write_record("return { schema = 1, generator = '0.0.0' }")
  unit.assertFalse(tuned.is_current(path))
  for _, text in ipairs {
    "return { window = 'wide' }", 'return { schema = 1 }', "return { generator = '0.1.0' }",
  } do
    local folder
    folder, path = write_record(text)
    local outcome = support.ffngen({ 'tune', 'my.lua', '--tuned-for', 'a', '--budget', '1',
      '--out', 'record.lua' }, { dir = folder })
    support.assert_code(outcome, 4, text)
    support.assert_has(outcome.err, 'record.lua: this file is not a record of ffngen tune; choose '
      .. 'another file with --out', text)
    unit.assertEquals(support.read(path), text)
  end
end

--- The largest choices still fit a line of the record.
function TestRecords.test_long_lines()
  local changes = {}
  for _, field in ipairs(candidates.fields) do changes[field] = 1 << 26 end
  local r = example(changes)
  for i = 1, 40 do
    local run = r.kernels[1].regimes[1]
    run.cells[i], run.candidates[1].ratios[i] = '1024 cold 128', 10.5
    run.candidates[2].ratios[i] = 1.25
  end
  local text = record_text.of(r)
  for line in text:gmatch('[^\n]+') do unit.assertTrue(#line <= 100, line) end
  local _, path = write_record(text)
  unit.assertEquals(#tuned.read(path).kernels[1].regimes[1].cells, 40)
end

--- A record holds whatever is tried, from any profile.
function TestRecords.test_candidates()
  for _, profile in ipairs(cpus.all) do
    for _, regime in ipairs(regimes.all) do
      for _, changes in ipairs(regimes.changes(regime, profile.choices)) do
        local _, path = write_record(record_text.of(example(changes)))
        local ok, problem = pcall(tuned.read, path)
        unit.assertTrue(ok, ('%s: %s'):format(profile.name, problem))
      end
    end
  end
end

function TestRecords.test_merged()
  local function names(list)
    local result = {}
    for i, k in ipairs(list) do result[i] = k.name .. k.compiler end
    return table.concat(result, ' ')
  end
  local function kernel(name, compiler, runs)
    return { name = name, compiler = compiler, regimes = runs or { {} } }
  end
  local old = { kernel('a', 1), kernel('b', 1), kernel('c', 1) }
  local new = { kernel('d', 2), kernel('c', 2), kernel('b', 2, {}) } -- the time held no b
  unit.assertEquals(names(tuned.merged(old, new)), 'a1 b1 c2 d2')
  unit.assertEquals(names(tuned.merged({}, new)), 'b2 c2 d2')
end

--- Each mistake is refused with its place and what to do; generation writes nothing then.
function TestRecords.test_refusals()
  local text = record_text.of(example())
  for _, case in ipairs {
    { "generator = '" .. version.generator, "generator = '0.0.1",
      ('the record is of ffngen 0.0.1, and this is %s'):format(version.generator) },
    { 'schema = 4', 'schema = 2', 'the record has schema 2, and ffngen ' .. version.generator },
    { "code = '", "code = '0", kernel_name .. ' has other code than when' },
    { "code = '", "code = 'x", 'kernels[1].code is "x' },
    { "cpu = 'test-cpu-1'", "cpu = 'other'", 'is of the CPU other, and the CPU asked for is '
      .. 'test-cpu-1' },
    { "cpu = 'test-cpu-1'", "cpu = 'a */ b'", 'cpu is "a */ b", which it cannot be' },
    { 'schema = 4', 'schema = 4, colour = 2', 'the record: unknown field "colour"' },
    { "compiler =", 'compilr =',
      'kernels[1]: unknown field "compilr" (did you mean "compiler"?)' },
    { 'stream_rows = 8', 'stream_rows = "8"',
      'kernels[1].choices: stream_rows must be an integer of at least 1' },
    { 'stream_rows = 8', 'stream_rows = 8.0', 'must be an integer' },
    { 'stream_rows = 8', 'stream_rows = 0', 'must be an integer' },
    { 'stream_rows = 8', 'stream_rows = 1 << 40', 'must be an integer' },
    { 'stream_rows = 8, ', '', 'kernels[1].choices: the field "stream_rows" is missing' },
    { 'stream_rows = 8', 'steam_rows = 8',
      'kernels[1].choices: unknown field "steam_rows" (did you mean "stream_rows"?)' },
    { 'stream_rows = 8', 'stream_rows = 8, stream_row = 8', '(did you mean "stream_rows"?)' },
    { "name = '" .. kernel_name, "name = 'x y", 'kernels[1].name is "x y' },
    { "'1 cold 1'", '1', 'kernels[1].regimes[1].cells[1] must be a string, not a number' },
    { "'1 cold 1'", "'1 cold'", 'kernels[1].regimes[1].cells[1] is "1 cold", which it cannot be' },
    { "'1 cold 1', ", '', 'kernels[1].regimes[1].candidates[1].ratios has 2 numbers for 1 cells' },
    { "name = 'prefill'", "name = 'prefil'", 'unknown name "prefil" (did you mean "prefill"?)' },
    { 'rounds = 7', 'rounds = 0', 'rounds must be an integer from 1' },
    { "from = 'zen4'", "from = ''", 'kernels[1].from is "", which it cannot be' },
    { 'untried = 2', 'untried = -1', 'kernels[1].untried must be an integer from 0' },
    { "verdict = 'wins'", "verdict = 'won'", 'unknown verdict "won" (did you mean "wins"?)' },
    { "verdict = 'wins'", 'verdict = 1', 'verdict must be one of ' },
    { '1.000, 0.912', '1.000, -1', 'ratios[2] must be above 0' },
    { '1.000, 0.912', '1.000, 0/0', 'ratios[2] must be above 0' },
    { 'candidates = {', 'candidates = { [7] = 1,', 'candidates is a list without "7"' },
    { 'regimes = {', 'regime = 1, regimes = {', 'kernels[1]: unknown field "regime"' },
    { 'return {', 'return { {', "record.lua:64: '}' expected" },
    { 'return {', 'return function() end, {', 'returns no table' },
    { 'return {', 'while true do end return {', 'record.lua:5: it runs too long' },
    { 'return {', 'os.remove "x" return {', 'record.lua:5: ' },
    { text, '', 'returns no table' },
  } do
    local at = assert(text:find(case[1], 1, true), case[1])
    local broken = text:sub(1, at - 1) .. case[2] .. text:sub(at + #case[1])
    local folder = write_record(broken)
    local before = support.snapshot(folder)
    local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--tuned', 'record.lua',
      '--tuned-for', 'test-cpu-1' }, { dir = folder })
    support.assert_code(result, 4, case[2])
    support.assert_has(result.err, case[3], case[2])
    support.assert_has(result.err, 'record.lua:', case[2])
    support.assert_has(result.err, 'ffngen tune', case[2] .. ': the remedy')
    support.assert_lacks(result.err, 'traceback', case[2])
    support.assert_same(support.snapshot(folder), before, case[2])
  end
end

--- Paths that are no record.
function TestRecords.test_paths()
  local folder = write_record(record_text.of(example()))
  for path, reason in pairs {
    ['none.lua'] = 'none.lua: there is no record here', ['.'] = '.: cannot be read: Is a directory',
    ['/dev/zero'] = '/dev/zero: cannot be read: Is a device, not a file',
  } do
    local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--tuned', path,
      '--tuned-for', 'test-cpu-1' }, { dir = folder, before = 'ulimit -v 200000;' })
    support.assert_code(result, 4, path)
    support.assert_has(result.err, reason, path)
    unit.assertFalse(support.exists(folder .. '/out'), path)
  end
end

-- Generation -------------------------------------------------------------------------------------

TestTuned = {}

local function generate(folder, ...)
  return support.ffngen({ 'generate', 'my.lua', '--out', 'out', ... }, { dir = folder })
end

--- The record's choices are in the kernel that it names, and nowhere else.
function TestTuned.test_choices_reach_the_plan()
  local folder = write_record(record_text.of(example()))
  support.assert_code(generate(folder), 0, 'untuned')
  local before = support.snapshot(folder .. '/out')
  local result = generate(folder, '--tuned', 'record.lua', '--tuned-for', 'test-cpu-1')
  support.assert_code(result, 0, 'tuned')
  support.assert_has(result.err, '1 of 10 kernels have a measurement of test-cpu-1, and 1 of them '
    .. 'have other settings',
    'tuned')
  local after = support.snapshot(folder .. '/out')
  for path, text in pairs(after) do
    -- The self-check calls it with the rows of other tiles.
    local is_changed = path == kernel_name .. '.c' or path == 'kernels.inc'
    unit.assertEquals(text ~= before[path], is_changed, path)
  end
  support.assert_has(after[kernel_name .. '.c'],
    '\n * Choices    for test-cpu-1: rows_per_walk = 56, stream_rows = 8\n', 'header')
  support.assert_has(after[kernel_name .. '.c'], ' GATE_UP_STREAM_ROWS = 8,', 'stream_rows')
  support.assert_has(after[kernel_name .. '.c'], '\n * Walk       54 rows', 'rows_per_walk')
  -- The same once more, and back.
  support.assert_has(generate(folder, '--tuned', 'record.lua', '--tuned-for', 'test-cpu-1').err,
    ', 0 changed', 'again')
  support.assert_code(generate(folder), 0, 'untuned')
  support.assert_same(support.snapshot(folder .. '/out'), before, 'untuned again')
end

--- A vendored folder takes a record as generation does, and its page makes the same folder again.
function TestTuned.test_vendored()
  local folder = write_record(record_text.of(example()))
  local function vendor(dir, ...) return support.ffngen({ 'vendor', ... }, { dir = dir }) end
  support.assert_code(vendor(folder, 'my.lua', '--layer', 'a', '--out', 'out'), 0, 'untuned')
  local before = support.snapshot(folder .. '/out')
  local asked = { 'my.lua', '--layer', 'a', '--out', 'out', '--tuned', 'record.lua', '--tuned-for',
    'test-cpu-1' }
  local result = vendor(folder, table.unpack(asked))
  support.assert_code(result, 0, 'tuned')
  support.assert_has(result.err, 'have a measurement of test-cpu-1, and 1 of them have other '
    .. 'settings', 'tuned')
  local after = support.snapshot(folder .. '/out')
  for path, text in pairs(after) do
    local is_changed = path == kernel_name .. '.c' or path == 'README.md'
      or path == 'ffn_selfcheck.c' -- which calls it with the rows of other tiles
    unit.assertEquals(text ~= before[path], is_changed, path)
  end
  support.assert_has(after[kernel_name .. '.c'], ' GATE_UP_STREAM_ROWS = 8,', 'stream_rows')
  support.assert_has(after['README.md'], 'ffngen vendor ../my.lua --layer a --tuned ../record.lua '
    .. '--tuned-for test-cpu-1 --out .', 'the command')
  support.assert_code(vendor(folder .. '/out', '../my.lua', '--layer', 'a', '--tuned',
    '../record.lua', '--tuned-for', 'test-cpu-1', '--out', '.', '--check'), 0, 'the command')
  result = vendor(folder, 'my.lua', '--layer', 'b', '--out', 'none', '--tuned', 'record.lua',
    '--tuned-for', 'test-cpu-1')
  support.assert_code(result, 4, 'nothing measured')
  support.assert_has(result.err, 'the record of test-cpu-1 has no kernel of these specs', 'nothing')
  unit.assertFalse(support.exists(folder .. '/none'))
end

--- Where no candidate was better, a kernel is what it is without a record.
function TestTuned.test_nothing_better()
  local folder = write_record(record_text.of(example {}))
  support.assert_code(generate(folder), 0, 'untuned')
  local before = support.snapshot(folder .. '/out')
  local result = generate(folder, '--tuned', 'record.lua', '--tuned-for', 'test-cpu-1')
  support.assert_has(result.err, '1 of 10 kernels have a measurement of test-cpu-1, and 0 of '
    .. 'them', 'tuned')
  support.assert_same(support.snapshot(folder .. '/out'), before, 'tuned')
end

function TestTuned.test_explain()
  local folder = write_record(record_text.of(example()))
  local function explain(...)
    local result = support.ffngen({ 'explain', kernel_name, 'my.lua', ... }, { dir = folder })
    support.assert_code(result, 0, 'explain')
    return result.out
  end
  local untuned = ('choices: %s\n'):format(choice_names.all_text(analytical))
  support.assert_has(explain(), untuned, 'untuned')
  support.assert_has(explain('--tuned', 'record.lua', '--tuned-for', 'test-cpu-1'),
    'rows_per_walk 56, stream_rows 8, streams 4, sum_bytes 524288, measured on test-cpu-1\n',
    'tuned')
end

--- A record of this machine's CPU is used without saying its name; one of another is refused.
function TestTuned.test_this_cpu()
  local here = machine.here()
  unit.skipIf(not here, 'this system does not say which CPU it has')
  local r = example()
  local folder = write_record(record_text.of(r))
  local result = generate(folder, '--tuned', 'record.lua')
  support.assert_code(result, 4, 'another CPU')
  support.assert_has(result.err, 'record.lua: the record is of the CPU test-cpu-1, and this CPU '
    .. 'is ' .. here,
    'another CPU')
  support.assert_has(result.err, '--tuned-for test-cpu-1', 'another CPU: the remedy')
  r.cpu = here
  folder = write_record(record_text.of(r))
  support.assert_code(generate(folder, '--tuned', 'record.lua'), 0, 'this CPU')
  -- Nothing of the record fits.
  support.write(folder .. '/my.lua', "linear 'b' { d_model = 9, d_out = 33 }")
  result = generate(folder, '--tuned', 'record.lua')
  support.assert_code(result, 4, 'no kernel')
  support.assert_has(result.err, 'has no kernel of these specs', 'no kernel')
end

--- The project's own records: found by the CPU's name, missed with a remedy, never taken unasked.
function TestTuned.test_auto()
  local copy = support.copy_project('tuned project')
  local function ffngen(...)
    return support.run({ copy .. '/ffngen', ... }, { dir = copy })
  end
  support.write(copy .. '/my.lua', spec_text)
  local words = { 'generate', 'my.lua', '--out', 'out', '--tuned', 'auto', '--tuned-for',
    'test-cpu-1' }
  local result = ffngen(table.unpack(words))
  support.assert_code(result, 4, 'no record')
  support.assert_has(result.err,
    'generator/tuned/test-cpu-1.lua: there is no record here; measure here: ffngen tune', 'no '
      .. 'record')
  support.sh('mkdir -p', copy .. '/generator/tuned')
  local r = example()
  support.write(copy .. '/generator/tuned/test-cpu-1.lua', record_text.of(r))
  support.assert_code(ffngen(table.unpack(words)), 0, 'a record')
  support.assert_has(support.read(copy .. '/out/' .. kernel_name .. '.c'), 'Choices ', 'a record')
  r.cpu = machine.here() or 'unknown'
  support.write(copy .. '/generator/tuned/' .. r.cpu .. '.lua', record_text.of(r))
  support.assert_code(ffngen('generate', 'my.lua', '--out', 'out'), 0, 'unasked')
  support.assert_lacks(support.read(copy .. '/out/' .. kernel_name .. '.c'), 'Choices ', 'unasked')
  support.assert_code(ffngen('check'), 0, 'generated/ is made without records')
end

--- Another template, and what was measured is not what is written: no verb takes the record.
function TestTuned.test_other_templates()
  local copy = support.copy_project('another template')
  support.write(copy .. '/my.lua', spec_text)
  support.write(copy .. '/record.lua', record_text.of(example()))
  local template = copy .. '/templates/kernel/rows.c.tpl'
  support.write(template, support.read(template) .. '/* Another. */\n')
  for _, verb in ipairs {
    { 'generate', 'my.lua', '--out', 'out' }, { 'vendor', 'my.lua', '--out', 'out' },
    { 'explain', 'a', 'my.lua' },
  } do
    local words = { copy .. '/ffngen', table.unpack(verb) }
    local result = support.run(words, { dir = copy })
    support.assert_code(result, 0, verb[1] .. ' without the record')
    support.sh('rm -rf', copy .. '/out')
    for _, word in ipairs { '--tuned', 'record.lua', '--tuned-for', 'test-cpu-1' } do
      words[#words + 1] = word
    end
    result = support.run(words, { dir = copy })
    support.assert_code(result, 4, verb[1])
    support.assert_has(result.err, 'record.lua: ' .. kernel_name .. ' has other code than when',
      verb[1])
    unit.assertFalse(support.exists(copy .. '/out'), verb[1])
  end
end
