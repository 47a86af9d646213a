--- Weights that `ffngen vendor --weights` embeds are what pack() makes of them, byte for byte: in a
--- layer of every form, each number another.
local unit = require 'luaunit'
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

local program = [[
#define MY_IMPLEMENTATION
#include "out/my.h"
#include <string.h>
static const float w[] = {%s};
int main(void) {
  static _Alignas(MY_ALIGNMENT) unsigned char packed[1 << 16];
  const my_kernel *k = my_it();
  my_linear chain[MY_MAX_STAGES] = {{NULL, NULL}};
  my_weights weights = {.chain = chain};
%s
  if (k->packed_bytes > sizeof packed)
    return 2;
  k->pack(packed, &weights);
  return memcmp(packed, my_it_packed(), k->packed_bytes) != 0;
}
]]

TestEmbed = {}

function TestEmbed.test_as_packed()
  for _, layer in ipairs(layers) do
    local folder, numbers, lines = support.folder(), {}, {}
    local function take(count)
      local first = #numbers
      for i = 1, count do numbers[first + i] = (first + i) / 4 end
      return first
    end
    for _, m in ipairs(layer.matrices) do
      local place = (m[1]:match('^chain') and '' or 'weights.') .. m[1]
      lines[#lines + 1] = ('  %s.weight = w + %d;'):format(place, take(m[2] * m[3]))
      if layer.bias then lines[#lines + 1] = ('  %s.bias = w + %d;'):format(place, take(m[2])) end
    end
    support.write(folder .. '/my.lua', layer.spec)
    support.write(folder .. '/w.bin',
      string.pack('<' .. ('f'):rep(#numbers), table.unpack(numbers)))
    support.write(folder .. '/main.c', program:format(table.concat(numbers, ', '),
      table.concat(lines, '\n')))
    support.assert_code(support.ffngen({ 'vendor', 'my.lua', '--out', 'out', '--header-only',
      '--isa', 'c', '--prefix', 'my', '--weights', 'w.bin' }, { dir = folder }), 0, layer.spec)
    support.assert_code(support.run({ 'gcc', '-O0', 'main.c', '-o', 'main', '-lm' },
      { dir = folder }), 0, 'gcc')
    unit.assertEquals(support.run({ './main' }, { dir = folder }).code, 0, layer.spec)
  end
end
