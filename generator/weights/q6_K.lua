--- GGUF's q6_K: d scale (q - 32), q from 0 to 63, of each 16 weights a scale from -128 to 127. A
--- lane of three lines holds 16 k: the low 6 bits of byte b of line t are k 4 t + b, the top two
--- are bits 2 t and 2 t + 1 of k 12 + b.
local blocks = require 'weights.quantization_blocks'
local position = require 'weights.position'

local take, give = blocks.of {
  planes = {
    SCALE = 'scale', PARTS = 'parts', FIRST = 'first', SECOND = 'second', THIRD = 'third',
  }, bytes = 210,
  -- Of 128 weights the first 64 are the low halves of 64 bytes, the others the high ones; the top
  -- two bits of k 32 t + l are bits 2 t and 2 t + 1 of byte l of 32.
  take = blocks.take_half('SCALE', 208) .. [[
for (size_t n = 0; n < 16; ++n) {
  uint32_t lines[3] = {0, 0, 0};
  for (size_t i = 0; i < 16; ++i) {
    const size_t k = 16 * n + i, t = k / 32 % 4, b = 8 * (i % 4);
    const uint32_t low = (uint32_t)OWN[k / 128 * 64 + k % 64] >> t / 2 * 4 & 15;
    const uint32_t q = low | ((uint32_t)OWN[128 + k / 128 * 32 + k % 32] >> 2 * t & 3) << 4;
    for (size_t line = 0; line < 3; ++line) {
      lines[line] |= i / 4 == line ? q << b : 0;
      lines[line] |= i / 4 == 3 ? (q >> 2 * line & 3) << (b + 6) : 0;
    }
  }
  PARTS[n] = (uint8_t)(OWN[192 + n] ^ 128);
  FIRST[n] = lines[0];
  SECOND[n] = lines[1];
  THIRD[n] = lines[2];
}]],
  give = blocks.give_half('SCALE', 208) .. [[
for (size_t b = 0; b < 192; ++b)
  OWN[b] = 0;
for (size_t n = 0; n < 16; ++n) {
  const uint32_t lines[3] = {FIRST[n], SECOND[n], THIRD[n]};
  for (size_t i = 0; i < 16; ++i) {
    const size_t k = 16 * n + i, t = k / 32 % 4, b = 8 * (i % 4);
    const uint32_t top = (lines[0] >> b >> 6 & 3) | (lines[1] >> b >> 6 & 3) << 2 |
                         (lines[2] >> b >> 6 & 3) << 4;
    const uint32_t q = i < 12 ? lines[i / 4 % 3] >> b & 63 : top;
    OWN[k / 128 * 64 + k % 64] |= (unsigned char)((q & 15) << t / 2 * 4);
    OWN[128 + k / 128 * 32 + k % 32] |= (unsigned char)(q >> 4 << 2 * t);
  }
  OWN[192 + n] = (unsigned char)(PARTS[n] ^ 128);
}]],
}

--- The four bytes of line 3, which is the top bits of the others.
local function last_line(v, lines)
  local first = v.iand(v.shr(lines.first, 6), v.iconst(0x03030303))
  local second = v.iand(v.shr(lines.second, 4), v.iconst(0x0c0c0c0c))
  return v.ior(v.ior(first, second), v.iand(v.shr(lines.third, 2), v.iconst(0x30303030)))
end

local planes = { [0] = 'first', 'second', 'third' }

return {
  name = 'q6_K',
  about = "GGUF's blocks of 256 weights of 6 bits, each 16 with a scale",
  levels = {
    {
      k = 256, lines = { { plane = 'scale', lane = 'f16' } },
      open = function(v, lines)
        local minus = v.mul(lines.scale, v.const(-128))
        return { scale = lines.scale }, { scale = lines.scale, minus = minus }
      end,
    },
    {
      k = 16, lines = { { plane = 'parts', lane = 'u8' } },
      open = function(v, lines, outer)
        local factor = v.isub(lines.parts, v.iconst(128))
        return { scale = outer.scale, factor = factor },
          { scale = outer.scale, minus = outer.minus, parts = lines.parts }
      end,
    },
  },
  step = {
    k = 16, lines = {
      { plane = 'first', lane = 'u32' }, { plane = 'second', lane = 'u32' },
      { plane = 'third', lane = 'u32' },
    },
  },
  registers = position.registers(6),
  ready = function(v, group)
    -- Exact; NaN where the scale of all is not finite.
    local scale = v.let('scale', v.fma(v.from_int(group.parts), group.scale, group.minus))
    return position.ready(v, 6, scale, v.mul(scale, v.const(-32)))
  end,
  value = function(v, lines, state, i)
    local line = i < 12 and lines[planes[i // 4]] or last_line(v, lines)
    return position.value(v, 6, line, 8 * (i % 4), state)
  end,
  products = {
    bits = 6, offset = 32, registers = 2, factor = true,
    take = function(v, lines, _, i)
      local own = i < 12 and v.iand(lines[planes[i // 4]], v.iconst(0x3f3f3f3f))
      return own or last_line(v, lines)
    end,
  },
  source = { k = 256, bytes = 210 },
  take = take, give = give,
}
