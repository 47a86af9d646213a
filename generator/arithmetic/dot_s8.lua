--- Bytes times bytes, as DOT_S8.md says line by line: exact sums of the products of a group, each
--- times the scale of the weights, then times that of the operand, in one chain over all k.
local operand_planes = require 'weights.operand_planes'

--- Whether 32 products of a group fit 16 bits, two by two in each lane.
local function is_nibbles(products)
  return products.bits == 4 and not products.table and products.group == 32
end

--- The largest of the bytes as they are multiplied, without a sign.
local function largest(products)
  return products.table and 2 * products.offset or (1 << products.bits) - 1
end

--- Bytes as they are multiplied: numbers of a table are looked up.
local function opens(v, bytes, products)
  return products.table and v['bytes_' .. products.table](bytes) or bytes
end

--- What the sum of a group is larger by than that of the products: what is taken back of offsets
--- and zeros, and perhaps 1.5 * 2^23.
local function begun(v, a, state, products)
  if products.offset > 0 then return a.operand(operand_planes.begins(products)) end
  local high = v.iconst(operand_planes.start(products))
  if not products.zeros then return high end
  -- The sum of a whole row has more than 16 bits.
  local times = products.group > 0 and v.imul_small or v.imul_large
  return v.isub(high, times(state.zero, a.operand 'sums'))
end

--- The same where bytes of 8 bits are taken as signed ones: of offsets nothing, and each zero is
--- 128 less, too.
local function begun_signed(v, a, state, products)
  local high = v.iconst(operand_planes.start(products))
  if not products.zeros then return high end
  return v.isub(high, v.imul_large(v.isub(state.zero, v.iconst(128)), a.operand 'sums'))
end

--- t of a group: its sum times the scale of its weights, rounded once, +0 where the sum is 0. Where
--- the sum begins at 1.5 * 2^23, its bits are a float already.
local function scaled(v, state, products, sum)
  local scale = v.let('scale', state.scale)
  if operand_planes.starts_high(products) then
    local high = v.const(12582912.0)
    return v.fma(v.from_bits(sum), scale, v.neg(v.mul(high, scale)))
  end
  if not products.factor then return v.fma(v.from_int(sum), scale, v.const(0)) end
  local sure = v.fma(v.const(0), scale, scale) -- NaN where it is not finite
  return v.fma(sum, sure, v.const(0))
end

return {
  name = 'dot_s8',
  about = 'products of bytes in groups',
  k = 4,
  takes = 'bytes',
  operand = 's8',
  one_chain = true,
  bound = 'bytes',
  multiplies = function() return true end,
  --- Of products of the largest sizes: a sum of so many fits 32 bits.
  most_inputs = function(products)
    return products.group > 0 and math.maxinteger or 0x7fffffff // (127 * (products.zeros and 255
      or 128))
  end,
  accumulators = {
    { name = 'products', type = 'int32', file = 'vector', rows = 1, scope = 'group' },
    { name = 'factored', type = 'f32', file = 'vector', rows = 1, scope = 'shared' },
    { name = 'sum', type = 'f32', file = 'vector', rows = 1, scope = 'block' },
  },
  words = {
    nibbles_begin = { gives = 'i', takes = { 'i' } },
    dot_nibbles = { gives = 'i', takes = { 'i', 'i', 'i' } },
    nibbles_end = { gives = 'i', takes = { 'i', 'i' } },
    dot_small = { gives = 'i', takes = { 'i', 'i', 'i' } },
    dot_large = { gives = 'i', takes = { 'i', 'i', 'i' } },
    dot_large_begin = { gives = 'i', takes = { 'i', 'i' } },
    imul_small = { gives = 'i', takes = { 'i', 'i' } },
    imul_large = { gives = 'i', takes = { 'i', 'i' } },
    bytes_e2m1 = { gives = 'i', takes = { 'i' } },
    bytes_iq4 = { gives = 'i', takes = { 'i' } },
  },
  --- Of a group that of t and its addition; its minimum and the end stay below four more.
  roundings = function(sum, group) return 2 * ((sum.block + group - 1) // group) + 4 end,
  narrow = function(products)
    local most = operand_planes.is_large(products) and 0 or 0x7fff // (2 * 127 * largest(products))
    local k = most >= 8 and 32 or most >= 4 and 16 -- steps of four k
    return k and k < products.group and k
  end,
  begin_block = function(v) return v.zero() end,
  begin_group = function(v, a, state, products)
    local function from() return begun(v, a, state, products) end
    if operand_planes.is_large(products) then
      return a.set('products', v.dot_large_begin(function()
        return begun_signed(v, a, state, products)
      end, from))
    end
    a.set('products', is_nibbles(products) and v.nibbles_begin(from) or from())
  end,
  opens = opens,
  step = function(v, a, bytes, products)
    local sum = a.narrow and 'narrow' or 'products'
    local word = (a.narrow or is_nibbles(products)) and v.dot_nibbles
      or operand_planes.is_large(products) and v.dot_large or v.dot_small
    a.set(sum, word(a.get(sum), opens(v, bytes, products), a.operand 'quants'))
  end,
  end_narrow = function(v, a)
    a.set('products', v.nibbles_end(a.get 'narrow', function() return a.get 'products' end))
  end,
  end_group = function(v, a, state, products)
    if products.factor then
      return a.set('factored', v.fma(v.from_int(a.get 'products'), v.from_int(state.factor),
        a.get 'factored'))
    end
    local sum = a.get 'products'
    if is_nibbles(products) then
      sum = v.nibbles_end(sum, function() return begun(v, a, state, products) end)
    end
    a.set('sum', v.fma(scaled(v, state, products, sum), a.operand 'scale', a.get 'sum'))
    if products.minima then
      a.set('sum', v.fma(state.least, a.operand 'minima', a.get 'sum'))
    end
  end,
  end_shared = function(v, a, state, products)
    a.set('sum', v.fma(scaled(v, state, products, a.get 'factored'), a.operand 'scale',
      a.get 'sum'))
  end,
  end_block = function(v, before, sum) return v.add(before, sum) end,
}
