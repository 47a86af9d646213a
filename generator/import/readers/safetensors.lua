--- Safetensors without a word of what they are: the names of tensors tell which module is a layer,
--- shapes tell sizes, rows and order. No name tells the activation: --variant says it.
local asked_variants = require 'import.asked_variants'
local by_name = require 'import.by_name'
local chains = require 'import.chains'
local exclusions = require 'tensors.exclusions'
local layer_by_node = require 'import.layer_by_node'
local lists = require 'common.list'
local model_folder = require 'files.model_folder'
local neighbours = require 'tensors.neighbours'
local other_tensors = require 'import.other_tensors'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local safetensors_products = require 'import.safetensors_products'
local tensor_places = require 'import.tensor_places'
local tables = require 'import.tables'
local weight_names = require 'tensors.names'

local M = {
  about = 'safetensors by the names of their tensors, one file or many',
  takes = { 'node', 'also', 'leave', 'decode', 'variant', 'activation', 'order' },
}

M.recognises = model_folder.recognises

--- The variant of a layer, or what to say.
local function variant_of(model, variants, layer)
  local variant = variants[layer.has_gate]
  if variant then return variant end
  local other = variants[not layer.has_gate]
  problems.bad_input(model.path, '%s is a layer %s a gate, and the model does not say its '
    .. 'activation: %sadd --variant %s, or another (ffngen spec lists all)',
    paths.quoted(layer.prefix == '' and 'it' or layer.prefix:sub(1, -2)),
    layer.has_gate and 'with' or 'without', other and ('beside %s, '):format(other) or '',
    layer.has_gate and 'swiglu' or 'gelu')
end

--- Whether a prefix is that of an item of a list: a whole block, or an expert.
local function is_item(prefix) return prefix:find '%f[%d]%d+%.$' ~= nil end

