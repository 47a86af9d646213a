--- The spec of what was found, as one would write it by hand: a layer for each group, above each
--- field which rule concluded it, and above the layer what lies around it and is the host's.
local arithmetics = require 'arithmetic'
local kinds = require 'kind'
local lists = require 'common.list'
local numbers = require 'common.number'
local record = require 'common.record'
local texts = require 'common.text'
local weights = require 'weights'

local M = {}

local columns = 100

--- What a spec of ours begins with: who edits it takes this line away, and import leaves it alone.
M.first_line = '-- Made by `ffngen import`, which makes it anew; without this line it is your own.'

--- Somebody's text as lines of a comment.
local function comment(mark, text)
  local words = {}
  for word in record.shown(text, 2000):gmatch '%S+' do words[#words + 1] = word end
  return mark .. ' ' .. texts.rejoined(texts.wrap(words, columns - #mark - 1), '\n' .. mark .. ' ')
end

local function quoted(word)
  if not word:find '^[%w_]+$' then error(('spec: "%s" is no word'):format(word), 0) end
  return "'" .. word .. "'"
end

local value_text

--- { key = value }, keys sorted behind the items of a list.
local function table_text(t)
  local parts = {}
  for _, item in ipairs(t) do parts[#parts + 1] = value_text(item) end
  for _, key in ipairs(record.sorted_keys(t)) do
    if type(key) == 'string' then parts[#parts + 1] = key .. ' = ' .. value_text(t[key]) end
  end
  return '{ ' .. table.concat(parts, ', ') .. ' }'
end

function value_text(v)
  if type(v) == 'string' then return quoted(v) end
  if type(v) == 'table' then return table_text(v) end
  if math.type(v) == 'float' then return numbers.shown(v) end
  return tostring(v)
end

--- Fields of a spec in the order in which one says them.
local order = {
  'variant', 'activation', 'd_model', 'd_ff', 'd_out', 'layers', 'bias', 'beta', 'parameters',
  'sparse', 'weights', 'arithmetic', 'operand_scales',
}

--- weights = 'bf16', or by stage where they differ: by role, by output, or of a chain a list.
---@param group ImportGroup
---@param words string[]  of each stage
local function by_stage(group, words)
  local of_role = {}
  if #lists.unique(words) == 1 then return words[1] end
  for _, place in ipairs(group.places) do
    if place.role == 'chain' and not place.output then return words end
    of_role[place.output or place.role] = words[place.stage + 1]
  end
  return of_role
end

--- Fields with what is stored and how it is summed, where that is not the rule of specs.
---@param group ImportGroup
local function fields_of(group)
  local layer = group.layers[1]
  local fields = record.fields(layer.fields)
  local own = lists.map(group.arithmetics, function(name) return arithmetics.by_name[name] end)
  local stored = by_stage(group, group.formats)
  local summed = by_stage(group, lists.map(own, function(one) return one.word end))
  local scaled = by_stage(group, lists.map(own, function(one) return one.scales end))
  if stored ~= weights.names[1] then fields.weights = stored end
  if summed ~= arithmetics.words[1] then fields.arithmetic = summed end
  if scaled ~= arithmetics.scales[1] then fields.operand_scales = scaled end
  if fields.bias == false then fields.bias = nil end
  local is_square = kinds.by_name[layer.kind].square and fields.d_out == fields.d_model
  if is_square then fields.d_out = nil end
  return fields
end

--- A layer's own text but for its name: two layers of one text are one group.
---@param group ImportGroup
---@return string
function M.key(group)
  return group.layers[1].kind .. table_text(fields_of(group))
end

--- Lines of fields, above each its reasons; reasons of fields that a layer does not state last.
---@param group ImportGroup
---@param fields table
---@param indent string
---@param said table<string, boolean>  fields of which enough is said
local function lines_of(group, fields, indent, said)
  local lines = {}
  local function say(field)
    for _, because in ipairs(group.because) do
      if because.field == field then
        lines[#lines + 1] = comment(indent .. '--', ('%s: %s'):format(field, because.text))
      end
    end
    said[field] = true
  end
  for _, field in ipairs(order) do
    if fields[field] ~= nil then
      if not said[field] then say(field) end
      lines[#lines + 1] = ('%s%s = %s,'):format(indent, field, value_text(fields[field]))
    end
  end
  for _, because in ipairs(group.because) do
    if not said[because.field] then say(because.field) end
  end
  return lines
end

--- The lines of a group.
---@param group ImportGroup
---@param name string
local function group_text(group, name)
  local lines = { comment('---', group.about) }
  for _, text in ipairs(group.around) do lines[#lines + 1] = comment('---', text) end
  lines[#lines + 1] = ('%s %s {'):format(group.layers[1].kind, quoted(name))
  lists.append(lines, lines_of(group, fields_of(group), '  ', {}))
  lines[#lines + 1] = '}'
  return table.concat(lines, '\n')
end

--- Fields of a shared expert that are not those of the others, which a spec takes for it.
---@param shared ImportGroup
---@param expert ImportGroup
local function fields_of_shared(shared, expert)
  local own, others, result = fields_of(shared), fields_of(expert), {}
  own.d_model, others.d_model = nil, nil
  local usual = {
    bias = false, weights = weights.names[1], arithmetic = arithmetics.words[1],
    operand_scales = arithmetics.scales[1],
  }
  for _, field in ipairs(order) do
    local value, other = own[field], others[field]
    if value == nil then value = usual[field] end
    if other == nil then other = usual[field] end
    if value == nil and other ~= nil then
      error(('spec: the shared expert has no field "%s"'):format(field), 0)
    end
    if field == 'd_ff' or not record.equal(value, other) then result[field] = value end
  end
  return result
end

--- Fields of a router in the order in which one says them.
local router_order = { 'score', 'correction', 'groups', 'normalise', 'epsilon', 'floor',
  'expert_scale', 'scale', 'on', 'bias', 'weights' }

---@param m ImportMixture
local function router_lines(m)
  local fields, stored = record.fields(m.found[1].router), fields_of(m.router)
  fields.bias, fields.weights = stored.bias, stored.weights
  local lines = {}
  for _, field in ipairs(router_order) do
    if fields[field] ~= nil then
      lines[#lines + 1] = ('    %s = %s,'):format(field, value_text(fields[field]))
    end
  end
  return lines
end

--- The lines of a mixture of experts.
---@param m ImportMixture
local function mixture_text(m)
  local one, lines = m.found[1], {}
  for _, group in ipairs { m.expert, m.router, m.shared or nil } do
    lines[#lines + 1] = comment('---', group.about)
  end
  for _, text in ipairs(m.expert.around) do lines[#lines + 1] = comment('---', text) end
  if one.correction then
    lines[#lines + 1] = comment('---', ('parts.correction: rows %s of the packed file'):format(
      one.correction))
  end
  local said, fields = { d_model = true }, fields_of(m.expert)
  local function part(name, own_lines)
    lines[#lines + 1] = ('  %s = {'):format(name)
    lists.append(lines, own_lines)
    lines[#lines + 1] = '  },'
  end
  lines[#lines + 1] = ('moe %s {'):format(quoted(m.name))
  for _, b in ipairs(m.expert.because) do
    if b.field == 'd_model' then lines[#lines + 1] = comment('  --', 'd_model: ' .. b.text) end
  end
  lines[#lines + 1] = ('  d_model = %d, experts = %d, top_k = %d,'):format(fields.d_model,
    one.experts, one.top_k)
  fields.d_model = nil
  part('expert', lines_of(m.expert, fields, '    ', said))
  lines[#lines + 1] = comment('  --', 'router: ' .. one.text)
  part('router', router_lines(m))
  if m.shared then
    local own = fields_of_shared(m.shared, m.expert)
    -- What the experts have said is not said again.
    for _, field in ipairs(order) do said[field] = own[field] == nil end
    local of_shared = lines_of(m.shared, own, '    ', said)
    if one.gate ~= 'none' then of_shared[#of_shared + 1] = ("    gate = '%s',"):format(one.gate) end
    part('shared', of_shared)
  end
  lines[#lines + 1] = '}'
  return table.concat(lines, '\n')
end

--- The activations that layers name and the project does not, each once.
---@param entries (ImportGroup|ImportMixture)[]
local function activations_of(entries)
  local lines, seen = {}, {}
  for _, group in ipairs(entries) do
    for _, layer in ipairs(group.layers) do
      for _, own in ipairs(layer.activations) do
        if seen[own.name] and seen[own.name] ~= own.text then
          error(('two activations are named "%s"'):format(own.name), 0)
        end
        if not seen[own.name] then
          lines[#lines + 1] = ('activation %s (%s)'):format(quoted(own.name), own.text)
        end
        seen[own.name] = own.text
      end
    end
  end
  return table.concat(lines, '\n')
end

--- The spec.
---@param found Found
---@param entries (ImportGroup|ImportMixture)[]
---@param names string[]  of groups; a mixture has its own
---@return string
function M.of(found, entries, names)
  local head = { M.first_line }
  for _, line in ipairs(found.about) do head[#head + 1] = comment('--', line) end
  local pieces = { table.concat(head, '\n'), 'schema(1)', activations_of(entries) }
  for i, entry in ipairs(entries) do
    pieces[#pieces + 1] = rawget(entry, 'router') and mixture_text(entry)
      or group_text(entry, names[i])
  end
  return texts.paragraphs(pieces)
end

return M
