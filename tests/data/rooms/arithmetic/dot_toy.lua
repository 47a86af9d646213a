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
  words = { dot_bytes = { gives = 'i', takes = { 'i', 'i', 'i' } } },
  --- Of a group one for the weights' scale and one for its addition, and one of each block.
  roundings = function(sum) return 2 * ((sum.block + 31) // 32) + sum.blocks end,
  begin_block = function(v) return v.zero() end,
  begin_group = function(v, a) a.set('products', v.iconst(0)) end,
  step = function(v, a, bytes)
    a.set('products', v.dot_bytes(a.get 'products', bytes, a.operand 'quants'))
  end,
  end_group = function(v, a, state)
    local scaled = v.mul(v.from_int(a.get 'products'), state.scale)
    a.set('sum', v.fma(scaled, a.operand 'scale', a.get 'sum'))
  end,
  end_block = function(v, before, sum) return v.add(before, sum) end,
}
