--- Weights as sums of integers take them: what bytes and an open group say together is the value
--- that f32 are made of, in plain C, of each format that gives bytes.
local unit = require 'luaunit'
local decoding = require 'emit.decoding'
local formats = require 'weights.format'
local groups = require 'weights.group'
local isas = require 'isa'
local lists = require 'common.list'
local support = require 'support'
local vector = require 'emit.vector'
local weights = require 'weights'

local isa = isas.by_name.c

--- Numbers of the tables that bytes may be indices of, with no sign, and what one stands for.
local tables = {
  e2m1 = { 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12 },
  iq4 = { -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113 },
}

--- C: what byte b stands for, less what it is too large by.
local function q_of(products)
  local byte = products.signed and '(int8_t)(bytes >> 8 * b & 255)' or '(int)(bytes >> 8 * b & 255)'
  if not products.table then return ('%s - %d'):format(byte, products.offset) end
  local numbers = lists.map(tables[products.table], function(n) return n + products.offset end)
  return ('((const int[]){%s})[%s] - %d'):format(table.concat(numbers, ', '), byte,
    products.offset)
end

--- A function NAME_bytes(group, lane, head, out): scale factor (q - zero) + least of each k.
local function of_bytes(format)
  local v, placed, text = vector.builder(isa), groups.place(format), {}
  local from, state = { group = 'group', lane = 'lane', head = 'head' }, {}
  local last, k = #placed.parts, { '0' }
  local function open(depth)
    state = decoding.open(v, format, depth, decoding.lines_at(v, placed, depth, from), state,
      'bytes')
    lists.append(text, v.take())
  end
  if format.head then open(0) end
  for depth = 1, last do
    local part, index = placed.parts[depth], decoding.index_of(depth)
    if depth > 1 then
      text[#text + 1] = ('for (size_t %s = 0; %s < %d; ++%s) {'):format(index, index, part.count,
        index)
      k[depth] = ('%d * %s'):format(part.k, index)
    end
    if depth < last then open(depth) end
  end
  unit.assertEquals(state.factor ~= nil, format.products.factor, format.name)
  local lines = decoding.lines_at(v, placed, last, from)
  for i = 0, format.step.k - 1, 4 do
    local node = format.products.take(v, lines, state, i, decoding.index_of(last))
    lists.append(text, v.take())
    text[#text + 1] = ('{\nconst uint32_t bytes = (uint32_t)(%s);'):format(node.text or node.code)
    text[#text + 1] = ([[
for (int b = 0; b < 4; ++b) {
  const int q = (QUANT) - (ZERO);
  out[AT + b] = fmaf((float)q * (float)(FACTOR), SCALE, LEAST);
}
}]]):gsub('%f[%u]%u+%f[%U]', {
      QUANT = q_of(format.products), ZERO = state.zero and state.zero.text or '0',
      FACTOR = state.factor and state.factor.text or '1', SCALE = state.scale.text,
      LEAST = state.least and state.least.text or '0.0f',
      AT = ('%s + %d'):format(table.concat(k, ' + '), i),
    })
  end
  text[#text + 1] = ('}\n'):rep(last - 1)
  return ('static void NAME_bytes(const char *group, size_t lane, const char *head, float *out) '
    .. '{\n(void)head;\n%s}\n'):format(table.concat(text, '\n'))
end

--- The same of values.
local function of_values(format)
  local v = vector.builder(isa)
  local body = decoding.group(v, format, groups.place(format),
    { group = 'group', lane = 'lane', head = 'head' }, function(value, k, i)
      return ('out[%s + %d] = %s;'):format(k, i, value)
    end)
  return ('static void NAME_values(const char *group, size_t lane, const char *head, float *out) '
    .. '{\n(void)head;\n%s}\n'):format(body)
end

--- Compares them on any lines, but for scales that are no numbers, or too small to be divided.
local main = [[
static int NAME_differ(void) {
  static char group[BYTES], head[128];
  float is[GROUP], should[GROUP];
  int compared = 0;
  for (int round = 0; round < 400; round++) {
    for (size_t i = 0; i < sizeof group; i++)
      group[i] = (char)any();
    for (size_t i = 0; i < sizeof head; i++)
      head[i] = (char)(i < 64 || i % 4 == 0 ? any() : 0); /* scales, and zeros of 8 bits */
    for (size_t lane = 0; lane < 16; lane++) {
      NAME_bytes(group, lane, head, is);
      NAME_values(group, lane, head, should);
      for (int k = 0; k < GROUP; k++) {
        const float size = fmaxf(fabsf(is[k]), fabsf(should[k]));
        if (!(should[k] - should[k] == 0) || (size > 0 && size < 0x1p-80f))
          continue;
        compared++;
        if (memcmp(&is[k], &should[k], 4) != 0)
          return printf("NAME: %d: %a, not %a\n", k, (double)is[k], (double)should[k]);
      }
    }
  }
  return compared > 400 * GROUP ? 0 : printf("NAME: %d compared\n", compared);
}
]]

TestProducts = {}

function TestProducts.test_meaning()
  local text, calls, names = {}, {}, lists.filter(weights.names, function(name)
    return weights.by_name[name].products ~= false
  end)
  for _, word in ipairs(support.keys(isa.word_helpers)) do
    text[#text + 1] = isa.word_helpers[word]
  end
  text = lists.unique(text) -- several words may call one function
  text[#text + 1] = [[
static uint32_t state = 1;
static uint32_t any(void) { return (state = state * 1664525u + 1013904223u) >> 16; }]]
  for _, name in ipairs(names) do
    local format = weights.by_name[name]
    text[#text + 1] = ((of_bytes(format) .. of_values(format) .. main):gsub('NAME', name)
      :gsub('%f[%u]GROUP', format.group):gsub('%f[%u]BYTES', groups.place(format).bytes))
    calls[#calls + 1] = name .. '_differ()'
  end
  local folder = support.folder()
  support.write(folder .. '/program.c', table.concat({
    '#include "kernel.h"', '#include <math.h>', '#include <stdio.h>', '#include <string.h>',
    table.concat(text, '\n'),
    ('int main(void) { return (%s) != 0; }'):format(table.concat(calls, ' | ')),
  }, '\n'))
  local command = ('cc -std=c11 -O1 -ffp-contract=off -Wall -Wextra -Wno-unused-function -Werror '
    .. '-I%s -I%s program.c -o program -lm && ./program'):format(
      support.quote(support.root .. '/runtime'), support.quote(support.root .. '/generated'))
  local result = support.run({ 'sh', '-c', command }, { dir = folder, seconds = 300 })
  support.assert_code(result, 0, result.out)
  unit.assertEquals(#names, 22)
end

--- What a format may say of it.
function TestProducts.test_refused()
  local function refused(problem, change)
    local made = dofile(support.root .. '/tests/data/rooms/weights/toy8.lua')
    change(made.products)
    local ok, said = pcall(formats.record, 'toy8', made)
    unit.assertFalse(ok, problem)
    support.assert_has(tostring(said), 'weights/toy8.lua: products: ' .. problem, problem)
  end
  refused('bits must be one of 4, 5, 6, 8', function(p) p.bits = 7 end)
  refused('unknown table "e3m0" (did you mean "e2m1"?)', function(p) p.table = 'e3m0' end)
  refused('the field "take" is missing', function(p) p.take = nil end)
  refused('what has a sign has no offset', function(p) p.offset = 8 end)
  refused('unknown field "quad"', function(p) p.quad = print end)
end

--- What bytes are multiplied with is what `registers` says.
function TestProducts.test_registers()
  local function said(registers)
    local made = dofile(support.root .. '/tests/data/rooms/weights/toy8.lua')
    made.products.registers = registers
    local format = formats.record('toy8', made)
    local v, placed = vector.builder(isa), groups.place(format)
    return pcall(decoding.open, v, format, 1, decoding.lines_at(v, placed, 1,
      { group = 'g', lane = '0' }), {}, 'bytes')
  end
  unit.assertTrue((said(1)))
  local ok, problem = said(2)
  unit.assertFalse(ok)
  support.assert_has(tostring(problem), 'open() holds 1 vectors, registers says 2', 'registers')
end
