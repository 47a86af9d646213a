--- x above 0, alpha (e^(x / alpha) - 1) up to it: elu without a kink for any alpha.
local word = require 'activation.graph.words'

return {
  about = 'x > 0 ? x : alpha (e^(x / alpha) - 1)',
  source = 'Barron, arXiv:1704.07483',
  traced = function(x, p)
    return word.select(word.lt(0, x), x, p.alpha * (word.exp(word.min(x, 0) / p.alpha) - 1))
  end,
}
