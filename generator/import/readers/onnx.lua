--- An ONNX graph: chains of products and gated pairs, wherever they lie. What stands between two
--- products is traced, whatever the exporter wrote for it.
local activations = require 'import.onnx.activations'
local chains = require 'import.onnx.chains'
local disk = require 'common.disk'
local layers = require 'import.onnx.layers'
local limits = require 'common.limits'
local links = require 'import.onnx.links'
local onnx = require 'files.onnx'
local opened = require 'files.opened'
local placed = require 'import.onnx.placed'
local problems = require 'common.problem'
local record = require 'common.record'
local shown = require 'import.onnx.shown'
local streams = require 'import.onnx.streams'
local texts = require 'common.text'
local xxh64 = require 'files.xxh64'

local M = {
  about = 'an ONNX graph: chains and gated pairs of products, with what stands between',
  takes = { 'node', 'decode', 'float_activations' },
}

function M.recognises(path) return path:find '%.onnx$' ~= nil and not disk.is_folder(path) end

--- The model's file, and the hash of what was read of it.
local function whole_file(model)
  local all = 0
  for _, span in ipairs(model.spans) do all = all + span[2] end
  limits.hold(model.path, 'onnx_header', all)
  return opened.with(model.path, function(handle)
    local parts = {}
    for i, span in ipairs(model.spans) do parts[i] = opened.slice(handle, span[1], span[2]) end
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

-- What is wanted ---------------------------------------------------------------------------------

--- Whether a part has a product of a name.
local function has_node(part, name)
  for _, stage in ipairs(part) do
    for _, product in ipairs(stage.products) do
      for _, step in ipairs(product.inner or { product.step }) do
        local out = step.node.outputs[1]
        if shown.at(step) == name or step.node.name == name or out == name then return true end
      end
    end
  end
  return false
end

local most_shown = 8

--- Steps and what is told of them, for a message.
local function list_of(steps)
  local told = {}
  for i = 1, math.min(#steps, most_shown) do
    local item = steps[i]
    told[i] = item.why and ('%s (%s)'):format(shown.step(item.step), item.why)
      or shown.step(item.step)
  end
  return table.concat(told, '; ') .. (#steps > most_shown
    and (' and %d more'):format(#steps - most_shown) or '')
end

--- Nodes whose work the model tells as functions of its own, which may hold whole layers.
---@return string|nil
local function functions_of(linked)
  local first, count = nil, 0
  for _, step in ipairs(linked.steps) do
    if step.op:find '^function ' then first, count = first or step, count + 1 end
  end
  return first and ('not looked into: %d node%s that %s function%s of the model, %s first: write '
    .. 'what they do in their place'):format(count, count > 1 and 's' or '',
    count > 1 and 'are' or 'is a', count > 1 and 's' or '', shown.step(first)) or nil
end

--- What was seen, where nothing is taken.
local function seen(linked, found, refused)
  local parts = {}
  if #found.products > 0 then parts[1] = list_of(found.products) end
  if #refused > 0 then parts[#parts + 1] = 'not taken: ' .. list_of(refused) end
  if #parts == 0 then parts[1] = 'no node multiplies with a matrix of the file' end
  parts[#parts + 1] = functions_of(linked)
  return table.concat(parts, '; ')
end

--- The parts that become layers: those of a node's name; or all chains; or, where there is none,
--- every product alone.
local function wanted(path, all, options, linked, found, refused, roundings)
  local list = {}
  for _, item in ipairs(all) do
    local is_one = item.is_chain
    if options.node then is_one = has_node(item.part, options.node) end
    if is_one then list[#list + 1] = item.part end
  end
  if options.node and #list == 0 then
    for _, item in ipairs(refused) do
      if shown.at(item.step) == options.node then
        problems.bad_input(path, '%s is not taken: %s', shown.step(item.step), item.why)
      end
    end
    problems.bad_input(path, 'no product is called "%s"; it has %s', record.shown(options.node),
      seen(linked, found, refused))
  end
  if #list == 0 and #roundings > 0 then
    problems.bad_input(path, '%s: %s; --node NAME takes a product alone',
      shown.step(roundings[1].step), roundings[1].why)
  end
  for _, item in ipairs(#list == 0 and all or {}) do list[#list + 1] = item.part end
  if #list == 0 then
    problems.bad_input(path, 'no product of a layer was found: %s', seen(linked, found, refused))
  end
  return list
end

-- What is left -----------------------------------------------------------------------------------

--- Steps that are no layer's, counted by what they are.
local function left_of(linked, found, refused, roundings, taken)
  local counts = {
    norms = 0, attention = 0, products = 0, ['products that are not taken'] = #refused,
    ['roundings between products'] = #roundings, nodes = 0,
  }
  for _, product in ipairs(found.products) do
    if not taken[product.step] then counts.products = counts.products + 1 end
  end
  local known = {}
  for _, item in ipairs(refused) do known[item.step] = true end
  for _, item in ipairs(roundings) do known[item.step] = true end
  for _, step in ipairs(linked.steps) do
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
    end
    for _, step in ipairs(stage.region.steps) do taken[step] = true end
  end
end

local function about_of(model, linked, refused, roundings)
  local producer = texts.trimmed(model.producer)
  local about = { ('ONNX graph of %s, operators %s'):format(
    producer ~= '' and record.shown(producer) or 'an unnamed program',
    model.opsets[''] and ('of version %d'):format(model.opsets['']) or 'without a version') }
  for i = 1, math.min(#refused, most_shown) do
    about[#about + 1] = ('not taken: %s: %s'):format(shown.step(refused[i].step), refused[i].why)
  end
  if #refused > most_shown then
    about[#about + 1] = ('not taken: %d more products'):format(#refused - most_shown)
  end
  about[#about + 1] = functions_of(linked)
  for i = 1, math.min(#roundings, most_shown) do
    about[#about + 1] = ('no layer: %s: %s'):format(shown.step(roundings[i].step),
      roundings[i].why)
  end
  if #roundings > most_shown then
    about[#about + 1] = ('no layer: %d more roundings between products'):format(
      #roundings - most_shown)
  end
  return about
end

--- Layers tell the same of themselves where their nodes differ by numbers alone, and are told of
--- together; `at` has the numbers.
local function without_numbers(list)
  local function general(text)
    return (text:gsub('"[^"]*"', function(name) return (name:gsub('%d+', '*')) end))
  end
  for _, layer in ipairs(#list > 1 and list or {}) do
    for _, told in ipairs(layer.because) do told.text = general(told.text) end
    for _, told in ipairs(layer.around) do told.text = general(told.text) end
  end
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
  local all, refused = layers.parts(list_of_chains), found.refused
  local own, used = namer()
  local maker = { place = placed.placer(model, files), own = own, used = used }
  local list, taken = {}, {}
  for i, part in ipairs(wanted(path, all, options, linked, found, refused,
    roundings)) do
    list[i] = layers.layer(maker, part)
    list[i].index = i - 1
    mark(taken, part)
  end
  without_numbers(list)
  return {
    reader = 'onnx', path = path, about = about_of(model, linked, refused, roundings),
    files = files, layers = list, left = left_of(linked, found, refused, roundings, taken),
  }
end

return M
