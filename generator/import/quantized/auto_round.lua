--- AutoRound, which packs as GPTQ's first version or as AWQ does.
local awq = require 'import.quantized.awq'
local exceptions = require 'import.quantized.exceptions'
local gptq = require 'import.quantized.gptq'
local record = require 'common.record'
local settings = require 'import.quantized.settings'

local M = {
  methods = { 'auto-round', 'intel/auto-round' },
  about = 'AutoRound: packed as GPTQ or AWQ has it',
  tails = gptq.tails,
}

--- Names of blocks that are packed: a text of names, or a list of them.
local function blocks_of(said)
  local blocks = {}
  for _, key in ipairs { 'to_quant_block_names', 'block_name_to_quantize' } do
    local value = said:get(key)
    for name in (type(value) == 'string' and value or ''):gmatch '[^,%s]+' do
      blocks[#blocks + 1] = name
    end
    if type(value) == 'table' then
      for _, name in ipairs(value) do blocks[#blocks + 1] = tostring(name) end
    end
  end
  return blocks
end

--- Settings of single modules: those that keep 16 bits are dense.
local function own_of(said)
  local own = said:get_or('extra_config', {})
  if type(own) ~= 'table' or #own > 0 then
    said:refuse_value('extra_config', own, 'an object')
  end
  local dense, others = {}, {}
  for _, name in ipairs(record.sorted_keys(own)) do
    local bits = type(own[name]) == 'table' and own[name].bits
    table.insert(type(bits) == 'number' and bits >= 16 and dense or others, name)
  end
  return dense, others
end

function M.is_dense(said)
  local blocks, is_listed = blocks_of(said), exceptions.listed((own_of(said)))
  return function(module, is_packed)
    local answer, is_inside = is_listed(module, is_packed), #blocks == 0
    for _, name in ipairs(blocks) do is_inside = is_inside or module:find(name, 1, true) ~= nil end
    return is_inside and answer or 'yes'
  end
end

function M.rule(said)
  settings.one_of(said, 'bits', { 4 }, nil, 'nibbles are taken, no words of other bits')
  settings.one_of(said, 'data_type', { 'int' }, 'int', 'only integers are taken')
  local packing = settings.one_of(said, 'packing_format',
    { 'auto_round:auto_gptq', 'auto_round:auto_awq' }, said:get 'backend',
    'the layouts of auto_round:auto_gptq and auto_round:auto_awq are taken')
  local _, others = own_of(said)
  for _, name in ipairs(others) do
    local own = said:part('extra_config'):part(name)
    for _, key in ipairs { 'bits', 'group_size', 'data_type', 'sym' } do
      local value = own:get(key)
      if value ~= nil and value ~= said:get(key) then
        own:refuse('%s is %s: other settings for some modules are not taken', own:name(key),
          record.shown(value))
      end
    end
  end
  settings.none(said, 'super_bits', 'scales that are quantised themselves are not taken')
  settings.none(said, 'super_group_size', 'scales that are quantised themselves are not taken')
  local every = settings.group(said, { 'group_size' })
  local act_bits = said:get_or('act_bits', 16)
  local is_awq = packing == 'auto_round:auto_awq'
  return {
    about = ('AutoRound, packed as %s, 4 bits, %s'):format(is_awq and 'AWQ' or 'GPTQ',
      settings.scales(every)),
    activations = act_bits ~= 16 and ('act_bits is %s'):format(record.shown(act_bits)) or false,
    unread = {}, every = every, add = 1, only = gptq.middle(said), layout = is_awq and awq or gptq,
  }
end

function M.placed(p, rule) return rule.layout.placed(p, rule) end

return M
