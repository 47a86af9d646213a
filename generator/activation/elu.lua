--- x above 0, alpha (e^x - 1) up to it; e^x is kept from overflowing where it is not taken.
local word = require 'activation.graph.words'

return {
  about = 'x > 0 ? x : alpha (e^x - 1)',
  source = 'Clevert et al., arXiv:1511.07289',
  traced = function(x, p)
    return word.select(word.lt(0, x), x, p.alpha * (word.exp(word.min(x, 0)) - 1))
  end,
}
