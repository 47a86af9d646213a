--- A block of a GGUF model as the layers that it holds: one, or the experts of a mixture and the
--- one that all tokens share. Where numbers lie is told; sizes are held against the file's keys.
local activation_names = require 'import.activations'
local blocks = require 'import.gguf.block_tensors'
local key_values = require 'import.gguf.key_values'
local lists = require 'common.list'
local mixture = require 'import.gguf.mixture'
local part_numbers = require 'import.parts'
local problems = require 'common.problem'
local record = require 'common.record'
local routers = require 'import.gguf.routers'
local tensor_places = require 'import.gguf.tensor_places'

local M = {}

---@class GgufSizes
---@field d_model integer
---@field dense integer|nil    width of a block without experts
---@field expert integer|nil   width of an expert
---@field shared integer|nil   of the expert that all tokens share
---@field experts integer|nil  their number
---@field used integer|nil     how many of them a token takes

---@class GgufReading
---@field path string
---@field rule GgufRule
---@field activation string
---@field sizes GgufSizes
---@field block GgufBlock
---@field host HostPart[] what keys tell of the host's part
---@field router GgufRouting|false  and of routers
---@field decode boolean  gate and up of two formats may become f32
---@field wants_routers boolean  blocks with experts are taken whole
---@field wants_all boolean      and where that is not possible, their experts alone

--- A tensor of the block, which must be there and have this shape, numbers of a row first.
---@return PlacedTensor
local function expect(o, stem, part, shape)
  local name = ('%s%s.%s'):format(o.block.prefix, stem, part)
  local t = (o.block.stems[stem] or {})[part]
  if not t then problems.bad_input(o.path, 'tensor "%s" is missing', name) end
  if not record.equal(t.shape, shape) then
    problems.bad_input(o.path, '"%s" has the shape %s, and must have %s', name,
      tensor_places.shape_text(t.shape), tensor_places.shape_text(shape))
  end
  return t
end

--- Which stems of the block have a bias: all, or none; which of both must be as the rule says.
---@param stems string[]
local function has_bias(o, stems)
  local with, without
  for _, stem in ipairs(stems) do
    local name = ('%s%s.bias'):format(o.block.prefix, stem)
    if (o.block.stems[stem] or {}).bias then with = name else without = name end
  end
  local wanted = o.rule.bias
  if with and wanted == 'none' then
    problems.bad_input(o.path, '"%s": no rule of "%s" has a bias there', with, o.rule.name)
  end
  if with and without then
    problems.bad_input(o.path, '"%s" is there and "%s" is not: a layer has biases on all its '
      .. 'matrices or on none', with, without)
  end
  if without and wanted == 'all' then
    problems.bad_input(o.path, 'tensor "%s" is missing', without)
  end
  return with ~= nil
end

---@class LayerPlan
---@field at string         the layer's name
---@field gate string|nil   stem
---@field up string
---@field down string
---@field fused boolean     `up` has the rows of gate, then its own
---@field d_ff integer
---@field expert integer|nil  its number; nil: the matrices are no part of a stack
---@field experts integer|nil
---@field around RuleAround[]

--- The matrices of a layer, gate first.
---@param plan LayerPlan
local function matrices_of(o, plan)
  local d_model, d_ff, e = o.sizes.d_model, plan.d_ff, plan.expert
  local stems = plan.gate and { plan.gate, plan.up, plan.down } or { plan.up, plan.down }
  local bias = has_bias(o, stems)
  local matrices = {}
  --- `part` of `parts` that a tensor's rows are.
  local function matrix(role, stem, outputs, inputs, part, parts)
    local first = ((e or 0) * parts + part) * outputs
    local t = expect(o, stem, 'weight', { inputs, outputs * parts, e and plan.experts })
    local b = bias and expect(o, stem, 'bias', { outputs * parts, e and plan.experts })
    matrices[#matrices + 1] = {
      role = role, at = 0, outputs = outputs, inputs = inputs,
      weight = tensor_places.rows(o.path, t, first),
      bias = b and tensor_places.vector(o.path, b, first) or nil,
    }
  end
  if plan.fused then
    matrix('gate', plan.up, d_ff, d_model, 0, 2)
    matrix('up', plan.up, d_ff, d_model, 1, 2)
  else
    if plan.gate then matrix('gate', plan.gate, d_ff, d_model, 0, 1) end
    matrix('up', plan.up, d_ff, d_model, 0, 1)
  end
  matrix('down', plan.down, d_model, d_ff, 0, 1)
  local gate, up = matrices[1].weight, matrices[2].weight
  if #matrices == 2 or gate.encoding == up.encoding then return matrices, bias, nil end
  if not o.decode then
    problems.bad_input(o.path, '"%s" is stored as %s and "%s" as %s, and gate and up have one '
      .. 'format: add --decode, which makes f32 of both, each number rounded once, or quantize the '
      .. 'model so that both have one type', gate.tensor, gate.encoding, up.tensor, up.encoding)
  end
  gate.format, up.format = 'f32', 'f32'
  return matrices, bias, ('gate is %s and up is %s: both are decoded to f32, each number rounded '
    .. 'once (--decode)'):format(gate.encoding, up.encoding)
