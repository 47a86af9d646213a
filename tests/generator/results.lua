--- What runs of the benchmark come to: tables in pages, a picture.
local lfs = require 'lfs'
local unit = require 'luaunit'
local json = require 'dkjson'
local lists = require 'common.list'
local support = require 'support'

TestResults = {}

--- A run of the benchmark in small: two layers, one of them for comparison alone.
local function small_run(cpu, date, faster)
  local cells = {}
  for _, spec in ipairs { 'notebook_swiglu', 'even_sizes', 'even_sizes_bilinear' } do
    for _, tokens in ipairs { 1, 4, 16, 64, 256, 1024 } do
      local seconds = (spec == 'even_sizes' and 1.25e-3 or 1e-3) * tokens / faster
      cells[#cells + 1] = {
        spec = spec, inputs = 512, tokens = tokens, threads = 1, cold = true, bytes = 8e6,
        flop = 4e6 * tokens, undecided = tokens == 16,
        subjects = {
          { name = 'avx512', seconds = seconds, ratio = 1, unsure = 0, spread = 0 },
          { name = 'avx512 2', seconds = 2 * seconds, ratio = 2, unsure = 0, spread = 0 },
          { name = 'blis', seconds = 3 * seconds, ratio = 3, unsure = 0.1, spread = 0 },
        },
        limits = {
          { name = 'avx512 peak', seconds = seconds / 2, ratio = 0.5, unsure = 0.1,
            spread = 0 },
          { name = 'read', seconds = 0.4 * seconds, ratio = 0.4, unsure = 0.05, spread = 0 },
        },
      }
    end
  end
  local read = { L2 = { speed = 2e11 }, L3 = { speed = 3e10 }, DRAM = { speed = 2e10 } }
  return {
    schema = 2, date = date, machine = { cpu = cpu, cores = 2, l2 = 1 << 20 }, undecided = 3,
    roofs = { { threads = 1, peak = { avx512 = 2e11, avx2 = 1e11 }, read = read } },
    peers = { { name = 'blis', version = 'BLIS 0.9.0' } }, cells = cells,
  }
end

--- The picture of a run: a column for the kernel, one for the nearer limit, one for each peer.
function TestResults.test_times()
  local folder = support.folder()
  local function times(run)
    support.write(folder .. '/run.json', json.encode(run))
    return support.run({ 'lua5.4', support.root .. '/tests/bench/times.lua', 'run.json', 'a.svg' },
      { dir = folder })
  end
  local run = small_run('A CPU', '2026-01-01', 1)
  local drawn = times(run)
  support.assert_code(drawn, 0, 'times.lua')
  support.assert_has(drawn.out, 'set output "a.svg"\n', 'the picture')
  support.assert_has(drawn.out, '\n1 1000 500 3000\n4 1000 500 3000\n16 1000 500 3000\n', 'times')
  support.assert_has(drawn.out, 'title "blis"', 'a peer')
  unit.assertNil(drawn.out:find('avx512 2', 1, true))
  for _, cell in ipairs(run.cells) do cell.spec = 'odd_sizes' end
  support.assert_code(times(run), 1, 'nothing to draw')
end

--- A run of several: all cells, one machine.
function TestResults.test_join()
  local folder = support.folder()
  local function text(cpu, specs, undecided)
    local cells = lists.map(specs, function(spec) return ('\n{"spec": "%s"}'):format(spec) end)
    return ('{"schema": 2,\n"machine": {"cpu": "%s"},\n"peers": [\n{"name": "blis"}],\n'
      .. '"cells": [%s],\n"undecided": %d, "failed": 2, "wrong": 1}\n'):format(cpu,
      table.concat(cells, ','), undecided)
  end
  local function join()
    return support.run({ 'lua5.4', support.root .. '/tests/bench/join.lua', '1.json', '2.json',
      '3.json' }, { dir = folder })
  end
  support.write(folder .. '/1.json', text('one', { 'a', 'b' }, 2))
  support.write(folder .. '/2.json', (text('one', {}, 0):gsub('"failed": 2, ', ''))) -- older
  support.write(folder .. '/3.json', text('one', { 'c' }, 1))
  local joined = join()
  support.assert_code(joined, 0, 'join.lua')
  local whole = text('one', { 'a', 'b', 'c' }, 3):gsub('"failed": 2, "wrong": 1',
    '"failed": 4, "wrong": 3')
  unit.assertEquals(joined.out, whole)
  support.write(folder .. '/3.json', text('two', { 'c' }, 1))
  joined = join()
  support.assert_code(joined, 1, 'another machine')
  support.assert_has(joined.err, '3.json has other machine than 1.json', 'what differs')
end

