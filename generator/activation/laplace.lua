--- The normal distribution function that approximates the squared ReLU's attention.
local word = require 'activation.graph.words'

return {
  about = '(1 + erf((x - 0.707107) / (0.282095 sqrt(2)))) / 2',
  source = 'Ma et al., Mega, arXiv:2209.10655',
  traced = function(x)
    return 0.5 * (1 + word.erf((x - 0.707107) / (0.282095 * 2 ^ 0.5)))
  end,
}
