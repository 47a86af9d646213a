--- FP8 as DeepSeek and Qwen have it, with a scale for a block of outputs and inputs, or one for a
--- matrix.
local arrays = require 'import.quantized.arrays'
local exceptions = require 'import.quantized.exceptions'
local record = require 'common.record'
local settings = require 'import.quantized.settings'

local M = {
  methods = { 'fp8' },
  about = 'FP8 with a scale for each block, or for each tensor, beside it (weight_scale_inv)',
  tails = { '.weight_scale_inv', '.weight_scale' },
}

function M.is_dense(said)
  return exceptions.listed(settings.names(said,
    { 'modules_to_not_convert', 'ignored_layers', 'ignore' }))
end

--- { outputs, inputs } of a block.
---@param said Config
---@param key string
---@return integer[]|false
function M.block(said, key)
  local block = said:get(key)
  if block == nil then return false end
  local is_right = type(block) == 'table' and #block == 2 and record.count(block) == 2
  for _, size in ipairs(is_right and block or {}) do
    is_right = is_right and math.type(size) == 'integer' and size > 0 and size <= 1 << 20
  end
  if not is_right then said:refuse_value(key, block, 'two sizes such as [128, 128]') end
  return block
end

function M.rule(said)
  settings.one_of(said, 'fmt', { 'e4m3' }, 'e4m3', 'only E4M3 is taken')
  local block = M.block(said, 'weight_block_size')
  local scheme = settings.one_of(said, 'activation_scheme', { 'dynamic', 'static' }, 'dynamic',
    'dynamic or static')
  return {
    about = 'FP8, ' .. (block and ('a scale for %d outputs and %d inputs'):format(block[1],
      block[2]) or 'a scale for each matrix'),
    activations = ('activation_scheme is %s: to 8 bits'):format(scheme),
    unread = { '.input_scale', '.activation_scale' }, block = block,
  }
end

--- Also of others that have its layout.
---@param p PackedModule
---@param block integer[]|false
---@param scale string  the tensor of scales
function M.of_block(p, block, scale)
  local weight = arrays.of(p, '.weight', { encodings = { F8_E4M3 = 'e4m3' }, columns = p.w.inputs })
  weight.scaled = {
    every = block and block[2] or 0,
    scales = block and arrays.of(p, scale, {
      encodings = arrays.floats, columns = arrays.count(p, block[2]), rows = block[1],
    }) or arrays.single(p, scale, arrays.floats),
  }
  return weight
end

function M.placed(p, rule)
  local scale = '.weight_scale_inv'
  if not rule.block and not arrays.has(p, scale) then scale = '.weight_scale' end
  return M.of_block(p, rule.block, scale)
end

return M
