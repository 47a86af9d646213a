--- Floats of 8 bits with an f32 scale for each 128 inputs, of an output or of several.
local f8 = require 'weights.f8'

local shared = 128

return f8.format({
  name = 'f8_e4m3', about = 'floats of 8 bits, E4M3, each 128 with an f32 scale',
  levels = {
    {
      k = shared, lines = { { plane = 'scale', lane = 'f32' } },
      open = f8.open,
    },
  },
  divides = 8, -- the last 128 are perhaps fewer
  source = { k = 1, bytes = 1, scale = 4, every = shared },
}, shared)
