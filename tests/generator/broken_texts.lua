--- The self-check that travels with kernels runs all of their code: each text of a tile, which
--- there is one of for each number of rows and way of fetching, is broken in turn, and the check of
--- the folder has to fail.
local unit = require 'luaunit'
local isas = require 'isa'
local layer = require 'lower.layer'
local manifest = require 'emit.manifest'
local plan = require 'plan.plan'
local spec = require 'read.spec'
local support = require 'support'
local with_formats = require 'with_formats'

local data = support.root .. '/tests/data/batches/'

--- Layers of all forms, whose weights come from memory as far as their CPU knows: plain and gated,
--- zeros that are skipped, odd panels, ragged columns, tiles of all widths, and blocks
--- of k; weights decoded in registers and into scratch; straight lines, tokens in lanes, few bytes;
--- several outputs, few tokens, training.
local layers = {
  plain = "linear 'plain' { d_model = 520, d_out = 301, bias = true }",
  gated = "ffn 'gated' { variant = 'swiglu', d_model = 96, d_ff = 144, d_out = 160 }",
  zeros = "ffn 'zeros' { variant = 'relu', d_model = 48, d_ff = 304, d_out = 200 }",
  chain = "mlp 'chain' { d_model = 24, layers = { { 144, 'relu' }, { 208, 'relu2' }, { 81 } }, "
    .. 'bias = true }',
  half = "ffn 'half' { variant = 'reglu', d_model = 64, d_ff = 192, weights = 'bf16' }",
  blocks = "ffn 'blocks' { variant = 'swiglu', d_model = 256, d_ff = 512, weights = 'q4_K' }",
  bytes = "linear 'bytes' { d_model = 160, d_out = 176, weights = 'q8_0' }",
  small = "ffn 'small' { variant = 'relu', d_model = 64, d_ff = 96, weights = 'i8' }",
  lanes = "mlp 'lanes' { d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, "
    .. "{ 1, 'sigmoid' } }, bias = true }",
  straight = "glu 'straight' { variant = 'swiglu', d_model = 16, d_out = 40 }",
  size = "ffn 'size' { variant = 'swiglu', d_model = 40, d_ff = 48, d_out = 21, "
    .. "optimise = 'size' }",
  several = "linear 'several' { d_model = 96, d_out = { q = 160, k = 32, v = 48 } }",
  tokens = "ffn 'tokens' { variant = 'gelu', d_model = 64, d_ff = 144, max_tokens = 5 }",
  one_token = "ffn 'one_token' { variant = 'relu', d_model = 96, d_ff = 160, max_tokens = 1, "
    .. "weights = 'q4_0' }",
  trained = "ffn 'trained' { variant = 'swiglu', d_model = 48, d_ff = 80, d_out = 112, "
    .. 'backward = true }',
}

--- A copy of the project for which no weights are near.
local function far_project()
  local project = support.copy_project 'far'
  with_formats.replace(project, 'generator/cpu/generic.lua', 'near_bytes = 1 << 20',
    'near_bytes = 0')
  return project
end

--- Statements that a text's call is, in a pattern; and which of its arguments is written, by how it
--- begins.
local calls = {
  { '_tile_[%w_]+', 'sum' }, { '_tile_[%w_]+', 'to' }, { '_wide_sums', 'sum' },
  { '_tile_[%w_]+', 'out' }, { '_tile_[%w_]+', 'y' }, { '_lanes', 'out' }, { '_finish', 'out' },
}

--- The first argument that begins so.
local function argument(arguments, word)
  for one in (arguments:sub(2, -2) .. ','):gmatch '([^,]*),' do
    one = one:match '^%s*(.-)%s*$'
    if one:match('^' .. word .. '%f[^%w_]') then return one end
  end
end

--- A kernel's text with a place to break behind each of those calls; and the number of the next.
local function breakable(text, number)
  for _, call in ipairs(calls) do
    text = text:gsub('(\n +)([%w_]+' .. call[1] .. ')(%b());', function(space, name, arguments)
      local to = argument(arguments, call[2])
      if not to then return nil end
      number = number + 1
      return ('%s{ %s%s; if (BROKEN(%d)) (%s)[0] += 0x1p20f; }'):format(space, name, arguments,
        number - 1, to)
    end)
  end
  return '#include "broken.h"\n' .. text, number
end

