--- A straight line from 0 at -3 to 1 at 3, where its derivative is 0.
local word = require 'activation.graph.words'

return {
  about = 'min(max(x + 3, 0), 6) / 6',
  source = 'Courbariaux et al., BinaryConnect, arXiv:1511.00363',
  traced = function(x) return word.min(6, word.max(0, x + 3)) / 6 end,
}