--- A run over all layers that was ended goes on with the layer that it had begun, unless what is
--- asked for has changed. One in which a peer failed is kept, and tells; one with a wrong answer is
--- not.
function TestResults.test_goes_on()
  local folder = support.folder()
  support.run({ 'mkdir', '-p', 'tests/bench', 'build/bench' }, { dir = folder })
  for _, name in ipairs { 'full.sh', 'join.lua', 'results.lua' } do
    support.write(('%s/tests/bench/%s'):format(folder, name),
      support.read(('%s/tests/bench/%s'):format(support.root, name)))
  end
  support.write(folder .. '/build/bench/layers.inc',
    'BENCH_SPEC(a, ffn_a)\nBENCH_SPEC(b, ffn_b)\nBENCH_SPEC(c, ffn_c)\n')
  -- Times a layer and tells of it; b not before there is a file "quiet".
  support.write(folder .. '/build/bench/bench', [[
echo "$*" >>timed
while [ "$1" != --layers ]; do shift; done
[ "$2" != b ] || [ -e quiet ] || exit 1
cell='
{"spec": "'$2'"}' models=
[ "$2" != none ] || cell= models='{"model": "m"}'
failed=0 wrong=0
[ "$2" != b ] || [ ! -e dies ] || failed=1
[ "$2" != b ] || [ ! -e errs ] || wrong=1
cat >"$4" <<END
{"schema": 2,
"machine": {"cpu": "one"},
"peers": [],
"models": [$models],
"cells": [$cell],
"undecided": 0, "failed": $failed, "wrong": $wrong}
END
exit $((failed + wrong))
]])
  support.run({ 'chmod', '+x', 'build/bench/bench' }, { dir = folder })
  local function timed(option)
    os.remove(folder .. '/timed')
    local run = support.run({ 'sh', 'tests/bench/full.sh', option }, { dir = folder })
    local layers = {}
    for layer in support.read(folder .. '/timed'):gmatch('%-%-layers (%w+)') do
      layers[#layers + 1] = layer
    end
    return run.code, table.concat(layers, ' ')
  end
  support.run({ 'touch', '-d', '1 minute ago', 'build/bench/bench' }, { dir = folder })
  unit.assertEquals({ timed('--hot') }, { 1, 'none a b' })
  support.write(folder .. '/quiet', '')
  unit.assertEquals({ timed('--hot') }, { 0, 'b c' })
  local whole = json.decode(support.read(folder .. '/build/bench/results.json'))
  unit.assertEquals(lists.map(whole.cells, function(cell) return cell.spec end), { 'a', 'b', 'c' })
  unit.assertEquals(lists.map(whole.models, function(m) return m.model end), { 'm' })
  unit.assertEquals({ timed('--cold') }, { 0, 'none a b c' })
  support.run({ 'touch', '-d', '1 minute', 'build/bench/bench' }, { dir = folder })
  unit.assertEquals({ timed('--cold') }, { 0, 'none a b c' })
  support.write(folder .. '/errs', '')
  unit.assertEquals({ timed('--cold') }, { 1, 'none a b' })
  assert(os.rename(folder .. '/errs', folder .. '/dies'))
  unit.assertEquals({ timed('--cold') }, { 1, 'none a b c' })
  unit.assertEquals(json.decode(support.read(folder .. '/build/bench/results.json')).failed, 1)
end

--- Models' layers are told however they are held; an older run has none.
function TestResults.test_models()
  local folder, run = support.folder(), small_run('A CPU', '2026-01-01', 1)
  local function shown()
    support.write(folder .. '/run.json', json.encode(run))
    local summary = support.run({ 'lua5.4', support.root .. '/tests/bench/summary.lua',
      'run.json' }, { dir = folder })
    support.assert_code(summary, 0, 'summary.lua')
    return summary.out
  end
  unit.assertNil(shown():find('one mapping', 1, true))
  run.models = { { model = 'm', threads = 2, subjects = {
    { name = 'arena', of_read = 0.954, ratio = 1.0061 }, { name = 'read', of_read = 1, ratio = 1 },
  } } }
  support.assert_has(shown(),
    'm, 2 threads: arena: 95.4 % of a plain read, 1.006 times one mapping', 'a model')
end

--- A cell beside which the machine did something else is the worst one as measured, but not surely.
function TestResults.test_surely()
  local folder, run = support.folder(), small_run('A CPU', '2026-01-01', 1)
  local read = run.cells[1].limits[2]
  read.ratio, read.unsure = 0.1, 9
  support.write(folder .. '/run.json', json.encode(run))
  local shown = support.run({ 'lua5.4', support.root .. '/tests/bench/summary.lua', 'run.json' },
    { dir = folder })
  support.assert_code(shown, 0, 'summary.lua')
  local line = shown.out:match('decode, 1 token, cold weights, 1 thread: of a plain read +([^\n]*)')
  unit.assertStrContains(line, '10.0 %  42.0 %  25.2 %   notebook_swiglu, 1 token, 1 thread, cold')
  line = shown.out:match('16 tokens over 1 token, cold weights: time in plain reads +([^\n]*)')
  unit.assertStrMatches(line, '1.00    0.90 +0.63 .*')
end

--- A run of another form is no run.
function TestResults.test_another_schema()
  local folder, run = support.folder(), small_run('A CPU', '2026-01-01', 1)
  run.schema = 1
  support.write(folder .. '/run.json', json.encode(run))
  local refused = support.run({ 'lua5.4', support.root .. '/tests/bench/summary.lua', 'run.json' },
    { dir = folder })
  support.assert_code(refused, 1, 'summary.lua')
  support.assert_has(refused.err, 'run.json has another schema than 2', 'why')
end

--- `ninja results` writes both pages between their marks, and README stays one screen.
function TestResults.test_pages()
  local folder = support.folder()
  lfs.mkdir(folder .. '/results')
  local function write_results(run)
    support.write(folder .. '/last.json', json.encode(run))
    for _, page in ipairs { 'README.md', 'tests/bench/README.md' } do
      local copy = folder .. '/' .. page:gsub('/', '_')
      if not support.exists(copy) then
        support.write(copy, support.read(support.root .. '/' .. page))
      end
    end
    return support.run({ 'lua5.4', support.root .. '/tests/bench/tables.lua', 'results',
      'README.md', 'tests_bench_README.md', 'last.json' }, { dir = folder })
  end
  local new = small_run('New(R) CPU @ 2 GHz', '2026-02-01', 1)
  support.assert_code(write_results(new), 0, 'tables.lua')
  support.assert_code(write_results(small_run('Old CPU', '2026-01-01', 2)), 0, 'another CPU')
  -- The first page shows the newest run, whichever came last.
  local short = support.read(folder .. '/README.md')
  local full = support.read(folder .. '/tests_bench_README.md')
  support.assert_has(short, '\nNew(R) CPU @ 2 GHz, 2026-02-01. `~`: the difference is within the '
    .. 'noise of the machine.\n\n', 'README.md')
  support.assert_has(short, '| layer | 1 token | 16 | 256 |\n', 'numbers of tokens')
  support.assert_has(short,
    '| notebook_swiglu | 1 ms, 3.00 × | 16 ms, 3.00 × ~ | 256 ms, 3.00 × |\n', 'README.md')
  unit.assertNil(short:find('even_sizes', 1, true))
  unit.assertTrue(select(2, short:gsub('\n', '')) <= 70, 'README.md is longer than a screen')
  -- The second one shows all, side by side.
  support.assert_has(full, '| regime: worst, geomean | New(R) CPU @ 2 GHz, 2 cores | Old CPU, '
    .. '2 cores |\n', 'side by side')
  local both = '50.0 % (55.0 surely), 50.0 %'
  support.assert_has(full, '| prefill, 96 tokens or more, d_model 512 or more, 1 thread: of FMA '
    .. 'peak | ' .. both .. ' | ' .. both .. ' |\n', 'regimes')
  support.assert_has(full, 'or the FMA bound, the longer one | 2.00, 2.00 | 2.00, 2.00 |\n', '16')
  support.assert_has(full, 'that is at the nearer limit | 6.00, 6.00 | 6.00, 6.00 |\n', 'to gain')
  support.assert_has(full, '| even_sizes | 1.25 ms, 3.00 × blis | 5 ms, 3.00 × blis | 20 ms, '
    .. '3.00 × blis ~ | 80 ms, 3.00 × blis |', 'the whole table')
  support.assert_has(full, '| even_sizes | 625 µs, 3.00 × blis |', 'the other CPU')
  support.assert_has(full, '- 1 thread: AVX-512 200 and AVX2 100 GFLOP/s; L2 200, ', 'roofs')
  support.assert_has(full, 'New(R) CPU @ 2 GHz, 2 cores, 2026-02-01; 3 of 18 cells undecided (~).\n'
    .. 'Beside: blis 0.9.0.\n', 'peers')
  support.assert_has(full, '![Time per token against tokens](results/new_cpu_2_ghz.svg)', 'picture')
  support.assert_has(full, '](results/new_cpu_2_ghz.json)', 'raw')
  -- What no page shows is not kept, and nothing else is lost.
  local kept = json.decode(support.read(folder .. '/results/new_cpu_2_ghz.json'))
  for _, cell in ipairs(new.cells) do
    for _, list in ipairs { cell.subjects, cell.limits } do
      for _, one in ipairs(list) do
        unit.assertEquals(one.spread, 0)
        one.spread = nil
      end
    end
  end
  unit.assertEquals(kept, json.decode(json.encode(new)))
  -- Once more changes nothing; a page without marks says so.
  support.assert_code(write_results(new), 0, 'again')
  unit.assertEquals(support.read(folder .. '/README.md'), short)
  support.write(folder .. '/README.md', 'no marks\n')
  local refused = write_results(new)
  unit.assertEquals(refused.code, 1)
  support.assert_has(refused.err, 'README.md has no lines <!-- results -->', 'no marks')
end
