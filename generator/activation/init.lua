--- The activations by name and by variant. One file each, and a name in this list.
local known_activations = require 'activation.graph.known_activations'
local record = require 'common.record'
local records = require 'activation.graph.record'
local trace = require 'activation.graph.trace'

--- In the order of their enumerators in C: append only.
local names = {
  'identity', 'relu', 'relu2', 'gelu', 'gelu_tanh', 'silu', 'swish', 'quick_gelu', 'sigmoid',
  'tanh', 'mish', 'elu', 'leaky_relu', 'relu6', 'hardswish', 'hardsigmoid', 'softplus', 'laplace',
  'celu', 'gelu_10', 'clamped_swiglu', 'xielu',
}

---@class Activation
---@field name string
---@field gated string        its gated variant, which a function of both branches has no use for
---@field about string
---@field source string
---@field meaning string      C in double, of x, up and parameters
---@field slope string        C: how far it moves where x and up do by at most dx and dup
---@field derivative string|false C, of those whose meaning is C; the others have their graph
---@field curvature string|false  C: how far the derivative moves where x does by at most dx
---@field slope_error number  of the vector code's derivative, in 2^-24
---@field by_parameters table[]  the same of derivatives by parameters: value, spread, error, which
--- may speak of `value`
---@field parameters string[] in the order of ffn_weights.parameters
---@field both boolean        a function of gate and up
---@field zeros boolean       exact zeros are common
---@field contract table      ulp, ulp_from, relative, absolute
---@field special table       pairs of x and y
---@field least number|false  below it there is no value
---@field vector fun(v: table, x: any, up: any, parameters: table<string, any>): any
---@field gradient (fun(v: table, x: any, up: any, parameters: table<string, any>): any,
--- table<string, any>)|false  the value with the bits of `vector`, and its derivatives by their
--- names: x, up, those of parameters; false where it is 1 everywhere
---@field result GraphNode|false of a traced one
---@field differentiated GraphNode|false the same function as its derivatives are made of
---@field textbook function[]|false definitions to be traced, of one that is written by hand
---@field also function[]     the same in other words, by which graphs of models are named; what a
--- spec tells so keeps the code of its own graph, and with it its bits
---@field running boolean     its bound is the running error of its graph

--- What a file says of one that is written by hand, and what a graph says of a traced one.
local schema = record.schema {
  name = 'string', gated = { 'string', false }, about = 'string', source = 'string',
  meaning = 'string', slope = 'string', derivative = { 'string', false },
  curvature = { 'string', false }, slope_error = { 'number', 0.0 },
  by_parameters = { 'table', {} }, gradient = { 'function', false }, parameters = { 'table', {} },
  both = { 'boolean', false }, zeros = { 'boolean', false }, contract = 'table',
  special = 'table', vector = 'function', result = { 'table', false },
  differentiated = { 'table', false }, running = { 'boolean', false },
  textbook = { 'table', false }, also = { 'table', {} },
}

--- What a file says of a traced one.
local traced_schema = record.schema {
  about = 'string', source = 'string', traced = 'function',
  differentiated = { 'function', false }, zeros = { 'boolean', false },
}

---@return Activation
local function activation_of(name, fields)
  local kind = 'activation ' .. name
  if fields.traced then
    local said = traced_schema:read(fields, kind)
    fields = records.of(name, trace.shipped(said.traced), said.about, said.source,
      said.differentiated and trace.shipped(said.differentiated))
    fields.zeros = said.zeros
  end
  local activation = schema:read(fields, kind)
  activation.gated, activation.least = activation.gated or name .. '_glu', false
  return record.strict(kind, activation)
end

--- A vocabulary of some activations.
---@param list Activation[]
local function vocabulary(list)
  local M = {
    names = {}, by_name = {}, plain_names = {}, variant_names = {}, gated_names = {},
    by_variant = {},
  }
  for _, activation in ipairs(list) do
    local name = activation.name
    M.names[#M.names + 1], M.by_name[name] = name, activation
    if not activation.both then
      M.plain_names[#M.plain_names + 1] = name
      M.variant_names[#M.variant_names + 1] = name
      M.by_variant[name] = { activation = activation, gated = false }
    end
    local gated = activation.both and name or activation.gated
    M.variant_names[#M.variant_names + 1], M.gated_names[#M.gated_names + 1] = gated, gated
    M.by_variant[gated] = { activation = activation, gated = true }
  end
  return M
end

local shipped = {}
for i, name in ipairs(names) do shipped[i] = activation_of(name, require('activation.' .. name)) end

local M = vocabulary(shipped)

--- What a spec says of an activation.
---@class SpecActivation
---@field name string
---@field traced TracedFunction

--- An activation of a spec. One that is one of the project's has that one's vector code and bound.
---@param own SpecActivation
local function of_spec(own)
  local fields = records.of(own.name, own.traced, own.name .. ' of the spec', 'the spec')
  local twin = known_activations.find(fields.result, fields.parameters, shipped)
  if twin then
    fields.meaning, fields.slope, fields.contract = twin.meaning, twin.slope, twin.contract
    fields.about, fields.zeros, fields.running = twin.about, twin.zeros, false
    fields.derivative, fields.curvature = twin.derivative, twin.curvature
    fields.slope_error, fields.by_parameters = twin.slope_error, twin.by_parameters
    local function renamed(parameters)
      local of_twin = {}
      for i, name in ipairs(twin.parameters) do of_twin[name] = parameters[fields.parameters[i]] end
      return of_twin
    end
    fields.vector = function(v, x, up, parameters)
      return twin.vector(v, x, up, renamed(parameters))
    end
    fields.gradient = twin.gradient and function(v, x, up, parameters)
      local y, by_twin = twin.gradient(v, x, up, renamed(parameters))
      local by = { x = by_twin.x }
      for i, name in ipairs(twin.parameters) do by[fields.parameters[i]] = by_twin[name] end
      return y, by
    end or fields.gradient
  end
  return activation_of(own.name, fields)
end

--- The project's activations, and those of a spec behind them.
---@param specs SpecActivation[]
function M.with(specs)
  local list = { table.unpack(shipped) }
  for _, own in ipairs(specs) do list[#list + 1] = of_spec(own) end
  return vocabulary(list)
end

return M
