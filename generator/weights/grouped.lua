--- Nibbles in groups along k, each with a scale and a zero, in arrays of their own:
--- scale * (q - zero). Byte b of a lane has k b in its low half and k 4 + b in its high one.
local half = require 'weights.f16_scales'
local nibbles = require 'weights.nibbles'
local position = require 'weights.position'
local blocks = require 'weights.quantization_blocks'

local M = {}

---@class ScaleType
---@field lane string      of its line
---@field bytes integer
---@field type string      in C
---@field read fun(v: Builder, line: Node): Node  the scale as a float
---@field exact boolean    its products with a zero are exact
---@field stored string    C: the bits of the nearest to a float
---@field meaning string   C: the float of them
---@field helpers string[]

---@type table<string, ScaleType>
local types = {
  f16 = {
    lane = 'f16', bytes = 2, type = 'uint16_t', exact = true, about = 'f16',
    read = function(_, line) return line end, stored = 'ffn_f16_of',
    meaning = 'ffn_f16_value', helpers = { half.nearest, half.value },
  },
  bf16 = {
    lane = 'u16', bytes = 2, type = 'uint16_t', exact = true, about = 'bf16',
    read = function(v, line) return position.in_range(v, v.from_bits(v.shl(line, 16))) end,
    stored = 'ffn_bf16_of',
    meaning = 'ffn_bf16_value', helpers = { half.nearest_bf16, half.value_bf16 },
  },
  f32 = {
    lane = 'f32', bytes = 4, type = 'float', exact = false, about = 'f32',
    read = position.in_range, stored = 'ffn_f32_of', meaning = 'ffn_f32_of',
    helpers = { [[
/* A scale is stored as it is, but where parts of it would be no f32. */
FFN_SHARED float ffn_f32_of(float x) { return ffn_abs(x) < 0x1p-100f ? 0.0f : x; }
]] },
  },
}

--- A block of floats, symmetric: the weight of the largest size is -8 scales; the others are what
--- is nearest by the stored scale, ties to even.
local function encoder(name, k, scale)
  return ([[
/* COUNT weights w, any floats, as a block: nibbles, their scale, and 8, which means 0. `own` begins
 * at any byte. */
FFN_SHARED void ffn_NAME_block(const float *w, unsigned char *own) {
  const float round = 12582912.0f; /* 1.5 * 2^23, whose last place is 1 */
  const int finite = ffn_largest_of(w, COUNT) < 0x7f800000u;
  float most = 0.0f;
  for (size_t k = 0; k < COUNT; ++k)
    most = ffn_abs(w[k]) > ffn_abs(most) ? w[k] : most;
  /* Of a NaN all are NaN. */
  const TYPE stored = STORED(finite ? most / -8.0f : ffn_from_bits(0x7fc00000));
  const float inverse = finite ? ffn_inverse_of(MEANING(stored)) : 0.0f;
  for (size_t k = 0; k < COUNT; ++k) {
    const float x = finite ? ffn_fma(w[k], inverse, 0.0f) : 0.0f; /* rounded before it is used */
    const int32_t q = (int32_t)((x + round) - round);
    const uint32_t nibble = q > 7 ? 15u : q < -8 ? 0u : (uint32_t)(q + 8);
    own[k / 2] = (unsigned char)(k % 2 == 0 ? nibble : own[k / 2] | nibble << 4);
  }
  FFN_MEMCPY(own + COUNT / 2, &stored, sizeof stored);
  own[COUNT / 2 + sizeof stored] = 8;
}
]]):gsub('%f[%u]%u%u+%f[^%u]', {
    COUNT = tostring(k), TYPE = scale.type, STORED = scale.stored, MEANING = scale.meaning,
  }):gsub('NAME', name)
end

local function lines_of(k, scale)
  local at = k // 2
  return (([[
TYPE scale_of_all;
FFN_MEMCPY(&scale_of_all, &OWN[AT], sizeof scale_of_all);
for (size_t n = 0; n < LINES; ++n) {
  uint32_t line = 0;
  for (size_t i = 0; i < 8; ++i)
    line |= ((uint32_t)OWN[4 * n + i / 2] >> 4 * (i % 2) & 15) << (8 * (i % 4) + 4 * (i / 4));
  NIBBLES[n] = line;
}
SCALE[0] = scale_of_all;
ZERO[0] = (uint8_t)OWN[BEHIND];]]):gsub('%u%u+', {
    TYPE = scale.type, AT = tostring(at), LINES = tostring(k // 8),
    BEHIND = tostring(at + scale.bytes),
  })), (([[
const TYPE scale_of_all = SCALE[0];
for (size_t n = 0; n < LINES; ++n)
  for (size_t i = 0; i < 4; ++i) {
    const size_t low = 2 * i, high = 2 * i + 1;
    OWN[4 * n + i] = (unsigned char)(
        (NIBBLES[n] >> (8 * (low % 4) + 4 * (low / 4)) & 15) |
        (NIBBLES[n] >> (8 * (high % 4) + 4 * (high / 4)) & 15) << 4);
  }
FFN_MEMCPY(&OWN[AT], &scale_of_all, sizeof scale_of_all);
OWN[BEHIND] = ZERO[0];]]):gsub('%u%u+', {
    TYPE = scale.type, AT = tostring(at), LINES = tostring(k // 8),
    BEHIND = tostring(at + scale.bytes),
  }))
end

--- What value() reads where products of a scale and a zero are exact.
local function ready_exact(v, group)
  local minus = v.from_int(v.isub(v.iconst(0), group.zero))
  return position.ready(v, 4, group.scale, v.fma(minus, group.scale, v.const(0))) -- no -0
end

--- The format of groups of so many k with scales of a type.
---@param name string
---@param k integer
---@param type_name string
---@return table
function M.format(name, k, type_name)
  local scale = types[type_name]
  local take_text, give_text = lines_of(k, scale)
  local take, give, pack = blocks.of {
    planes = { SCALE = 'scale', ZERO = 'zero', NIBBLES = 'nibbles' },
    bytes = k // 2 + scale.bytes + 1, encode = ('ffn_%s_block'):format(name), take = take_text,
    give = give_text,
  }
  local helpers = { half.largest, half.inverse }
  for _, helper in ipairs(scale.helpers) do helpers[#helpers + 1] = helper end
  helpers[#helpers + 1] = encoder(name, k, scale)
  return {
    name = name,
    about = ('nibbles, each %d with a scale in %s and a zero'):format(k, scale.about),
    levels = {
      {
        k = k, lines = { { plane = 'scale', lane = scale.lane }, { plane = 'zero', lane = 'u8' } },
        open = function(v, lines)
          return { scale = scale.read(v, lines.scale), zero = lines.zero }
        end,
      },
    },
    step = nibbles.step,
    registers = scale.exact and nibbles.registers or position.registers_zero(4),
    ready = scale.exact and ready_exact or position.ready_zero(4),
    value = scale.exact and nibbles.value or function(v, lines, state, i)
      return position.value_zero(v, 4, lines.nibbles, nibbles.at(i), state)
    end,
    products = {
      bits = 4, take = nibbles.bytes, registers = 2, zeros = true,
      short_scale = scale.lane == 'f16',
    },
    source = { k = k, bytes = k // 2, every = k, scale = scale.bytes, zero = 1, none = 8 },
    take = take, give = give, pack = pack, helpers = helpers,
  }
end

return M
