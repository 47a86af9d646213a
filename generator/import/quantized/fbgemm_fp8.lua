--- FP8 of FBGEMM: a scale for each output.
local arrays = require 'import.quantized.arrays'
local exceptions = require 'import.quantized.exceptions'
local settings = require 'import.quantized.settings'

local M = {
  methods = { 'fbgemm_fp8' },
  about = 'FP8 with a scale for each output beside it (weight_scale)',
  tails = { '.weight_scale' },
}

function M.is_dense(said)
  return exceptions.listed(settings.names(said, { 'modules_to_not_convert' }))
end

function M.rule()
  return {
    about = 'FP8, a scale for each output', activations = 'FBGEMM: to 8 bits',
    unread = { '.input_scale_ub' },
  }
end

function M.placed(p)
  local weight = arrays.of(p, '.weight', { encodings = { F8_E4M3 = 'e4m3' }, columns = p.w.inputs })
  weight.scaled = {
    every = 0, scales = arrays.of(p, '.weight_scale', { encodings = arrays.floats, columns = 1 }),
  }
  return weight
end

return M
