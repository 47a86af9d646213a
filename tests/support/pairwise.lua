--- Few layers of many, by a fixed rule: each pair of what two of their features are meets in one of
--- them, if it does in any. What a layer adds is counted: the one that adds most pairs for a
--- kernel is taken, until none adds any. And by the same rule parts of their kernels, which take
--- turns: in each part instruction sets meet the features of layers, too.
local lists = require 'common.list'

local M = {}

--- How a size stands to vectors and blocks of a sum.
local function class_of(size)
  if size == 1 then return 'one' end
  if size < 16 then return 'below a vector' end
  if size > 512 then return size % 16 == 0 and 'blocks' or 'blocks and a tail' end
  return size % 16 == 0 and 'vectors' or 'vectors and a tail'
end

--- How weights are stored.
local function weights_of(formats)
  for _, format in ipairs(formats) do
    if format ~= formats[1] then return 'several' end
  end
  if formats[1] == 'f32' then return 'plain' end
  return formats[1]:match('16$') and 'halves' or 'compressed'
end

--- What a layer is, as far as templates tell layers apart. Each format is met once in each
--- arithmetic, as are activations by the layers that have all of them; the others are paired.
---@param kernels table[]  of the layer, as `ffngen list --json` has them
---@return string[] alone, string[] features
function M.features(kernels)
  local first, aims, alone = kernels[1], {}, {}
  for _, kernel in ipairs(kernels) do aims[kernel.optimise] = true end
  for i, format in ipairs(first.formats) do
    alone[#alone + 1] = ('format %s %s'):format(format, first.arithmetics[i])
  end
  return alone, {
    'kind ' .. first.kind,
    'weights ' .. weights_of(first.formats),
    'bias ' .. tostring(first.bias),
    'small code ' .. tostring(aims.size or false),
    'inputs ' .. class_of(first.inputs),
    'outputs ' .. class_of(first.outputs),
  }
end

--- Whether a layer is summed otherwise than in f32.
---@param kernels table[]|nil
function M.has_own_sums(kernels)
  return kernels ~= nil and kernels[1].arithmetics[1] ~= 'fma_f32'
end

--- The same layer in f32, which tests compare it with: its name has f32 in the formats' place.
--- Bytes that are multiplied as such are compared with a reference of their own.
---@param layers table<string, table[]>
---@return string|nil
function M.plain_twin(layers, name)
  local at = M.has_own_sums(layers[name]) and 0 or #name
  while at and at > 0 do
    local twin = name:sub(1, at) .. '_f32'
    if twin ~= name and layers[twin] then return twin end
    at = name:sub(1, at):match('^.*()_')
    at = at and at - 1
  end
end

--- Features, and each two of them.
local function with_pairs(alone, features)
  local list = table.move(alone, 1, #alone, 1, {})
  for i, a in ipairs(features) do
    for j = i + 1, #features do list[#list + 1] = a .. ', ' .. features[j] end
  end
  return list
end

--- Few items that have all that any has: the one that is worth most is taken, until none adds any;
--- with each its twin.
---@generic Item
---@param items Item[]
---@param wanted table<Item, string[]>  what each has
---@param worth_of fun(item: Item, adds: integer): number  of an item that adds so many
---@param twin_of fun(item: Item): Item|nil
---@return table<Item, boolean> is_taken
local function cover(items, wanted, worth_of, twin_of)
  local met, is_taken, worths = {}, {}, {}
  local function take(item)
    is_taken[item] = true
    for _, word in ipairs(wanted[item]) do met[word] = true end
  end
  local function worth(item)
    local adds = 0
    for _, word in ipairs(wanted[item]) do
      if not met[word] then adds = adds + 1 end
    end
    return adds > 0 and worth_of(item, adds) or 0
  end
  repeat
    local best, most = nil, 0
    for _, item in ipairs(items) do
      -- It is never worth more than it was before.
      if (worths[item] or math.huge) > most then
        worths[item] = worth(item)
        if worths[item] > most then best, most = item, worths[item] end
      end
    end
    if best then
      take(best)
      local twin = twin_of(best)
      if twin then take(twin) end
    end
  until not best
  return is_taken
end

---@param layers table<string, table[]>  kernels by layer
---@param names string[]  of the layers, in order
---@return string[] chosen, in the same order
function M.choose(layers, names)
  local wanted = {}
  for _, name in ipairs(names) do wanted[name] = with_pairs(M.features(layers[name])) end
  local is_chosen = cover(names, wanted, function(name, adds) return adds / #layers[name] end,
    function(name)
      return weights_of(layers[name][1].formats) ~= 'plain' and M.plain_twin(layers, name) or nil
    end)
  return lists.filter(names, function(name) return is_chosen[name] end)
end

--- The kernel in f32 that tests compare a kernel's bits with.
---@param layers table<string, table[]>
---@return table|nil
function M.plain_kernel(layers, kernel)
  if weights_of(kernel.formats) == 'plain' then return nil end
  for _, twin in ipairs(layers[M.plain_twin(layers, kernel.layer)] or {}) do
    if twin.isa == kernel.isa and twin.optimise == 'speed' then return twin end
  end
end

--- What a kernel is: the features of its layer, and its instruction set.
---@return string[] alone, string[] features
function M.features_of_kernel(kernel)
  local alone, features = M.features { kernel }
  features[#features + 1] = 'isa ' .. kernel.isa
  return alone, features
end

--- Deals kernels to parts that take turns. What any kernel has is in each part; each kernel is in a
--- part. A kernel that is in none yet is worth somewhat more than another that adds as much.
---@param layers table<string, table[]>  kernels by layer
---@param kernels table[]  those that are dealt, in order
---@param count integer  how many parts
---@return table[][] parts  kernels in the same order
function M.deal(layers, kernels, count)
  local wanted, is_dealt, parts, sizes = {}, {}, {}, {}
  for _, kernel in ipairs(kernels) do wanted[kernel] = with_pairs(M.features_of_kernel(kernel)) end
  local function twin_of(kernel) return M.plain_kernel(layers, kernel) end
  local function add(part, kernel)
    if not parts[part][kernel] then sizes[part] = sizes[part] + 1 end
    parts[part][kernel], is_dealt[kernel] = true, true
  end
  for part = 1, count do
    local own = cover(kernels, wanted, function(kernel, adds)
      return is_dealt[kernel] and adds or adds + 0.5
    end, twin_of)
    parts[part], sizes[part] = {}, 0
    for _, kernel in ipairs(kernels) do
      if own[kernel] then add(part, kernel) end
    end
  end
  for _, kernel in ipairs(kernels) do
    if not is_dealt[kernel] then
      local least = 1
      for part = 2, count do
        if sizes[part] < sizes[least] then least = part end
      end
      add(least, kernel)
      local twin = twin_of(kernel)
      if twin then add(least, twin) end
    end
  end
  for part = 1, count do
    local own = parts[part]
    parts[part] = lists.filter(kernels, function(kernel) return own[kernel] end)
  end
  return parts
end

--- Deals whole layers, one after the other; fewer than there are parts come again from the first.
---@param kernels table[]  those that are dealt, in order
---@param count integer  how many parts
---@return table[][] parts  kernels in the same order
function M.deal_layers(_, kernels, count)
  local names = lists.unique(lists.map(kernels, function(kernel) return kernel.layer end))
  local at, every, parts = {}, math.min(count, #names), {}
  for i, name in ipairs(names) do at[name] = i end
  for part = 1, count do
    parts[part] = lists.filter(kernels, function(kernel)
      return (at[kernel.layer] - part) % every == 0
    end)
  end
  return parts
end

return M
