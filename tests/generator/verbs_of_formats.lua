--- What every verb does with layers whose weights are no f32.
local unit = require 'luaunit'
local json = require 'dkjson'
local support = require 'support'

local spec = [[
ffn 'gated' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'bf16' }
mlp 'chain' { d_model = 20, layers = { { 40, 'relu' }, { 3 } }, bias = true,
  weights = { 'f32', 'bf16' } }
ffn 'size' { variant = 'gelu', d_model = 12, d_ff = 20, optimise = 'size', weights = 'bf16' }
]]

TestVerbsOfFormats = {}

--- A folder with the spec.
local function folder_with(text)
  local folder = support.folder()
  support.write(folder .. '/my.lua', text)
  return folder
end

--- Runs a verb, which does it, or ends with a code.
local function run(folder, code, ...)
  local result = support.run({ support.project .. '/ffngen', ... }, { dir = folder, seconds = 300 })
  support.assert_code(result, code, table.concat({ ... }, ' '))
  return result
end

local function compiled(folder, line)
  local result = support.run({ 'sh', '-c', line }, { dir = folder, seconds = 300 })
  support.assert_code(result, 0, line .. ': ' .. result.out)
  return result.out
end

function TestVerbsOfFormats.test_list()
  local folder = folder_with(spec)
  local formats_of = {}
  for _, kernel in ipairs(json.decode(run(folder, 0, 'list', 'my.lua', '--json').out).kernels) do
    formats_of[kernel.spec] = table.concat(kernel.formats, ' ')
  end
  unit.assertEquals(formats_of, { gated = 'bf16 bf16', chain = 'f32 bf16', size = 'bf16 bf16' })
  support.assert_has(run(folder, 0, 'list', 'my.lua').out, 'ffn_swiglu_d64_f96_bf16_avx2', 'list')
end

--- Each shape of a folder: the self-check, and no word of warning, without pack(), too.
function TestVerbsOfFormats.test_vendor()
  local folder = folder_with(spec)
  for _, shape in ipairs { {}, { '--single-file' }, { '--header-only' } } do
    local name = (shape[1] or '--files'):sub(3)
    run(folder, 0, 'vendor', 'my.lua', '--out', name, '--prefix', 'my', table.unpack(shape))
    local out = compiled(folder .. '/' .. name, 'cc -O0 -Wall -Wextra -Werror *.c -lm -o check '
      .. '&& ./check')
    support.assert_has(out, 'my_ffn_swiglu_d64_f96_bf16_c ', name)
    support.assert_has(out, 'my_ffn_gelu_d12_f20_bf16_c_size ', name)
    support.assert_has(out, ' 0 failed,', name)
  end
  compiled(folder, 'cc -O0 -Wall -Wextra -Werror -DMY_NO_PACK -c single-file/my.c -o small.o')
end

--- What does not lie as f32 is not embedded: pack() does that, at start.
function TestVerbsOfFormats.test_embedding()
  local folder = folder_with(spec)
  support.write(folder .. '/w.bin', ('\0'):rep(4 * (20 * 40 + 40 + 40 * 3 + 3)))
  local result = run(folder, 4, 'vendor', 'my.lua', '--out', 'out', '--layer', 'chain',
    '--weights', 'w.bin')
  support.assert_has(result.err,
    'embeds weights that lie as f32, not those of bf16; pack() them at start', 'embedding')
  unit.assertFalse(support.exists(folder .. '/out'))
end

--- Candidates are other plans of the same layer.
function TestVerbsOfFormats.test_tune()
  local folder = folder_with(spec)
  local plan = run(folder, 0, 'tune', 'my.lua', 'gated', '--isa', 'c', '--dry-run').out
  support.assert_has(plan, 'ffn_swiglu_d64_f96_bf16_c', 'candidates')
  if support.full then
    run(folder, 0, 'tune', 'my.lua', 'gated', '--isa', 'c', '--budget', '10', '--threads', '1',
      '--tuned-for', 'test-cpu', '--out', 'record.lua')
    run(folder, 0, 'generate', 'my.lua', '--out', 'out', '--isa', 'c', '--tuned', 'record.lua',
      '--tuned-for', 'test-cpu')
  end
end

--- A page of a trained layer says what its sums over tokens read: what is saved, as f32.
function TestVerbsOfFormats.test_training()
  local folder = folder_with [[
ffn 'it' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'bf16', backward = true }
]]
  local page = run(folder, 0, 'explain', 'it', 'my.lua').out
  support.assert_has(page, 'gate and up bf16, fused multiply-adds of f32', 'explain')
  for line, said in pairs {
    ['train    gate_up'] = 'weights in bf16', ['grad     dgate_up'] = 'weights in bf16',
    ['grad     dw_gate_up'] = 'x_panels in f32', ['grad     dw_down'] = 'h_panels in f32',
    ['grad     dx'] = 'weights in bf16',
  } do
    unit.assertEquals(page:match('\n  ' .. line .. ' [^\n]*; ([^\n;]*)\n'), said, line)
  end
end

local program = [[
import numpy as np
import ffn
for name, layer in ffn.load("my.lua").items():
    rng = np.random.default_rng(1)
    given = {t: rng.standard_normal(s).astype(np.float32) for t, s in layer.shapes.items()}
    packed = layer.pack(given)
    held = packed.unpack()
    x = rng.standard_normal((5, layer.inputs)).astype(np.float32)
    y, bound = packed.reference(x)
    assert (np.abs(packed(x) - y) <= bound).all(), name
    assert any((held[t] != given[t]).any() for t in held), name
    assert all(np.abs(held[t] - given[t]).max() < 2.0**-6 for t in held), name
    again = layer.use_packed(packed.packed)
    assert (again(x) == packed(x)).all(), name
    print(name)
]]

--- Packed by Python, with what came of it.
function TestVerbsOfFormats.test_python()
  local python = support.run { 'sh', support.root .. '/tests/scripts/python_with_numpy.sh' }
  if python.code ~= 0 then unit.skip('no python3 with numpy') end
  local folder = folder_with(spec)
  support.write(folder .. '/main.py', program)
  local out = compiled(folder, ("FFN_CACHE=cache PYTHONPATH='%s/generator/package/python' "
    .. "%s main.py"):format(support.project, python.out:match("%S+")))
  unit.assertEquals(out, 'gated\nchain\nsize\n')
end
