--- The numbers as they are.
return {
  name = 'f32',
  about = 'f32',
  planes = { { name = 'value', lane = 'f32', every = 1 } },
  take = function(c)
    return ('FFN_MEMCPY(%s, %s, %s * sizeof(float));'):format(c.plane 'value', c.from, c.count)
  end,
  store = function(c) return c.store(c.plane 'value', c.from) end,
}
