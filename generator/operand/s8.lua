--- A row as signed bytes in groups, each with an f32 scale and what its weights want beside.
local operand_planes = require 'weights.operand_planes'

--- Of all weights that are multiplied with it, each plane once.
---@param shared SharedGroup
---@return KeptPlane[]
local function kept(shared)
  local list, seen = {}, {}
  for _, products in ipairs(shared.products) do
    local plane = operand_planes.of(products, shared.group)
    if plane and not seen[plane.name] then
      seen[plane.name], list[#list + 1] = true, plane
    end
  end
  return list
end

--- Functions of C by name, each behind those that it calls.
local scale_of = { name = 's8_scale', text = [[
/* The scale of a group whose largest size has these bits, and what makes bytes of its floats; 0
 * where all bytes are 0: below 2^-100, and beside an infinity or a NaN, whose scale is a NaN. */
FFN_SHARED float ffn_s8_scale_ISA(float *scale, int32_t most) {
  const int32_t infinite = 0x7f800000, least = 0x0d800000; /* 2^-100 */
  *scale = most < infinite ? 0.0f : ffn_from_bits(0x7fc00000);
  if (most < least || most >= infinite)
    return 0.0f;
  *scale = ffn_from_bits(most) / 127.0f;
  return 127.0f / ffn_from_bits(most);
}
]] }

local quantise = { name = 's8_quantise', text = [[
/* A group of floats, of which `count` are there, as bytes from -127 to 127 and their scale. The
 * size of a product is added to 2^23, whose last bits are the integer then: no compiler fuses a
 * product with a sum of its size. */
FFN_SHARED void ffn_s8_quantise_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const size_t order = 3; /* the first of four bytes is the last one of an integer */
#else
  const size_t order = 0;
#endif
  int32_t most = 0;
  for (size_t k = 0; k < count; ++k) {
    const int32_t size = ffn_bits(x[k]) & 0x7fffffff;
    most = size > most ? size : most;
  }
  const float inverse = ffn_s8_scale_ISA(scale, most);
  for (size_t k = 0; k < group; ++k)
    quants[k] = 0;
  for (size_t k = 0; inverse > 0.0f && k < count; ++k) {
    const float product = x[k] * inverse;
    const int32_t size = ffn_bits(ffn_abs(product) + 8388608.0f) & 127;
    const int32_t sign = ffn_bits(product) >> 31; /* -1 of what is negative, else 0 */
    quants[k ^ order] = (int8_t)((size ^ sign) - sign);
  }
}
]] }

local sum = { name = 's8_sum', text = [[
/* The sum of so many bytes, a multiple of 16. */
FFN_SHARED int32_t ffn_s8_sum_ISA(const int8_t *quants, size_t count) {
  int32_t sum = 0;
  for (size_t k = 0; k < count; ++k)
    sum += quants[k];
  return sum;
}
]] }

local sums = { name = 's8_sums', text = [[
/* Of each `part` bytes `from` and `times` their sum. */
FFN_SHARED void ffn_s8_sums_ISA(int32_t *to, const int8_t *quants, size_t group, size_t part,
    int32_t from, int32_t times) {
  for (size_t k = 0; k < group; k += part)
    to[k / part] = from + times * ffn_s8_sum_ISA(quants + k, part);
}
]] }

local minimum = { name = 's8_minimum', text = [[
/* The sum of the bytes of a group times their scale. */
FFN_SHARED void ffn_s8_minimum_ISA(
    float *to, const int8_t *quants, const float *scale, size_t group) {
  *to = *scale * (float)ffn_s8_sum_ISA(quants, group);
}
]] }

return {
  name = 's8',
  about = 'signed bytes in groups with a scale',
  planes = function(shared)
    local list = {
      { name = 'quants', lane = 's8', every = 1 },
      { name = 'scale', lane = 'f32', every = shared.group },
    }
    for _, one in ipairs(kept(shared)) do
      list[#list + 1] = { name = one.name, lane = one.lane, every = one.every }
    end
    return list
  end,
  helpers = function(shared)
    local planes, list, seen = kept(shared), { scale_of, quantise }, {}
    if #planes > 0 then list[#list + 1] = sum end
    for _, one in ipairs(planes) do
      local helper = one.lane == 'f32' and minimum or sums
      if not seen[helper] then seen[helper], list[#list + 1] = true, helper end
    end
    return list
  end,
  --- A group of a row: c.plane(name) is where its part of a plane begins, c.from and c.count C.
  take = function(c)
    local quants, group = c.plane 'quants', c.group or c.shared.group
    local lines = {
      ('ffn_s8_quantise_ISA(%s, %s, %s, %s, %s);'):format(quants, c.plane 'scale', group, c.from,
        c.count),
    }
    for _, one in ipairs(kept(c.shared)) do
      local part = one.every == c.shared.group and group or one.every
      lines[#lines + 1] = one.lane == 'f32'
        and ('ffn_s8_minimum_ISA(%s, %s, %s, %s);'):format(c.plane(one.name), quants,
          c.plane 'scale', group)
        or ('ffn_s8_sums_ISA(%s, %s, %s, %s, %d, %d);'):format(c.plane(one.name), quants, group,
          part, one.from, one.times)
    end
    return table.concat(lines, '\n')
  end,
}
