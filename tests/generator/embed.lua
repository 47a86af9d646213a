--- Weights that `ffngen vendor --weights` embeds are what pack() makes of them, byte for byte: in a
--- layer of every form, each number another.
local unit = require 'luaunit'
local model_files = require 'model_files'
local support = require 'support'

--- Layers, and their matrices in the order of the file: where each hangs, outputs and inputs.
local layers = {
  {
    spec = "ffn 'it' { variant = 'swiglu', d_model = 3, d_ff = 19, d_out = 18, bias = true }",
    matrices = { { 'gate', 19, 3 }, { 'up', 19, 3 }, { 'down', 18, 19 } }, bias = true,
  },
  {
    spec = "glu 'it' { variant = 'reglu', d_model = 5, d_out = 33 }",
    matrices = { { 'gate', 33, 5 }, { 'up', 33, 5 } },
  },
  {
    spec = "mlp 'it' { d_model = 4, layers = { { 17, 'relu' }, { 2 } }, bias = true }",
    matrices = { { 'chain[0]', 17, 4 }, { 'chain[1]', 2, 17 } }, bias = true,
  },
}

--- The same of formats of blocks, whose numbers lie in words with others: sizes that are no whole
--- panels, weights of all sizes, zeros with a sign, halves between two steps.
local of_blocks = {
  {
    spec = [[
ffn 'it' { variant = 'swiglu', d_model = 32, d_ff = 64, d_out = 19, bias = true,
  weights = { gate = 'q8_0', up = 'q8_0', down = 'q4_0' } }]],
    matrices = { { 'gate', 64, 32 }, { 'up', 64, 32 }, { 'down', 19, 64 } }, bias = true,
  },
  {
    spec = [[
mlp 'it' { d_model = 32, layers = { { 32, 'relu' }, { 64, 'relu' }, { 3 } },
  weights = { 'f16', 'q4_0', 'q8_0' } }]],
    matrices = { { 'chain[0]', 32, 32 }, { 'chain[1]', 64, 32 }, { 'chain[2]', 3, 64 } },
  },
  -- As a microcontroller has it.
  {
    spec = [[
mlp 'it' { d_model = 10, layers = { { 64, 'relu' }, { 35, 'relu' }, { 1 } }, bias = true,
  weights = { 'i8', 'i8z', 'i8' } }]],
    matrices = { { 'chain[0]', 64, 10 }, { 'chain[1]', 35, 64 }, { 'chain[2]', 1, 35 } },
    bias = true,
  },
}

--- Layers whose operands have scales, of each matrix one.
local with_scales = {
  {
    spec = [[
ffn 'it' { variant = 'swiglu', d_model = 5, d_ff = 35, d_out = 19, bias = true,
  weights = 'i8', arithmetic = 'dot_s8', operand_scales = 'static' }]],
    matrices = { { 'gate', 35, 5, 0.5 }, { 'up', 35, 5, 0.5 }, { 'down', 19, 35, 0x1p-100 } },
    bias = true,
  },
  {
    spec = [[
mlp 'it' { d_model = 4, layers = { { 17, 'relu' }, { 2 } }, weights = { 'f32', 'i8z' },
  arithmetic = { 'fma_f32', 'dot_s8' }, operand_scales = { 'dynamic', 'static' } }]],
    matrices = { { 'chain[0]', 17, 4 }, { 'chain[1]', 2, 17, 0.75 } },
  },
}

