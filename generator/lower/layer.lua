--- lower: Spec -> Layer, passes of stages. The order of every sum is fixed here, from the sizes
--- alone, so that all instruction sets, tiles and thread counts agree in every bit.
local activations = require 'activation'
local backward = require 'lower.backward'
local expression = require 'lower.expression'
local kinds = require 'kind'
local lists = require 'common.list'
local own_name = require 'lower.own_name'
local problems = require 'common.problem'
local record = require 'common.record'
local stage_record = require 'lower.stage'
local weight_layout = require 'weights.layout'
local weights = require 'weights'

local M = {}

--- How a stage is made.
M.stage = stage_record.stage

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

--- The activations that a spec may name: the project's, and those of its file.
local function known(spec) return spec.activations or activations end

--- What the sums of a stage are multiplied with.
---@param stage KindStage
local function product_of(stage, activation)
  if #stage.matrices > 1 then return activation.both and 'both' or 'up' end
  return stage.times_input and 'input' or 'none'
end

local function branch(role)
  return { name = role == 'chain' and 'linear' or role, matrix = role }
end

---@return Stage[]
local function forward_pass(spec)
  local own = known(spec)
  local stages, list = {}, kinds.stages(spec, own)
  local tensor, zeros = 'x', false
  local stored = lists.map(spec.weights, function(name) return weights.by_name[name] end)
  for i, said in ipairs(list) do
    local activation = said.applied and own.by_variant[said.applied].activation
      or own.by_name.identity
    local product = product_of(said, activation)
    local result = said.output and 'y_' .. said.output or i == #list and 'y' or #list == 2 and 'h'
      or ('h%d'):format(i)
    stages[i] = M.stage {
      name = said.name, inputs = said.inputs, outputs = said.outputs,
      operand = { tensor = tensor, zeros = zeros }, beside = said.output ~= false,
      branches = lists.map(said.matrices, branch), bias = spec.bias,
      format = stored[i], arithmetic = spec.arithmetics[i], sharing = said.output and stored or nil,
      results = { { tensor = result, value = epilogue(activation, said.parameters, product) } },
      forward = record.strict('forward', {
        activation = activation, parameters = said.parameters, product = product,
        dropout = spec.dropout and spec.dropout[i == #list and 'output' or 'hidden'] or 0.0,
      }),
    }
    -- A product is zero where its activated factor is, whatever the other, but for Inf and NaN.
    if not said.output then tensor, zeros = result, activation.zeros end
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
        or #stages > 1 and '_' .. s.name:gsub('^to_', '') or ''
      return ('%s W%s^T%s'):format(s.operand.tensor, suffix,
        s.stream.bias and ' + b' .. suffix or '')
    end
    lines[i] = ('%s = %s'):format(s.results[1].tensor, expression.text(s.results[1].value, leaf))
  end
  if #lines > 4 then lines = { lines[1], lines[2], '...', lines[#lines] } end
  return lines
end

---@class Layer
---@field name string        kernels of it agree in bits
---@field packed string      without its arithmetic: kernels of it share packed weights; see
--- packed_name()
---@field spec_name string
---@field place string         of its spec
---@field about string
---@field kind string
---@field variant string
---@field inputs integer
---@field hidden integer       0 where there is none
---@field outputs integer     of several: their widths together
---@field beside NamedOutput[]|false the several that it has, in order
---@field bias boolean
---@field dropout boolean      training drops
---@field runtime_parameters string[]  of its activation: packed with the weights
---@field activations table    the vocabulary that its names are of
---@field sparse boolean       rows of zeros may be skipped
---@field optimise string      what portable C is written for: speed, size
---@field max_tokens integer   that a call of its kernels has, at most; 0: any number
---@field backward boolean     kernels of training, too
---@field passes table<string, Stage[]>  forward; train and grad where it is trained
---@field equation string[]
---@field flop_per_token integer

--- What the names of packed weights end in that bring scales of operands: the scales of stages,
--- one word where all are alike.
---@param stages Stage[]
local function scales_name(stages)
  local words = lists.map(stages, function(s) return s.arithmetic.scales end)
  local different = lists.unique(words)
  if not lists.has(different, 'static') then return '' end
  return '_' .. table.concat(#different == 1 and different or words, '_')
end

--- The name of a layer's packed weights. Where a stage's panels are bundles by themselves it says
--- so, as do those whose transposed weights are trained: such weights lay otherwise once, and what
--- was packed then is not to be read as what is packed now.
---@param stages Stage[]
---@param formats string[]  of each
---@return string
local function packed_name(spec, stages, formats)
  local name, scales = own_name.of(spec, formats, {}), scales_name(stages)
  for _, s in ipairs(stages) do
    local format = s.stream.format
    local is_single = #s.stream.branches == 1 and weight_layout.are_single(format, s.outputs)
    if is_single or format.trains and weight_layout.are_single(format, s.inputs) then
      return name .. '_panels' .. scales
    end
  end
  return name .. scales
end

---@param spec Spec
---@return Layer
function M.lower(spec)
  local stages = forward_pass(spec)
  local flop, runtime_parameters = 0, {}
  for _, s in ipairs(stages) do
    flop = flop + 2 * s.inputs * s.outputs * #s.stream.branches
    if s.forward.parameters == 'runtime' then
      runtime_parameters = s.forward.activation.parameters
    end
  end
  local passes = { forward = stages }
  if spec.backward then
    local problem = backward.problem(stages)
    if problem then spec.refuse('backward', problem) end
    passes.train, passes.grad = backward.passes(stages)
  end
  local formats = lists.map(stages, function(s) return s.stream.format.name end)
  local arithmetics = lists.map(stages, function(s) return s.arithmetic.name end)
  local own = spec.activation and known(spec).by_name[spec.activation]
  local variant = spec.variant or own and own.gated or 'identity'
  return record.strict('layer', {
    name = own_name.of(spec, formats, arithmetics), packed = packed_name(spec, stages, formats),
    spec_name = spec.name, place = problems.place(spec.file, spec.line), about = spec.about,
    kind = spec.kind, variant = variant,
    inputs = spec.d_model, hidden = spec.d_ff or 0, outputs = spec.d_out,
    beside = spec.outputs or false, bias = spec.bias, dropout = spec.dropout and true or false,
    runtime_parameters = runtime_parameters, sparse = spec.sparse,
    optimise = spec.optimise or 'speed', max_tokens = spec.max_tokens or 0,
    activations = known(spec),
    backward = spec.backward or false, passes = passes,
    equation = equation(stages), flop_per_token = flop,
  })
end

--- A layer that is trained as another of its name is, if there is one. A batch of training has any
--- number of tokens.
---@param l Layer
---@param trained Layer|nil
---@return Layer
function M.trained_as(l, trained)
  if not trained or l.backward or l.max_tokens > 0 then return l end
  local result = record.fields(l)
  result.backward, result.passes = true, trained.passes
  return record.strict('layer', result)
end

return M
