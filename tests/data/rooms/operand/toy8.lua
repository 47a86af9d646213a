--- A row as signed bytes in groups of 32 with an f32 scale each.
return {
  name = 'toy8',
  about = 'bytes in groups of 32 with a scale',
  planes = {
    { name = 'quants', lane = 's8', every = 1 }, { name = 'scale', lane = 'f32', every = 32 },
  },
  helpers = [[
/* 32 floats, of which `count` are there, as bytes and their scale. */
static void ffn_toy8_quantise(int8_t *quants, float *scale, const float *x, size_t count) {
  float most = 0.0f;
  for (size_t k = 0; k < count; ++k)
    most = ffn_abs(x[k]) > most ? ffn_abs(x[k]) : most;
  const float inverse = most > 0.0f ? 127.0f / most : 0.0f;
  for (size_t k = 0; k < 32; ++k) {
    const float q = k < count ? x[k] * inverse : 0.0f;
    quants[k] = (int8_t)(q + (q < 0.0f ? -0.5f : 0.5f));
  }
  *scale = most / 127.0f;
}
]],
  --- A group of a row: c.plane(name) is where its part of a plane begins, c.from and c.count C.
  take = function(c)
    return ('ffn_toy8_quantise(%s, %s, %s, %s);'):format(c.plane 'quants', c.plane 'scale', c.from,
      c.count)
  end,
}
