--- Random layers as records, and their text in a spec. What there is to choose from is the
--- generator's own vocabulary, so that what is added to it is tried, too.
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local lists = require 'common.list'
local part = require 'part'
local weights = require 'weights'

local M = {}

---@class FuzzLayer
---@field kind string
---@field name string
---@field d_model integer
---@field d_out integer|nil
---@field d_ff integer|string|nil      a size, or a rule
---@field variant string|nil
---@field activation string|nil
---@field layers table[]|nil           of an mlp: { width, activation, parameters }
---@field parameters table|string|nil  names and values, or 'runtime'
---@field bias boolean|nil
---@field sparse boolean|nil
---@field optimise string|nil
---@field max_tokens integer|nil
---@field backward boolean|nil
---@field dropout table|nil         names and values
---@field weights string|nil        a format
---@field arithmetic string|nil     nil: the rule
---@field operand_scales string|nil

--- Sizes at and beside those where tiles and blocks end, and others.
local edges = { 8, 16, 24, 32, 48, 64, 96, 128, 256 }

---@param random Random
---@param most integer
local function size(random, most)
  local n
  if random:chance(15) then
    n = 1
  elseif random:chance(45) then
    n = random:pick(edges) + random:range(-1, 1)
  else
    n = 1 + random:skewed(most)
  end
  return n > most and 1 + n % most or n
end

local rules = {
  'd_model', 'd_model * 4', 'd_model * 8 // 3', 'd_model + 3', '3 * d_model // 2 + 1',
  'llama_d_ff { multiple_of = 8 }', 'llama_d_ff { multiple_of = 1, ffn_dim_multiplier = 1.3 }',
}

local betas = { 'runtime', 0.5, 1.0, -1.0, 1.702, 3.0, 0.001 }

local function fixed_parameters(names, first)
  local values = { first }
  for i = 2, #names do values[i] = 0.5 * i end
  return { names = names, values = values }
end

--- 'runtime', or a number for each parameter; nil at times, and where there is none.
local function parameters_of(random, activation)
  local names = activation.parameters
  if #names == 0 or random:chance(20) then return nil end
  local first = random:pick(betas)
  return first == 'runtime' and first or fixed_parameters(names, first)
end

local make = {}

function make.linear(random, l, most) l.d_out = size(random, most) end

function make.glu(random, l, most)
  l.variant, l.d_out = random:pick(activations.gated_names), size(random, most)
  l.parameters = parameters_of(random, activations.by_variant[l.variant].activation)
end

function make.selfgate(random, l)
  l.activation = random:pick(activations.plain_names)
  l.parameters = parameters_of(random, activations.by_name[l.activation])
end

function make.ffn(random, l, most)
  l.variant = random:pick(activations.variant_names)
  l.d_ff = random:chance(30) and l.d_model <= most // 4 and random:pick(rules)
    or size(random, most)
  if random:chance(40) then l.d_out = size(random, most) end
  l.parameters = parameters_of(random, activations.by_variant[l.variant].activation)
end

