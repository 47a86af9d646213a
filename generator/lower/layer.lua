--- lower: Spec -> Layer, passes of stages. The order of every sum is fixed here, from the sizes
--- alone, so that all instruction sets, tiles and thread counts agree in every bit.
local record = require 'common.record'
local expression = require 'lower.expression'
local name = require 'lower.name'
local activations = require 'activation'
local weights = require 'weights'

local M = {}

--- Outputs side by side in packed weights, FFN_PANEL of kernel.h: one cache line of f32 for each k.
M.panel = 16

--- Longest block of one accumulation: a pair of panels of it (16 KiB) stays in L1 beside the
--- activations of a row tile, which leaves the way to memory free for the next block; and the
--- rounding error of a sum grows with the block, not with the whole length.
local longest_block = 128

--- Independent FMAs in flight that fill two FMA ports of latency 4, in f32 lanes of 512 bits.
local lanes_in_flight = 8 * 16

---@class Operand  where the k of a stage come from
---@field tensor string  x, a hidden tensor, a saved one or a gradient
---@field zeros boolean  many may be exact zeros: what made it ends in relu or its like

---@class Branch  one matrix of a stream
---@field name string
---@field matrix string  its role, an enumerator of ffn_matrix: gate, up, down, chain

---@class Stream  packed weights, read once for each row tile
---@field format table       one of weights/
---@field branches Branch[]  matrices side by side: the activated one first
---@field transposed boolean the matrix is read as [in][out]
---@field bias boolean       each branch adds one

---@class Arithmetic
---@field name string  fma_f32: x times w into an f32 accumulator, one rounding for each k
---@field k integer    how many k one instruction takes

---@class Sum  the order in which an output is summed
---@field over string         inputs, or tokens
---@field length integer      how many products
---@field block integer       k of one accumulation, from +0
---@field blocks integer      of so many, added in ascending order
---@field last integer        k of the last one
---@field chains integer      interleaved in a block, folded pairwise
---@field accumulates boolean adds to what its result holds
---@field roundings integer   most between a product and its place in the sum, bias included

---@class Result
---@field tensor string  where it goes: y, a hidden tensor, a gradient
---@field value Expression

---@class Stage  one walk over one stream of weights
---@field name string       names its functions and sizes in C
---@field inputs integer
---@field outputs integer
---@field operand Operand
---@field stream Stream
---@field arithmetic Arithmetic
---@field sum Sum
---@field results Result[]  the epilogue
---@field forward table|false  what ffn_stage tells the reference: activation, parameters, product

local fma_f32 = record.strict('arithmetic', { name = 'fma_f32', k = 1 })

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

--- The order of a sum of `length` products, for `lanes` outputs side by side.
---@return Sum
function M.sum(length, lanes, bias)
  local blocks, block = (length + longest_block - 1) // longest_block, length
  if blocks > 1 then
    local share = (length + blocks - 1) // blocks
    block = (share + M.panel - 1) // M.panel * M.panel
  end
  blocks = (length + block - 1) // block
  local c = chains(block, lanes)
  return record.strict('sum', {
    over = 'inputs', length = length, block = block, blocks = blocks,
    last = length - (blocks - 1) * block, chains = c, accumulates = false,
    roundings = (block + c - 1) // c + log2(c) + blocks - 1 + (bias and 1 or 0),
  })
end

