--- What every value of a model is to its products, in the order in which the steps run: the outputs
--- of a product, all or some of them, with a vector added; or a function of such, element by
--- element.
local attributes = require 'import.onnx.attributes'
local batch_norms = require 'import.onnx.batch_norms'
local biases = require 'import.onnx.biases'
local cuts = require 'import.onnx.cuts'
local labels = require 'import.onnx.labels'
local links = require 'import.onnx.links'
local operators = require 'import.onnx.operators'
local products = require 'import.onnx.products'
local ranks = require 'import.onnx.ranks'
local record = require 'common.record'
local rounded_inputs = require 'import.onnx.rounded_inputs'
local rounding = require 'import.onnx.rounding_steps'
local shapes = require 'import.onnx.shapes'
local static_operands = require 'import.onnx.static_operands'
local streams = require 'import.onnx.stream'
local views = require 'import.onnx.views'

local M = {}

---@class Refused  a step that is not taken
---@field step GraphStep
---@field why string

---@class Streams
---@field products Product[]
---@field refused Refused[]  products that are not taken

--- A value and a step that the file does not have: what a node does to its product's sums.
local function hidden(step, value, op, number, after)
  local out, constant = links.unnamed(step.scope, value.name), links.unnamed(step.scope, '')
  views.give(constant, record.strict('ONNX tensor', {
    name = '', type = 'f32', dims = {}, count = 1, bits = 32, numbers = { number }, place = false,
    external = false, varints = false, apart = 'an attribute',
  }))
  out.step = {
    index = step.index + after, op = op, node = links.sum, scope = step.scope,
    ins = { value, constant }, outs = { out }, named = labels.at(step),
  }
  value.uses[1], out.leaves = out.step, value.leaves or { value }
  return out
end

--- What the first output of a product's node is.
local function give(product)
  local step, out = product.step, product.step.outs[1]
  local whole = streams.whole(product)
  if product.scale == 1.0 and product.constant == 0.0 then
    out.stream = whole
    return
  end
  local sums = links.unnamed(step.scope, out.name)
  sums.stream, sums.step = whole, step
  product.sums = sums
  local value = sums
  if product.scale ~= 1.0 then value = hidden(step, value, 'Mul', product.scale, 0.25) end
  if product.constant ~= 0.0 then value = hidden(step, value, 'Add', product.constant, 0.5) end
  -- The last one gives what the node gives.
  local last = value.step
  last.outs[1], out.step, out.leaves = out, last, { sums }
end

local function is_here(value, step) return value and value.scope == step.scope end

-- What keeps rows --------------------------------------------------------------------------------

--- How many axes lie behind that of a product's outputs, or nil where that is not known.
local function behind(product)
  if not product.axis then return 0 end
  return product.rank and product.rank - 1 - product.axis
end

--- Whether a constant leaves the axis of a product's outputs where it is.
local function keeps_axis(product, view)
  return not product.axis or #view.dims <= product.rank
end

