--- GELU, at most 10 and at least -10.
local word = require 'activation.graph.words'

return {
  about = 'min(gelu(x), 10)',
  source = 'Hendrycks & Gimpel, arXiv:1606.08415; clipped: Kim et al., arXiv:2004.09602',
  traced = function(x)
    return word.max(word.min(0.5 * x * (1 + word.erf(x / 2 ^ 0.5)), 10), -10)
  end,
}
