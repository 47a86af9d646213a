--- x. Every bit of x is kept, the sign of zero included.
return {
  name = 'identity',
  gated = 'bilinear',
  about = 'x',
  source = 'bilinear layer: Shazeer, GLU Variants Improve Transformer, arXiv:2002.05202',
  meaning = 'x',
  derivative = '1.0',
  slope = 'dx',
  curvature = '0.0',
  contract = { ulp = 0.0, relative = 0.0, absolute = 0.0 },
  slope_error = 0.0,
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', 'inf' }, { '-inf', '-inf' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x) return x end,
  },
  vector = function(_, x)
    return x
  end,
}
