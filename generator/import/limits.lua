--- What a plan may hold, for import, which writes it, and for ffn-pack, which reads it: one set of
--- limits, from which a header is made for C.
local weight_layout = require 'weights.layout'
local protobuf = require 'files.protobuf'
local size = require 'read.size'

local M = {
  text = 256 << 20, -- bytes of a plan
  size = size.max, -- of a matrix
  bytes = 1 << 52, -- of a file, and of whatever lies in one: sums and products do not overflow
  name = 4096, -- bytes of a name or a path
  index = (1 << 32) - 1, -- of a layer, a part, a file, a kernel
  number = 0x1.fffffep127, -- the largest f32
  read = protobuf.most_read, -- bytes in one piece that import may read, and that are packed
}

--- A number as C has it.
local function in_c(value)
  if math.type(value) == 'float' then return ('%a'):format(value) end
  return ('UINT64_C(%d)'):format(value)
end

--- plan_limits.h.
---@return string
function M.header()
  local lines = {}
  for _, name in ipairs { 'text', 'size', 'bytes', 'name', 'index', 'number', 'read' } do
    lines[#lines + 1] = ('#define PLAN_MOST_%s %s'):format(name:upper(), in_c(M[name]))
  end
  return table.concat {
    '/* Made by ffngen packaging. Do not edit.\n *\n',
    ' * What a plan may hold: import/limits.lua says what each is. And how many lines of weights\n',
    ' * lie together, of numbers in four bytes and of all others: weights/layout.lua. */\n',
    '#ifndef FFN_PLAN_LIMITS_H\n#define FFN_PLAN_LIMITS_H\n\n', table.concat(lines, '\n'),
    ('\n#define PLAN_WIDE_BYTES %d\n'):format(weight_layout.wide_bytes),
    ('#define PLAN_WIDE_LINES %d\n'):format(weight_layout.wide_pair),
    ('#define PLAN_LINES %d\n\n#endif\n'):format(weight_layout.pair),
  }
end

return M
