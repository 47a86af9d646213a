--- Which parts of a graph become layers: those of a node's name, or all that are whole; and what is
--- told of those that do not.
local labels = require 'import.onnx.labels'
local layers = require 'import.onnx.layers'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'
local similar_texts = require 'import.similar_texts'

local M = {}

---@class Seen  what a graph has
---@field path string
---@field linked Links
---@field found Streams
---@field roundings Refused[]
---@field parts ChainPart[]
---@field halves Refused[]  first products of parts that are half of a layer
---@field lost Refused[]    products that would be taken without their bias

--- The first product of a part.
local function first_step(item) return item.part[1].products[1].step end

--- What is told of parts: why some are none.
---@param of Seen
function M.look(of)
  local why_not = {}
  for _, item in ipairs(of.found.refused) do why_not[item.step] = why_not[item.step] or item.why end
  for _, item in ipairs(of.parts) do
    for _, stage in ipairs(item.lost and item.part or {}) do
      for _, product in ipairs(stage.products) do
        why_not[product.step] = item.lost
        of.lost[#of.lost + 1] = { step = product.step, why = item.lost }
      end
    end
  end
  for _, item in ipairs(of.parts) do
    item.why = not item.lost and layers.half(item, why_not) or false
    if item.why then
      of.halves[#of.halves + 1] = { step = first_step(item), why = item.why }
    end
  end
end

--- Whether a part has a product of a name.
local function has_node(part, name)
  for _, stage in ipairs(part) do
    for _, product in ipairs(stage.products) do
      for _, step in ipairs(product.inner or { product.step }) do
        local out = step.node.outputs[1]
        if labels.at(step) == name or step.node.name == name or out == name then return true end
      end
    end
  end
  return false
end

local most_shown = 24

--- Steps and what is told of them, for a message: those that are alike, once.
local function list_of(steps)
  local texts = {}
  for i, item in ipairs(steps) do
    texts[i] = item.why and ('%s (%s)'):format(labels.step(item.step), item.why)
      or labels.step(item.step)
  end
  local groups = similar_texts.of(texts)
  for i, one in ipairs(groups) do texts[i] = similar_texts.told(one) end
  return table.concat(texts, '; ', 1, math.min(#groups, most_shown)) .. (#groups > most_shown
    and (' and %d more'):format(#groups - most_shown) or '')
end

--- Nodes whose work the model tells as functions of its own, which may hold whole layers.
---@param linked Links
---@return string|nil
---@return GraphStep|nil first
function M.functions(linked)
  local first, count = nil, 0
  for _, step in ipairs(linked.steps) do
    if step.op:find '^function ' then first, count = first or step, count + 1 end
  end
  return first and ('not looked into: %d node%s that %s function%s of the model, %s first: write '
    .. 'what they do in their place'):format(count, count > 1 and 's' or '',
    count > 1 and 'are' or 'is a', count > 1 and 's' or '', labels.step(first)) or nil, first
end

--- What was seen, where nothing is taken.
local function seen(of)
  local parts = {}
  if #of.found.products > 0 then parts[1] = list_of(of.found.products) end
  if #of.found.refused > 0 then parts[#parts + 1] = 'not taken: ' .. list_of(of.found.refused) end
  if #parts == 0 then parts[1] = 'no node multiplies with a matrix of the file' end
  parts[#parts + 1] = M.functions(of.linked)
  return table.concat(parts, '; ')
end

--- Those of a node's name.
local function named(of, name)
  local list = {}
  for _, item in ipairs(of.parts) do
    if has_node(item.part, name) then
      if item.lost then
        problems.bad_input(of.path, '%s is not taken: %s', labels.step(first_step(item)), item.lost)
      end
      list[#list + 1] = item
    end
  end
  for _, item in ipairs(#list == 0 and of.found.refused or {}) do
    if labels.at(item.step) == name then
      problems.bad_input(of.path, '%s is not taken: %s', labels.step(item.step), item.why)
    end
  end
  if #list == 0 then
    problems.bad_input(of.path, 'the model has no product "%s"; it has %s', record.shown(name),
      seen(of))
  end
  return list
end

--- Refuses a graph of which no whole layer is left.
local function refuse_halves(of)
  local rounding, half, lost = of.roundings[1], of.halves[1], of.lost[1]
  if rounding then
    problems.bad_input(of.path, '%s: %s; add --node NAME to import one product alone',
      labels.step(rounding.step), rounding.why)
  elseif half then
    problems.bad_input(of.path, 'it has no whole layer: %s is a part of one: %s; add --node '
      .. 'NAME to import this part alone%s%s', labels.step(half.step), half.why,
      #of.halves > 1 and (' (so are %d more)'):format(#of.halves - 1) or '',
      #of.found.refused > 1 and '; not taken: ' .. list_of(of.found.refused) or '')
  elseif lost then
    problems.bad_input(of.path, 'it has no whole layer: %s is not taken: %s',
      labels.step(lost.step), lost.why)
  end
end

--- Words that ask for products by what they are, which a graph does not tell.
---@param also Also|nil
local function check_words(of, also)
  local word = also and not also.all
    and (also.attention and 'attention' or also.head and 'head' or 'router')
  if word then
    problems.bad_input(of.path, '--also %s: a graph has no names of attention, head and routers: '
      .. 'add --also all, which takes each product that is no layer\'s, or --node NAME, which '
      .. 'takes one', word)
  end
end

--- The parts that become layers: those of a node's name; or all chains and gated pairs that are
--- whole; or, where there is neither these nor halves of some, every product alone. Products alone
--- beside such layers are those that --also asks for.
---@param of Seen
---@param options ImportOptions
---@return ChainPart[] layers
---@return ChainPart[] products
function M.of(of, options)
  local also = options.also
  check_words(of, also)
  if options.node then return named(of, options.node), {} end
  local list, rest = {}, {}
  for _, item in ipairs(of.parts) do
    if not item.lost and not item.why then
      local into = item.is_chain and list or rest
      into[#into + 1] = item
    end
  end
  if #list > 0 then
    if not also then return list, {} end
    -- What an activation follows is a layer of its own.
    local function is_linear(item) return item.part.kind == 'linear' end
    return lists.append(list, lists.filter(rest, function(item) return not is_linear(item) end)),
      lists.filter(rest, is_linear)
  end
  if not also or #rest == 0 then refuse_halves(of) end
  if #rest == 0 then
    problems.bad_input(of.path, 'it has no feed-forward layer that ffngen knows: %s', seen(of))
  end
  return rest, {}
end

return M
