--- What `hidden_act` and its like say, in the names of activation/: the 24 keys of transformers'
--- activations.py, ACT2CLS, and what each computes there. What is in no row has no meaning here.
local activations = require 'activation'

local M = {}

--- Names of transformers -> an activation of this project, or why there is none.
---@class ModelActivation
---@field is string|nil       its name in activation/
---@field parameters table|nil  fixed ones
---@field learned boolean|nil  its parameters are tensors of each layer
---@field refused string|nil   why no layer has it

---@type table<string, ModelActivation>
M.by_name = {
  gelu = { is = 'gelu' },
  gelu_python = { is = 'gelu' },
  gelu_new = { is = 'gelu_tanh' },
  gelu_accurate = { is = 'gelu_tanh' },
  gelu_pytorch_tanh = { is = 'gelu_tanh' },
  gelu_python_tanh = { is = 'gelu_tanh' },
  gelu_fast = { is = 'gelu_tanh' }, -- 0.7978845608 x (1 + 0.044715 x^2): the same to f32's rounding
  gelu_10 = { is = 'gelu_10' }, -- clipped at -10, too, which gelu never is below
  quick_gelu = { is = 'quick_gelu' },
  silu = { is = 'silu' },
  swish = { is = 'silu' },
  relu = { is = 'relu' },
  relu2 = { is = 'relu2' },
  relu6 = { is = 'relu6' },
  leaky_relu = { is = 'leaky_relu', parameters = { slope = 0.01 } },
  hardswish = { is = 'hardswish' },
  mish = { is = 'mish' },
  sigmoid = { is = 'sigmoid' },
  tanh = { is = 'tanh' },
  linear = { is = 'identity' },
  laplace = { is = 'laplace' },
  xielu = { is = 'xielu', learned = true },
  sqrtsoftplus = { refused = 'the square root of softplus is a score of routers, and no '
    .. 'activation of a layer' },
  prelu = { refused = 'its slope is learned, and no rule says where it is stored' },
}

--- The variant of a layer with an activation.
---@param name string      of activation/
---@param gated boolean
---@return string
function M.variant(name, gated)
  local entry = activations.by_name[name]
  if entry.both then return name end
  return gated and entry.gated or name
end

return M
