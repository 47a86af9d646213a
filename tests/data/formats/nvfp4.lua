--- GGUF's nvfp4: 64 weights v scale, a scale for each 16: E4M3, whose top bit is not read. v is
--- E2M1: sign, two bits of exponent, one of fraction. Byte b of a lane has k b in its low half and
--- k 4 + b in its high one; scales lie in a lane as they are, their top bits turned.
local blocks = require 'weights.quantization_blocks'

local take, give = blocks.of {
  planes = { SCALES = 'scales', NIBBLES = 'nibbles' }, bytes = 36,
  -- Of 16 weights, byte j has j in its low half and 8 + j in its high one.
  take = [[
uint32_t scales_of_all = 0;
for (size_t part = 0; part < 4; ++part)
  scales_of_all |= (uint32_t)(OWN[part] ^ 128) << 8 * part;
SCALES[0] = scales_of_all;
for (size_t n = 0; n < 8; ++n) {
  uint32_t nibbles_of_line = 0;
  for (size_t i = 0; i < 8; ++i) {
    const uint32_t both = OWN[4 + n / 2 * 8 + i];
    nibbles_of_line |= (both >> n % 2 * 4 & 15) << (8 * (i % 4) + 4 * (i / 4));
  }
  NIBBLES[n] = nibbles_of_line;
}]],
  give = [[
for (size_t part = 0; part < 4; ++part)
  OWN[part] = (unsigned char)((SCALES[0] >> 8 * part & 255) ^ 128);
for (size_t j = 0; j < 32; ++j) {
  const size_t n = j / 8 * 2, at = 8 * (j % 4) + 4 * (j / 4 % 2);
  OWN[4 + j] = (unsigned char)((NIBBLES[n] >> at & 15) | (NIBBLES[n + 1] >> at & 15) << 4);
}]],
}

return {
  name = 'nvfp4',
  about = "GGUF's blocks of 64 weights of 4 bits with four scales of 8",
  levels = {
    {
      k = 64, lines = { { plane = 'scales', lane = 'u32' } },
      open = function(_, lines) return { scales = lines.scales } end,
    },
    {
      k = 16,
      open = function(v, _, outer, index)
        local byte = v.field(outer.scales, 8, v.affine(index, 8, 0))
        -- Exponent and fraction where f32 has its own, 2^120 too small; 0x7f, which alone is 255
        -- here, is 0.
        local small = v.from_bits(v.shl(v.iand(byte, v.iconst(127)), 20))
        local is_nan = v.shr(v.isub(byte, v.iconst(-1)), 8)
        local kept = v.from_int(v.isub(v.iconst(1), is_nan))
        return { scale = v.let('scale', v.mul(v.mul(small, v.const(2.0 ^ 120)), kept)) }
      end,
    },
  },
  step = { k = 8, lines = { { plane = 'nibbles', lane = 'u32' } } },
  registers = 1,
  value = function(v, lines, state, i)
    local nibble = v.field(lines.nibbles, 4, 8 * (i % 4) + 4 * (i // 4))
    -- As the scale, 2^126 too small.
    local size = v.shl(v.iand(nibble, v.iconst(7)), 22)
    local sign = v.shl(v.iand(nibble, v.iconst(8)), 28)
    local small = v.from_bits(v.ior(size, sign))
    return v.fma(v.mul(small, v.const(2.0 ^ 126)), state.scale, v.const(0)) -- no -0
  end,
  source = { k = 64, bytes = 36 },
  take = take, give = give,
}
