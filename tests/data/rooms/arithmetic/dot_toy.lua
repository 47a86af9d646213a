--- Bytes times bytes: exact sums of 32 products, each times both scales in f32.
return {
  name = 'dot_toy',
  about = 'products of bytes in groups of 32',
  k = 4,
  takes = 'bytes',
  operand = 'toy8',
  accumulators = {
    { name = 'products', type = 'int32', file = 'vector', rows = 1, scope = 'group' },
    { name = 'sum', type = 'f32', file = 'vector', rows = 1, scope = 'block' },
  },
  words = { dot_bytes = 3 },
  --- One rounding for a group of products, one for its scale, and one for each addition.
  roundings = function(sum) return 2 * ((sum.block + 31) // 32) + sum.blocks end,
  begin_group = function(v, a) a.set('products', v.iconst(0)) end,
  step = function(v, a, bytes)
    a.set('products', v.word('dot_bytes', a.get 'products', bytes, a.operand 'quants'))
  end,
  end_group = function(v, a, state)
    local scaled = v.mul(v.from_int(a.get 'products'), state.scale)
    a.set('sum', v.fma(scaled, a.operand 'scale', a.get 'sum'))
  end,
}
