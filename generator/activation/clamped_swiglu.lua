--- SwiGLU of gpt-oss: a function of both branches, each clamped.
local word = require 'activation.graph.words'

return {
  about = '(up + 1) gate sigmoid(1.702 gate), gate at most 7, up within 7',
  source = 'OpenAI, gpt-oss, arXiv:2508.10925',
  traced = function(gate, up)
    local g, u = word.min(gate, 7), word.max(word.min(up, 7), -7)
    return g * word.sigmoid(1.702 * g) * (u + 1)
  end,
}
