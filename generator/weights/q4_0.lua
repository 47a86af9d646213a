--- GGUF's q4_0: scale * (q - 8), q from 0 to 15. Byte b of a lane has k b in its low half and
--- k 4 + b in its high one.
local blocks = require 'weights.quantization_blocks'
local half = require 'weights.f16_scales'
local nibbles = require 'weights.nibbles'
local numbers = require 'common.number'
local position = require 'weights.position'

local take, give, pack = blocks.of {
  planes = { SCALE = 'scale', NIBBLES = 'nibbles' }, bytes = 18, encode = 'ffn_q4_0_block',
  take = blocks.take_half('SCALE', 0) .. nibbles.take(2),
  give = blocks.give_half('SCALE', 0) .. nibbles.give(2),
}

--- As ffn_q4_0_block() below, each operation rounded to f32.
local function embed(c)
  local most = 0.0
  for k = 0, 31 do
    if math.abs(c.weight(k)) > math.abs(most) then most = c.weight(k) end
  end
  local scale = numbers.to_f32(most / -8)
  local stored, inverse = half.bits(scale), half.inverse_of(scale)
  if not stored then return false end
  c.set('scale', 0, stored)
  for n = 0, 3 do
    local line = 0
    for i = 0, 7 do
      local x = numbers.to_f32(c.weight(8 * n + i) * inverse)
      line = line | math.min(math.floor(numbers.to_f32(x + 8.5)), 15) << nibbles.at(i)
    end
    c.set('nibbles', n, line)
  end
  return true
end

return {
  name = 'q4_0',
  about = "GGUF's blocks of 32 weights of 4 bits with a scale",
  levels = {
    {
      k = 32, lines = { { plane = 'scale', lane = 'f16' } },
      open = function(_, lines) return { scale = lines.scale } end,
    },
  },
  step = nibbles.step, registers = nibbles.registers,
  ready = position.ready_from(4, 8), value = nibbles.value,
  products = { bits = 4, offset = 8, take = nibbles.bytes, short_scale = true },
  source = { k = 32, bytes = 18 },
  take = take, give = give, pack = pack, embed = embed,
  helpers = { half.nearest, half.inverse, [[
/* The block of 32 weights w, any floats, as ggml's reference: the weight of the largest size is -8
 * scales. `own` begins at any byte. */
FFN_SHARED void ffn_q4_0_block(const float *w, unsigned char *own) {
  float most = 0.0f;
  int finite = 1;
  for (size_t k = 0; k < 32; ++k) {
    finite &= (ffn_bits(w[k]) & 0x7f800000) != 0x7f800000;
    most = ffn_abs(w[k]) > ffn_abs(most) ? w[k] : most;
  }
  const float scale = finite ? most / -8.0f : 0.0f;
  const float inverse = ffn_inverse_of(scale);
  const uint16_t stored = finite ? ffn_f16_of(scale) : 0x7e00; /* of a NaN all are NaN */
  own[0] = (unsigned char)(stored & 255);
  own[1] = (unsigned char)(stored >> 8);
  for (size_t j = 0; j < 16; ++j) {
    uint32_t q[2];
    for (size_t h = 0; h < 2; ++h) {
      const float x = finite ? ffn_fma(w[j + 16 * h], inverse, 0.0f) : 0.0f; /* rounded first */
      q[h] = finite ? (uint32_t)(x + 8.5f) : 0u;
      q[h] = q[h] > 15u ? 15u : q[h];
    }
    own[2 + j] = (unsigned char)(q[0] | q[1] << 4);
  }
}
]] },
}
