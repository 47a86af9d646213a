--- Few layers of many, by a fixed rule: each pair of what two of their features are meets in one of
--- them, if it does in any. What a layer adds is counted: the one that adds most pairs for a
--- kernel is taken, until none adds any.
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
    aims.size and 'both aims' or 'one aim',
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

---@param layers table<string, table[]>  kernels by layer
---@param names string[]  of the layers, in order
---@return string[] chosen, in the same order
function M.choose(layers, names)
  local wanted, met, is_chosen = {}, {}, {}
  for _, name in ipairs(names) do
    local list, features = M.features(layers[name])
    for i, a in ipairs(features) do
      for j = i + 1, #features do list[#list + 1] = a .. ', ' .. features[j] end
    end
    wanted[name] = list
  end
  local function take(name)
    is_chosen[name] = true
    for _, pair in ipairs(wanted[name]) do met[pair] = true end
  end
  local function worth_of(name)
    local adds = 0
    for _, pair in ipairs(wanted[name]) do
      if not met[pair] then adds = adds + 1 end
    end
    return adds / #layers[name]
  end
  repeat
    local best, most = nil, 0
    for _, name in ipairs(names) do
      local worth = worth_of(name)
      if worth > most then best, most = name, worth end
    end
    if best then
      take(best)
      local twin = weights_of(layers[best][1].formats) ~= 'plain' and M.plain_twin(layers, best)
      if twin then take(twin) end
    end
  until not best
  local chosen = {}
  for _, name in ipairs(names) do
    if is_chosen[name] then chosen[#chosen + 1] = name end
  end
  return chosen
end

return M
