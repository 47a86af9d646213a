--- Chains of products as the layers of a spec, with what told so and what lies around them.
local batch_norms = require 'import.onnx.batch_norms'
local bias_scales = require 'import.onnx.bias_scales'
local kinds = require 'kind'
local labels = require 'import.onnx.labels'
local lists = require 'common.list'
local numbers = require 'common.number'
local product_ties = require 'import.onnx.product_ties'
local products = require 'import.onnx.products'
local rounding = require 'import.onnx.rounding_steps'
local static_operands = require 'import.onnx.static_operands'
local streams = require 'import.onnx.streams'

local M = {}

local most_stages = 16 -- of an mlp

---@class LayerMaker
---@field place fun(strided: Strided, outputs: integer|nil): Placed
---@field own fun(text: string): string   the name of an activation without one
---@field numbers fun(tensor: OnnxTensor): number[]|nil  all of a tensor

-- Fields -----------------------------------------------------------------------------------------

--- Parameters of an activation, as a spec has them.
local function with_parameters(fields, applied)
  if not applied.value then return fields end
  local name, value = applied.activation.parameters[1], tonumber(numbers.shortest(applied.value))
  if name == 'beta' then fields.beta = value else fields.parameters = { [name] = value } end
  return fields
end

--- The variant of a layer.
local function variant_of(maker, applied)
  local activation = applied.activation
  if not activation then
    local name = maker.own(applied.text)
    return applied.is_gated and name .. '_glu' or name
  end
  return applied.is_gated and activation.gated or activation.name
end

local function is_identity(stage)
  local activation = stage.applied.activation
  return activation and activation.name == 'identity' and not stage.applied.is_gated
end

--- Whether a stage is one of many of a chain, each of one product and a function of it.
local function is_plain(stage) return not stage.applied.is_gated and #stage.products == 1 end

--- Whether a matrix of a layer has a bias: then the layer has them.
local function has_bias(part)
  for _, stage in ipairs(part) do
    for _, of in ipairs(stage.streams) do
      if of.bias or of.norm then return true end
    end
  end
  return false
end

local shapes = {}

function shapes.ffn(maker, part)
  local first, last = part[1].streams[1], part[2].streams[1]
  local d_model = first.product.inputs
  return with_parameters({
    variant = variant_of(maker, part[1].applied), d_model = d_model, d_ff = first.count,
    d_out = last.count ~= d_model and last.count or nil, bias = has_bias(part),
  }, part[1].applied)
end

function shapes.glu(maker, part)
  local first = part[1].streams[1]
  return with_parameters({
    variant = variant_of(maker, part[1].applied), d_model = first.product.inputs,
    d_out = first.count, bias = has_bias(part),
  }, part[1].applied)
end

function shapes.selfgate(maker, part)
  local applied = part[1].applied
  return with_parameters({
    activation = applied.activation and applied.activation.name or maker.own(applied.text),
    d_model = part[1].streams[1].count, bias = has_bias(part),
  }, applied)
end

function shapes.linear(_, part)
  local first = part[1].streams[1]
  return { d_model = first.product.inputs, d_out = first.count, bias = has_bias(part) }
end

function shapes.mlp(maker, part)
  local list = {}
  for i, stage in ipairs(part) do
    list[i] = { stage.streams[1].count }
    if not is_identity(stage) then
      list[i][2] = variant_of(maker, stage.applied)
      with_parameters(list[i], stage.applied)
    end
  end
  return {
    d_model = part[1].streams[1].product.inputs, layers = list, bias = has_bias(part),
  }
end

