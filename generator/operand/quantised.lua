--- A row as signed bytes in groups, each with an f32 scale and what its weights want beside: what
--- operands of bytes share, however they find the scale.
local operand_planes = require 'weights.operand_planes'

local M = {}

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

--- Reads some numbers of a group at once: instruction sets alone have it.
M.part = { name = 's8_part', text = '' }

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

--- The operand.
---@param said { name: string, about: string, helpers: OperandHelper[], call: string }  what makes
--- bytes of a group, and its scale: functions, and the name of the one that is called, of quants,
--- scale, group, floats and count
---@return table
function M.record(said)
  return {
    name = said.name,
    about = said.about,
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
      local planes, list, seen = kept(shared), { table.unpack(said.helpers) }, {}
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
      local arguments = { quants, c.plane 'scale', group, c.from, c.count, c.scale }
      local lines = { ('%s(%s);'):format(said.call, table.concat(arguments, ', ')) }
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
end

return M