--- A weight of these, an f32: those of a row of 32 are of one size, in steps that many share.
local function weight_of_blocks(i)
  local size = 2.0 ^ (i // 32 * 7 % 60 - 50)
  if i % 97 == 0 then return -0.0 end
  return string.unpack('<f', string.pack('<f', size * (i * 29 % 64 - 31.5)
    * (i % 3 == 0 and math.abs(math.sin(i)) or 1)))
end

local program = [[
#define MY_IMPLEMENTATION
#include "out/my.h"
#include <stdio.h>
#include <string.h>
int main(void) {
  static float w[%d];
  FILE *file = fopen("w.bin", "rb");
  if (!file || fread(w, sizeof w, 1, file) != 1)
    return 3;
  static _Alignas(MY_ALIGNMENT) unsigned char packed[1 << 16];
  const my_kernel *k = my_it();
  static my_linear chain[MY_MAX_STAGES];
  my_weights weights = {.chain = chain};
%s
  if (k->packed_bytes > sizeof packed)
    return 2;
  k->pack(packed, &weights);
  return memcmp(packed, my_it_packed(), k->packed_bytes) != 0;
}
]]

TestEmbed = {}

--- Embeds the weights of some layers, and packs them.
---@param list table[]
---@param number fun(i: integer): number  of the file, from 1
local function compare(list, number)
  for _, layer in ipairs(list) do
    local folder, numbers, lines = support.folder(), {}, {}
    local function take(count)
      local first = #numbers
      for i = 1, count do numbers[first + i] = number(first + i) end
      return first
    end
    for _, m in ipairs(layer.matrices) do
      local place = (m[1]:match('^chain') and '' or 'weights.') .. m[1]
      lines[#lines + 1] = ('  %s.weight = w + %d;'):format(place, take(m[2] * m[3]))
      if layer.bias then lines[#lines + 1] = ('  %s.bias = w + %d;'):format(place, take(m[2])) end
      if m[4] then
        numbers[#numbers + 1] = m[4]
        lines[#lines + 1] = ('  %s.operand_scale = w[%d];'):format(place, #numbers - 1)
      end
    end
    support.write(folder .. '/my.lua', layer.spec)
    support.write(folder .. '/w.bin',
      string.pack('<' .. ('f'):rep(#numbers), table.unpack(numbers)))
    support.write(folder .. '/main.c', program:format(#numbers, table.concat(lines, '\n')))
    support.assert_code(support.ffngen({ 'vendor', 'my.lua', '--out', 'out', '--header-only',
      '--isa', 'c', '--prefix', 'my', '--weights', 'w.bin' }, { dir = folder }), 0, layer.spec)
    support.assert_code(support.run({ 'gcc', '-O0', '-Wall', '-Wextra', '-Werror', 'main.c', '-o',
      'main', '-lm' }, { dir = folder }), 0, 'gcc')
    unit.assertEquals(support.run({ './main' }, { dir = folder }).code, 0, layer.spec)
  end
end

function TestEmbed.test_as_packed() compare(layers, function(i) return i / 4 end) end

function TestEmbed.test_blocks_as_packed() compare(of_blocks, weight_of_blocks) end

function TestEmbed.test_scales_as_packed() compare(with_scales, weight_of_blocks) end

--- Scales of operands by both of their names; what is none, or not that of gate and up, is refused.
function TestEmbed.test_scales_by_name()
  local folder = support.folder()
  support.write(folder .. '/my.lua', [[
ffn 'it' { variant = 'swiglu', d_model = 4, d_ff = 8, weights = 'i8', arithmetic = 'dot_s8',
  operand_scales = 'static' }
ffn 'other' { variant = 'swiglu', d_model = 4, d_ff = 8, weights = 'i8', arithmetic = 'dot_s8' }]])
  local function vendored(name, scales, layer, changes)
    local tensors = {}
    for i, module in ipairs { 'gate_proj', 'up_proj', 'down_proj' } do
      local dims = i < 3 and { 8, 4 } or { 4, 8 }
      tensors['mlp.' .. module .. '.weight'] = { 'F32', 4, dims, ('\0\0\0\x3f'):rep(32) }
      tensors['mlp.' .. module .. '.' .. name] = scales[i]
        and { 'F32', 4, i == 3 and { 1 } or {}, string.pack('<f', scales[i]) }
    end
    for key, tensor in pairs(changes or {}) do tensors['mlp.' .. key] = tensor end
    model_files.store(folder .. '/w.safetensors', tensors)
    return support.ffngen({ 'vendor', 'my.lua', '--layer', layer or 'it', '--out', 'out',
      '--header-only', '--isa', 'c', '--prefix', 'my', '--weights', 'w.safetensors' },
      { dir = folder })
  end
  support.assert_code(vendored('operand_scale', { 0.5, 0.5, 0.25 }), 0)
  local text = support.read(folder .. '/out/my.h')
  support.assert_has(text, '0.5f, 0.25f,')
  support.assert_code(vendored('input_scale', { 0.5, 0.5, 0.25 }), 0)
  unit.assertEquals(support.read(folder .. '/out/my.h'), text)
  for _, case in ipairs {
    { 'operand_scale', { 0.5, 0.5 }, 'there is no tensor for down.operand_scale: '
      .. '"mlp.down_proj.operand_scale" is missing' },
    { 'operand_scale', { 0.5, 0.25, 0.5 }, 'gate.operand_scale is 0.5 and up.operand_scale is '
      .. '0.25: both multiply one x, which has one scale' },
    { 'operand_scale', { 0.5, 0.5, 0.0 }, 'down.operand_scale is 0, and the scale of an operand is '
      .. 'finite and at least 2^-100' },
    { 'operand_scale', { 0.5, 0.5, 0.5 }, 'gate_proj.operand_scale', 'other' },
    { 'input_scale', { 0.5, 0.5, 0.5 }, 'gate_proj.input_scale', 'other' },
    { 'input_scale', { 0.5, 0.5, 0.5 }, 'gate_proj.input_zero_point', 'it',
      { ['gate_proj.input_zero_point'] = { 'I8', 1, { 1 }, '\5' } } },
  } do
    local result = vendored(case[1], case[2], case[4], case[5])
    support.assert_code(result, 4, case[3])
    support.assert_has(result.err, case[3])
  end
end

--- What f16 has no scale for is refused by its place; and formats that take no floats, by name.
function TestEmbed.test_refused()
  local folder = support.folder()
  local function refused(format, large, problem)
    local numbers = {}
    for i = 1, 256 * 2 do numbers[i] = i == 300 and large or 0.5 end
    support.write(folder .. '/w.bin', string.pack('<' .. ('f'):rep(#numbers),
      table.unpack(numbers)))
    support.write(folder .. '/my.lua',
      ("linear 'it' { d_model = 256, d_out = 2, weights = '%s' }"):format(format))
    local result = support.ffngen({ 'vendor', 'my.lua', '--out', 'out', '--isa', 'c', '--weights',
      'w.bin' }, { dir = folder })
    support.assert_code(result, problem and 4 or 0, format)
    support.assert_has(result.err, problem or '', format)
  end
  local infinite = 'a weight of stage linear, output 1, is infinite in '
  refused('q8_0', 65519.0 * 127)
  refused('q8_0', 65520.0 * 127, infinite .. 'q8_0')
  refused('q4_0', 65519.0 * 8)
  refused('q4_0', 65520.0 * 8, infinite .. 'q4_0')
  refused('i8', 2.0 ^ 127)
  refused('q4_K', 1.0, 'weights of q4_K are not made here of numbers: give the model.ffn that '
    .. 'ffn-pack wrote')
end
