--- GGUF's q4_0: scale * (q - 8), q from 0 to 15. Byte b of a lane has k b in its low half and
--- k 4 + b in its high one.
local blocks = require 'weights.blocks'
local half = require 'weights.half'
local position = require 'weights.position'

local take, give, pack = blocks.of {
  planes = { SCALE = 'scale', NIBBLES = 'nibbles' }, bytes = 18, encode = 'ffn_q4_0_block',
  -- A block's byte j has value j in its low half and j + 16 in its high one.
  take = [[
SCALE[0] = (uint16_t)(OWN[0] | OWN[1] << 8);
for (size_t n = 0; n < 4; ++n) {
  uint32_t nibbles_of_line = 0;
  for (size_t i = 0; i < 8; ++i) {
    const size_t k = 8 * n + i;
    const uint32_t q = (uint32_t)OWN[2 + k % 16] >> k / 16 * 4 & 15;
    nibbles_of_line |= q << (8 * (i % 4) + 4 * (i / 4));
  }
  NIBBLES[n] = nibbles_of_line;
}]],
  give = [[
OWN[0] = (unsigned char)(SCALE[0] & 255);
OWN[1] = (unsigned char)(SCALE[0] >> 8);
for (size_t j = 0; j < 16; ++j) {
  const size_t at = 8 * (j % 4) + 4 * (j / 4 % 2); /* of j, and of j + 16 two lines behind */
  const uint32_t low = NIBBLES[j / 8] >> at & 15, high = NIBBLES[2 + j / 8] >> at & 15;
  OWN[2 + j] = (unsigned char)(low | high << 4);
}]],
}

return {
  name = 'q4_0',
  about = "GGUF's blocks of 32 weights of 4 bits with a scale",
  levels = {
    {
      k = 32, lines = { { plane = 'scale', lane = 'f16' } },
      open = function(v, lines)
        return position.open(v, 4, lines.scale, v.mul(lines.scale, v.const(-8)))
      end,
    },
  },
  step = { k = 8, lines = { { plane = 'nibbles', lane = 'u32' } } },
  registers = position.registers(4),
  value = function(v, lines, state, i)
    return position.value(v, 4, lines.nibbles, 8 * (i % 4) + 4 * (i // 4), state)
  end,
  source = { k = 32, bytes = 18 },
  take = take, give = give, pack = pack,
  helpers = { half.nearest, half.inverse, [[
/* As ggml's reference: the weight of the largest size is -8 scales. */
FFN_SHARED void ffn_q4_0_block(const float *w, unsigned char *own) {
  float most = 0.0f;
  int finite = 1;
  for (size_t k = 0; k < 32; ++k) {
    finite &= (ffn_bits(w[k]) & 0x7f800000) != 0x7f800000;
    most = ffn_abs(w[k]) > ffn_abs(most) ? w[k] : most;
  }
  const float scale = finite ? most / -8.0f : 0.0f;
  const float inverse = ffn_inverse(scale);
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
