--- Signed bytes with an f32 scale and a zero for each output: scale * (q - zero). Byte b of a lane
--- is that of k b, 128 more, as is the zero.
local bytes = require 'weights.bytes'
local position = require 'weights.position'

return bytes.format {
  name = 'i8z', about = 'signed bytes, an f32 scale and a zero of 8 bits for each output',
  source = { k = 1, bytes = 1, scale = 4, zero = 1 },
  head = {
    lines = { { plane = 'scale', lane = 'f32' }, { plane = 'zero', lane = 'u32' } },
    open = function(v, lines)
      return { scale = position.in_range(v, lines.scale), zero = lines.zero }
    end,
  },
  products = { registers = 2, zeros = true },
  registers = position.registers_zero(8), ready = position.ready_zero(8),
  value = function(v, lines, state, i)
    return position.value_zero(v, 8, lines.quants, 8 * i, state)
  end,
}
