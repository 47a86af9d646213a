--- What an import says: the layers that it takes, what lies around them, and what it leaves to the
--- host.
local json = require 'dkjson'
local lists = require 'common.list'
local output = require 'common.output'
local part_numbers = require 'import.parts'
local record = require 'common.record'
local similar_texts = require 'import.similar_texts'
local told_layers = require 'import.told_layers'

local M = {}

--- Fields whose reasons are told: what a group's numbers were, and what is computed otherwise than
--- by the origin, or than was asked for.
local noted = { 'weights', 'activations', 'arithmetic', 'operand_scales' }

--- These reasons.
---@param group ImportGroup
---@return string[]
local function notes_of(group)
  return lists.map(lists.filter(group.because, function(b)
    return lists.has(noted, b.field)
  end), function(b) return ('%s: %s'):format(b.field, b.text) end)
end

--- What no reader of the last line may miss.
local function warning(named)
  local texts = {}
  for _, group in ipairs(named.groups) do
    for _, b in ipairs(group.because) do
      if b.field == 'activations' then texts[#texts + 1] = b.text end
    end
  end
  local rest = #lists.unique(texts) - 1
  return rest < 0 and '' or ('; activations: %s%s'):format(texts[1],
    rest > 0 and ('; and %d more'):format(rest) or '')
end

--- "32 layers and 65 products".
---@param layers FoundLayer[]
local function counted(layers)
  local products = #lists.filter(layers, function(l) return part_numbers.is_product(l.part) end)
  local texts = {}
  for _, kind in ipairs { { #layers - products, 'layer' }, { products, 'product' } } do
    local count, word = table.unpack(kind)
    if count > 0 then
      texts[#texts + 1] = ('%d %s%s'):format(count, word, count == 1 and '' or 's')
    end
  end
  return table.concat(texts, ' and ')
end

--- Which layers are whole mixtures of experts, and the kernels of their parts, for each `moe` of
--- the spec.
---@param named NamedGroups
local function print_mixtures(named)
  for _, m in ipairs(named.mixtures) do
    local one = m.found[1]
    output.line("moe '%s'  %s: a token takes %d of %d experts", m.name,
      told_layers.numbers(m.found), one.top_k, one.experts)
    for _, part in ipairs(m.kernels) do
      local is_gated = part.what == 'shared' and one.gate == 'sigmoid'
      output.line('  %s: %s%s', part.what, part.name, is_gated and ', times its gate' or '')
    end
  end
end

--- The last line: "32 layers and 65 products, of 4 kinds; left to the host: 65 norms".
---@param found Found
---@param named NamedGroups
function M.summary(found, named)
  local left = lists.map(found.left, function(l)
    return ('%d %s'):format(l.count, l.what == 'attention' and 'of attention' or l.what)
  end)
  local rest = #found.undecided > 0 and 'what is left to the host: only the tensors can tell'
    or 'left to the host: ' .. (#left > 0 and table.concat(left, ', ') or 'nothing')
  return ('%s, of %d kind%s; %s%s'):format(counted(found.layers), #named.groups,
    #named.groups == 1 and '' or 's', rest, warning(named))
end

--- What only tensors could tell, where none are there.
---@param found Found
---@return string[]
function M.undecided(found)
  return lists.map(found.undecided, function(text)
    return ('config.json alone does not tell %s'):format(text)
  end)
end

--- Which products are not in the arithmetic that was asked for, a line for each kind of layers.
---@param named NamedGroups
---@return string[]
function M.other_arithmetics(named)
  local lines = {}
  for i, group in ipairs(named.groups) do
    for _, b in ipairs(group.because) do
      if b.field == 'arithmetic' then
        lines[#lines + 1] = ('%s: %s: %s'):format(named.names[i], b.field, b.text)
      end
    end
  end
  return lines
end

local most_told = 24

--- What is left to the host, by name and with the reason, as lines for people: around the layers of
--- each kind, and what is not taken. What is alike is a line; a product that stands alone, which
--- may be of attention or a head, is one of --list's alone.
---@param found Found
---@param named NamedGroups
---@return string[]
function M.left(found, named)
  local lines, texts = {}, {}
  for i, group in ipairs(named.groups) do
    for _, text in ipairs(group.around) do
      lines[#lines + 1] = ('%s: %s'):format(named.names[i], text)
    end
  end
  for _, item in ipairs(found.untaken) do
    if item.what ~= 'alone' then texts[#texts + 1] = item.text end
  end
  for _, one in ipairs(similar_texts.of(texts)) do lines[#lines + 1] = similar_texts.told(one) end
  local rest = #lines - most_told
  if rest > 0 then
    lines = { table.unpack(lines, 1, most_told) }
    lines[#lines + 1] = ('and %d more lines of what is left to the host, which --list prints')
      :format(rest)
  end
  return lines
end

--- The groups of a model, and under each its layers, for people.
local function print_list(found, named)
  for i, group in ipairs(named.groups) do
    output.line('%s  %s', named.names[i], group.about)
    for _, text in ipairs(group.around) do output.line('  %s', text) end
    for _, text in ipairs(notes_of(group)) do output.line('  %s', text) end
    for _, layer in ipairs(group.layers) do
      local weights = lists.map(layer.matrices, function(m)
        return ('%s %s %s'):format(m.word or m.role, m.weight.format,
          record.shown(m.weight.tensor, 80))
      end)
      output.line('  %4d  %s: %s', layer.index, table.concat(weights, ', '),
        record.shown(layer.at, 120))
    end
  end
  print_mixtures(named)
  for _, item in ipairs(found.untaken) do output.line('%s', record.shown(item.text, 2000)) end
  for _, text in ipairs(M.undecided(found)) do output.line('%s', text) end
  output.line('%s', M.summary(found, named))
end

local key_order = {
  'schema', 'folder', 'reader', 'path', 'files', 'model', 'kinds', 'mixtures', 'layers', 'left',
  'untaken', 'undecided', 'experts', 'top_k', 'kernels',
  'index', 'part', 'at', 'name', 'kind', 'formats', 'arithmetics', 'notes', 'around',
  'place', 'what', 'node', 'tensor', 'text', 'count', 'bytes', 'xxh64', 'state',
}

--- A list that is one in JSON, too, where it is empty.
local function array(list) return setmetatable(list, { __jsontype = 'array' }) end

--- The same of mixtures of experts.
local function mixtures_told(named)
  return lists.map(named.mixtures, function(m)
    return {
      name = m.name, experts = m.found[1].experts, top_k = m.found[1].top_k, kernels = m.kernels,
      layers = lists.map(m.found, function(one) return one.index end),
    }
  end)
end

--- What is told of a model, as a table for JSON.
local function told(found, named)
  local kinds = lists.map(named.groups, function(group)
    return {
      formats = group.formats, arithmetics = group.arithmetics, layers = #group.layers,
      kind = group.layers[1].kind,
      notes = array(notes_of(group)),
    }
  end)
  for i, kind in ipairs(kinds) do kind.name = named.names[i] end
  local layers = lists.map(found.layers, function(layer)
    return {
      index = layer.index, part = layer.part or nil, at = layer.at,
      around = array(lists.map(layer.around, function(a)
        return { place = a.place, what = a.what, tensor = a.tensor or nil, text = a.text }
      end)),
    }
  end)
  for i, layer in ipairs(layers) do layer.name = named.names[named.group_of[i]] end
  return {
    schema = 1, reader = found.reader, path = found.path,
    model = lists.map(found.files, function(file)
      return { path = file.path, bytes = file.bytes, xxh64 = file.xxh64 }
    end),
    kinds = kinds, layers = layers, mixtures = #named.mixtures > 0 and mixtures_told(named) or nil,
    left = array(lists.map(found.left, function(l) return { what = l.what, count = l.count } end)),
    untaken = array(lists.map(found.untaken, function(u)
      return { what = u.what, node = u.node, text = u.text }
    end)),
    undecided = array(lists.map(found.undecided, function(text) return text end)),
  }
end

local function write(value)
  output.write(json.encode(value, { indent = true, keyorder = key_order }), '\n')
end

--- What a file has.
---@param is_json boolean|nil
function M.list(found, named, is_json)
  if is_json then write(told(found, named)) else print_list(found, named) end
end

--- The same with the files that were written, or would be.
---@param list File[]
---@param changes Change[]
function M.json(found, named, folder, list, changes)
  local value, kind_of = told(found, named), {}
  for _, change in ipairs(changes) do kind_of[change.path] = change.kind end
  value.folder = folder
  value.files = lists.map(list, function(file)
    return { path = file.path, bytes = #file.text, state = kind_of[file.path] or 'same' }
  end)
  for _, change in ipairs(changes) do
    if change.kind == 'stale' then
      table.insert(value.files, { path = change.path, bytes = 0, state = 'stale' })
    end
  end
  write(value)
end

--- What would be written, for people.
function M.changes(list, changes)
  for _, change in ipairs(changes) do
    output.line('%-8s %8d  %s', change.kind, change.text and #change.text or 0, change.path)
  end
  output.line('%d of %d files would change; nothing was written', #changes, #list)
end

return M
