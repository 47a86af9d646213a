--- x above 0, slope x up to it.
local word = require 'activation.graph.words'

return {
  about = 'x > 0 ? x : slope x',
  source = 'Maas et al., Rectifier Nonlinearities Improve Neural Network Acoustic Models, 2013',
  traced = function(x, p) return word.select(word.lt(0, x), x, p.slope * x) end,
}