--- A vector that a sum adds to a stream, as its bias.
local function add_vector(step)
  for i = 1, 2 do
    local value, other = step.ins[i], step.ins[3 - i]
    local of, view = value and value.stream, other and other.view
    if of and is_here(value, step) and other then biases.unread(step, of, other) end
    local after = of and view and behind(of.product)
    local is_number = view and view.one and (of and of.count > 1 or #view.dims == 0)
    if of and view and is_here(value, step) and after and not of.bias and not of.norm
      and not is_number and keeps_axis(of.product, view) then
      local vector, why = products.bias(view, of.count, after)
      if why then biases.unread(step, of, other, why) end
      if vector then
        step.outs[1].stream = streams.added(streams.with(of, { bias = vector }), step)
        step.outs[1].shaped = value.shaped
        step.is_same = true
        return true
      end
    end
  end
end

--- Part of a stream, or nil where its rows share scales with others.
local function part(of, first, count, by)
  if not products.rows(of.product.weight, of.first + first * of.by, of.by * by) then return nil end
  return streams.with(of, {
    first = of.first + first * of.by, count = count, by = of.by * by,
    bias = of.bias and products.vector_part(of.bias, first, by) or nil,
    norm = of.norm and batch_norms.cut(of.norm, first, by) or nil,
  })
end

--- Whether an axis is that of a value's outputs.
local function is_own_axis(value, axis)
  local product = value.stream.product
  local rank = value.rank
  if product.axis then return axis == product.axis or rank and axis == product.axis - rank end
  return axis == -1 or rank and axis == rank - 1
end

local cutters = {}

function cutters.Slice(step)
  local value, list = step.ins[1], cuts.of(step)
  if not list or #list ~= 1 or not is_own_axis(value, list[1].axis) then return end
  local first, count = cuts.range(list[1], value.stream.count)
  local own = first and part(value.stream, first, count, list[1].by)
  return own and { own }
end

function cutters.Split(step, opset)
  local value = step.ins[1]
  local parts = is_own_axis(value, attributes.get(step.node, 'axis', 'i', 0))
    and cuts.parts(step, value.stream.count, opset)
  local list, at = {}, 0
  for i, n in ipairs(parts or {}) do
    list[i], at = part(value.stream, at, n, 1), at + n
    if not list[i] then return nil end
  end
  return parts and list
end

--- Cuts a stream into parts.
local function cut(step, opset)
  local cutter, value = cutters[step.op], step.ins[1]
  if not cutter or not is_here(value, step) or not value.stream then return false end
  local list = cutter(step, opset)
  if not list or #list ~= #step.outs then return false end
  for i, out in ipairs(step.outs) do
    if out then out.stream, out.shaped = list[i], value.shaped end
  end
  step.is_same = true
  return true
end

--- How many outputs each row of a value has.
local function width_of(value)
  return value.stream and value.stream.count or value.leaves[1].stream.count
end

local function product_of(value) return (value.stream or value.leaves[1].stream).product end

--- Another shape with the same rows.
local function reshape(step)
  local value, shape = step.ins[1], shapes.of(step.ins[2])
  if step.op ~= 'Reshape' or not is_here(value, step) or not (value.stream or value.leaves)
    or not shape or product_of(value).axis or shape[shape.count] ~= width_of(value) then
    return false
  end
  local out = step.outs[1]
  out.stream, out.leaves, out.gated = value.stream, not value.stream and value.leaves, value.gated
  out.shaped, out.rank, step.is_same = step, shape.count, true
  return true
end

--- A norm of a model that is run, which goes into the product.
local function normalise(step, opset)
  local value, norm = step.ins[1], batch_norms.of(step, opset)
  if not norm or not is_here(value, step) or value.shaped then return false end
  step.outs[1].stream = streams.added(streams.with(value.stream, { norm = norm }), step)
  step.is_same = true
  return true
end

local passes = { Identity = true, Cast = true, CastLike = true, Dropout = true }

--- A stream that is the same one under another name.
local function pass(step, operator, opset)
  local value = step.ins[1]
  if not operator or not passes[step.op] then return false end
  local args = { {} }
  for i = 2, #step.ins do args[i] = step.ins[i] and (views.number(step.ins[i]) or {}) or false end
  if operator.apply(args, step, { way = 1, opset = opset }) ~= args[1] then return false end
  local source = value.source or value
  step.outs[1].source = step.narrows and rounding.source(step, source) or source
  if not value.stream or not is_here(value, step) then return false end
  step.outs[1].stream = step.narrows and streams.rounded(value.stream, step) or value.stream
  step.outs[1].shaped, step.is_same = value.shaped, true
  return true
end

-- Functions of streams ---------------------------------------------------------------------------

--- What a product multiplies, whatever its type is called on the way, where that rounds nothing.
function M.source(product) return product.x.source or product.x end

--- Whether two streams may be gate and up: outputs of the same x, none of them in both.
local function is_pair(a, b)
  local p, q = a.stream.product, b.stream.product
  if a.stream.count ~= b.stream.count or p.axis ~= q.axis or M.source(p) ~= M.source(q) then
    return false
  end
  if p ~= q then return true end
  local by = a.stream.by
  local distance = math.abs(a.stream.first - b.stream.first)
  return by == b.stream.by and (distance % by ~= 0 or distance >= by * a.stream.count)
end

--- The streams of two lists, two of them at most.
local function joined(list, more)
  local all = { table.unpack(list) }
  for _, leaf in ipairs(more) do
    if all[1] ~= leaf and all[2] ~= leaf then all[#all + 1] = leaf end
  end
  return #all < 2 and all or #all == 2 and is_pair(all[1], all[2]) and all or nil
end

local times = { Mul = true, Div = true }

--- What a step multiplies with a function of its own product, all outputs of it, as many as it has
--- inputs; or nil.
local function gated_by(step)
  for i = 1, times[step.op] and #step.ins == 2 and 2 or 0 do
    local value, x = step.ins[i], step.ins[3 - i]
    local leaf = value and (value.stream and value or value.leaves and #value.leaves == 1
      and value.leaves[1])
    local of = leaf and x and not value.shaped and leaf.stream
    if of and of.count == of.product.inputs and of.count == of.product.outputs and of.by == 1
      and (x.source or x) == M.source(of.product) then
      return x
    end
  end
end

--- A function of streams and numbers, element by element; and of what their product multiplies.
local function apply(step)
  local leaves, shaped, gated = {}, nil, gated_by(step)
  for _, value in ipairs(step.ins) do
    local own = value and value ~= gated and (value.stream and { value } or value.leaves)
    if value and value ~= gated and not own and not views.number(value) then return end
    if own then
      local own_shape = value.shaped or false
      if not is_here(value, step) or shaped ~= nil and shaped ~= own_shape
        or value.gated and gated and value.gated ~= gated then
        return
      end
      leaves, shaped, gated = joined(leaves, own), own_shape, gated or value.gated
      if not leaves then return end
    end
  end
  if gated and #leaves > 1 then return end
  for _, value in ipairs(step.ins) do
    if value and value.view and #leaves > 0
      and not keeps_axis(leaves[1].stream.product, value.view) then
      return
    end
  end
  local out = step.outs[1]
  if #leaves > 0 then out.leaves, out.shaped, out.gated = leaves, shaped, gated end
end

-- Norms that add a vector ------------------------------------------------------------------------

--- Inputs of norms that are added up, and that of a vector which is added to them.
local norms = {
  ['com.microsoft.SkipLayerNormalization'] = 5,
  ['com.microsoft.SkipSimplifiedLayerNormalization'] = 4,
}

--- A vector that a norm adds to the outputs of a product belongs to that product.
local function take_from_norm(step)
  local input = norms[step.op]
  local value = input and step.ins[input]
  if not value or not value.view then return end
  local best
  for i = 1, 2 do
    local of = step.ins[i] and step.ins[i].stream
    local is_free = of and not of.bias and not of.norm and not of.product.axis
      and #step.ins[i].uses == 1 and not step.ins[i].is_output and of.count == of.product.outputs
      and is_here(step.ins[i], step)
    if is_free and (not best or of.product.step.index > best.product.step.index) then best = of end
  end
  local vector = best and products.bias(value.view, best.count, 0)
  if vector then
    best.bias = vector
    streams.added(best, step)
    best.because = ('added by %s "%s" behind it: leave it out there'):format(step.op,
      labels.at(step))
  end
end

--- A step that gives sizes, of what a product gives, say.
local function follow_sizes(step)
  local value = step.ins[1]
  local own = step.op == 'Shape' and value and (value.stream or value.leaves)
  return shapes.follow(step, own and width_of(value), own and product_of(value).axis)
end

--- Looks at one step.
local function follow(found, step, opset, options)
  views.open(step)
  if step.op == 'CastLike' and step.ins[1] and views.number(step.ins[1]) and step.outs[1]
    and rounding.makes_floats(step) then
    step.outs[1].view = step.ins[1].view
    return
  end
  if follow_sizes(step) or views.follow(step, opset) then return end
  ranks.follow(step)
  local is_rounded, product, why, of = rounded_inputs.follow(step, options)
  if not is_rounded then product, why = products.of(step, options) end
  if product then
    found.products[#found.products + 1] = product
    give(product)
    if not options.float_activations then
      product.operand, product.unkept = static_operands.of(product)
    end
  elseif why then
    found.refused[#found.refused + 1] = { step = of or step, why = why }
  end
  if is_rounded or product or why or not step.outs[1] then return end
  take_from_norm(step)
  if rounding.follow(step) then
    local source = step.narrows and rounding.input(step)
    if source then step.outs[1].source = rounding.source(step, source.source or source) end
    return
  end
  local operator = operators.of(step)
  if step.op == 'Add' and operator and add_vector(step) or cut(step, opset) or reshape(step)
    or pass(step, operator, opset) or normalise(step, opset) then
    return
  end
  biases.behind_scale(step)
  biases.behind_moves(step)
  if operator then apply(step) end
end

--- Looks at all steps.
---@param of Links
---@param options ImportOptions
---@return Streams
function M.of(of, options)
  local found = { products = {}, refused = {} }
  local opset = of.model.opsets[''] or 1
  for _, step in ipairs(of.steps) do follow(found, step, opset, options) end
  rounded_inputs.refuse(of.steps, found)
  return found
end

return M
