--- A row as signed bytes in groups with an f32 scale each, and perhaps with sums of bytes.
local function has_sums(shared)
  for _, products in ipairs(shared.products) do
    if products.sums then return true end
  end
end

--- The k of a group of weights, which all have of one size.
local function part_of(shared)
  local group = shared.products[1].group
  return group > 0 and group or shared.group
end

return {
  name = 'toy8',
  about = 'bytes in groups with a scale',
  planes = function(shared)
    return {
      { name = 'quants', lane = 's8', every = 1 },
      { name = 'scale', lane = 'f32', every = shared.group },
      has_sums(shared) and { name = 'sums', lane = 'int32', every = part_of(shared) } or nil,
    }
  end,
  helpers = { { name = 'toy8', text = [[
/* A group of floats, of which `count` are there, as bytes and their scale. */
static void ffn_toy8_quantise(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count) {
  float most = 0.0f;
  for (size_t k = 0; k < count; ++k)
    most = ffn_abs(x[k]) > most ? ffn_abs(x[k]) : most;
  const float inverse = most > 0.0f ? 127.0f / most : 0.0f;
  for (size_t k = 0; k < group; ++k) {
    const float q = k < count ? x[k] * inverse : 0.0f;
    quants[k] = (int8_t)(q + (q < 0.0f ? -0.5f : 0.5f));
  }
  *scale = most / 127.0f;
}

/* The sums of each so many bytes of a group. */
static inline void ffn_toy8_sum(int32_t *sums, const int8_t *quants, size_t group, size_t part) {
  for (size_t k = 0; k < group; ++k)
    sums[k / part] = (k % part ? sums[k / part] : 0) + quants[k];
}
]] } },
  --- A group of a row: c.plane(name) is where its part of a plane begins, c.from and c.count C.
  take = function(c)
    local quants, shared = c.plane 'quants', c.shared
    local text = ('ffn_toy8_quantise(%s, %s, %d, %s, %s);'):format(quants, c.plane 'scale',
      shared.group, c.from, c.count)
    if not has_sums(shared) then return text end
    return ('%s\nffn_toy8_sum(%s, %s, %d, %d);'):format(text, c.plane 'sums', quants, shared.group,
      part_of(shared))
  end,
}
