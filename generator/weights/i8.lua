--- Signed bytes with an f32 scale for each output: scale * q. Byte b of a lane is that of k b, 128
--- more.
local bytes = require 'weights.bytes'
local position = require 'weights.position'

return bytes.format {
  name = 'i8', about = 'signed bytes, an f32 scale for each output',
  source = { k = 1, bytes = 1, scale = 4 },
  head = {
    lines = { { plane = 'scale', lane = 'f32' } },
    open = function(v, lines) return { scale = position.in_range(v, lines.scale) } end,
  },
  products = { offset = 128 },
  registers = position.registers(8), ready = position.ready_from(8, 128),
  value = function(v, lines, state, i)
    return position.value(v, 8, lines.quants, 8 * i, state)
  end,
}
