--- A chain of matrices whose names are numbered, as torch.nn.Sequential's are, or the only matrix
--- of a file: what a model is that has no module of gate, up and down.
local activations = require 'activation'
local kinds = require 'kind'
local lists = require 'common.list'
local neighbours = require 'tensors.neighbours'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local record = require 'common.record'
local tensor_places = require 'import.tensor_places'
local weight_names = require 'tensors.names'

local M = {}

---@class NumberedChain
---@field prefix string
---@field word string      in front of the numbers
---@field keys string[]    of its matrices, ascending

--- Every chain that numbers tell.
---@return NumberedChain[]
local function numbered(model, is_left)
  local found = {}
  for _, word in ipairs(weight_names.numbered) do
    local groups, order = {}, {}
    for _, key in ipairs(model.keys) do
      local prefix, number = paths.numbered(key, word, '.weight')
      if prefix and (prefix == '' or prefix:find '%.$') and #number <= 9 and not is_left(key)
        and #model.shapes[key] == 2 then
        if not groups[prefix] then
          groups[prefix], order[#order + 1] = {}, prefix
        end
        table.insert(groups[prefix], { key = key, number = tonumber(number) })
      end
    end
    for _, prefix in ipairs(order) do
      table.sort(groups[prefix], function(a, b)
        return a.number < b.number or a.number == b.number and a.key < b.key
      end)
      found[#found + 1] = {
        prefix = prefix, word = word,
        keys = lists.map(groups[prefix], function(item) return item.key end),
      }
    end
  end
  return lists.filter(found, function(chain) return #chain.keys > 1 end)
end

--- The only matrix of a file as a chain of one.
local function single(model, is_left)
  local keys = lists.filter(model.keys, function(key)
    return #model.shapes[key] == 2 and not is_left(key)
  end)
  if #keys ~= 1 or not keys[1]:find 'weight$' then return nil end
  return { prefix = keys[1]:match '^(.*)weight$', word = nil, keys = keys }
end

--- What stands behind each matrix, as --activation says it.
local function activations_of(model, chain, text)
  local names = {}
  for name in ((text or '') .. ','):gmatch '([^,]*),' do
    if name ~= '' then names[#names + 1] = name end
  end
  if #names ~= #chain.keys then
    problems.bad_input(model.path, 'it has a chain of %d matrices, %s, and does not say which '
      .. 'activations stand between: say what is behind each matrix, identity for nothing: '
      .. '--activation %s',
      #chain.keys, paths.some(chain.keys),
      ('relu,'):rep(#chain.keys - 1) .. 'identity')
  end
  for _, name in ipairs(names) do
    local known = activations.by_name[name]
    if not known or not lists.has(activations.plain_names, name) then
      problems.bad_input('--activation', 'unknown activation "%s"%s', record.shown(name),
        record.suggest(name, activations.plain_names))
    end
    if #known.parameters > 0 then
      problems.bad_input('--activation', '%s has parameters, which names of tensors do not say: '
        .. 'write the spec by hand', name)
    end
  end
  return names
end

--- The matrices of a chain, and what neighbours.lua is told of them.
local function matrices_of(model, chain)
  local matrices, own, tensors, before = {}, {}, {}, nil
  for i, key in ipairs(chain.keys) do
    local shape, bias = model.shapes[key], key:gsub('weight$', 'bias')
    if before and shape[2] ~= before then
      problems.bad_input(model.path, '%s is [%d][%d], and the matrix before gives %d: this is not '
        .. 'a chain of [out][in] matrices; leave out other tensors with --leave', paths.quoted(key),
        shape[1], shape[2], before)
    end
    before = shape[1]
    local has_bias = model.stored[bias] ~= nil
    matrices[i] = {
      role = 'chain', at = i - 1, outputs = shape[1], inputs = shape[2],
      weight = tensor_places.matrix(model, key, 'out-in'),
      bias = has_bias and tensor_places.vector(model, bias, shape[1]) or nil,
    }
    local name = ('chain[%d]'):format(i - 1)
    own[#own + 1], tensors[#tensors + 1] = key, {
      name = name .. '.weight', matrix = 'chain', stage = i - 1, part = 'weight',
      has_bias = has_bias, shape = shape,
    }
    if has_bias then
      own[#own + 1], tensors[#tensors + 1] = bias, {
        name = name .. '.bias', matrix = 'chain', stage = i - 1, part = 'bias', has_bias = true,
        shape = { shape[1] },
      }
    end
  end
  return matrices, own, tensors
end

--- The chain of a model as found.lua takes it, in a list of one.
---@param model ModelFolder
---@param is_left fun(key: string): boolean
---@param options ImportOptions
function M.of(model, is_left, options)
  local all = numbered(model, is_left)
  if #all == 0 then all = { single(model, is_left) } end
  if options.node and #all > 1 then
    all = lists.filter(all, function(chain)
      return (chain.prefix .. chain.word):gsub('%.$', '') == options.node
    end)
  end
  if #all == 0 then
    problems.bad_input(model.path, 'no module has the names of a layer: it has %s; ffngen vendor '
      .. '--help lists the names that ffngen knows', #model.keys > 0 and paths.some(model.keys)
      or 'no tensors')
  elseif #all > 1 then
    problems.bad_input(model.path, 'it has several chains of matrices: choose one with --node: %s',
      paths.some(lists.map(all, function(chain)
        return ((chain.prefix .. chain.word):gsub('%.$', ''))
      end)))
  end
  local chain = all[1]
  local names = activations_of(model, chain, #chain.keys == 1 and (options.activation or 'identity')
    or options.activation)
  local matrices, own, tensors = matrices_of(model, chain)
  neighbours.check({
    path = model.path, keys = model.keys, shapes = model.shapes, elsewhere = {},
  }, tensors, own, {
    prefix = chain.prefix, fixed = {}, word = chain.word, leave = '--leave',
    beside = chain.word and weight_names.beside_numbers(chain.word) or {},
  }, is_left)
  local has_bias = false
  for _, m in ipairs(matrices) do has_bias = has_bias or m.bias ~= nil end
  local fields = { d_model = matrices[1].inputs, bias = has_bias }
  local kind = #names == 1 and names[1] == 'identity' and 'linear' or 'mlp'
  if kind == 'linear' then
    fields.d_out = matrices[1].outputs
  else
    fields.layers = {}
    for i, name in ipairs(names) do
      fields.layers[i] = { matrices[i].outputs, name ~= 'identity' and name or nil }
    end
  end
  local at = (chain.prefix .. (chain.word or '')):gsub('%.$', '')
  return { {
    at = at == '' and chain.keys[1]:gsub('%.weight$', '') or at, kind = kind, fields = fields,
    because = { { field = kinds.by_name[kind].named_by, text = fields.layers
      and 'sizes as the shapes are, [out][in]; activations are told by --activation'
      or 'as the shape is, [out][in]' } },
    matrices = matrices, own = own,
  } }
end

return M
