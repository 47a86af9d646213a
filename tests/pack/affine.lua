--- Norms behind products for plans.lua: vectors in a file, and the weights and biases that a norm
--- makes of others, as pack() takes them.
local M = {}

local largest = 0x1.fffffep127

local function float(text, at) return (string.unpack('<f', text, at + 1)) end

--- A vector of numbers that value(o) tells, in one of two encodings, a gap behind each.
local function vector(file, name, outputs, encoding, value)
  local parts, bytes = {}, encoding == 'f64' and 8 or 4
  for o = 1, outputs do
    parts[o] = string.pack(encoding == 'f64' and '<d' or '<f', value(o)) .. '\x5a'
  end
  local first = file.put(table.concat(parts))
  return {
    tensor = name, file = 0, first = first, bytes = outputs * (bytes + 1), encoding = encoding,
    row_bytes = 0, column_bytes = bytes + 1,
  }
end

--- Folds a norm into a matrix: what the plan says of it, and where weights and biases lie as pack()
--- takes them; nil where some are not finite, or would not be.
---@param bias integer|false  place of the biases in dense; false: there are none
function M.fold(file, dense, stage, weight, bias)
  local outputs, inputs, text = stage.outputs, stage.inputs, dense.text()
  local epsilon = 0x1p-10
  -- Thirds are no f32, which an f64 need not be here.
  local gamma = function(o) return (o % 7 - 3) / 3 end
  local mean = function(o) return o % 5 / 3 - 1 end
  local beta = function(o) return float(string.pack('<f', o % 3 / 7), 0) end
  local variance = function(o) return o % 9 / 8 end
  local weights, biases = {}, {}
  for o = 1, outputs do
    local factor = gamma(o) / math.sqrt(variance(o) + epsilon)
    for i = 1, inputs do
      local at = (o - 1) * inputs + i
      local w = float(text, weight + (at - 1) * 4)
      if not (math.abs(w) <= largest and math.abs(w * factor) <= largest) then return nil end
      weights[at] = string.pack('<f', w * factor)
    end
    local b = bias and float(text, bias + (o - 1) * 4) or 0.0
    local sum = (b - mean(o)) * factor + beta(o)
    if not (math.abs(b) <= largest and math.abs(sum) <= largest) then return nil end
    biases[o] = string.pack('<f', sum)
  end
  dense.align(64, 0)
  local weight_at = dense.put(table.concat(weights))
  dense.align(64, 0)
  return {
    epsilon = epsilon, gamma = vector(file, 'gamma', outputs, 'f64', gamma),
    beta = vector(file, 'beta', outputs, 'f32', beta),
    mean = vector(file, 'mean', outputs, 'f64', mean),
    variance = vector(file, 'variance', outputs, 'f32', variance),
  }, weight_at, dense.put(table.concat(biases))
end

return M
