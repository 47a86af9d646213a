--- OLMo: norms without numbers in the first, behind the layer from 2 on.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local function after(model_type, class, gguf)
  return family.like(blocks.llama, {
    model_types = { model_type }, classes = { class }, gguf = { gguf },
    code = ('%sMLP and %sDecoderLayer'):format(class, class),
    around = blocks.norm_after,
    beside = { 'post_feedforward_layernorm' },
  })
end

return {
  family.like(blocks.llama, {
    model_types = { 'olmo' }, classes = { 'Olmo' },
    gguf = { { 'olmo', 'adjacent' } },
    code = 'OlmoMLP and OlmoLayerNorm',
    around = {
      { place = 'before', what = 'LayerNorm', text = 'without weights, eps 1e-05' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
  }),
  after('olmo2', 'Olmo2', { 'olmo2', 'halves' }),
  after('olmo3', 'Olmo3'),
  after('exaone4', 'Exaone4', { 'exaone4', 'halves' }),
}
