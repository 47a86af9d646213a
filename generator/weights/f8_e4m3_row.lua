--- Floats of 8 bits with an f32 scale for each output, or one for several.
local f8 = require 'weights.f8'

return f8.format({
  name = 'f8_e4m3_row', about = 'floats of 8 bits, E4M3, an f32 scale for each output',
  head = {
    lines = { { plane = 'scale', lane = 'f32' } },
    open = f8.open,
  },
  source = { k = 1, bytes = 1, scale = 4 },
}, 1)
