--- Bytes times bytes: exact sums of the products of a group, each times both scales in f32. Groups
--- of weights that have a factor are summed as integers while the operand's scale is the same.
return {
  name = 'dot_toy',
  about = 'products of bytes in groups',
  k = 4,
  takes = 'bytes',
  operand = 'toy8',
  multiplies = function(products) return products.table == false end,
  accumulators = {
    { name = 'products', type = 'int32', file = 'vector', rows = 1, scope = 'group' },
    { name = 'factored', type = 'int32', file = 'vector', rows = 1, scope = 'shared' },
    { name = 'sum', type = 'f32', file = 'vector', rows = 1, scope = 'block' },
  },
  words = {
    dot_signed = { gives = 'i', takes = { 'i', 'i', 'i' } },
    dot_bytes = { gives = 'i', takes = { 'i', 'i', 'i' } },
    imul = { gives = 'i', takes = { 'i', 'i' } },
  },
  --- Of a group two for scales and one for its addition, two for its minimum, one of each block.
  roundings = function(sum) return 5 * ((sum.block + 15) // 16) + sum.blocks end,
  begin_block = function(v) return v.zero() end,
  begin_group = function(v, a, state, products)
    local from = v.iconst(0)
    if products.offset > 0 then
      from = v.isub(from, v.imul(v.iconst(products.offset), a.operand 'sums'))
    elseif state.zero then
      from = v.isub(from, v.imul(state.zero, a.operand 'sums'))
    end
    a.set('products', from)
  end,
  step = function(v, a, bytes, products)
    local word = products.signed and v.dot_signed or v.dot_bytes
    a.set('products', word(a.get 'products', bytes, a.operand 'quants'))
  end,
  end_group = function(v, a, state, products)
    if products.factor then
      return a.set('factored', v.iadd(v.imul(state.factor, a.get 'products'), a.get 'factored'))
    end
    local scaled = v.mul(v.from_int(a.get 'products'), state.scale)
    a.set('sum', v.fma(scaled, a.operand 'scale', a.get 'sum'))
    if state.least then
      local all = v.mul(v.from_int(a.operand 'sums'), a.operand 'scale')
      a.set('sum', v.fma(state.least, all, a.get 'sum'))
    end
  end,
  end_shared = function(v, a, state)
    local scaled = v.mul(v.from_int(a.get 'factored'), state.scale)
    a.set('sum', v.fma(scaled, a.operand 'scale', a.get 'sum'))
  end,
  end_block = function(v, before, sum) return v.add(before, sum) end,
}
