--- A gated variant without the second product.
local gated = require 'kind.gated'
local naming = require 'kind.naming'

return {
  name = 'glu',
  computes = 'y = act(x W_gate^T) * (x W_up^T): a gated variant without the second matrix product.',
  fields = { 'variant', 'd_model', 'd_out' }, also = { 'beta', 'parameters' },
  named_by = 'variant', choices = 'gated_names',

  shape = function(check, s)
    s.variant = check:get_choice('variant', s.activations.gated_names)
    s.parameters = check:parameters(check.given, s.activations.by_variant[s.variant].activation, {})
    s.d_out = check:get_size('d_out', s.d_model)
  end,

  stages = function(l) return { gated.stage(l, 'd_out') } end,

  front = naming.applied('variant', 'gated_names'),
  back = naming.sizes { 'd_model', 'd_out' },
  english = function(l, applied)
    return ('GLU layer %s, %d -> %d'):format(applied(l.variant, l.parameters), l.d_model, l.d_out)
  end,
}
