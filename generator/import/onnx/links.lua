--- A model's graphs with their names looked up: steps in the order in which they run, and the
--- values that they take and give, with all their uses. Graphs inside of nodes see what is around
--- them.
local fused = require 'import.onnx.fused'
local labels = require 'import.onnx.labels'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class Value
---@field name string
---@field scope GraphScope
---@field tensor OnnxTensor|nil    what stands in the file
---@field step GraphStep|nil       that gives it
---@field uses GraphStep[]         once for each of their inputs that it is and whose numbers count
---@field is_output boolean|nil    of a graph
---@field is_input boolean|nil     of the model: what stands in the file is a default
---@field rank integer|nil         how many sizes it has, where that is known
---@field barred string|nil        why its numbers, which never change, are not taken
---@field view View|nil            numbers that never change: see views.lua
---@field stream ProductStream|nil rows of a product: see streams.lua
---@field leaves Value[]|nil       streams of which it is a function, element by element
---@field rounded Rounded|nil     see rounded_inputs.lua
---@field quantised Quantised|nil  see rounding_steps.lua
---@field narrowed table<string, Value>|nil  by what it is rounded to: see rounding_steps.lua
---@field moved ProductStream|nil outputs of a product, along other axes: see biases.lua
---@field gated Value|nil         and of what their product multiplies, one and the same value
---@field shaped GraphStep|nil     that gave it another shape than the product's, its rows kept
---@field source Value|nil         the same numbers in another type
---@field sizes Sizes|nil          see shapes.lua

---@class GraphStep
---@field index integer
---@field op string                with its domain, where that is not ONNX's own
---@field node OnnxNode
---@field scope GraphScope
---@field ins (Value|false)[]
---@field outs Value[]
---@field named string|nil         what it is called, where the file does not have it
---@field is_same boolean|nil      it changes no number and no row
---@field narrows string|nil       what it rounds what it passes on to: see rounding_steps.lua
---@field key string|nil           the same, all that tells it from others
---@field cuts boolean|nil         it gives nothing below 0
---@field why string|nil           it ends a chain
---@field operator Operator|false|nil  see operators.lua, once it was asked for

---@class GraphScope
---@field values table<string, Value>
---@field around GraphScope|nil
---@field ranks table<string, integer>

---@class Links
---@field model OnnxModel
---@field steps GraphStep[]

---@return Value
local function unnamed(scope, name)
  return { name = name, scope = scope, uses = {}, rank = scope.ranks[name] }
end
M.unnamed = unnamed

---@return Value
local function value(scope, name)
  local made = unnamed(scope, name)
  scope.values[name] = made
  return made
end

local function lookup(scope, name)
  local found
  while scope and not found do
    found, scope = scope.values[name], scope.around
  end
  return found
end

