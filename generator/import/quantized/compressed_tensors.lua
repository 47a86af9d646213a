--- compressed-tensors: nibbles of eight inputs in a word, 8 more than they are; signed bytes; FP8;
--- with scales for a matrix, an output, a group of inputs, a block.
local arrays = require 'import.quantized.arrays'
local exceptions = require 'import.quantized.exceptions'
local fp8 = require 'import.quantized.fp8'
local record = require 'common.record'
local settings = require 'import.quantized.settings'

local M = {
  methods = { 'compressed-tensors' },
  about = 'compressed-tensors: packed integers or FP8, with scales beside them',
  tails = { '.weight_packed', '.weight_scale', '.weight_zero_point', '.weight_shape',
    '.weight_g_idx' },
}

--- Whether groups of the config are meant for a module: 'yes', 'no', 'perhaps'. Linear is the class
--- of all of them; of another class nothing tells which are of it.
local function targeted(said)
  local groups, names, all, unsure = said:part 'config_groups', {}, false, false
  for _, name in ipairs(record.sorted_keys(groups.data)) do
    local group = groups:part(name)
    local targets = settings.names(group, { 'targets' })
    all = all or group:get 'targets' == nil
    for _, target in ipairs(targets) do
      if target == 'Linear' then all = true
      elseif target:find '^%u[%w_]*$' then unsure = true
      else names[#names + 1] = target end
    end
  end
  local listed = exceptions.listed(names)
  return function(module)
    if all then return 'yes' end
    local answer = listed(module, false)
    return answer == 'no' and unsure and 'perhaps' or answer
  end
end

local opposite = { yes = 'no', no = 'yes', perhaps = 'perhaps' }

function M.is_dense(said)
  local is_excepted = exceptions.listed(settings.names(said, { 'ignore' }))
  local is_meant = targeted(said)
  return function(module, is_packed)
    local answer = is_excepted(module, is_packed)
    return answer == 'no' and opposite[is_meant(module)] or answer
  end
end

--- What a format stores, by the type that weights are of.
local formats = {
  ['pack-quantized'] = { int = 'packed' }, ['int-quantized'] = { int = 'bytes' },
  ['float-quantized'] = { float = 'fp8' }, ['naive-quantized'] = { int = 'bytes', float = 'fp8' },
}
local format_names = record.sorted_keys(formats)

--- The numbers of a group of the config.
---@param own Config  its `weights`
local function weights_of(own, format, is_left)
  local of = formats[format]
  local kind = settings.one_of(own, 'type', record.sorted_keys(of), 'int', format
    .. ' stores others')
  local bits = own:get_or('num_bits', 8)
  local stored = of[kind]
  local wanted = stored == 'packed' and { 4 } or stored == 'fp8' and { 8 }
    or { 2, 3, 4, 5, 6, 7, 8 }
  settings.one_of(own, 'num_bits', wanted, 8, ('%s is taken of %d bits'):format(format,
    wanted[#wanted]))
  local symmetric = settings.one_of(own, 'symmetric', stored == 'fp8' and { true }
    or { true, false }, true, 'floats have no zeros of their own')
  settings.none(own, 'dynamic', 'weights that are quantised as they are used are not taken')
  settings.one_of(own, 'actorder', { 'weight', 'static', false }, false, 'groups in the order of '
    .. 'activations are not taken: re-export with actorder = "weight"')
  local every = own:get 'group_size' ~= nil and settings.group(own, { 'group_size' }) or false
  local strategy = own:get 'strategy'
    or (not every and 'tensor' or every > 0 and 'group' or 'channel')
  if strategy ~= 'tensor' and strategy ~= 'channel' and strategy ~= 'group'
    and strategy ~= 'block' then
    own:refuse_value('strategy', strategy, 'tensor, channel, group or block')
  end
  local block = strategy == 'block' and fp8.block(own, 'block_structure') or false
  if strategy == 'group' and not (every and every > 0) or strategy == 'block' and not block then
    local key = strategy == 'group' and 'group_size' or 'block_structure'
    own:refuse_value(key, own:get(key), ('there with a size, as strategy is "%s"'):format(strategy))
  end
  if not symmetric and (strategy == 'block' or stored == 'packed' and strategy == 'tensor') then
    own:refuse('%s is false, and import takes no zeros with strategy "%s": quantise the model with '
      .. 'symmetric = true', own:name 'symmetric', strategy)
  end
  own:check_all({ 'observer', 'observer_kwargs', 'scale_dtype', 'zp_dtype', 'block_structure' },
    is_left, 'compressed-tensors')
  return {
    stored = stored, bits = bits, symmetric = symmetric, strategy = strategy, block = block,
    every = strategy == 'group' and every or block and block[2] or 0,
  }
end

--- How what goes into a product is rounded that kernels round alike; of a key that is not there it
--- is what is meant.
local static = {
  { 'num_bits', 8 }, { 'type', 'int' }, { 'symmetric', true }, { 'dynamic', false },
  { 'strategy', 'tensor' }, { 'group_size', nil }, { 'block_structure', nil },
}

--- Why kernels do not round what goes into a product as a group of the config says; nil: they do.
---@param own Config  its `input_activations`
---@param weights table
---@return string|nil
local function unkept(own, weights, is_left)
  for _, entry in ipairs(static) do
    local value = own:get(entry[1])
    if value ~= nil and value ~= entry[2] then
      return ('%s is %s'):format(own:name(entry[1]), record.described(value))
    end
  end
  if weights.stored ~= 'bytes' or weights.every > 0 then
    return 'its weights are no bytes with one scale for each output'
  end
  own:check_all({ 'actorder', 'observer', 'observer_kwargs', 'scale_dtype', 'zp_dtype' }, is_left,
    'compressed-tensors')
end

--- One group of the config; nil where it packs nothing.
local function group_of(own, format, is_left)
  if own:get 'weights' == nil then return nil end
  local of = own:get 'format'
  if of ~= nil then
    format = settings.one_of(own, 'format', format_names, nil, 'of compressed-tensors these are '
      .. 'taken: ' .. table.concat(format_names, ', '))
  elseif not formats[format] then
    own:refuse('the format of compressed-tensors is %s: import takes %s; save the model in one of '
      .. 'them', record.shown(format == nil and 'missing' or format),
      table.concat(format_names, ', '))
  end
  settings.none(own, 'output_activations', 'the origin rounds what comes out of a product, which '
    .. 'is another function')
  local has_activations = own:get 'input_activations' ~= nil
  local weights = weights_of(own:part 'weights', format, is_left)
  own:check_all({ 'targets' }, is_left, 'compressed-tensors')
  return {
    weights = weights, format = format, has_activations = has_activations,
    unkept = has_activations and unkept(own:part 'input_activations', weights, is_left) or false,
  }
end

local scale_texts = {
  tensor = 'a scale for each matrix', channel = 'a scale for each output',
}

function M.rule(said, is_left)
  settings.none(said, 'transform_config', 'rotations of what goes into a product are another '
    .. 'function')
  settings.none(said, 'moe_sparsity_config', 'experts that are left out or replaced are another '
    .. 'function')
  local sparsity = said:get 'sparsity_config'
  if type(sparsity) == 'table' and record.count(sparsity) > 0 then
    settings.one_of(said:part 'sparsity_config', 'format', { 'dense' }, nil,
      'sparse rows are not taken')
  end
  local groups, first = said:part 'config_groups', nil
  local format = said:get 'format'
  for _, name in ipairs(record.sorted_keys(groups.data)) do
    local group = group_of(groups:part(name), format, is_left)
    if group and first and not record.equal(group, first) then
      groups:refuse('%s: groups that pack in ways of their own, and which modules are whose is not '
        .. 'read: save the layers alike', said:name 'config_groups')
    end
    first = first or group
  end
  if not first then
    said:refuse_value('config_groups', groups.data, 'an object with a group that has weights')
  end
  local w = first.weights
  return {
    about = ('%s of compressed-tensors, %d bits, %s'):format(first.format, w.bits,
      scale_texts[w.strategy] or w.block and ('a scale for %d outputs and %d inputs'):format(
        w.block[1], w.block[2]) or settings.scales(w.every)),
    activations = first.has_activations and 'input_activations' or false,
    is_static = first.has_activations and not first.unkept, unkept = first.unkept,
    unread = first.has_activations and { '.input_scale', '.input_zero_point' } or {}, weights = w,
  }
end

--- Scales or zeros of signed bytes.
local function beside(p, tail, w, encodings)
  if w.strategy == 'tensor' then return arrays.single(p, tail, encodings) end
  return arrays.of(p, tail, {
    encodings = encodings, columns = arrays.count(p, w.every), rows = w.block and w.block[1] or nil,
  })
end

function M.placed(p, rule)
  local w = rule.weights
  if w.stored == 'fp8' and w.strategy == 'block' then
    return fp8.of_block(p, w.block, '.weight_scale')
  end
  local packed = w.stored == 'packed'
  local weight = arrays.of(p, packed and '.weight_packed' or '.weight', {
    encodings = packed and { I32 = 'u4_in8' } or w.stored == 'bytes' and { I8 = 'i8' }
      or { F8_E4M3 = 'e4m3' },
    columns = p.w.inputs,
  })
  if packed then arrays.check_told_shape(p, '.weight_shape') end
  local zeros
  if not w.symmetric then
    zeros = packed and arrays.of(p, '.weight_zero_point', {
      encodings = { I32 = 'u4_out8' }, columns = arrays.count(p, w.every),
    }) or beside(p, '.weight_zero_point', w, { I8 = 'i8' })
  end
  weight.scaled = {
    every = w.every, scales = beside(p, '.weight_scale', w, arrays.floats), zeros = zeros,
    groups = arrays.groups(p, '.weight_g_idx', false),
  }
  return weight
end

return M