function make.mlp(random, l, most)
  l.layers = {}
  local runtime -- the only activation whose parameters may come with the weights
  for i = 1, 1 + random:skewed(6) do
    local name = random:pick(activations.plain_names)
    local activation = activations.by_name[name]
    local parameters = parameters_of(random, activation)
    if #activation.parameters > 0 and type(parameters) ~= 'table' then
      runtime = runtime or name
      if name ~= runtime then parameters = fixed_parameters(activation.parameters, 1.5) end
    end
    l.layers[i] = { size(random, most // 2 + 1), name, parameters }
  end
end

M.kinds = { 'ffn', 'ffn', 'ffn', 'mlp', 'mlp', 'linear', 'glu', 'selfgate' }

--- Half of all layers that may skip zeros are such.
local zeros = { ffn = true, mlp = true }

---@param random Random
---@param name string
---@param most integer of every size, about
---@return FuzzLayer
function M.random(random, name, most)
  local l = { kind = random:pick(M.kinds), name = name, d_model = size(random, most) }
  make[l.kind](random, l, most)
  if random:chance(50) then l.bias = true end
  if zeros[l.kind] and random:chance(30) then
    l.sparse = random:chance(50)
    if l.kind == 'ffn' then
      l.variant, l.parameters = random:pick { 'relu', 'relu2', 'relu6' }, nil
    end
  end
  if random:chance(30) then l.optimise = random:pick { 'size', 'size', 'speed' } end
  if random:chance(20) then l.max_tokens = random:pick { 1, 1, 1 + random:below(16) } end
  return l
end

--- How many inputs a block of the layer's weights has.
local function block_of(l) return l.weights and weights.by_name[l.weights].divides or 1 end

--- Whether the inputs of every stage are whole blocks.
local function is_in_blocks(l)
  local block = block_of(l)
  local fits = l.d_model % block == 0
  if l.d_ff then fits = fits and (block == 1 or l.d_ff % block == 0) end
  for i = 1, #(l.layers or {}) - 1 do fits = fits and l.layers[i][1] % block == 0 end
  return fits
end

--- The layer with weights in a format, its inputs in whole blocks.
---@param random Random
---@param l FuzzLayer
function M.store(random, l)
  l.weights = random:pick(weights.names)
  local block = block_of(l)
  local function whole(n) return (n + block - 1) // block * block end
  l.d_model = whole(l.d_model)
  if l.d_ff and block > 1 then
    l.d_ff = math.type(l.d_ff) == 'integer' and whole(l.d_ff) or block
  end
  for i = 1, #(l.layers or {}) - 1 do l.layers[i][1] = whole(l.layers[i][1]) end
end

--- The layer summed otherwise, where an arithmetic takes its weights.
---@param random Random
---@param l FuzzLayer
function M.sum(random, l)
  local products = weights.by_name[l.weights].products
  local fits = lists.filter(arithmetics.names, function(name)
    local own = arithmetics.by_name[name]
    return own.takes == 'bytes' and products and own.multiplies(products)
  end)
  if #fits == 0 or l.kind == 'selfgate' then return end
  local own = arithmetics.by_name[random:pick(fits)]
  l.arithmetic, l.operand_scales = own.word, own.scales
  if l.optimise == 'size' then l.optimise = nil end
end

--- Whether what a layer's weights are stored in is trained.
function M.trains(l)
  return not l.weights or weights.by_name[l.weights].trains and not l.arithmetic
end

--- The layer to be trained, which takes any number of tokens: with dropout, at times.
---@param random Random
---@param l FuzzLayer
function M.train(random, l)
  l.backward, l.max_tokens = true, nil
  local places, rates = {}, {}
  local hidden = l.kind == 'ffn' or l.layers and #l.layers > 1
  if hidden and random:chance(30) then places[1] = 'hidden' end
  if random:chance(20) then places[#places + 1] = 'output' end
  for i = 1, #places do rates[i] = random:pick { 0.1, 0.5, 1.0 } end
  if #places > 0 then l.dropout = { names = places, values = rates } end
end

local fields = {
  'variant', 'activation', 'd_model', 'd_ff', 'd_out', 'parameters', 'bias', 'sparse',
  'optimise', 'max_tokens', 'backward', 'dropout', 'weights', 'arithmetic', 'operand_scales',
}

local function value_text(field, v)
  if type(v) == 'table' then
    local list = {}
    for i, name in ipairs(v.names) do list[i] = ('%s = %.9g'):format(name, v.values[i]) end
    return ('{ %s }'):format(table.concat(list, ', '))
  end
  if type(v) == 'string' and field ~= 'd_ff' then return ('%q'):format(v) end
  return math.type(v) == 'float' and ('%.9g'):format(v) or tostring(v)
end

--- The layer as a spec says it.
---@param l FuzzLayer
---@return string
function M.text(l)
  local parts = {}
  for _, field in ipairs(fields) do
    if l[field] ~= nil then
      parts[#parts + 1] = ('%s = %s'):format(field, value_text(field, l[field]))
    end
  end
  if l.layers then
    local list = {}
    for i, layer in ipairs(l.layers) do
      list[i] = ('{ %d, %q%s }'):format(layer[1], layer[2],
        layer[3] and ', parameters = ' .. value_text('parameters', layer[3]) or '')
    end
    parts[#parts + 1] = ('layers = { %s }'):format(table.concat(list, ', '))
  end
  return ('%s %q { %s }\n'):format(l.kind, l.name, table.concat(parts, ', '))
end

--- Layers as the text of a spec file.
---@param layers FuzzLayer[]
function M.file(layers)
  local parts = {}
  for i, l in ipairs(layers) do parts[i] = M.text(l) end
  return table.concat(parts)
end

--- Layers that are smaller by one step, simplest first.
---@param l FuzzLayer
---@return FuzzLayer[]
function M.smaller(l)
  local list = {}
  local function add(field, v) list[#list + 1] = part.with(l, field, v) end
  for i = #(l.layers or {}), 1, -1 do
    if #l.layers > 1 and not l.dropout then add('layers', part.without(l.layers, i)) end
    if l.layers[i][1] > 1 then
      local thinner = { table.unpack(l.layers) }
      thinner[i] = { l.layers[i][1] // 2, l.layers[i][2], l.layers[i][3] }
      add('layers', thinner)
    end
  end
  for _, field in ipairs { 'd_ff', 'd_out', 'd_model' } do
    local n = l[field]
    if type(n) == 'string' then add(field, 1) end
    if math.type(n) == 'integer' and n > 1 then
      add(field, n // 2)
      add(field, n - 1)
      if n > block_of(l) then add(field, n - block_of(l)) end
    end
  end
  if l.backward then list[#list + 1] = part.with(part.with(l, 'dropout', nil), 'backward', nil) end
  for _, field in ipairs {
    'dropout', 'bias', 'sparse', 'optimise', 'max_tokens', 'operand_scales', 'arithmetic',
    'weights',
  } do
    -- Not all weights are summed so, and not all sums have scales.
    local is_needed = field == 'weights' and l.arithmetic
      or field == 'arithmetic' and l.operand_scales
    if l[field] ~= nil and not is_needed then add(field, nil) end
  end
  return lists.filter(list, is_in_blocks)
end

return M
