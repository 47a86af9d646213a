--- ln(1 + e^x). From 20 on it is x to a part in 10^9, and e^x is kept from overflowing.
local word = require 'activation.graph.words'

return {
  about = 'ln(1 + e^x)',
  source = 'Dugas et al., Incorporating Second-Order Functional Knowledge, NIPS 2000',
  traced = function(x)
    return word.select(word.lt(20, x), x, word.log1p(word.exp(word.min(x, 20))))
  end,
}
