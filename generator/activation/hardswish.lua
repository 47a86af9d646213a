--- x times a straight line from 0 at -3 to 1 at 3, at both ends of which its derivative is that of
--- the outside.
local word = require 'activation.graph.words'

return {
  about = 'x min(max(x + 3, 0), 6) / 6',
  source = 'Howard et al., MobileNetV3, arXiv:1905.02244',
  traced = function(x) return x * word.min(6, word.max(0, x + 3)) / 6 end,
}
