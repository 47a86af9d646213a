--- lower: Spec -> Layer, a chain of stages. The order of every sum is fixed here, from the sizes
--- alone, so that all instruction sets, tiles and thread counts agree in every bit.
local record = require 'common.record'
local name = require 'lower.name'
local activations = require 'activation'

local M = {}

--- Outputs side by side in packed weights: one cache line of f32 for each k.
M.panel = 16

--- Longest block of one accumulation: a pair of panels of it (16 KiB) stays in L1 beside the
--- activations of a row tile, which leaves the way to memory free for the next block; and the
--- rounding error of a sum grows with the block, not with the whole length.
local longest_block = 128

--- Independent FMAs in flight that fill two FMA ports of latency 4, in f32 lanes of 512 bits.
local lanes_in_flight = 8 * 16

--- Sums of a small layer are cut into interleaved chains, so that latency does not rule it.
local function chains(inputs, lanes)
  local c = 1
  while c < 8 and c * lanes < lanes_in_flight and inputs >= 8 * c do c = c * 2 end
  return c
end

local function log2(n)
  local bits = 0
  while n > 1 do n, bits = n // 2, bits + 1 end
  return bits
end

---@class Branch
---@field name string    in equations and comments
---@field matrix string  its field of ffn_weights: gate, up, down; chain: an entry for each stage

---@class Stage
---@field name string        names its functions in C
---@field inputs integer
---@field outputs integer
---@field branches Branch[]  the one with the activation first
---@field activation table
---@field beta number|string|boolean  false where the activation has none
---@field product string     none, up, input
---@field bias boolean
---@field k_block integer
---@field blocks integer    of k_block, the last as long as what is left
---@field chains integer
---@field sum_length integer
---@field zeros boolean     its inputs may be exact zeros: the stage before ends in relu or its like
local function stage(s)
  local columns = (s.outputs + M.panel - 1) // M.panel * M.panel
  local blocks = (s.inputs + longest_block - 1) // longest_block
  local k_block = s.inputs
  if blocks > 1 then
    local share = (s.inputs + blocks - 1) // blocks
    k_block = (share + M.panel - 1) // M.panel * M.panel
  end
  blocks = (s.inputs + k_block - 1) // k_block
  local c = chains(k_block, #s.branches * columns)
  s.beta = s.beta or false
  s.zeros = s.zeros or false
  s.k_block, s.blocks, s.chains = k_block, blocks, c
  s.sum_length = (k_block + c - 1) // c + log2(c) + blocks - 1 + (s.bias and 1 or 0)
  return record.strict('stage', s)
end

local identity = activations.by_name.identity

local function ffn_stages(spec)
  local variant = activations.by_variant[spec.word]
  local up = { name = 'up', matrix = 'up' }
  local gate = { name = 'gate', matrix = 'gate' }
  return {
    stage {
      name = variant.gated and 'gate_up' or 'up',
      inputs = spec.d_model, outputs = spec.d_ff, bias = spec.bias,
      branches = variant.gated and { gate, up } or { up },
      activation = variant.activation, beta = spec.beta,
      product = variant.gated and 'up' or 'none',
    },
    stage {
      name = 'down',
      inputs = spec.d_ff, outputs = spec.d_out, bias = spec.bias,
      branches = { { name = 'down', matrix = 'down' } },
      activation = identity, product = 'none', zeros = variant.activation.zeros,
    },
  }
end

local function glu_stages(spec)
  return {
    stage {
      name = 'gate_up',
      inputs = spec.d_model, outputs = spec.d_out, bias = spec.bias,
      branches = {
        { name = 'gate', matrix = 'gate' }, { name = 'up', matrix = 'up' },
      },
      activation = activations.by_variant[spec.word].activation, beta = spec.beta, product = 'up',
    },
  }
end

local function selfgate_stages(spec)
  return {
    stage {
      name = 'gate',
      inputs = spec.d_model, outputs = spec.d_model, bias = spec.bias,
      branches = { { name = 'gate', matrix = 'gate' } },
      activation = activations.by_name[spec.word], beta = spec.beta, product = 'input',
    },
  }
end

local function chain_stages(spec)
  local layers = spec.widths or { { width = spec.d_out, word = 'identity' } }
  local stages, inputs, zeros = {}, spec.d_model, false
  for i, layer in ipairs(layers) do
    stages[i] = stage {
      name = spec.widths and ('layer%d'):format(i) or 'linear',
      inputs = inputs, outputs = layer.width, bias = spec.bias,
      branches = { { name = 'linear', matrix = 'chain' } },
      activation = activations.by_name[layer.word], beta = layer.beta, product = 'none',
      zeros = zeros,
    }
    inputs, zeros = layer.width, activations.by_name[layer.word].zeros
  end
  return stages
end

local lowering = {
  ffn = ffn_stages, glu = glu_stages, selfgate = selfgate_stages,
  linear = chain_stages, mlp = chain_stages,
}

--- The layer's equation in C-like text, stage by stage.
local function equation(stages, kind)
  local lines, input = {}, 'x'
  for i, s in ipairs(stages) do
    local output = i == #stages and 'y' or (#stages == 2 and 'h' or ('h%d'):format(i))
    local function product(branch)
      local suffix = #s.branches > 1 and '_' .. branch.name or (#stages > 1 and '_' .. s.name or '')
      return ('%s W%s^T%s'):format(input, suffix, s.bias and ' + b' .. suffix or '')
    end
    local sum = product(s.branches[1])
    local name_of = s.activation.name
    local act = name_of == 'identity' and (s.product == 'none' and '%s' or '(%s)')
      or name_of .. '(%s)'
    local text = act:format(sum)
    if s.product == 'up' then text = ('%s * (%s)'):format(text, product(s.branches[2])) end
    if s.product == 'input' then text = ('%s * %s'):format(input, text) end
    lines[i] = ('%s = %s'):format(output, text)
    input = output
  end
  if kind == 'mlp' and #lines > 4 then lines = { lines[1], lines[2], '...', lines[#lines] } end
  return lines
end

---@class Layer
---@param spec Spec
---@param dtype string
function M.lower(spec, dtype)
  local stages = lowering[spec.kind](spec)
  local flop, runtime_beta = 0, false
  for _, s in ipairs(stages) do
    flop = flop + 2 * s.inputs * s.outputs * #s.branches
    runtime_beta = runtime_beta or s.beta == 'runtime'
  end
  local variant = spec.word or 'identity'
  if spec.kind == 'selfgate' then variant = activations.by_name[spec.word].gated end
  return record.strict('layer', {
    name = name.of_spec(spec, dtype),
    spec_name = spec.name,
    about = spec.about,
    kind = spec.kind,
    variant = variant,
    dtype = dtype,
    inputs = spec.d_model,
    hidden = spec.d_ff or 0,
    outputs = spec.d_out,
    bias = spec.bias,
    runtime_beta = runtime_beta,
    sparse = spec.sparse,
    stages = stages,
    equation = equation(stages, spec.kind),
    flop_per_token = flop,
  })
end

return M
