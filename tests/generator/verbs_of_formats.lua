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

--- Formats that take no floats, each without the others: self-check and example have blocks.
function TestVerbsOfFormats.test_blocks()
  local folder = folder_with [[
ffn 'small' { variant = 'swiglu', d_model = 64, d_ff = 96, d_out = 20, bias = true,
  weights = { gate = 'mxfp4', up = 'mxfp4' } }
linear 'large' { d_model = 256, d_out = 20, weights = 'q5_K' }
ffn 'size' { variant = 'gelu', d_model = 32, d_ff = 64, optimise = 'size', weights = 'q5_1' }
]]
  for name, more in pairs {
    small = { '--single-file' }, large = { '--no-dispatch', '--isa', 'c' },
    size = { '--header-only' },
  } do
    run(folder, 0, 'vendor', 'my.lua', '--layer', name, '--out', name, '--prefix', 'my',
      table.unpack(more))
    local line = 'cc -O0 -Wall -Wextra -Wconversion -Wshadow -Werror '
    support.assert_has(compiled(folder .. '/' .. name, line .. '*.c -lm -o check && ./check'),
      ' 0 failed,', name)
    support.assert_has(compiled(folder .. '/' .. name,
      line .. '-DMY_EXAMPLE *.c -lm -o example && ./example'), 'y[0][0] = ', name)
  end
end

--- A program that packs the floats of w.bin, and compares that with what is embedded.
local packs = [[
#include "my.h"
#include <stdio.h>
#include <string.h>
int main(void) {
  static float w[20 * 40 + 40 + 40 * 3 + 3];
  static unsigned char memory[1 << 16];
  FILE *file = fopen("../w.bin", "rb");
  if (!file || fread(w, sizeof w, 1, file) != 1)
    return 2;
  my_linear chain[2];
  memset(chain, 0, sizeof chain), memset(memory, 0x5a, sizeof memory);
  chain[0].weight = w, chain[0].bias = w + 800;
  chain[1].weight = w + 840, chain[1].bias = w + 960;
  my_weights weights;
  memset(&weights, 0, sizeof weights);
  weights.chain = chain;
  void *packed = memory + (MY_ALIGNMENT - (size_t)memory % MY_ALIGNMENT);
  const my_kernel *kernel = my_chain();
  kernel->pack(packed, &weights);
  return memcmp(packed, my_chain_packed(), kernel->packed_bytes) != 0;
}
]]

--- Floats are embedded as the formats hold them: the bytes that pack() makes of them.
function TestVerbsOfFormats.test_embedding()
  local values = {}
  for i = 1, 20 * 40 + 40 + 40 * 3 + 3 do values[i] = math.sin(i * i) * 2.0 ^ (i % 40 - 30) end
  for _, formats in ipairs { "'f32', 'bf16'", "'f16', 'bf16'" } do
    local folder = folder_with(([[
mlp 'chain' { d_model = 20, layers = { { 40, 'relu' }, { 3 } }, bias = true, weights = { %s } }
]]):format(formats))
    local function vendor(code)
      support.write(folder .. '/w.bin', string.pack('<' .. ('f'):rep(#values),
        table.unpack(values)))
      return run(folder, code, 'vendor', 'my.lua', '--out', 'out', '--layer', 'chain', '--isa',
        'c', '--prefix', 'my', '--weights', 'w.bin')
    end
    vendor(0)
    support.write(folder .. '/packs.c', packs)
    compiled(folder, 'cd out && cc -O0 -Wall -Wextra -Werror -DMY_NO_MAIN -I. ../packs.c *.c -lm '
      .. '-o ../packs && ../packs')
    -- What a format has no finite number for.
    local kept = values[1]
    values[1] = 65520.0
    if formats:find('f16', 1, true) == 2 then
      support.assert_has(vendor(4).err, 'a weight of stage layer1, output 0, is infinite in f16',
        'a large weight')
    end
    values[1] = kept
  end
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
    if name == "gated":  # bits of what was rounded, as a file may have them, are packed the same
        bits = {t: (held[t].view(np.uint32) >> 16).astype(np.uint16) for t in held}
        assert (layer.pack(bits).packed == packed.packed).all()
        halves = {t: given[t].astype(np.float16) for t in given}  # are rounded as floats are
        floats = {t: halves[t].astype(np.float32) for t in halves}
        assert (layer.pack(halves).packed == layer.pack(floats).packed).all()
        try:
            layer.pack({t: bits[t].view(np.int16) for t in held})
            assert False
        except TypeError as error:
            assert "gate.weight: expected float32, which is rounded, bfloat16, or its bits as" \
                " uint16, given int16" in str(error), error
    if name == "half":
        assert (layer.pack({t: held[t].astype(np.float16) for t in held}).packed
                == packed.packed).all()
        try:
            layer.pack({t: held[t].astype(np.uint16) for t in held})
            assert False
        except TypeError as error:
            assert "0.weight: expected float32, or float16, " in str(error), error
    print(name)
]]

--- Packed by Python, with what came of it.
function TestVerbsOfFormats.test_python()
  local python = support.run { 'sh', support.root .. '/tests/scripts/python_with_numpy.sh' }
  if python.code ~= 0 then unit.skip('no python3 with numpy') end
  local folder = folder_with(spec .. "linear 'half' { d_model = 7, d_out = 5, weights = 'f16' }\n")
  support.write(folder .. '/main.py', program)
  local out = compiled(folder, ("FFN_CACHE=cache PYTHONPATH='%s/generator/package/python' "
    .. "%s main.py"):format(support.project, python.out:match("%S+")))
  unit.assertEquals(out, 'gated\nchain\nsize\nhalf\n')
end