--- The self-check of a layer's folder for some instruction sets, with each text broken.
---@param machine table  { isas =, cc =, run = }
---@param every integer  of how many texts one is broken
local function check(project, name, machine, every)
  local folder, number, trained = support.folder(), 0, ''
  support.write(folder .. '/my.lua', layers[name] .. '\n')
  support.assert_code(support.run({ project .. '/ffngen', 'vendor', 'my.lua', '--isa', machine.isas,
    '--out', 'out' }, { dir = folder }), 0, name)
  for _, file in ipairs(support.keys(support.snapshot(folder .. '/out'))) do
    local path = folder .. '/out/' .. file
    if support.read(path):match '\n#include "ffn_kernel.h"' then
      local text, next_number = breakable(support.read(path), number)
      if next_number > number then support.write(path, text) end
      number = next_number
    end
    if file == 'ffn_train.h' then trained = '-DTRAINED' end
  end
  unit.assertTrue(number > 0, name)
  for _, file in ipairs { 'broken.h', 'broken.c' } do
    support.write(folder .. '/out/' .. file, support.read(data .. file))
  end
  local result = support.run({ 'sh', '-c', ('cd out && rm ffn_example_main.c && '
    .. '%s -O1 -w %s -DTEXTS=%d $(ls *.c | grep -v selfcheck) -lm -o broken && %s./broken %d')
    :format(machine.cc, trained, number, machine.run, every) }, { dir = folder, seconds = 900 })
  support.assert_code(result, 0, name .. ' for ' .. machine.isas .. '\n' .. result.out
    .. result.err)
  local texts, broken = result.out:match '^(%d+) texts, %d+ reached, (%d+) broken, 0 missed\n'
  unit.assertEquals(tonumber(texts), number, result.out)
  unit.assertTrue(tonumber(broken) > 0, result.out)
  if os.getenv 'TOLD' then print(name, machine.isas, result.out) end
end

local function has(command)
  return support.capture('command -v ' .. command .. ' || true') ~= ''
end

--- Whether this machine's CPU has some instructions.
local function has_instructions(word)
  return support.capture('grep -cw ' .. word .. ' /proc/cpuinfo || true'):match '^[1-9]' ~= nil
end

--- How portable C is compiled that has tiles of its own: with an FMA instruction, where there is
--- one; without, all rows of a tile are one text's.
local function portable()
  return { isas = 'c', cc = has_instructions 'fma' and 'cc -mfma' or 'cc', run = '' }
end

--- The compilers and emulators of this machine.
local function machines()
  local x86 = support.capture('uname -m') == 'x86_64'
  local cross = { isas = 'c,neon', cc = 'aarch64-linux-gnu-gcc -static', run = 'qemu-aarch64 ' }
  local list = { { isas = x86 and 'c,avx2,avx512' or 'c,neon', cc = 'cc', run = '' } }
  list[#list + 1] = portable()
  if x86 and has 'aarch64-linux-gnu-gcc' and has 'qemu-aarch64' then
    list[#list + 1] = cross
  end
  return list
end

TestBrokenTexts = {}

--- What the self-check of large layers runs, of which whole batches of any size would take long:
--- each number of rows of a tile, alone and as a part of more; and where weights are decoded
--- otherwise. Neighbours that take long are left out.
function TestBrokenTexts.test_batches()
  for _, case in ipairs {
    { 1024, 2816, 'f32', 'avx2', '0-12 32-34' }, { 1024, 2816, 'f32', 'avx512', '0-28 32-34' },
    { 1024, 2816, 'q4_K', 'avx2', '0-6 32-34' }, { 1024, 2816, 'bf16', 'c', '0-6 23-26 32-34' },
    { 4096, 14336, 'f32', 'avx512', '0-15 17-17 19-19 21-21 23-23 25-25 27-27' },
    { 4096, 14336, 'bf16', 'avx2', '0-5 32-32' },
  } do
    local d_model, d_ff, weights, isa, rows = table.unpack(case)
    local own = spec.of_text('my.lua', ("ffn 'l' { variant = 'swiglu', d_model = %d, d_ff = %d, "
      .. "weights = '%s' }"):format(d_model, d_ff, weights), {})[1]
    local made = plan.plan(layer.lower(own), isas.by_name[isa])
    for _, batches in ipairs(manifest.batches { made }) do
      unit.assertEquals(batches.rows, rows, batches.name)
    end
  end
end

--- Those of a form in portable C, and of a training whose tiles have more rows.
function TestBrokenTexts.test_some()
  local project = far_project()
  check(project, 'zeros', portable(), 1)
  check(project, 'trained', has_instructions 'avx2' and { isas = 'avx2', cc = 'cc', run = '' }
    or portable(), 1)
end

--- All texts of all forms, on all instruction sets: minutes each, so one form in one way of running
--- it in each turn.
local most_machines = 3
local forms = support.keys(layers)
for i, name in ipairs(forms) do
  TestBrokenTexts['test_all_of_' .. name] = function()
    if not support.full then unit.skip 'the full form' end
    local mine = {}
    for n, machine in ipairs(machines()) do
      local part = most_machines * (i - 1) + n - 1
      if support.is_turn(part, most_machines * #forms) then mine[#mine + 1] = machine end
    end
    unit.skipIf(#mine == 0, 'another turn')
    local project = far_project()
    for _, machine in ipairs(mine) do check(project, name, machine, 1) end
  end
end