--- A stage of any pass.
---@param s table name, inputs, outputs, operand, branches, bias, format, results; and for weights
--- that stand [in][out] transposed, for a forward stage forward
---@return Stage
function M.stage(s)
  local columns = (s.outputs + M.panel - 1) // M.panel * M.panel
  return record.strict('stage', {
    name = s.name, inputs = s.inputs, outputs = s.outputs,
    operand = record.strict('operand', s.operand),
    stream = record.strict('stream', {
      format = s.format, branches = s.branches, transposed = s.transposed or false, bias = s.bias,
    }),
    arithmetic = fma_f32,
    sum = M.sum(s.inputs, #s.branches * columns, s.bias),
    results = s.results,
    forward = s.forward or false,
  })
end

-- The forward pass ----------------------------------------------------------------------------

--- What a forward stage makes of its sums: act(first), times the second branch or the input; or
--- act(first, second).
local function epilogue(activation, parameters, product)
  local value = expression.apply(activation, expression.sum(1), parameters,
    product == 'both' and expression.sum(2) or nil)
  if product == 'up' then value = expression.mul(value, expression.sum(2)) end
  if product == 'input' then value = expression.mul(expression.operand(), value) end
  return value
end

--- The links of a layer's chain: { name, outputs, branches, activation, parameters, product } each.
local links = {}

local identity = activations.by_name.identity

--- The activations that a spec may name: the project's, and those of its file.
local function known(spec) return spec.activations or activations end

local function branch(role) return { name = role, matrix = role } end
local function linear_branch() return { name = 'linear', matrix = 'chain' } end

local function gated(spec, outputs)
  local activation = known(spec).by_variant[spec.variant].activation
  return {
    name = 'gate_up', outputs = outputs, branches = { branch 'gate', branch 'up' },
    activation = activation, parameters = spec.parameters,
    product = activation.both and 'both' or 'up',
  }
end

function links.ffn(spec)
  local variant = known(spec).by_variant[spec.variant]
  local up = variant.gated and gated(spec, spec.d_ff) or {
    name = 'up', outputs = spec.d_ff, branches = { branch 'up' },
    activation = variant.activation, parameters = spec.parameters, product = 'none',
  }
  return { up, {
    name = 'down', outputs = spec.d_out, branches = { branch 'down' },
    activation = identity, product = 'none',
  } }
end

function links.glu(spec) return { gated(spec, spec.d_out) } end

function links.selfgate(spec)
  return { {
    name = 'gate', outputs = spec.d_model, branches = { branch 'gate' },
    activation = known(spec).by_name[spec.activation], parameters = spec.parameters,
    product = 'input',
  } }
end

function links.linear(spec)
  return { {
    name = 'linear', outputs = spec.d_out, branches = { linear_branch() },
    activation = identity, product = 'none',
  } }
end

function links.mlp(spec)
  local list = {}
  for i, layer in ipairs(spec.widths) do
    list[i] = {
      name = ('layer%d'):format(i), outputs = layer.width, branches = { linear_branch() },
      activation = known(spec).by_name[layer.activation], parameters = layer.parameters,
      product = 'none',
    }
  end
  return list
end

---@return Stage[]
local function forward_pass(spec, format)
  local stages, list = {}, links[spec.kind](spec)
  local inputs, tensor, zeros = spec.d_model, 'x', false
  for i, link in ipairs(list) do
    local result = i == #list and 'y' or #list == 2 and 'h' or ('h%d'):format(i)
    stages[i] = M.stage {
      name = link.name, inputs = inputs, outputs = link.outputs,
      operand = { tensor = tensor, zeros = zeros },
      branches = link.branches, bias = spec.bias, format = format,
      results = {
        { tensor = result, value = epilogue(link.activation, link.parameters, link.product) },
      },
      forward = record.strict('forward', {
        activation = link.activation, parameters = link.parameters or false,
        product = link.product,
      }),
    }
    -- A product is zero where its activated factor is, whatever the other, but for Inf and NaN.
    inputs, tensor, zeros = link.outputs, result, link.activation.zeros
  end
  return stages
end

--- The layer's equation in C-like text, stage by stage; of a long chain the ends.
local function equation(stages)
  local lines = {}
  for i, s in ipairs(stages) do
    local function leaf(e)
      if e.op == 'operand' then return s.operand.tensor end
      local suffix = #s.stream.branches > 1 and '_' .. s.stream.branches[e.branch].name
        or #stages > 1 and '_' .. s.name or ''
      return ('%s W%s^T%s'):format(s.operand.tensor, suffix,
        s.stream.bias and ' + b' .. suffix or '')
    end
    lines[i] = ('%s = %s'):format(s.results[1].tensor, expression.text(s.results[1].value, leaf))
  end
  if #lines > 4 then lines = { lines[1], lines[2], '...', lines[#lines] } end
  return lines
end

---@class Layer
---@field name string
---@field spec_name string
---@field spec_file string     without its folder
---@field about string
---@field kind string
---@field variant string
---@field dtype string
---@field inputs integer
---@field hidden integer       0 where there is none
---@field outputs integer
---@field bias boolean
---@field runtime_parameters string[]  of its activation: packed with the weights
---@field activations table    the vocabulary that its names are of
---@field sparse boolean       rows of zeros may be skipped
---@field passes table<string, Stage[]>  forward
---@field equation string[]
---@field flop_per_token integer

---@param spec Spec
---@param dtype string
---@return Layer
function M.lower(spec, dtype)
  local stages = forward_pass(spec, weights.by_name[dtype])
  local flop, runtime_parameters = 0, {}
  for _, s in ipairs(stages) do
    flop = flop + 2 * s.inputs * s.outputs * #s.stream.branches
    if s.forward.parameters == 'runtime' then
      runtime_parameters = s.forward.activation.parameters
    end
  end
  local variant = spec.variant or 'identity'
  if spec.kind == 'selfgate' then variant = known(spec).by_name[spec.activation].gated end
  return record.strict('layer', {
    name = name.of_spec(spec, dtype),
    spec_name = spec.name, spec_file = spec.file:match('[^/]+$'), about = spec.about,
    kind = spec.kind, variant = variant, dtype = dtype,
    inputs = spec.d_model, hidden = spec.d_ff or 0, outputs = spec.d_out,
    bias = spec.bias, runtime_parameters = runtime_parameters, sparse = spec.sparse,
    activations = known(spec),
    passes = { forward = stages },
    equation = equation(stages), flop_per_token = flop,
  })
end

return M
