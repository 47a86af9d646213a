--- The activations by name and by variant. One file each, and a name in this list.
local record = require 'common.record'

--- In the order of their enumerators in C: append only.
local names = {
  'identity', 'relu', 'relu2', 'gelu', 'gelu_tanh', 'silu', 'swish', 'quick_gelu', 'sigmoid',
  'tanh', 'mish',
}

local M = { names = {}, by_name = {}, variant_names = {}, gated_names = {}, by_variant = {} }

for _, name in ipairs(names) do
  local activation = require('activation.' .. name)
  activation.gated = activation.gated or name .. '_glu'
  M.names[#M.names + 1] = name
  M.by_name[name] = record.strict('activation ' .. name, {
    name = name,
    gated = activation.gated,
    about = activation.about,
    source = activation.source,
    meaning = activation.meaning,
    derivative = activation.derivative,
    slope = activation.slope,
    curvature = activation.curvature or false,
    slope_error = activation.slope_error or 0.0,
    turn = activation.turn or '0.0',
    turn_spread = activation.turn_spread or '0.0',
    turn_error = activation.turn_error or '0.0',
    parameter = activation.parameter or false,
    zeros = activation.zeros or false,
    contract = activation.contract,
    special = activation.special,
    vector = activation.vector,
    gradient = activation.gradient or false,
  })
  for _, variant in ipairs { name, activation.gated } do
    M.variant_names[#M.variant_names + 1] = variant
    M.by_variant[variant] = {
      activation = M.by_name[name],
      gated = variant == activation.gated,
    }
  end
  M.gated_names[#M.gated_names + 1] = activation.gated
end

return M
