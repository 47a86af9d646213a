--- GPTQ: nibbles of eight inputs in a word, and an order of its own for the zeros. Its first
--- version stores one less than a zero, the second one what it is.
local arrays = require 'import.quantized.arrays'
local settings = require 'import.quantized.settings'

local M = {
  methods = { 'gptq' },
  about = 'GPTQ: nibbles in words of 32 bits along the inputs (qweight), with qzeros, scales and '
    .. 'perhaps g_idx beside them',
  tails = { '.qweight', '.qzeros', '.scales', '.g_idx' },
  zero_bias = true,
}

--- Where a config lists modules of a block, these are packed and no others; else all are.
function M.is_dense(said)
  local lists = said:get 'modules_in_block_to_quantize'
  if lists == nil then return function() return 'no' end end
  local names = {}
  for _, list in ipairs(type(lists) == 'table' and lists or {}) do
    for _, name in ipairs(type(list) == 'table' and list or { list }) do
      if type(name) ~= 'string' then
        said:refuse_value('modules_in_block_to_quantize', name, 'a list of names')
      end
      names[#names + 1] = '.' .. name
    end
  end
  return function(module)
    for _, name in ipairs(names) do
      if module:sub(-#name) == name then return 'no' end
    end
    return 'yes'
  end
end

--- Which version a file is of: how much more than is stored a zero means.
local function added(said)
  local version, key = said:one { 'checkpoint_format', 'format', 'version' }
  if version == nil then return 1 end
  settings.one_of(said, key, { 'gptq', 'gptq_v2' }, nil, 'an order of its own for one kind of '
    .. 'processor: save the model as gptq or gptq_v2')
  return version == 'gptq' and 1 or 0
end

--- The zero that all have where a config says that they are in the middle; 0: no config says it.
---@param said Config
function M.middle(said)
  return settings.one_of(said, 'sym', { true, false }, false) and 8 or 0
end

function M.rule(said, is_left)
  local bits, key = said:one { 'bits', 'w_bit' }
  settings.one_of(said, bits ~= nil and key or 'bits', { 4 }, nil, 'of GPTQ nibbles are taken, no '
    .. 'words of other bits: quantise with bits = 4')
  settings.one_of(said, 'pack_dtype', { 'int32' }, 'int32', 'words are of 32 bits')
  settings.none(said, 'is_marlin_format', 'an order of its own for one kind of processor: save the '
    .. 'model as gptq or gptq_v2')
  settings.none(said, 'dynamic', 'other settings for some modules are not taken')
  settings.none(said, 'adapter', 'what it adds to a product is not in these rows: merge it')
  settings.meta(said, is_left, 'gptq')
  local every = settings.group(said, { 'group_size', 'q_group_size' })
  local by_act = settings.one_of(said, 'desc_act', { true, false }, false)
  local is_static = settings.one_of(said, 'static_groups', { true, false }, false)
  if by_act and every > 0 and not is_static then
    said:refuse('%s is true: groups in the order of activations (act-order) are not taken: '
      .. 're-export with desc_act false', said:name 'desc_act')
  end
  return {
    about = ('GPTQ, 4 bits, %s'):format(settings.scales(every)), activations = false, unread = {},
    every = every, add = added(said), only = M.middle(said),
    needs_order = by_act and every > 0, -- static groups: they are as they would be anyway
  }
end

--- Also of others that have its layout.
---@param p PackedModule
---@param rule SchemeRule  with every, add, only, perhaps needs_order
function M.placed(p, rule)
  local weight = arrays.in_groups(p, rule, 'u4_in8', 'u4_out8')
  weight.scaled.zeros.add = rule.add
  weight.scaled.groups = arrays.groups(p, '.g_idx', rule.needs_order or false)
  return weight
end

return M
