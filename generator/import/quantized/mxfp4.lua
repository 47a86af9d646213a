--- MXFP4 as gpt-oss has it, of experts in one tensor: floats of 4 bits of two neighbouring inputs
--- in a byte, 16 bytes to a power of two. Rows are of outputs, where those of dense experts are of
--- inputs.
local arrays = require 'import.quantized.arrays'
local exceptions = require 'import.quantized.exceptions'
local settings = require 'import.quantized.settings'

local M = {
  methods = { 'mxfp4' },
  about = 'MXFP4 of experts in two tensors, blocks and scales',
  tails = { '_blocks', '_scales' },
  stacked = true,
}

function M.is_dense(said)
  return exceptions.listed(settings.names(said, { 'modules_to_not_convert' }))
end

function M.rule()
  return { about = 'MXFP4, a power of two for 32 inputs', activations = false, unread = {} }
end

function M.placed(p)
  local weight = arrays.of(p, '_blocks', {
    encodings = { U8 = 'e2m1_in2' }, columns = p.w.inputs, cut = 16,
  })
  weight.scaled = {
    every = 32, scales = arrays.of(p, '_scales', {
      encodings = { U8 = 'e8m0' }, columns = arrays.count(p, 32),
    }),
  }
  return weight
end

return M
