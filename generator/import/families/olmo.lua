--- OLMo: norms without numbers in the first, behind the layer from 2 on.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local function after(model_type, class)
  return family.like(blocks.llama, {
    model_types = { model_type }, classes = { class },
    source = ('transformers: models/%s/modeling_%s.py, %sMLP and %sDecoderLayer'):format(model_type,
      model_type, class, class),
    around = blocks.norm_after,
    beside = { 'post_feedforward_layernorm' },
  })
end

return {
  family.like(blocks.llama, {
    model_types = { 'olmo' }, classes = { 'Olmo' },
    source = 'transformers: models/olmo/modeling_olmo.py, OlmoMLP and OlmoLayerNorm',
    around = {
      { place = 'before', what = 'LayerNorm', text = 'without weights, eps 1e-05' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
  }),
  after('olmo2', 'Olmo2'),
  after('olmo3', 'Olmo3'),
  after('exaone4', 'Exaone4'),
}
