--- GGUF's q8_0: scale * q, q from -128 to 127. Byte b of a lane is that of k b, 128 more.
local blocks = require 'weights.quantization_blocks'
local half = require 'weights.f16_scales'
local numbers = require 'common.number'
local position = require 'weights.position'

local take, give, pack = blocks.of {
  planes = { SCALE = 'scale', QUANTS = 'quants' }, bytes = 34, encode = 'ffn_q8_0_block',
  take = blocks.take_half('SCALE', 0) .. [[
for (size_t n = 0; n < 8; ++n) {
  uint32_t bytes = 0;
  for (size_t b = 0; b < 4; ++b)
    bytes |= (uint32_t)(OWN[2 + 4 * n + b] ^ 128) << 8 * b;
  QUANTS[n] = bytes;
}]],
  give = blocks.give_half('SCALE', 0) .. [[
for (size_t k = 0; k < 32; ++k)
  OWN[2 + k] = (unsigned char)((QUANTS[k / 4] >> 8 * (k % 4) & 255) ^ 128);]],
}

--- As ffn_q8_0_block() below, each operation rounded to f32.
local function embed(c)
  local most = 0.0
  for k = 0, 31 do most = math.max(most, math.abs(c.weight(k))) end
  local scale = numbers.to_f32(most / 127)
  local stored, inverse = half.bits(scale), half.inverse_of(scale)
  if not stored then return false end
  c.set('scale', 0, stored)
  for n = 0, 7 do
    local bytes = 0
    for b = 0, 3 do
      local x = numbers.to_f32(c.weight(4 * n + b) * inverse)
      local q = x < 0 and math.ceil(x - 0.5) or math.floor(x + 0.5)
      bytes = bytes | (q & 255 ~ 128) << 8 * b
    end
    c.set('quants', n, bytes)
  end
  return true
end

return {
  name = 'q8_0',
  about = "GGUF's blocks of 32 weights of 8 bits with a scale",
  levels = {
    {
      k = 32, lines = { { plane = 'scale', lane = 'f16' } },
      open = function(_, lines) return { scale = lines.scale } end,
    },
  },
  step = { k = 4, lines = { { plane = 'quants', lane = 'u32' } } },
  registers = position.registers(8), ready = position.ready_from(8, 128),
  value = function(v, lines, state, i)
    return position.value(v, 8, lines.quants, 8 * i, state)
  end,
  products = {
    bits = 8, offset = 128, short_scale = true, take = function(_, lines) return lines.quants end,
  },
  source = { k = 32, bytes = 34 },
  take = take, give = give, pack = pack, embed = embed,
  helpers = { half.nearest, half.inverse, half.largest, [[
/* The block of 32 weights w, any floats, as ggml's reference: rounded half away from zero. `own`
 * begins at any byte. */
FFN_SHARED void ffn_q8_0_block(const float *w, unsigned char *own) {
  const uint32_t most = ffn_largest_of(w, 32);
  const int finite = most < 0x7f800000u;
  const float scale = finite ? ffn_from_bits((int32_t)most) / 127.0f : 0.0f;
  const float inverse = ffn_inverse_of(scale);
  const uint16_t stored = finite ? ffn_f16_of(scale) : 0x7e00; /* of a NaN all are NaN */
  own[0] = (unsigned char)(stored & 255);
  own[1] = (unsigned char)(stored >> 8);
  for (size_t k = 0; k < 32; ++k) {
    const float x = finite ? ffn_fma(w[k], inverse, 0.0f) : 0.0f; /* rounded before it is used */
    const int whole = (int)x;
    const float rest = x - (float)whole;
    const int q = whole + (rest >= 0.5f) - (rest <= -0.5f);
    own[2 + k] = (unsigned char)(q & 255);
  }
}
]] },
}
