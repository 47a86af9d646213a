--- What import/scaled.lua says, for ffn-pack: how numbers lie that have their scales in arrays of
--- their own, what may be beside them, and which format holds them exactly. A row of C for each.
local record = require 'common.record'
local scaled = require 'import.scaled'
local weights = require 'weights'

local M = {}

--- Rows that an includer asks for by defining their macro.
local function rows(macro, list)
  return ('#ifdef %s\n%s\n#endif\n'):format(macro, table.concat(list, '\n'))
end

--- Rows of what formats hold.
local function add_held(list, name, unit, has_zeros)
  for _, every in ipairs(record.sorted_keys(has_zeros and unit.offset or unit.plain)) do
    for _, scale in ipairs(record.sorted_keys(unit.scales)) do
      local format = scaled.format(name, every, scale, has_zeros)
      assert(weights.by_name[format], format)
      list[#list + 1] = ('FFN_PACK_HELD(%s, %s, %d, %s, %d)'):format(format, name, every, scale,
        has_zeros and 1 or 0)
    end
  end
end

--- scaled.inc: all of them.
---@return string
function M.text()
  local units, scales, zeros, held = {}, {}, {}, {}
  for _, name in ipairs(record.sorted_keys(scaled.units)) do
    local unit = scaled.units[name]
    units[#units + 1] = ('FFN_PACK_UNIT(%s, %d, %d, %d, %d)'):format(name, unit.inputs,
      unit.outputs, unit.bytes, unit.decoded and 1 or 0)
    for _, scale in ipairs(record.sorted_keys(unit.scales)) do
      scales[#scales + 1] = ('FFN_PACK_SCALE(%s, %s)'):format(name, scale)
    end
    for _, zero in ipairs(record.sorted_keys(unit.zeros)) do
      zeros[#zeros + 1] = ('FFN_PACK_ZERO(%s, %s)'):format(name, zero)
    end
    add_held(held, name, unit, false)
    add_held(held, name, unit, true)
  end
  return table.concat {
    '/* Made by ffngen packaging. Do not edit.\n *\n',
    ' * Numbers with scales in arrays of their own, by the name of their encoding.\n',
    ' * FFN_PACK_UNIT(numbers, inputs, outputs, bytes, decoded): units; decoded: may be f32.\n',
    ' * FFN_PACK_SCALE(numbers, scales), FFN_PACK_ZERO(numbers, zeros): what may be beside them.\n',
    ' * FFN_PACK_HELD(format, numbers, every, scales, has_zeros): the format that holds them\n',
    ' * exactly; `every` inputs share a scale, of 0 all. */\n',
    rows('FFN_PACK_UNIT', units), rows('FFN_PACK_SCALE', scales), rows('FFN_PACK_ZERO', zeros),
    rows('FFN_PACK_HELD', held),
  }
end

return M
