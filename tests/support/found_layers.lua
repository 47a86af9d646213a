--- A layer that a reader found, evaluated in double from the numbers of its file where the record
--- says that they lie: a few lines that share nothing with kernels, packing or the rules.
local M = {}

local function bf16(bytes, at)
  return (string.unpack('<f', string.pack('<I4', string.unpack('<I2', bytes, at) << 16)))
end

local read = {
  f64 = function(bytes, at) return (string.unpack('<d', bytes, at)) end,
  f32 = function(bytes, at) return (string.unpack('<f', bytes, at)) end,
  bf16 = bf16,
}

--- The number at an output and an input.
local function number(files, placed, o, i)
  return read[placed.encoding](files[placed.file],
    placed.first + o * placed.row_bytes + i * placed.column_bytes + 1)
end

--- A matrix times x, and its bias.
local function product(files, matrix, x)
  local y = {}
  for o = 0, matrix.outputs - 1 do
    local sum = matrix.bias and number(files, matrix.bias, 0, o) or 0.0
    for i = 0, matrix.inputs - 1 do
      sum = sum + number(files, matrix.weight, o, i) * x[i + 1]
    end
    y[o + 1] = sum
  end
  return y
end

--- erf by its series of positive terms.
local function erf(x)
  local term, sum, n = x, x, 0
  repeat
    n = n + 1
    term = term * 2 * x * x / (2 * n + 1)
    sum = sum + term
  until math.abs(term) <= 1e-17 * math.abs(sum)
  return 2 / math.sqrt(math.pi) * math.exp(-x * x) * sum
end

local function tanh(x)
  local e = math.exp(-2 * math.abs(x))
  local y = (1 - e) / (1 + e)
  return x < 0 and -y or y
end

local function sigmoid(x) return 1 / (1 + math.exp(-x)) end
local function softplus(x) return math.log(1 + math.exp(x)) end
local function silu(x) return x * sigmoid(x) end
local function gelu(x) return 0.5 * x * (1 + erf(x / math.sqrt(2))) end
local function gelu_tanh(x)
  return 0.5 * x * (1 + tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ^ 3)))
end
local function gated(f) return function(gate, up) return f(gate) * up end end

--- What variants mean: of gate and up, or of what alone there is, and of parameters.
local variants = {
  silu = silu, gelu = gelu, gelu_tanh = gelu_tanh,
  relu = function(x) return math.max(x, 0) end,
  relu2 = function(x) return math.max(x, 0) ^ 2 end,
  quick_gelu = function(x) return x * sigmoid(1.702 * x) end,
  swiglu = gated(silu), geglu = gated(gelu), geglu_tanh = gated(gelu_tanh),
  clamped_swiglu = function(gate, up)
    local g, u = math.min(gate, 7), math.max(math.min(up, 7), -7)
    return g * sigmoid(1.702 * g) * (u + 1)
  end,
  xielu = function(x, p)
    local above, below = softplus(p[1]), 0.5 + softplus(p[2])
    if x > 0 then return above * x * x + 0.5 * x end
    return below * (math.exp(math.min(x, -1e-6)) - 1 - x) + 0.5 * x
  end,
}

M.product = product

--- y of one x.
---@param files string[]  their bytes
---@param layer FoundLayer
---@param x number[]
function M.evaluate(files, layer, x)
  local of = {}
  for _, matrix in ipairs(layer.matrices) do of[matrix.role] = matrix end
  local up = product(files, of.up, x)
  local gate = of.gate and product(files, of.gate, x)
  local f, h = variants[layer.fields.variant], {}
  for i = 1, #up do
    if gate then h[i] = f(gate[i], up[i]) else h[i] = f(up[i], layer.parameters) end
  end
  return product(files, of.down, h)
end

return M