--- Tensors near a layer: all that its module's surroundings have, as neighbours.lua judges them.
--- What is an item of a list has other items around it, which are other layers.
local function near(model, prefix)
  local around = prefix
  if prefix ~= '' and not is_item(prefix) then around = paths.around(prefix) end
  if around == '' then return model.keys, '' end
  local low, high = 1, #model.keys + 1
  while low < high do
    local middle = (low + high) // 2
    if model.keys[middle] < around then low = middle + 1 else high = middle end
  end
  local keys = {}
  while model.keys[low] and paths.is_behind(model.keys[low], around) do
    keys[#keys + 1], low = model.keys[low], low + 1
  end
  return keys, around
end

--- What a layer's surroundings look like but for what is in front of all of them: one that looks as
--- another does is judged as that was. Names that are left out are whole names, so they are told.
---@param at integer  the first byte of a name that is looked at
local function look_of(model, keys, at, layer, is_left)
  local parts = { layer.prefix:sub(at), layer.convention.of, layer.order }
  for _, key in ipairs(keys) do
    local shape = model.shapes[key]
    local is_matrix = #shape == 2
    parts[#parts + 1] = key:sub(at)
    parts[#parts + 1] = is_left(key) and '-' or is_matrix and shape[1]
      or table.concat(shape, ',')
    parts[#parts + 1] = is_matrix and shape[2] or ''
  end
  return table.concat(parts, '\0')
end

--- Names of norms near a layer that are the host's.
local function around_of(keys, prefix, at)
  local result = {}
  for _, key in ipairs(keys) do
    local module = paths.module_of_weight(key)
    if module and (is_item(prefix) or not paths.is_behind(key, prefix))
      and (module:lower():find 'norm' or module:find '^ln') then
      result[#result + 1] = { place = 'beside', what = 'norm', behind = key:sub(at) }
    end
  end
  if prefix:find 'experts%.%d+%.$' then
    result[#result + 1] = {
      place = 'beside', what = 'router', text = 'this is one expert of a list; which tokens go '
        .. 'to it, and what is made of what experts give, are computed by the host',
    }
  end
  return result
end

--- A matrix of a layer, with its bias where it has one.
local function matrix_of(model, key, role, at, order, part, parts)
  local shape = model.shapes[key]
  local outputs, inputs = shape[1], shape[2]
  if order == 'in-out' then outputs, inputs = inputs, outputs end
  local bias = key:gsub('weight$', 'bias')
  return {
    role = role, at = at, outputs = outputs // parts, inputs = inputs,
    weight = tensor_places.matrix(model, key, order, part, parts),
    bias = model.stored[bias] and tensor_places.vector(model, bias, outputs, part, parts) or nil,
  }, bias
end

--- Why a layer is what it is.
---@param layer NamedLayer
local function because_of(layer, matrices)
  local shown = (layer.keys.fused or layer.keys.up):sub(#layer.prefix + 1)
  local because = {
    { field = 'variant', text = ('told by --variant; names as in %s'):format(layer.convention.of) },
    { field = 'd_model', text = ('%s is %s'):format(shown,
      layer.order == 'in-out' and '[in][out]' or '[out][in]') },
    { field = 'd_ff', text = layer.keys.fused and ('half of the rows of %s, gate above up'):format(
      shown) or ('the outputs of %s'):format(shown) },
  }
  if matrices[1].bias then
    because[4] = { field = 'bias', text = ('there is %s'):format((shown:gsub('weight$', 'bias'))) }
  end
  return because
end

--- The matrices of a layer, and the names of its tensors.
---@param layer NamedLayer
local function matrices_of(model, layer)
  local keys, matrices, own = layer.keys, {}, {}
  local function add(key, role, part, parts)
    local matrix, bias = matrix_of(model, key, role, 0, layer.order, part, parts)
    matrices[#matrices + 1], own[#own + 1] = matrix, key
    if matrix.bias then own[#own + 1] = bias end
  end
  if keys.fused then
    add(keys.fused, 'gate', 0, 2)
    add(keys.fused, 'up', 1, 2)
  else
    if keys.gate then add(keys.gate, 'gate', 0, 1) end
    add(keys.up, 'up', 0, 1)
  end
  add(keys.down, 'down', 0, 1)
  return matrices, own
end

--- Refuses what stands near a layer and may be a part of it.
local function check_neighbours(model, layer, matrices, own, nearby, is_left)
  local tensors = {}
  for _, m in ipairs(matrices) do
    local stage = m.role == 'down' and 1 or 0
    for _, part in ipairs { 'weight', m.bias and 'bias' or nil } do
      tensors[#tensors + 1] = {
        name = ('%s.%s'):format(m.role, part), matrix = m.role, stage = stage, part = part,
        has_bias = m.bias ~= nil,
        shape = { m.outputs, part == 'weight' and m.inputs or nil },
      }
    end
  end
  local gate = not layer.has_gate and (layer.convention.gate or layer.convention.gated_by)
  neighbours.check({
    path = model.path, keys = nearby, shapes = model.shapes, elsewhere = {},
  }, tensors, own, {
    prefix = layer.prefix, beside = weight_names.beside_of(layer.convention), fixed = {},
    gate = gate and layer.prefix .. gate or nil, leave = '--leave',
  }, is_left)
end

--- A layer as found.lua takes it.
---@param layer NamedLayer
---@param variant string
---@param judged table<string, table>  by look: what is the same of layers that look alike
local function found_layer(model, layer, variant, is_left, judged)
  local matrices, own = matrices_of(model, layer)
  local nearby, behind_all = near(model, layer.prefix)
  local at = #behind_all + 1
  local look = look_of(model, nearby, at, layer, is_left)
  local known = judged[look]
  if not known then
    check_neighbours(model, layer, matrices, own, nearby, is_left)
    local up, down = matrices[#matrices - 1], matrices[#matrices]
    known = {
      around = around_of(nearby, layer.prefix, at), because = because_of(layer, matrices),
      fields = {
        variant = variant, d_model = up.inputs, d_ff = up.outputs, d_out = down.outputs,
        bias = up.bias ~= nil or down.bias ~= nil,
      },
    }
    judged[look] = known
  end
  return {
    at = layer.prefix == '' and layer.convention.up or layer.prefix:sub(1, -2), kind = 'ffn',
    fields = known.fields, because = known.because, matrices = matrices, own = own,
    around = lists.map(known.around, function(a)
      return {
        place = a.place, what = a.what, text = a.text, tensor = a.behind and behind_all .. a.behind,
      }
    end),
  }
end

---@param path string
---@param options ImportOptions
function M.read(path, options)
  local model = model_folder.open(path)
  local is_left = exclusions.test({ path = path, keys = model.keys, elsewhere = {} }, options.leave,
    '--leave')
  local named = by_name.layers(model, is_left, options.order)
  local layers = {}
  if #named > 0 then
    local variants, judged = asked_variants.of(options.variant), {}
    for i, layer in ipairs(named) do
      if i % 256 == 0 then model.heap:look() end
      layers[i] = found_layer(model, layer, variant_of(model, variants, layer), is_left, judged)
    end
  else
    layers = chains.of(model, is_left, options)
  end
  local own = {}
  for _, layer in ipairs(layers) do lists.append(own, layer.own) end
  if #options.leave > 0 then exclusions.check_model(own, options.leave) end
  local taken, index, list = {}, -1, nil
  for _, layer in ipairs(layers) do
    -- Experts are parts of one layer.
    local of, part = layer.at:match '^(.*experts)%.(%d+)$'
    if not of or of ~= list then index, list = index + 1, of end
    layer.index, layer.part = index, math.tointeger(tonumber(part))
  end
  for _, layer in ipairs(layers) do
    for _, key in ipairs(layer.own) do taken[key] = true end
  end
  layers = safetensors_products.added(model, options, is_left, layers, taken)
  local kept = layer_by_node.of(model.path, layers, options.node)
  if #kept < #layers then taken = {} end
  for _, layer in ipairs(kept) do
    for _, key in ipairs(layer.own or {}) do taken[key] = true end
    layer.own = nil
  end
  return {
    reader = 'safetensors', path = path, files = model.files, layers = kept,
    about = { ('%s: by the names of its tensors'):format(model.files[1].path:match '[^/]*$') },
    left = other_tensors.of(model.keys, taken),
    rows = options.also and tables.of(model, taken, is_left) or {},
  }
end

return M