--- What of a chain is one layer: { kind, stage, ... } each.
---@param chain ChainStage[]
local function parts_of(chain)
  local parts, at = {}, 1
  while at <= #chain do
    local first, second = chain[at], chain[at + 1]
    local stop = at
    if #first.products == 2 then
      local is_ffn = second and is_identity(second) and not second.lost
      parts[#parts + 1] = { kind = is_ffn and 'ffn' or 'glu', first, is_ffn and second or nil }
      stop = is_ffn and at + 1 or at
    elseif not is_plain(first) then
      parts[#parts + 1] = { kind = 'selfgate', first }
    else
      while stop < #chain and stop - at + 1 < most_stages and is_plain(chain[stop + 1])
        and not chain[stop + 1].lost do
        stop = stop + 1
      end
      local part = { kind = 'mlp', table.unpack(chain, at, stop) }
      if #part == 1 and is_identity(part[1]) then part.kind = 'linear' end
      if #part == 2 and is_identity(part[2]) then part.kind = 'ffn' end
      parts[#parts + 1] = part
    end
    at = stop + 1
  end
  return parts
end

-- Matrices ---------------------------------------------------------------------------------------

--- The rows of a stream as a matrix.
local function matrix(maker, role, at, of)
  local product, norm = of.product, of.norm
  local weight = maker.place(products.rows(product.weight, of.first, of.by), of.count)
  if norm then weight.format = 'f32' end
  return {
    role = role, at = at, outputs = of.count, inputs = product.inputs, weight = weight,
    bias = of.bias and maker.place(of.bias, of.count) or nil,
    affine = norm and batch_norms.placed(norm, maker.place) or nil,
    operand_scale = product.operand and product.operand.scale or nil,
  }
end

local function matrices_of(maker, part)
  local list = {}
  for i, stage in ipairs(part) do
    for j, of in ipairs(stage.streams) do
      local role, at = 'chain', i - 1
      if not is_plain(stage) then role, at = j == 1 and 'gate' or 'up', 0 end
      if part.kind == 'ffn' and #stage.products == 1 then
        role, at = i == 1 and 'up' or 'down', 0
      end
      list[#list + 1] = matrix(maker, role, at, of)
    end
  end
  return list
end

-- What told so -----------------------------------------------------------------------------------

local most_words = 12

--- The operators of a region, in their order, or nil.
local function words_of(region)
  local words = {}
  for _, step in ipairs(region.steps) do
    if not step.is_same then words[#words + 1] = step.op end
  end
  local rest = #words - most_words
  return #words > 0 and table.concat(words, ', ', 1, math.min(#words, most_words))
    .. (rest > 0 and (' and %d more'):format(rest) or '') or nil
end

--- What is told of the scale of each stream's bias, and whether it is another one.
---@return table<ProductStream, { text: string|nil, is_other: boolean|nil }>
local function scales_of(maker, part)
  local result = {}
  for _, stage in ipairs(part) do
    for _, of in ipairs(stage.streams) do
      local text, is_other = bias_scales.told(of, maker.numbers)
      result[of] = { text = text, is_other = is_other }
    end
  end
  return result
end

local function because_of(part, scales)
  local list, kind, products_of = {}, kinds.by_name[part.kind], {}
  for _, stage in ipairs(part) do lists.append(products_of, stage.products) end
  local texts, kept = static_operands.because(products_of)
  for _, text in ipairs(texts) do list[#list + 1] = { field = 'operand_scales', text = text } end
  for _, stage in ipairs(part) do
    local names = {}
    for i, product in ipairs(stage.products) do names[i] = labels.step(product.step) end
    local words = words_of(stage.region)
    list[#list + 1] = words and {
      field = kind.choices and kind.named_by or 'variant',
      text = ('behind %s: %s, traced'):format(table.concat(names, ' and '), words),
    }
    for _, step in ipairs(stage.region.steps) do
      if step.narrows and not kept[step] then
        list[#list + 1] = { field = 'activations', text = rounding.because(step) }
      end
    end
    for _, of in ipairs(stage.streams) do
      if of.because then list[#list + 1] = { field = 'bias', text = of.because } end
      if of.norm then
        list[#list + 1] = { field = 'bias', text = batch_norms.because(of.norm) }
      end
      for _, text in ipairs(of.bias and of.bias.scaled and of.bias.scaled.because or {}) do
        list[#list + 1] = { field = 'bias', text = text }
      end
      local told = scales[of]
      if told.text and not told.is_other then
        list[#list + 1] = { field = 'bias', text = told.text }
      end
      local rounder, scaled = of.product.rounder, of.product.weight.scaled
      if rounder then
        list[#list + 1] = {
          field = 'activations', text = ('%s rounds x to 8 bits, by one scale for all tokens of a '
            .. 'call; as --float-activations asks, x and h stay f32'):format(labels.step(rounder)),
        }
      end
      for _, text in ipairs(scaled and scaled.because or {}) do
        list[#list + 1] = { field = 'weights', text = text }
      end
      if of.product.type ~= 'f32' then
        list[#list + 1] = {
          field = 'weights',
          text = ('the graph computes in %s, and these kernels in f32'):format(of.product.type),
        }
      end
    end
  end
  return list
end

-- Around -----------------------------------------------------------------------------------------

local most_around = 6

--- The first tensor that a step takes.
local function tensor_of(step)
  for _, value in ipairs(step.ins) do
    if value and value.view and not value.view.one then return value.view.value.name end
  end
end

local function beside(list, place, step, text)
  list[#list + 1] = {
    place = place, what = step.op, tensor = tensor_of(step), text = text
      or ('node %s'):format(labels.quoted(labels.at(step))),
  }
end

--- Tells how many more there are than are told.
local function add_rest(list, place, count, value)
  if count > 0 then
    list[#list + 1] = {
      place = place, what = ('up to %d more nodes'):format(count),
      text = ('that take %s'):format(labels.quoted(value.name)),
    }
  end
end

--- What takes a value, other than steps of the layer's own.
---@param own table<GraphStep, boolean>
---@param form string  what is told of a node
local function add_users(list, value, own, form)
  local uses, rest, told = value.uses, 0, 0
  for i = 1, math.min(#uses, 4 * most_around) do
    local use = uses[i]
    if not own[use] and #list >= most_around then
      rest = #uses - i + 1
      break
    elseif not own[use] then
      told = told + 1
      beside(list, 'beside', use, form:format(labels.quoted(labels.at(use))))
    end
  end
  if #uses > 4 * most_around and rest == 0 then rest = #uses - told end
  add_rest(list, 'beside', rest, value)
end

--- What takes what a layer takes, other than it; and what stands in front of it.
local function add_before(list, part)
  local product, own = part[1].products[1], {}
  for _, p in ipairs(part[1].products) do
    own[p.taker or p.step] = true
    for _, step in ipairs(static_operands.steps(p.operand)) do own[step] = true end
  end
  for _, step in ipairs(part[1].region.steps) do own[step] = true end
  local x, operand = streams.source(product), product.operand
  local rounder = x.step and x.step.narrows and x.step
  if rounder then
    local unkept = product.unkept
    local text = ('node %s rounds what the layer takes %s%s'):format(
      labels.quoted(labels.at(rounding.rounder(rounder))), rounder.narrows,
      unkept and '; a static scale would keep it in the layer, but ' .. unkept.why or '')
    if not operand then beside(list, 'before', rounding.rounder(rounder), text) end
    x = rounding.input(rounder)
    x = x.source or x
  end
  if x.step then beside(list, 'before', x.step) end
  add_users(list, product.x, own, 'node %s takes what the layer takes' .. (operand
    and (', rounded as %s does'):format(labels.step(operand.by):gsub('%%', '%%%%')) or ''))
  if operand then
    add_users(list, operand.by.ins[1], own, 'node %s takes what the layer takes')
  end
end

local function add_after(list, part)
  local last = part[#part]
  local rest = 0
  for i, use in ipairs(last.region.value.uses) do
    if i > most_around then
      rest = #last.region.value.uses - most_around
      break
    else
      beside(list, 'after', use, use.why and ('node %s: %s'):format(labels.quoted(labels.at(use)),
        use.why))
    end
  end
  add_rest(list, 'after', rest, last.region.value)
  if last.why then
    list[#list + 1] = { place = 'after', what = 'the chain ends', text = last.why }
  end
end

--- The tensors of the file behind what a step takes.
local function each_tensor(step, visit)
  for _, taken in ipairs(step.ins) do
    local view = taken and taken.view
    local scaled = view and view.scaled
    for _, own in ipairs(view and { view, scaled and scaled.scale or view,
      scaled and scaled.zero or view } or {}) do
      visit(own.value)
    end
  end
end

--- Tensors that whoever runs the graph may give it other numbers for.
local function add_defaults(list, part)
  local seen, count = {}, 0
  local function visit(value)
    if value.is_input and not seen[value] and count < most_around then
      seen[value], count = true, count + 1
      list[#list + 1] = {
        place = 'beside', what = 'default', tensor = value.name,
        text = 'an input of the model, too: what stands in the file is taken',
      }
    end
  end
  for _, stage in ipairs(part) do
    for _, product in ipairs(stage.products) do
      for _, step in ipairs(product.inner or { product.step }) do each_tensor(step, visit) end
      for _, step in ipairs(static_operands.steps(product.operand)) do each_tensor(step, visit) end
    end
    for _, step in ipairs(stage.region.steps) do each_tensor(step, visit) end
  end
end

local function add_notes(list, part, scales)
  for _, stage in ipairs(part) do
    for _, of in ipairs(stage.streams) do
      local product, value = of.product, of.product.weight.view.value
      if scales[of].is_other then
        list[#list + 1] = { place = 'beside', what = 'scale of a bias', text = scales[of].text }
      end
      if product.axis then
        list[#list + 1] = {
          place = 'beside', what = 'order of x', text = ('%s has its channels before its places: x '
            .. 'and y are [place][channel] here'):format(labels.step(product.step)),
        }
      end
      if #value.uses > 1 and #list < 2 * most_around then
        list[#list + 1] = {
          place = 'beside', what = 'shared matrix', tensor = value.name,
          text = ('%d nodes take it'):format(#value.uses),
        }
      end
    end
  end
end

--- Products that belong to what is taken, and are left to the host.
local function add_neighbours(list, item, taken)
  if item.why then
    list[#list + 1] = { place = 'beside', what = 'a part of a layer', text = item.why }
  end
  for _, other in ipairs(item.why and {} or item.neighbours) do
    if not taken[other.step] and #list < 2 * most_around then
      list[#list + 1] = { place = 'beside', what = 'belongs to it', text = other.text }
    end
  end
end

---@param maker LayerMaker
---@param item ChainPart
---@param taken table<GraphStep, boolean> by all layers
---@return table  what found.layer() takes, without its index
local function layer(maker, item, taken)
  local around, part = {}, item.part
  local scales = scales_of(maker, part)
  add_before(around, part)
  add_after(around, part)
  add_neighbours(around, item, taken)
  add_notes(around, part, scales)
  add_defaults(around, part)
  return {
    at = labels.at(part[1].products[1].step), kind = part.kind,
    fields = shapes[part.kind](maker, part),
    because = because_of(part, scales), matrices = matrices_of(maker, part), around = around,
    activations = maker.used(),
  }
end

---@class ChainPart  of a chain, that may be a layer
---@field part table           stages, and their kind
---@field own table<GraphStep, boolean> its products
---@field is_chain boolean     of several products
---@field lost string|false    why it is none: a bias of it would be left out
---@field why string|false     why it is half of a layer
---@field neighbours TiedProduct[] products that belong to it, and are not its own

--- The parts of chains.
---@param chains ChainStage[][]
---@param ties Ties
---@return ChainPart[]
function M.parts(chains, ties)
  local list = {}
  for _, chain in ipairs(chains) do
    for _, part in ipairs(parts_of(chain)) do
      local own, steps, lost = {}, {}, false
      for _, stage in ipairs(part) do
        for _, product in ipairs(stage.products) do
          own[product.step], steps[#steps + 1] = true, product.step
          -- It also multiplies its x as it comes, which the graph rounds for both.
          if part.kind == 'selfgate' then product.operand = false end
        end
        lost = lost or stage.lost
      end
      list[#list + 1] = {
        part = part, own = own, lost = lost, why = false,
        neighbours = product_ties.neighbours(ties, steps, own),
        is_chain = #chain > 1 or not is_plain(chain[1]),
      }
    end
  end
  return list
end

--- Whether a part is a matrix in two, of which the first has fewer outputs: nothing stands between.
local function is_low_rank(part) return #part > 1 and is_identity(part[1]) end

--- Why a part is half of a layer, or nil: what it is tied to is not taken.
---@param item ChainPart
---@param why_not table<GraphStep, string> of products that are not taken
---@return string|nil
function M.half(item, why_not)
  for _, other in ipairs(item.neighbours) do
    if why_not[other.step] then
      return ('%s, which is not taken: %s'):format(other.text, why_not[other.step])
    end
  end
  for _, other in ipairs(is_low_rank(item.part) and item.neighbours or {}) do
    if other.how == 'plus' then
      return other.text .. ', as an adapter beside a matrix is: merge it into that'
    end
  end
end

M.layer = layer

return M
