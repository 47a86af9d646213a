--- The input, gated by itself.
local naming = require 'kind.naming'

return {
  name = 'selfgate',
  computes = 'y = x * act(x W_gate^T).',
  fields = { 'activation', 'd_model' }, also = { 'beta', 'parameters' },
  named_by = 'activation', choices = 'plain_names', square = true,

  shape = function(check, s)
    s.activation = check:get_choice('activation', s.activations.plain_names)
    s.parameters = check:parameters(check.given, s.activations.by_name[s.activation], {})
    s.d_out = s.d_model
  end,

  stages = function(l)
    return { {
      name = 'gate', outputs = l.d_model, called = 'd_model', matrices = { 'gate' },
      applied = l.activation, parameters = l.parameters, times_input = true,
    } }
  end,

  front = naming.applied('activation', 'plain_names'),
  back = naming.sizes({ 'd_model' }, true),
  english = function(l, applied)
    return ('self-gated GLU %s, %d'):format(applied(l.activation, l.parameters), l.d_model)
  end,
}