end

--- What the host does around the layer.
---@param rules RuleAround[]
local function around_of(o, rules, more)
  local list, stems = {}, o.block.stems
  for _, around in ipairs(rules) do
    local name = around.other and stems[around.other] and around.other or around.tensor
    local stem = name and stems[name]
    if name and not stem and not around.is_optional and not around.is_silent then
      problems.bad_input(o.path, 'tensor "%s%s.weight" is missing: the norm %s the layer',
        o.block.prefix, around.tensor, around.place)
    end
    list[#list + 1] = (stem or not around.is_silent) and {
      place = around.place, what = around.what,
      text = around.is_optional and stem and '' or around.text,
      tensor = stem and ('%s%s.weight'):format(o.block.prefix, name) or nil,
    } or nil
  end
  return lists.append(lists.append(list, more), o.host)
end

--- Why the layer is what it is.
---@param decoded string|nil
local function because_of(o, plan, bias, decoded)
  local rule = o.rule
  local activation = ('general.architecture is "%s"; %s'):format(rule.name, rule.source)
  local list = { { field = 'variant', text = activation } }
  if rule.computed == o.activation then
    list[#list + 1] = { field = 'variant', text = '--variant, and what llama.cpp computes' }
  elseif rule.own then
    list[#list + 1] = { field = 'variant', text = rule.own }
    list[#list + 1] = {
      field = 'variant', text = ('llama.cpp computes %s in its place, at most 4.8e-4 beside it')
        :format(rule.computed),
    }
  end
  list[#list + 1] = {
    field = 'd_model', text = ('%s.embedding_length, and the shapes'):format(rule.name),
  }
  list[#list + 1] = { field = 'd_ff', text = plan.why }
  if plan.fused then
    list[#list + 1] = {
      field = 'variant', text = ('%s has the rows of gate, then those of up'):format(plan.up),
    }
  end
  if bias then
    list[#list + 1] = { field = 'bias', text = 'biases stand beside the weights' }
  end
  if decoded then list[#list + 1] = { field = 'weights', text = decoded } end
  return list
end

--- Experts share what is said of all of them: they may be thousands.
---@param plan LayerPlan
---@param like table|nil  an expert before
local function layer_of(o, plan, more, like)
  local gated = plan.fused or plan.gate ~= nil
  local matrices, bias, decoded = matrices_of(o, plan)
  local variant = activation_names.variant(
    gated and o.activation or o.rule.plain or o.activation, gated)
  return {
    at = o.block.prefix .. plan.at, kind = 'ffn',
    fields = like and like.fields
      or { variant = variant, d_model = o.sizes.d_model, d_ff = plan.d_ff, bias = bias },
    because = like and like.because or because_of(o, plan, bias, decoded), matrices = matrices,
    around = like and like.around or around_of(o, plan.around, more),
  }
end

local function needs_size(o, size, key)
  if not size then
    key_values.refuse(o.path, ('%s.%s'):format(o.rule.name, key), nil, 'a size')
  end
  return size
end

--- The layer of a block without experts, or of one that has both.
---@param around RuleAround[]
local function dense_layer(o, around)
  local gated = o.rule.gated
  local has_gate = gated == true or gated == 'either' and o.block.stems.ffn_gate ~= nil
  return layer_of(o, {
    at = 'ffn', gate = has_gate and 'ffn_gate' or nil, up = 'ffn_up', down = 'ffn_down',
    fused = gated == 'fused', around = around,
    d_ff = needs_size(o, o.sizes.dense, 'feed_forward_length'),
    why = ('%s.feed_forward_length, and the shapes'):format(o.rule.name),
  }, {})
end

--- What an expert that all tokens share has around it, where its block is not taken whole.
local function around_shared(o)
  if o.rule.is_by_word then
    return { { place = 'beside', what = 'experts', text = 'no rule tells how what they give and '
      .. 'what this one gives become one' } }
  end
  return { { place = 'beside', what = 'experts', text = 'what they give is added to this one\'s' },
    o.block.stems.ffn_gate_inp_shexp and { place = 'after', what = 'gate',
      tensor = o.block.prefix .. 'ffn_gate_inp_shexp.weight',
      text = 'times sigmoid(its product with the layer\'s input)' } or nil }
end

--- The experts of a mixture, in the order of their numbers, and the shared one behind them; where
--- they are taken whole the router, and what is chosen.
---@param around RuleAround[]
---@return table[] layers
---@return table|nil mixture
local function expert_layers(o, around)
  local stems, list, sizes = o.block.stems, {}, o.sizes
  local experts = needs_size(o, sizes.experts, 'expert_count')
  needs_size(o, sizes.used, 'expert_used_count')
  expect(o, 'ffn_gate_inp', 'weight', { sizes.d_model, experts })
  local whole = mixture.asked(o)
  local router = whole and {} or routers.around(o)
  local fused = stems.ffn_gate_up_exps ~= nil
  for e = 0, experts - 1 do
    list[#list + 1] = layer_of(o, {
      at = ('ffn_exps.%d'):format(e), gate = not fused and 'ffn_gate_exps' or nil,
      up = fused and 'ffn_gate_up_exps' or 'ffn_up_exps', down = 'ffn_down_exps', fused = fused,
      around = around, d_ff = needs_size(o, sizes.expert, 'expert_feed_forward_length'), expert = e,
      experts = experts,
      why = ('of one of %d experts: the shapes, and %s.expert_feed_forward_length or '
        .. 'feed_forward_length'):format(experts, o.rule.name),
    }, router, list[1])
  end
  if stems.ffn_up_shexp then
    list[#list + 1] = layer_of(o, {
      at = 'ffn_shexp', gate = 'ffn_gate_shexp', up = 'ffn_up_shexp', down = 'ffn_down_shexp',
      fused = false, around = around,
      d_ff = needs_size(o, sizes.shared, 'expert_shared_feed_forward_length'),
      why = 'of the expert that all tokens share: the shapes, and the keys of shared experts',
    }, whole and {} or around_shared(o))
    list[#list].part = whole and part_numbers.by_name.shared
  end
  local told
  if whole then list[#list + 1], told = mixture.of(o, whole, stems.ffn_up_shexp ~= nil) end
  return list, told
end

--- The first of a block's stems that is one of some.
local function one_of(stems, wanted)
  for _, stem in ipairs(wanted) do
    if stems[stem] then return stem end
  end
  return nil
end

--- Refuses a tensor that is named as a layer's of this block, and is none's.
---@param layers table[]
local function check_taken(o, layers)
  local taken = {}
  for _, layer in ipairs(layers) do
    for _, m in ipairs(layer.matrices) do
      taken[m.weight.tensor] = true
      if m.bias then taken[m.bias.tensor] = true end
    end
  end
  for _, stem in ipairs(lists.append({ table.unpack(blocks.dense) }, blocks.experts)) do
    for _, suffix in ipairs(record.sorted_keys(o.block.stems[stem] or {})) do
      local name = ('%s%s.%s'):format(o.block.prefix, stem, suffix)
      if not taken[name] then
        problems.bad_input(o.path, '"%s" is in a block whose layer, by its other names, does not '
          .. 'use it: no rule of "%s" says what this tensor does there', name, o.rule.name)
      end
    end
  end
end

--- The layers of a block; none where its width is said to be 0.
---@param o GgufReading
---@return table[]
---@return table|nil mixture  where a block is taken with its router
function M.of_block(o)
  local stems = o.block.stems
  local dense, expert = one_of(stems, blocks.dense), one_of(stems, blocks.experts)
  local beside = dense and expert and o.rule.beside
  if dense and expert and not beside then
    problems.bad_input(o.path, 'block %s has "%s" and "%s": no rule of "%s" has a layer beside '
      .. 'experts', o.block.prefix:sub(1, -2), dense, expert, o.rule.name)
  end
  if not dense and not expert and o.sizes.dense == 0 then return {} end
  local layers, told = {}, nil
  if expert or stems.ffn_gate_inp then
    layers, told = expert_layers(o, beside and beside.experts or o.rule.around)
  end
  if #layers == 0 or beside then
    layers[#layers + 1] = dense_layer(o, beside and beside.dense or o.rule.around)
  end
  check_taken(o, layers)
  return layers, told
end

return M
