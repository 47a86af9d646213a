--- Reading packed weights: the words for it on every instruction set, and formats, those that only
--- tests have (tests/data/formats) among them, each against decoders that know nothing of either.
local unit = require 'luaunit'
local decoding = require 'emit.decoding'
local environment = require 'emit.environment'
local formats = require 'weights.format'
local groups = require 'weights.group'
local isas = require 'isa'
local packing = require 'emit.packing'
local support = require 'support'
local vector = require 'emit.vector'
local weights = require 'weights'

--- Of the project's all whose blocks hold their scales.
local test_formats = { 'bf16', 'f16', 'q32', 'k64', 'h5' }
for _, name in ipairs(weights.names) do
  local source = weights.by_name[name].source
  if source and source.number == 'u8' and source.scale == 0 then
    test_formats[#test_formats + 1] = name
  end
end

local function format_of(name)
  return weights.by_name[name] or formats.record(name,
    dofile(('%s/tests/data/formats/%s.lua'):format(support.root, name)))
end

--- How a program of an instruction set is made and run here; nil where it cannot.
local function tools(name)
  local machine, function_of = support.capture('uname -m'), {}
  local function has(command)
    return support.capture('command -v ' .. command .. ' || true') ~= ''
  end
  function function_of.c() return { 'cc', '' } end
  local has_avx2 = machine == 'x86_64'
    and support.capture('grep -wc avx2 /proc/cpuinfo || true') ~= '0'
  function function_of.avx2() return has_avx2 and { 'cc', '' } or nil end
  -- Where the CPU has no more than AVX2, by stand-ins.
  function function_of.avx512() return has_avx2 and { 'cc', '', source = '_avx512' } or nil end
  function function_of.neon()
    if machine == 'aarch64' then return { 'cc', '' } end
    return has 'qemu-aarch64' and has 'aarch64-linux-gnu-gcc'
      and { 'aarch64-linux-gnu-gcc -static', 'qemu-aarch64' } or nil
  end
  function function_of.wasm()
    return support.full and has 'emcc' and has 'node'
      and { 'emcc -msimd128 -sSINGLE_FILE=1', 'node' } or nil
  end
  return function_of[name] and function_of[name]()
end

--- Compiles and runs a program; what it says.
local function run(tool, text)
  local folder = support.folder()
  local program = tool[2] == 'node' and 'program.js' or 'program'
  local source, flags = ('program%s.c'):format(tool.source or ''), ''
  support.write(folder .. '/' .. source, text)
  if tool.source then flags = table.concat(support.stand_ins(folder), ' ') end
  local line = ('%s -std=c11 -O1 -Wall -Wextra -Werror -Wno-unused-function -I%s -I%s '
    .. '%s -o %s -lm %s && %s ./%s'):format(tool[1],
      support.quote(support.project .. '/runtime'), support.quote(support.project .. '/generated'),
      source, program, flags, tool[2], program)
  local result = support.run({ 'sh', '-c', line }, { dir = folder, seconds = 300 })
  support.assert_code(result, 0, line)
  return result.out
end

local common = [[
static uint32_t state = 12345;
static uint32_t any(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8 ^ state << 16;
}

/* An f16 by its definition, a NaN quiet. */
static uint32_t bits_of_half(unsigned half) {
  const unsigned exponent = half >> 10 & 31, fraction = half & 1023;
  const double size = exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
  const float value = (float)(half & 0x8000 ? -size : size);
  uint32_t bits;
  if (exponent == 31)
    return (half & 0x8000u) << 16 | 0x7f800000u | (fraction ? fraction << 13 | 0x400000u : 0);
  memcpy(&bits, &value, 4);
  return bits;
}
static double half_at(const unsigned char *p) {
  const uint32_t bits = bits_of_half(p[0] | (unsigned)p[1] << 8);
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
]]

--- A program for an instruction set, with the functions that some words call.
local function program(isa, words, parts)
  local env = environment.of_isa(isa, 'ffn')
  local helpers = { isa.helpers }
  for _, one in ipairs { isas.by_name.c, isa.name ~= 'c' and isa or nil } do
    for _, word in ipairs(support.keys(one.word_helpers)) do
      if words[word] then helpers[#helpers + 1] = one.word_helpers[word] end
    end
  end
  return table.concat({
    '#include "kernel.h"', '#include <math.h>', '#include <stdio.h>', '#include <string.h>',
    isa.include ~= '' and ('#include <%s>'):format(isa.include) or '', env.target_begin,
    table.concat(helpers, '\n'), common, table.concat(parts, '\n'), env.target_end, '',
  }, '\n')
end

-- Words ------------------------------------------------------------------------------------------

local a, b, h = '(const uint32_t *)a', '(const uint32_t *)b', '(const uint16_t *)h'
local bytes = '(const uint8_t *)c'

--- What is computed with a builder from `a`, `b` (integers of 32 bits), `h` (of 16) and `c` (of 8),
--- and what C says of its lane i.
local words = {
  { 'load_u32', function(v) return v.load('u32', a) end, 'a[i]' },
  { 'load_u8', function(v) return v.load('u8', bytes) end, 'c[i]' },
  { 'load_u16', function(v) return v.load('u16', h) end, 'h[i]' },
  { 'load_f16', function(v) return v.load('f16', h) end, 'bits_of_half(h[i])' },
  { 'load_f8', function(v) return v.load('f8', bytes) end, 'bits_of_f8(c[i])' },
  { 'load', function(v) return v.load('f32', '(const float *)a') end, 'a[i]' },
  { 'iand', function(v) return v.iand(v.load('u32', a), v.load('u32', b)) end, 'a[i] & b[i]' },
  { 'ior', function(v) return v.ior(v.load('u32', a), v.load('u32', b)) end, 'a[i] | b[i]' },
  { 'shr 1', function(v) return v.shr(v.load('u32', a), 1) end, 'a[i] >> 1' },
  { 'shr 31', function(v) return v.shr(v.load('u32', a), 31) end, 'a[i] >> 31' },
  { 'shl', function(v) return v.shl(v.load('u32', a), 16) end, 'a[i] << 16' },
  { 'field', function(v) return v.field(v.load('u32', a), 6, 12) end, 'a[i] >> 12 & 63' },
  { 'the first field', function(v) return v.field(v.load('u32', a), 4, 0) end, 'a[i] & 15' },
  { 'high nibbles', function(v) return v.high_nibbles(v.load('u32', a)) end,
    'a[i] >> 4 & 0x0f0f0f0f' },
  { 'the last field', function(v) return v.field(v.load('u32', a), 8, 24) end, 'a[i] >> 24' },
  { 'a field by a variable', function(v)
    return v.field(v.load('u32', a), 6, v.affine('place', 6, 2))
  end, 'a[i] >> (6 * place + 2) & 63' },
  { 'from_int', function(v)
    return v.from_int(v.isub(v.field(v.load('u32', a), 24, 3), v.iconst(0x7fffff)))
  end, 'bits_of((float)((int32_t)(a[i] >> 3 & 0xffffff) - 0x7fffff))' },
}

--- Four bits where a line begins, ends and between, of low and of high halves of its bytes.
for _, word in ipairs { 'from_e2m1', 'from_iq4' } do
  for _, at in ipairs { 0, 12, 16, 20, 28 } do
    words[#words + 1] = {
      ('%s of bit %d'):format(word, at), function(v) return v[word](v.load('u32', a), at) end,
      ('bits_of_%s(a[i] >> %d)'):format(word:sub(6), at),
    }
  end
end

--- A function of all words: what each gives goes to a row of `out`.
local function words_program(isa)
  local v, lines, checks, used = vector.builder(isa), {}, {}, {}
  for n, word in ipairs(words) do
    local node = word[2](v)
    if node.kind == 'i' then node = v.from_bits(node) end
    for _, line in ipairs(v.take()) do lines[#lines + 1] = line end
    lines[#lines + 1] = vector.word(isa, 'storeu', ('out[%d] + i'):format(n - 1),
      node.text or node.code) .. ';'
    checks[n] = ('  check("%s", bits[%d][i], %s);'):format(word[1], n - 1, word[3])
  end
  for word in pairs(v.words()) do used[word] = true end
  local text = ([[
enum { NOT_A_NUMBER = 0x7fc00000 };
static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}
/* Twice an E2M1. */
static uint32_t bits_of_e2m1(unsigned number) {
  const unsigned fraction = number & 1, exponent = number >> 1 & 3;
  const float size = exponent ? ldexpf(1 + 0.5f * (float)fraction, (int)exponent) : (float)fraction;
  return bits_of(number & 8 && size > 0 ? -size : size);
}
static uint32_t bits_of_iq4(unsigned number) {
  static const int levels[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                               1, 13, 25, 38, 53, 69, 89, 113};
  return bits_of(ldexpf((float)levels[number & 15], 24));
}
/* 2^-8 of an E4M3, a NaN as which it is known. */
static uint32_t bits_of_f8(unsigned byte) {
  const unsigned fraction = byte & 7, exponent = byte >> 3 & 15;
  const float size = exponent ? ldexpf(8 + (float)fraction, (int)exponent - 18)
                              : ldexpf((float)fraction, -17);
  if ((byte & 127) == 127)
    return NOT_A_NUMBER;
  return bits_of(byte & 128 ? -size : size);
}
static unsigned long compared, wrong;
static void check(const char *what, uint32_t is, uint32_t should) {
  const uint32_t known = (is & 0x7fc00000) == 0x7fc00000 ? NOT_A_NUMBER : is; /* and quiet */
  compared++;
  if ((should == NOT_A_NUMBER ? known : is) != should && wrong++ < 10)
    printf("%%s: %%x, not %%x\n", what, (unsigned)is, (unsigned)should);
}
static void all(float (*out)[16], const uint32_t *from, const uint32_t *by, const uint16_t *halves,
    const uint8_t *bytes, unsigned place) {
  for (size_t i = 0; i < 16; i += %d) {
    const uint32_t *a = from + i, *b = by + i;
    const uint16_t *h = halves + i;
    const uint8_t *c = bytes + i;
%s
  }
}
int main(void) {
  for (unsigned round = 0; round < 65536 / 16; round++) {
    _Alignas(64) uint32_t a[16], b[16];
    _Alignas(64) uint16_t h[16];
    uint8_t c[16]; /* any more are beyond it */
    _Alignas(64) float out[%d][16];
    uint32_t bits[%d][16];
    const unsigned place = round %% 4;
    for (unsigned i = 0; i < 16; i++)
      a[i] = any(), b[i] = any(), h[i] = (uint16_t)(16 * round + i), c[i] = (uint8_t)any();
    for (unsigned i = 0; i < 16; i++) /* no NaN: to load it may make it a quiet one */
      if ((a[i] & 0x7f800000u) == 0x7f800000u)
        a[i] &= 0xffefffffu, a[i] ^= 0x800000u;
    all(out, a, b, h, c, place);
    memcpy(bits, out, sizeof bits);
    for (unsigned i = 0; i < 16; i++) {
%s
    }
  }
  printf("%%lu compared\n", compared);
  return wrong != 0;
}
]]):format(isa.lanes, table.concat(lines, '\n'), #words, #words, table.concat(checks, '\n'))
  return program(isa, used, { text })
end

-- Formats ----------------------------------------------------------------------------------------

--- Each format once more, in plain C: the weight of a group of one panel. Those that have blocks
--- are held to the reference's decoders, which know nothing of lines.
local truths = {
  bf16 = [[
static float truth(const unsigned char *g, size_t k, size_t lane) {
  const uint32_t bits = ((uint32_t)g[4 * lane + 2 * k + 1] << 8 | g[4 * lane + 2 * k]) << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}]],
  f16 = [[
static float truth(const unsigned char *g, size_t k, size_t lane) {
  return (float)half_at(g + 32 * k + 2 * lane);
}]],
  q32 = [[
static float truth(const unsigned char *g, size_t k, size_t lane) {
  const unsigned byte = g[32 + k / 8 * 64 + 4 * lane + k % 4];
  const int q = k % 8 < 4 ? (int)(byte & 15) : (int)(byte >> 4);
  return (float)((q - 8) * half_at(g + 2 * lane));
}]],
  k64 = [[
static float truth(const unsigned char *g, size_t k, size_t lane) {
  const unsigned char *s = g + 32 + 4 * lane;
  const uint32_t subs = s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16;
  const double factor = half_at(g + 2 * lane) * (subs >> k / 16 * 6 & 63);
  return (float)(factor * g[96 + k / 4 * 64 + 4 * lane + k % 4] - 128 * factor);
}]],
  h5 = [[
static float truth(const unsigned char *g, size_t k, size_t lane) {
  const unsigned byte = g[64 + k / 8 * 64 + 4 * lane + k % 4], high = g[4 * lane + k % 4];
  const int low = k % 8 < 4 ? (int)(byte & 15) : (int)(byte >> 4);
  float scale;
  memcpy(&scale, head + 4 * lane, 4);
  return (float)(low + 16 * (int)(high >> (k / 8 * 2 + k % 8 / 4) & 1) - 16) * scale;
}]],
}

--- The group comes back as blocks, which are decoded; those that test_blocks() has packed hold the
--- same in both forms.
local of_blocks = [[
static float truth(const unsigned char *g, size_t k, size_t lane) {
  static unsigned char own[OWN_BYTES];
  static const unsigned char *last_group;
  static size_t last_lane;
  if (k == 0 || g != last_group || lane != last_lane)
    NAME_give((const char *)g, 1, lane, own, head);
  last_group = g, last_lane = lane;
  return (float)ffn_decode_NAME(own + k / OWN_K * BLOCK_BYTES, k % OWN_K);
}
/* Of a group of one panel, and of one beside another: blocks come back as they were, and lines are
 * those of the blocks, byte for byte. */
static int test_blocks(void) {
  static char group[BYTES], again[BYTES], pair[2 * BYTES];
  static unsigned char own[16][OWN_BYTES], back[OWN_BYTES];
  int bad = 0;
  for (unsigned round = 0; round < 100; round++) {
    for (size_t lane = 0; lane < 16; lane++) {
      for (size_t i = 0; i < OWN_BYTES; i++)
        own[lane][i] = (unsigned char)any();
      NAME_take(group, 1, lane, own[lane], head);
      NAME_take(pair, 2, 16 + lane, own[lane], heads);
    }
    for (size_t lane = 0; lane < 16; lane++) {
      NAME_give(group, 1, lane, back, head);
      bad |= memcmp(back, own[lane], OWN_BYTES) != 0;
      NAME_take(again, 1, lane, back, head);
      NAME_give(pair, 2, 16 + lane, back, heads);
      bad |= memcmp(back, own[lane], OWN_BYTES) != 0;
    }
    bad |= memcmp(group, again, BYTES) != 0;
    for (size_t i = 0; i < BYTES; i++) /* whatever lanes hold */
      group[i] = (char)any();
    for (size_t lane = 0; lane < 16; lane++) {
      NAME_give(group, 1, lane, back, head);
      NAME_take(again, 1, lane, back, head);
    }
    bad |= memcmp(group, again, BYTES) != 0;
  }
  if (bad)
    printf("blocks: others come back\n");
  return bad;
}]]

--- Of formats that take floats.
local packs = [[
      /* What is packed is near to what it was, and packed again is the same. */
      float held[GROUP], twice[GROUP];
      const float size = SIZED ? ldexpf(1, (int)(any() % 8) - 1) : 1;
      float most = 0;
      for (size_t k = 0; k < GROUP; k++) {
        w[k] = size * ((float)(any() & 0xffff) / 32768 - 1);
        most = fabsf(w[k]) > most ? fabsf(w[k]) : most;
      }
      NAME_pack(again, 1, lane, w, head);
      NAME_unpack(again, 1, lane, held, head);
      NAME_pack(pair, 2, 16 + lane, w, heads);
      NAME_unpack(pair, 2, 16 + lane, twice, heads);
      if (memcmp(held, twice, sizeof held) != 0 && wrong++ < 10)
        printf("packed beside another panel: not the same\n");
      NAME_pack(again, 1, lane, held, head);
      NAME_unpack(again, 1, lane, twice, head);
      for (size_t k = 0; k < GROUP; k++) {
        if (!(fabsf(held[k] - w[k]) <= most / NEAR + 0x1p-23f) && wrong++ < 10)
          printf("packed: %a became %a\n", (double)w[k], (double)held[k]);
        sharp += held[k] != 0;
      }
      if (EXACT && memcmp(held, twice, sizeof held) != 0 && wrong++ < 10)
        printf("packed twice: not the same\n");
]]

local decoders = [[
DECODER
/* What a panel begins with; of one panel, and of two side by side. */
_Alignas(64) static char head[64], heads[128];
static void decode(const char *group, float *out) {
  for (size_t lane = 0; lane < 16; lane += LANES) {
VECTORS
  }
}
static void ascend(const char *group, size_t phase, size_t count, float *out) {
ASCENT
}
SCALARS
TRUTH

static unsigned long wrong;
static void compare(const char *what, size_t k, size_t lane, float is, float should) {
  if (memcmp(&is, &should, 4) != 0 && !(is != is && should != should) && wrong++ < 10)
    printf("%s: weight %zu of lane %zu is %a, not %a\n", what, k, lane, (double)is, (double)should);
}

enum { GROUPS = 5, STEP = STEP_K };

/* Some of the k of five groups, of two vectors at a time. */
static unsigned long ascend_all(void) {
  _Alignas(64) static char groups[GROUPS * BYTES];
  _Alignas(64) static float out[(GROUPS * GROUP + 1) * 16], should[GROUPS * GROUP][16];
  unsigned long compared = 0;
  for (size_t i = 0; i < sizeof groups; i++)
    groups[i] = (char)any();
  for (size_t lane = 0; lane < 2 * LANES && lane < 16; lane++)
    for (size_t k = 0; k < GROUPS * GROUP; k++)
      should[k][lane] =
          truth((const unsigned char *)groups + k / GROUP * BYTES, k % GROUP, lane);
  for (size_t first = 0; first < GROUP; first += FIRST)
    for (size_t count = STEP; first + count <= GROUPS * GROUP; count += DIVIDES) {
      memset(out, 1, sizeof out);
      const float before = out[16 * count];
      ascend(groups, first, count, out);
      compare("nothing more", count, 0, out[16 * count], before);
      for (size_t k = 0; k < count; k++)
        for (size_t lane = 0; lane < 2 * LANES && lane < 16; lane++, compared++)
          compare("ascending", k, lane, out[16 * k + lane], should[first + k][lane]);
    }
  return compared;
}

int main(void) {
  static const uint16_t scales[] = {0, 0x8000, 1, 0x83ff, 0x400, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                                    0x7e00, 0xfd00, 0x3c00};
  _Alignas(64) static char group[BYTES], again[BYTES], pair[2 * BYTES];
  _Alignas(64) static float out[GROUP * 16];
  const size_t halves = HALVES;
  unsigned long compared = 0, numbers = 0, sharp = 0, ascended = 0;
  (void)scales, (void)head, (void)heads, (void)again, (void)pair;
TEST_BLOCKS
  for (unsigned round = 0; round < 600; round++) {
    float w[GROUP];
    for (size_t i = 0; i < BYTES; i++)
      group[i] = (char)any();
    for (size_t lane = 0; lane < 16; lane++) {
      const float scale = round % 7 ? ldexpf((float)(any() & 0xffff), (int)(any() % 40) - 30) : 0;
      memcpy(head + 4 * lane, &scale, 4);
    }
    for (size_t i = 0; i < 16 * halves; i++)
      if (round % 2)
        memcpy(group + 2 * i, &scales[any() % (sizeof scales / sizeof *scales)], 2);
    for (size_t i = 0; i < sizeof group; i++) /* zeros, and all bits, too */
      if (halves > 1 && round % 3 == 0 && i >= 32 * halves && any() % 4)
        group[i] = 0;
    decode(group, out);
    for (size_t lane = 0; lane < 16; lane++) {
      NAME_unpack(group, 1, lane, w, head);
      for (size_t k = 0; k < GROUP; k++, compared++) {
        const float should = truth((const unsigned char *)group, k, lane);
        compare("a vector", k, lane, out[16 * k + lane], should);
        compare("of one", k, lane, NAME_one(group, 1, k, laneHEAD), should);
        compare("unpacked", k, lane, w[k], should);
        numbers += should == should && should != 0;
      }
PACKED
    }
  }
  for (unsigned round = 0; round < 4; round++)
    ascended += ascend_all();
  printf("%lu compared, %lu numbers, %lu packed\n", compared, numbers, sharp);
  return wrong || ascended == 0 || numbers < compared / 8 || (PACKS && sharp < compared / 2);
}
]]

--- How near to a weight the packed one is, as a part of the largest of its group; and whether a
--- packed weight is packed as itself.
local near = {
  bf16 = { '256', 1 }, f16 = { '1024', 1 }, q32 = { '13.8f', 0 }, k64 = { '200', 0 },
  h5 = { '15.9f', 1 }, q8_0 = { '220', 1 }, q4_0 = { '7.9f', 1 },
  q4_K = { '6.5f', 0 }, q6_K = { '15', 0 },
}

--- What is tried of a format that has blocks, beside its lines.
local function block_parts(format, placed)
  local source = format.source
  if not source or source.number ~= 'u8' or source.scale > 0 then return nil end
  local name = format.name
  return {
    OWN_K = source.k, BLOCK_BYTES = source.bytes, NAME = name, BYTES = placed.bytes,
    OWN_BYTES = format.group // source.k * source.bytes,
    FUNCTIONS = packing.take(format, placed, name .. '_take')
      .. packing.give(format, placed, name .. '_give'),
  }
end

local function filled(text, values)
  return (text:gsub('%f[%w]%u[%u_]+%f[^%w_]', values):gsub('NAME_', values.NAME .. '_')
    :gsub('HEADS?', values))
end

--- How far apart the first k, and the counts of k, are that are tried: not all of large groups.
local function strides(format)
  local step = format.step.k
  if format.group >= 256 then return 5 * step, 7 * step end
  return step, #format.levels > 0 and step or 1
end

--- With how many lines of f16 a group begins.
local function halves_of(format)
  local count, lines = 0, format.levels[1] and format.levels[1].lines or {}
  while lines[count + 1] and lines[count + 1].lane == 'f16' do count = count + 1 end
  return count
end

local function format_program(isa, name)
  local format, c = format_of(name), isas.by_name.c
  local placed = groups.place(format)
  local v = vector.builder(isa)
  local from = { group = 'group', lane = 'lane', head = 'head' }
  local vectors = decoding.group(v, format, placed, from, function(value, k, i)
    return vector.word(isa, 'storeu', ('out + 16 * (%s + %d) + lane'):format(k, i), value) .. ';'
  end)
  local places = { { group = 'group', lane = '0', head = 'head' },
    isa.lanes < 16 and { group = 'group', lane = tostring(isa.lanes), head = 'head' } or nil }
  local ascent = decoding.ascend(vector.builder(isa), format, placed, {
    pointer = 'group', phase = 'phase', count = 'count', step = tostring(placed.bytes),
    places = places,
  }, function(n, value, i)
    local to = ('out + 16 * (k + %d) + %d'):format(i, (n - 1) * isa.lanes)
    return vector.word(isa, 'storeu', to, value) .. ';'
  end)
  local used = {}
  for _, list in ipairs { v.words(), decoding.words(c, format, 'value') } do
    for word in pairs(list) do used[word] = true end
  end
  local first, count = strides(format)
  local own, packed = block_parts(format, placed), near[name] or {}
  local values = {
    LANES = isa.lanes, VECTORS = vectors, ASCENT = ascent .. '(void)phase;',
    STEP_K = format.step.k, FIRST = first, DIVIDES = count, NAME = name,
    TRUTH = own and own.FUNCTIONS .. filled(of_blocks, own) or truths[name],
    TEST_BLOCKS = own and 'wrong += test_blocks() != 0;' or '',
    DECODER = own and ('#include "decoders/%s.h"'):format(name) or '',
    SCALARS = table.concat({
      table.concat(format.helpers), format.pack and packing.pack(format, placed, name .. '_pack')
        or '', packing.unpack(c, format, placed, name .. '_unpack'),
      packing.one(c, format, placed, name .. '_one'),
    }, '\n'), GROUP = format.group, BYTES = placed.bytes, SIZED = format.head and 0 or 1,
    HEAD = format.head and ', head' or '', PACKS = format.pack and 1 or 0,
    HALVES = format.head and 0 or halves_of(format), NEAR = packed[1],
    EXACT = packed[2],
  }
  values.PACKED = format.pack and filled(packs, values) or ''
  return program(isa, used, { filled(decoders, values) })
end

--- Each weight of a group, in the vectors of an instruction set, one for itself and unpacked.
local function test_on(name)
  local tool = tools(name)
  unit.skipIf(not tool, name .. ': no CPU, compiler or emulator of it')
  local isa = isas.by_name[name]
  local compared = run(tool, words_program(isa)):match('^(%d+) compared\n$')
  unit.assertEquals(tonumber(compared), 65536 * #words, name)
  for _, format in ipairs(test_formats) do
    local out = run(tool, format_program(isa, format))
    local count = tonumber(out:match('^(%d+) compared'))
    unit.assertEquals(count, 600 * 16 * format_of(format).group, format .. ' on ' .. name)
  end
end

TestDecoding = {}

for _, name in ipairs(support.f32_isas()) do
  TestDecoding['test_' .. name] = function() test_on(name) end
end
