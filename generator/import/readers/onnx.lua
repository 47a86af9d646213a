--- An ONNX graph: chains of products and gated pairs, wherever they lie. What stands between two
--- products is traced, whatever the exporter wrote for it.
local activations = require 'import.onnx.activations'
local chains = require 'import.onnx.chains'
local disk = require 'common.disk'
local layer_choice = require 'import.onnx.layer_choice'
local layers = require 'import.onnx.layers'
local limits = require 'common.limits'
local links = require 'import.onnx.links'
local lists = require 'common.list'
local onnx = require 'files.onnx'
local part_numbers = require 'import.parts'
local product_ties = require 'import.onnx.product_ties'
local random_access = require 'files.random_access'
local record = require 'common.record'
local static_operands = require 'import.onnx.static_operands'
local streams = require 'import.onnx.streams'
local tensor_places = require 'import.onnx.tensor_places'
local texts = require 'common.text'
local untaken_nodes = require 'import.onnx.untaken_nodes'
local xxh64 = require 'files.xxh64'

local M = {
  about = 'an ONNX graph: chains and gated pairs of products, with what stands between',
  takes = { 'node', 'also', 'decode', 'float_activations' },
}

function M.recognises(path) return path:find '%.onnx$' ~= nil and not disk.is_folder(path) end

--- The model's file, and the hash of what was read of it.
local function whole_file(model)
  local all = 0
  for _, span in ipairs(model.spans) do all = all + span[2] end
  limits.hold(model.path, 'onnx_header', all)
  return random_access.with(model.path, function(handle)
    local parts = {}
    for i, span in ipairs(model.spans) do
      parts[i] = random_access.slice(handle, span[1], span[2])
    end
    return {
      path = model.path, bytes = model.bytes, spans = model.spans,
      xxh64 = xxh64.of(#parts == 1 and parts[1] or table.concat(parts)),
    }
  end)
end

--- The name of an activation that has none: letters of its text, so that kernels of two models have
--- one name where they are the same, and two where they are not.
local function name_of(text)
  local hash, letters = xxh64.number(text) >> 1, {}
  for i = 1, 6 do letters[i], hash = string.char(97 + hash % 26), hash // 26 end
  return 'own_' .. table.concat(letters)
end

--- Names activations; and tells which were named since the last call.
local function namer()
  local used = {}
  return function(text)
    local name = name_of(text)
    used[#used + 1] = { name = name, text = text }
    return name
  end, function()
    local list = used
    used = {}
    return list
  end
end

-- What is left -----------------------------------------------------------------------------------

--- Steps that are no layer's, counted by what they are.
---@param of Seen
---@param taken table<GraphStep, boolean>
local function left_of(of, taken)
  local refused = lists.append(lists.append({}, of.found.refused), of.lost)
  local counts = {
    norms = 0, attention = 0, products = 0, ['products that are not taken'] = #refused,
    ['roundings between products'] = #of.roundings, nodes = 0,
  }
  local known = {}
  for _, item in ipairs(refused) do known[item.step] = true end
  for _, item in ipairs(of.roundings) do known[item.step] = true end
  for _, product in ipairs(of.found.products) do
    if not taken[product.step] and not known[product.step] then
      counts.products = counts.products + 1
    end
  end
  for _, step in ipairs(of.linked.steps) do
    if step.op:find 'Normalization$' and not taken[step] then
      counts.norms = counts.norms + 1
    elseif step.op:find 'Attention$' then
      counts.attention = counts.attention + 1
    elseif not taken[step] and not known[step] and step.op ~= 'Constant' then
      counts.nodes = counts.nodes + 1
    end
  end
  counts.nodes = counts.nodes - counts.products
  local list = {}
  for _, what in ipairs { 'attention', 'norms', 'products', 'products that are not taken',
    'roundings between products', 'nodes' } do
    if counts[what] > 0 then list[#list + 1] = { what = what, count = counts[what] } end
  end
  return list
end

local function mark(taken, part)
  for _, stage in ipairs(part) do
    for _, product in ipairs(stage.products) do
      taken[product.step], taken[product.taker or product.step] = true, true
      for _, step in ipairs(product.inner or {}) do taken[step] = true end
      for _, step in ipairs(static_operands.steps(product.operand)) do taken[step] = true end
    end
    for _, step in ipairs(stage.region.steps) do taken[step] = true end
  end
end

local function about_of(model, left_out)
  local producer = texts.trimmed(model.producer)
  return lists.append({ ('ONNX graph of %s, operators %s'):format(
    producer ~= '' and record.shown(producer) or 'an unnamed program',
    model.opsets[''] and ('of version %d'):format(model.opsets['']) or 'without a version') },
    untaken_nodes.comments(left_out))
end

--- What a file has, as found.of() takes it.
---@param path string
---@param options ImportOptions
function M.read(path, options)
  local model = onnx.open(path)
  local files = { whole_file(model) }
  model.heap:look()
  local linked = links.of(model)
  local found = streams.of(linked, options)
  model.heap:look()
  local list_of_chains, roundings = chains.of(found, linked.steps,
    activations.finder(model.opsets[''] or 1), options)
  local of = {
    path = path, linked = linked, found = found, roundings = roundings, halves = {},
    lost = {}, parts = layers.parts(list_of_chains, product_ties.ties(linked.steps, found)),
  }
  layer_choice.look(of)
  local own, used = namer()
  local maker = {
    place = tensor_places.placer(model, files), own = own, used = used,
    numbers = tensor_places.reader(model),
  }
  local list, taken = {}, {}
  local items, alone = layer_choice.of(of, options)
  for _, item in ipairs(items) do mark(taken, item.part) end
  for _, item in ipairs(alone) do mark(taken, item.part) end
  for i, item in ipairs(items) do
    list[i] = layers.layer(maker, item, taken)
    list[i].index = i - 1
  end
  for i, item in ipairs(alone) do -- which their names tell
    local layer = layers.layer(maker, item, taken)
    layer.index, layer.part = #items, part_numbers.by_name.other + i - 1
    list[#list + 1] = layer
  end
  local left_out = untaken_nodes.of(of, taken)
  return {
    reader = 'onnx', path = path, about = about_of(model, left_out), files = files, layers = list,
    left = left_of(of, taken), untaken = left_out,
  }
end

return M