--- The tensor of a Constant, or false.
local function constant_of(node)
  for _, key in ipairs { 'value', 'value_float', 'value_int', 'value_floats', 'value_ints' } do
    local a = node.attributes[key]
    if a and a.t then return a.t end
    local list = a and (a.floats or a.ints)
    local one = a and (a.f or a.i)
    if list or one then
      return record.strict('ONNX tensor', {
        name = '', type = (a.f or a.floats) and 'f32' or 'i64', dims = list and { #list } or {},
        count = list and #list or 1, bits = (a.f or a.floats) and 32 or 64,
        numbers = list or { one }, place = false, external = false, varints = false,
        apart = 'an attribute',
      })
    end
  end
  return false
end

---@class Linking
---@field path string
---@field steps GraphStep[]
---@field functions table<string, boolean>
---@field heap Heap
---@field is_old boolean  every tensor in the file is an input, too

local function given(linking, scope, name)
  if scope.values[name] then
    problems.bad_input(linking.path, 'not an ONNX model: two nodes or tensors give '
      .. '"%s"', record.shown(name))
  end
  return value(scope, name)
end

local function tensor_values(linking, scope, graph, is_inner)
  for i, tensor in ipairs(graph.tensors) do
    if i % 1024 == 0 then linking.heap:look() end
    local known = scope.values[tensor.name]
    if known and known.tensor then given(linking, scope, tensor.name) end
    -- What a body takes is handed to it each time.
    if not known then value(scope, tensor.name).tensor = tensor end
    if known and not is_inner then
      known.tensor, known.is_input = tensor, not linking.is_old
    end
  end
  for _, name in ipairs(graph.sparse) do
    local known = scope.values[name] or value(scope, name)
    known.barred = 'is sparse: store it whole'
  end
  for _, name in ipairs(graph.annotated) do
    local known = scope.values[name]
    -- Of what is computed, an annotation tells what others may do: the graph does not.
    if known and known.tensor then known.barred = 'is quantised, as an annotation says' end
  end
end

--- Inputs of which no number is looked at, but how many there are, or their type: no use of them.
local looks_at_none = { Shape = 1, Size = 1, CastLike = 2 }

--- A step, with what it takes told of it.
---@return GraphStep
local function new_step(linking, scope, node, op, ins)
  local step = {
    index = #linking.steps + 1, node = node, scope = scope, ins = ins, outs = {},
    op = op,
  }
  linking.steps[step.index] = step
  if step.index % 1024 == 0 then linking.heap:look() end
  for i, taken in ipairs(ins) do
    if taken and looks_at_none[op] ~= i then taken.uses[#taken.uses + 1] = step end
  end
  return step
end

M.sum = record.strict('ONNX node', {
  op = 'Add', domain = '', name = '', inputs = {}, outputs = {}, attributes = {},
  names = {}, graphs = {},
})

--- Operators that add a vector first: they are that sum, and the operator without it.
local adds_first = { ['com.microsoft.BiasGelu'] = true, ['com.microsoft.FastGelu'] = true }

--- A step in front of the node's own, which takes what the node takes, or some of that.
---@return Value  that it gives
local function add_in_front(linking, scope, node, product, op, ins)
  local step = new_step(linking, scope, product, op, ins)
  local out = unnamed(scope, node.outputs[1] or '')
  step.named, step.outs[1], out.step = labels.node(node), out, step
  return out
end

local link

local function add_step(linking, scope, node)
  local ins = {}
  for i, name in ipairs(node.inputs) do
    ins[i] = name ~= '' and lookup(scope, name)
    if name ~= '' and not ins[i] then
      problems.bad_input(linking.path, 'not an ONNX model: node "%s" takes "%s", which nothing '
        .. 'before it gives', labels.node(node), record.shown(name))
    end
  end
  for _, graph in ipairs(node.graphs) do link(linking, graph, scope) end
  local own = linking.functions[('%s %s'):format(node.domain, node.op)]
  local op = (own and 'function ' or '') .. (node.domain == '' and '' or node.domain .. '.')
    .. node.op
  local parts, own_node = fused.of(node, op), node
  if adds_first[op] and #ins == 2 and ins[1] and ins[2] then
    ins = { add_in_front(linking, scope, node, M.sum, 'Add', ins) }
  elseif parts then
    ins = { add_in_front(linking, scope, node, parts.product, parts.product_op, ins) }
    own_node, op = parts.activation, parts.activation.op
  end
  local step = new_step(linking, scope, own_node, op, ins)
  local outs = step.outs
  for i, name in ipairs(node.outputs) do
    outs[i] = name ~= '' and given(linking, scope, name)
    if outs[i] then outs[i].step = step end
  end
  if step.op == 'Constant' and outs[1] then
    outs[1].tensor = constant_of(node)
    if not outs[1].tensor then outs[1].barred = 'is a Constant whose numbers are not read' end
  end
end

--- Links a graph; depth is bounded where the file is read.
function link(linking, graph, around)
  local scope = { values = {}, around = around, ranks = graph.ranks }
  for _, name in ipairs(graph.inputs) do given(linking, scope, name) end
  tensor_values(linking, scope, graph, around ~= nil)
  for _, node in ipairs(graph.nodes) do add_step(linking, scope, node) end
  for _, name in ipairs(graph.outputs) do
    local result = lookup(scope, name)
    if not result and name ~= '' then
      problems.bad_input(linking.path, 'not an ONNX model: its output "%s" is given by nothing',
        record.shown(name))
    end
    if result then result.is_output = true end
  end
end

---@param model OnnxModel
---@return Links
function M.of(model)
  local linking = {
    path = model.path, steps = {}, functions = model.functions, is_old = model.ir_version < 4,
    heap = model.heap,
  }
  link(linking, model.graph)
  return record.strict('links', { model = model, steps = linking.steps })
end

return M
