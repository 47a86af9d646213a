--- e^x by itself. No layer applies it, so it is not in the list; the tests measure it, because
--- most activations rest on it.
local vmath = require 'activation.vmath'

return {
  name = 'exp',
  about = 'e^x',
  source = 'Cody and Waite, Software Manual for the Elementary Functions, 1980',
  derivative = 'exp(x)',
  contract = { ulp = 0.9, relative = 1.3, absolute = 0.0 },
  special = {
    { '0', '1' }, { '-0', '1' }, { 'inf', 'inf' }, { '-inf', '0' }, { 'nan', 'nan' },
  },
  vector = vmath.exp,
}
