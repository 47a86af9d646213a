--- Tuning, as far as it can be tested without measuring: the CPU's name, candidates and verdicts,
--- records and their refusals, and what generation makes of them. tests/scripts/tune.sh does the
--- rest.
local unit = require 'luaunit'
local support = require 'support'
local bare = require 'emit.bare'
local candidates = require 'tune.candidates'
local cpu = require 'tune.machine'
local cpus = require 'cpu'
local choice_names = require 'plan.choices'
local isas = require 'isa'
local pipeline = require 'pipeline'
local process = require 'tune.process'
local progress = require 'tune.progress'
local record_text = require 'tune.record_text'
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
    unit.assertEquals(cpu.name_in(text), name)
    unit.assertTrue(cpu.is_name(name))
  end
  unit.assertNil(cpu.name_in('processor : 0\nmodel : 5\n'))
  unit.assertNil(cpu.name_in(''))
  for _, word in ipairs { '', 'a b', 'a/b', '*/', 'a\n' } do
    unit.assertFalse(cpu.is_name(word), word)
  end
  unit.assertFalse(cpu.is_name(nil))
end

-- Candidates -------------------------------------------------------------------------------------

TestCandidates = {}

local function text_of(choices) return choice_names.all_text(choices) end

function TestCandidates.test_sweep()
  local list = candidates.sweep(text_of)
  unit.assertTrue(#list <= 13, 'a kernel takes too long to build')
  unit.assertEquals(list[1].field, '')
  for _, field in ipairs(candidates.fields) do
    unit.assertEquals(list[1].choices[field], analytical[field])
  end
  local tried = {}
  for i = 2, #list do
    local c = list[i]
    tried[c.field] = (tried[c.field] or 0) + 1
    for _, field in ipairs(candidates.fields) do
      unit.assertEquals(c.choices[field] ~= analytical[field], field == c.field)
      unit.assertEquals(math.type(c.choices[field]), 'integer')
    end
    unit.assertEquals(c.text, text_of(c.choices))
    unit.assertEquals(candidates.text(c.choices), ('%s = %d'):format(c.field, c.choices[c.field]))
  end
  unit.assertEquals(support.keys(tried), candidates.fields)
  unit.assertEquals(#candidates.fields, 4)
end

--- Choices that change nothing in the C are not measured.
function TestCandidates.test_same_text_once()
  local list = candidates.sweep(function(choices) return ('%d'):format(choices.sum_bytes) end)
  unit.assertEquals(#list, 4)
  unit.assertEquals(#candidates.sweep(function() return 'always this' end), 1)
end

local function verdicts(ratios)
  local words, judged = {}, candidates.judge(candidates.sweep(text_of), ratios)
  for i, j in ipairs(judged) do words[i] = j.verdict end
  return table.concat(words, ' ')
end

function TestCandidates.test_judge()
  local same = { 1, 1 }
  unit.assertEquals(verdicts { same, { 0.9, 0.9 }, { 0.9, 1.02 }, same },
    'default wins wins control')
  unit.assertEquals(verdicts { same, { 0.5, 1.031 }, { 0.985, 0.985 }, { 1.1, 1.1 }, same },
    'default loses loses loses control')
  -- Where the same code seems 3 % faster or slower than itself, nobody wins.
  unit.assertEquals(verdicts { same, { 0.5, 0.5 }, { 0.97, 0.97 } }, 'default loses control')
  unit.assertEquals(verdicts { same, { 0.5, 0.5 }, { 1.03, 1.03 } }, 'default loses control')
  local judged = candidates.judge(candidates.sweep(text_of), { same, { 0.5, 0.98 }, same })
  unit.assertAlmostEquals(judged[2].mean, 0.7, 1e-9)
end

function TestCandidates.test_final()
  local list = candidates.sweep(text_of)
  local function judged(times)
    local ratios = {}
    for i = 1, #list + 1 do ratios[i] = { times[i] or 1 } end
    return candidates.judge(list, ratios)
  end
  local function final(times)
    local winners, texts = candidates.final(list, judged(times), text_of), {}
    for i, c in ipairs(winners or {}) do texts[i] = candidates.text(c.choices) end
    return winners and texts
  end
  unit.assertNil(final {})
  unit.assertNil(final { [2] = 0.99 })
  unit.assertNil(candidates.best(judged {}))
  local two, three, five = candidates.text(list[2].choices), candidates.text(list[3].choices),
    candidates.text(list[5].choices)
  unit.assertEquals(list[2].field, list[3].field)
  unit.assertNotEquals(list[2].field, list[5].field)
  local own = candidates.text(list[1].choices)
  unit.assertEquals(final { [2] = 0.9 }, { own, two })
  unit.assertEquals(final { [2] = 0.9, [3] = 0.8 }, { own, three })
  unit.assertEquals(final { [2] = 0.8, [3] = 0.9, [5] = 0.9 },
    { own, two, five, two .. ', ' .. five })
  unit.assertEquals(candidates.best(judged { [2] = 0.9, [5] = 0.8 }).choices.rows_per_walk,
    list[5].choices.rows_per_walk)
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

-- Records ----------------------------------------------------------------------------------------

TestRecords = {}

--- What a record says of the kernel's C, as this generator writes it.
local function code_of(choices)
  local path = support.folder() .. '/my.lua'
  support.write(path, spec_text)
  local wanted = pipeline.lower(pipeline.read { path }, { 'c' })
  for _, kernel in ipairs(wanted) do
    if kernel.name == kernel_name then
      return bare.code(support.root .. '/', kernel.layer, isas.by_name.c, choices)
    end
  end
end

--- A record as tune makes it: one kernel measured, some choices better.
local function example(changes)
  local choices = candidates.choices(changes or { rows_per_walk = 56, stream_rows = 8 })
  local function run(list)
    local rows = {}
    for i, c in ipairs(list) do
      rows[i] = { choices = c, ratios = { 1, 0.91234 }, mean = 0.95, verdict = 'wins' }
    end
    return { cells = { '1 cold', '1 hot' }, candidates = rows }
  end
  return {
    cpu = 'test-cpu-1',
    kernels = { {
      name = kernel_name, code = code_of(choices), compiler = 'cc "quoted" 1.0', choices = choices,
      sweep = run { candidates.choices {}, choices }, final = run { choices },
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
  r.kernels[1].final = nil
  _, path = write_record(record_text.of(r))
  unit.assertNil(tuned.read(path).kernels[1].final)
  for line in text:gmatch('[^\n]+') do unit.assertTrue(#line <= 100, line) end
end

--- The largest choices still fit a line of the record.
function TestRecords.test_long_lines()
  local changes = {}
  for _, field in ipairs(candidates.fields) do changes[field] = 1 << 26 end
  local r = example(changes)
  for i = 1, 40 do
    r.kernels[1].sweep.cells[i], r.kernels[1].sweep.candidates[1].ratios[i] = '1024 cold', 10.5
    r.kernels[1].sweep.candidates[2].ratios[i] = 1.25
  end
  local text = record_text.of(r)
  for line in text:gmatch('[^\n]+') do unit.assertTrue(#line <= 100, line) end
  local _, path = write_record(text)
  unit.assertEquals(#tuned.read(path).kernels[1].sweep.cells, 40)
end

function TestRecords.test_merged()
  local function names(list)
    local result = {}
    for i, k in ipairs(list) do result[i] = k.name .. k.compiler end
    return table.concat(result, ' ')
  end
  local old = { { name = 'a', compiler = 1 }, { name = 'c', compiler = 1 } }
  local new = { { name = 'd', compiler = 2 }, { name = 'c', compiler = 2 } }
  unit.assertEquals(names(tuned.merged(old, new)), 'a1 c2 d2')
  unit.assertEquals(names(tuned.merged({}, new)), 'c2 d2')
end

--- Each mistake is refused with its place and what to do; generation writes nothing then.
function TestRecords.test_refusals()
  local text = record_text.of(example())
  for _, case in ipairs {
    { "generator = '" .. version.generator, "generator = '0.0.1",
      ('made by ffngen 0.0.1, this is %s'):format(version.generator) },
    { 'schema = 2', 'schema = 1', 'a record of schema 1, this ffngen ' .. version.generator },
    { "code = '", "code = '0", kernel_name .. ' was measured with other C' },
    { "code = '", "code = 'x", 'kernels[1].code is "x' },
    { "cpu = 'test-cpu-1'", "cpu = 'other'", 'measured on other, the CPU asked for is test-cpu-1' },
    { "cpu = 'test-cpu-1'", "cpu = 'a */ b'", 'cpu is "a */ b", which it cannot be' },
    { 'schema = 2', 'schema = 2, colour = 2', 'the record has an unknown field "colour"' },
    { "compiler =", 'compilr =', 'kernels[1] has no field "compiler"' },
    { 'stream_rows = 8', 'stream_rows = "8"',
      'kernels[1].choices.stream_rows must be an integer from 1' },
    { 'stream_rows = 8', 'stream_rows = 8.0', 'must be an integer' },
    { 'stream_rows = 8', 'stream_rows = 0', 'must be an integer' },
    { 'stream_rows = 8', 'stream_rows = 1 << 40', 'must be an integer' },
    { 'stream_rows = 8', 'steam_rows = 8', 'kernels[1].choices has no field "stream_rows"' },
    { 'stream_rows = 8', 'stream_rows = 8, stream_row = 8', '(did you mean "stream_rows"?)' },
    { "name = '" .. kernel_name, "name = 'x y", 'kernels[1].name is "x y' },
    { "'1 cold'", '1', 'kernels[1].sweep.cells[1] must be a string, not a number' },
    { "'1 cold', ", '', 'kernels[1].sweep.candidates[1].ratios has 2 numbers for 1 cells' },
    { "verdict = 'wins'", "verdict = 'won'", 'verdict is "won" (did you mean "wins"?)' },
    { "verdict = 'wins'", 'verdict = 1', 'verdict must be a string, not a number' },
    { '1.000, 0.912', '1.000, -1', 'ratios[2] must be above 0' },
    { '1.000, 0.912', '1.000, 0/0', 'ratios[2] must be above 0' },
    { 'candidates = {', 'candidates = { [7] = 1,', 'candidates is a list without "7"' },
    { 'sweep = {', 'sweeps = 1, sweep = {', 'kernels[1] has an unknown field "sweeps"' },
    { 'return {', 'return { {', "record.lua:51: '}' expected" },
    { 'return {', 'return function() end, {', 'returns no table' },
    { 'return {', 'while true do end return {', 'record.lua:4: it runs too long' },
    { 'return {', 'os.remove "x" return {', 'record.lua:4: ' },
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
    ['none.lua'] = 'none.lua: there is no record', ['.'] = '.: cannot be read: Is a directory',
    ['/dev/zero'] = '/dev/zero: has more than 16777216 bytes: that is no record',
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
  support.assert_has(result.err, '1 of 10 kernels were measured on test-cpu-1, 1 with another plan',
    'tuned')
  local after = support.snapshot(folder .. '/out')
  for path, text in pairs(after) do
    unit.assertEquals(text ~= before[path], path == kernel_name .. '.c', path)
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
  support.assert_has(result.err, 'were measured on test-cpu-1, 1 with another plan', 'tuned')
  local after = support.snapshot(folder .. '/out')
  for path, text in pairs(after) do
    local is_changed = path == kernel_name .. '.c' or path == 'README.md'
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
  support.assert_has(result.err, 'no kernel of these specs was measured on test-cpu-1', 'nothing')
  unit.assertFalse(support.exists(folder .. '/none'))
end

--- Where no candidate was better, a kernel is what it is without a record.
function TestTuned.test_nothing_better()
  local folder = write_record(record_text.of(example {}))
  support.assert_code(generate(folder), 0, 'untuned')
  local before = support.snapshot(folder .. '/out')
  local result = generate(folder, '--tuned', 'record.lua', '--tuned-for', 'test-cpu-1')
  support.assert_has(result.err, '1 of 10 kernels were measured on test-cpu-1, 0 with', 'tuned')
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
    'rows_per_walk 56, stream_rows 8, sum_bytes 524288, measured on test-cpu-1\n', 'tuned')
end

--- A record of this machine's CPU is used without saying its name; one of another is refused.
function TestTuned.test_this_cpu()
  local here = cpu.here()
  unit.skipIf(not here, 'this system does not tell its CPU')
  local r = example()
  local folder = write_record(record_text.of(r))
  local result = generate(folder, '--tuned', 'record.lua')
  support.assert_code(result, 4, 'another CPU')
  support.assert_has(result.err, 'record.lua: measured on test-cpu-1, this CPU is ' .. here,
    'another CPU')
  support.assert_has(result.err, '--tuned-for test-cpu-1', 'another CPU: the remedy')
  r.cpu = here
  folder = write_record(record_text.of(r))
  support.assert_code(generate(folder, '--tuned', 'record.lua'), 0, 'this CPU')
  -- Nothing of the record fits.
  support.write(folder .. '/my.lua', "linear 'b' { d_model = 9, d_out = 33 }")
  result = generate(folder, '--tuned', 'record.lua')
  support.assert_code(result, 4, 'no kernel')
  support.assert_has(result.err, 'no kernel of these specs was measured', 'no kernel')
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
    'generator/tuned/test-cpu-1.lua: there is no record; measure here: ffngen tune', 'no record')
  support.sh('mkdir -p', copy .. '/generator/tuned')
  local r = example()
  support.write(copy .. '/generator/tuned/test-cpu-1.lua', record_text.of(r))
  support.assert_code(ffngen(table.unpack(words)), 0, 'a record')
  support.assert_has(support.read(copy .. '/out/' .. kernel_name .. '.c'), 'Choices ', 'a record')
  r.cpu = cpu.here() or 'unknown'
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
    support.assert_has(result.err, 'record.lua: ' .. kernel_name .. ' was measured with other C',
      verb[1])
    unit.assertFalse(support.exists(copy .. '/out'), verb[1])
  end
end
