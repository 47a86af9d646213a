--- AWQ as GEMM has it: nibbles of eight outputs in a word, in an order of their own.
local arrays = require 'import.quantized.arrays'
local exceptions = require 'import.quantized.exceptions'
local settings = require 'import.quantized.settings'

local M = {
  methods = { 'awq' },
  about = 'AWQ: nibbles of eight outputs in a word, in an order of their own (qweight), with '
    .. 'qzeros and scales beside them',
  tails = { '.qweight', '.qzeros', '.scales' },
}

function M.is_dense(said)
  return exceptions.listed(settings.names(said, { 'modules_to_not_convert' }))
end

function M.rule(said, is_left)
  local bits = said:one { 'bits', 'w_bit' }
  if bits ~= 4 then
    settings.one_of(said, bits ~= nil and said:get 'bits' == nil and 'w_bit' or 'bits', { 4 }, nil,
      'AWQ is of 4 bits')
  end
  local gemm = 'only the layout of GEMM is taken: save the model with version = "gemm"'
  for _, key in ipairs { 'version', 'checkpoint_format', 'format' } do
    settings.one_of(said, key, { 'gemm', 'GEMM' }, 'gemm', gemm)
  end
  settings.one_of(said, 'backend', { 'autoawq' }, 'autoawq', 'only the layout of autoawq is taken')
  settings.one_of(said, 'zero_point', { true }, true, 'AWQ without zeros has another layout')
  settings.none(said, 'dynamic', 'other settings for some modules are not taken')
  settings.meta(said, is_left, 'awq')
  local every = settings.group(said, { 'group_size', 'q_group_size' })
  return {
    about = ('AWQ, 4 bits, %s'):format(settings.scales(every)), activations = false, unread = {},
    every = every, only = 0,
  }
end

--- Also of others that have its layout.
---@param p PackedModule
---@param rule SchemeRule  with every, only
function M.placed(p, rule) return arrays.in_groups(p, rule, 'u4_awq8', 'u4_awq8') end

return M
