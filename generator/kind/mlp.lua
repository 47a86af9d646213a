--- A chain of matrices, each with its activation.
local lists = require 'common.list'
local naming = require 'kind.naming'
local record = require 'common.record'

local most_layers = 16
local form = '{ { 64, "relu" }, { 1 } }'

-- What a spec says -----------------------------------------------------------------------------

--- Refuses a field that a layer does not have; a parameter is one of `parameters`.
local function refuse_field(check, known, layer, i, key)
  local activation = known.by_name[layer[2]]
  local names = activation and activation.parameters or {}
  if lists.has(names, key) then
    check:fail({ 'layers', i, key }, 'layer %d: "%s" is a parameter of %s; write { %s, "%s", '
      .. 'parameters = { %s = number } }', i, key, activation.name,
      math.type(layer[1]) == 'integer' and tostring(layer[1]) or 'width', activation.name,
      table.concat(names, ' = number, '))
  end
  check:fail({ 'layers', i, key }, 'layer %d: unknown field "%s"; a layer is { width, '
    .. '"activation" } or, with parameters of the activation, { width, "activation", parameters = '
    .. '{ slope = 2 } }', i, record.shown(key))
end

--- A layer of it.
local function width_of(check, known, layer, i)
  if not check.is_table(layer) then
    check:fail({ 'layers', i }, 'layer %d must be a table { width, "activation" }, not %s', i,
      check.described(layer))
  end
  for _, key in ipairs(record.sorted_keys(layer)) do
    if key ~= 1 and key ~= 2 and key ~= 'beta' and key ~= 'parameters' then
      refuse_field(check, known, layer, i, key)
    end
  end
  local activation = layer[2] == nil and 'identity' or layer[2]
  if not lists.has(known.plain_names, activation) then
    check:fail({ 'layers', i, 2 }, 'layer %d: unknown activation "%s"%s', i,
      record.shown(activation), record.suggest(tostring(activation), known.plain_names))
  end
  return {
    width = check:size(('the width of layer %d'):format(i), layer[1], { 'layers', i, 1 }),
    activation = activation,
    parameters = check:parameters(layer, known.by_name[activation], { 'layers', i }),
  }
end

local function widths_of(check, known)
  local list, widths = check.given.layers, {}
  if list == nil then check:fail({}, 'field "layers" is missing: layers = %s', form) end
  check:list({ 'layers' }, list, form, most_layers)
  local runtime -- the activation whose parameters come with the weights
  for i, layer in ipairs(list) do
    local width = width_of(check, known, layer, i)
    widths[i] = width
    if width.parameters == 'runtime' then
      if runtime and runtime ~= width.activation then
        check:fail({ 'layers', i }, 'layer %d: %s and %s both take run-time parameters: fix those '
          .. 'of one', i, runtime, width.activation)
      end
      runtime = width.activation
    end
  end
  return widths
end

-- Names ----------------------------------------------------------------------------------------

--- What stands between an activation and its width: an x where the digits of both would meet, or
--- where such an x would be taken for one that stands between.
---@param activation string  with its parameters
local function before_width(activation) return activation:match('%dx*$') and 'x' or '' end

--- An activation and its width, or nil.
---@return string|nil activation  with its parameters
---@return integer|nil width
local function of_width(text)
  local head, digits = text:match('^(.-)([1-9]%d*)$')
  if not head or head:match('%d$') then return nil end
  return head:match('^(.*%dx*)x$') or head, naming.size(digits)
end

--- The activations of a chain, cut at any _ that ends a width: lists of widths. Two of a length are
--- enough to know that there are several; the words of stages tell lengths apart.
local function chains_of(text, words)
  local chains_from
  local memory = {}
  local function chains_at(at)
    memory[at] = memory[at] or chains_from(at)
    return memory[at]
  end
  function chains_from(at)
    if at > #text + 1 then return { {} } end
    local chains, stop, counts = {}, at - 1, {}
    while stop <= #text do
      stop = text:find('_', stop + 1, true) or #text + 1
      local activation, width = of_width(text:sub(at, stop - 1))
      for _, reading in ipairs(width and words.readings(activation, words.known.plain_names)
        or {}) do
        for _, rest in ipairs(chains_at(stop + 1)) do
          counts[#rest] = (counts[#rest] or 0) + 1
          if counts[#rest] <= 2 then
            chains[#chains + 1] = { {
              activation = reading.name, parameters = reading.parameters, width = width,
            }, table.unpack(rest) }
          end
        end
      end
      if stop > #text then break end
    end
    return chains
  end
  return chains_at(1)
end

local chain = {
  say = function(l, words)
    return lists.append({ ('%d'):format(l.d_model) }, lists.map(l.widths, function(layer)
      local activation = words.said(layer.activation, layer.parameters)
      return ('%s%s%d'):format(activation, before_width(activation), layer.width)
    end))
  end,
  read = function(text, words)
    local digits, rest = text:match '^(%d+)_(.+)$'
    local d_model = naming.size(digits)
    return lists.map(d_model and chains_of(rest, words) or {}, function(widths)
      return { d_model = d_model, widths = widths }
    end)
  end,
}

return {
  name = 'mlp',
  computes = 'A chain of linear layers, each with its activation.',
  fields = { 'd_model', 'layers' }, also = { 'sparse' },
  meanings = {
    layers = ('Widths and activations, `layers = %s`; without one it is the identity.'):format(
      form:gsub('"', "'")),
  },
  named_by = 'layers', choices = 'plain_names', queried = false,
  dropout = { 'hidden', 'output' },

  shape = function(check, s)
    s.widths = widths_of(check, s.activations)
    s.d_out = s.widths[#s.widths].width
  end,

  stages = function(l)
    local stages = {}
    for i, layer in ipairs(l.widths) do
      stages[i] = {
        name = ('layer%d'):format(i), outputs = layer.width,
        called = ('the width of layer %d'):format(i), matrices = { 'chain' },
        applied = layer.activation, parameters = layer.parameters,
      }
    end
    return stages
  end,

  front = chain, back = naming.none,
  english = function(l, applied)
    local widths = lists.map(l.widths, function(layer)
      return ('%d %s'):format(layer.width, applied(layer.activation, layer.parameters))
    end)
    return ('MLP chain %d -> %s'):format(l.d_model, table.concat(widths, ' -> '))
  end,
}
