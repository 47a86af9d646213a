--- The layers of a config.json without tensors: what it concludes, in the type that it says its
--- numbers have, and what only tensors could tell.
local one_layer = require 'import.huggingface.layer'
local limits = require 'common.limits'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- Formats of the types that a config may say.
local formats = { float32 = 'f32', bfloat16 = 'bf16', float16 = 'f16', float64 = 'f32' }

local keys = { 'dtype', 'torch_dtype' }

--- The format of all matrices, and why; nil where nothing tells it.
---@param configs Config[]  the whole one, and those of its parts
---@return string|nil format
---@return string because
local function format_of(configs)
  for _, config in ipairs(configs) do
    local value, key = config:first(keys)
    local format = type(value) == 'string' and formats[value:gsub('^torch%.', '')]
    if format then
      return format, ('%s is "%s"'):format(config:name(key), value)
    elseif value ~= nil then
      config:refuse_value(key, value, 'float32, bfloat16, float16 or float64')
    end
  end
  return nil, ('no %s'):format(configs[1]:names(keys))
end

--- What lies around a layer, without what only some files have.
---@param undecided string[] is added to
local function around_of(part, prefix, undecided)
  local result = {}
  for _, a in ipairs(part.around) do
    if a.optional then
      undecided[#undecided + 1] = ('whether the model has %s, %s'):format(a.tensor, a.what)
    else
      result[#result + 1] = {
        place = a.place, what = a.what, tensor = a.tensor and prefix .. a.tensor, text = a.text,
      }
    end
  end
  return result
end

--- The matrices of a layer, which lie nowhere.
---@param told table  { file =, format = }
local function matrices_of(part, module, told)
  local f, result = part.fields, {}
  local function add(role, outputs, inputs)
    local function unplaced(what)
      return { tensor = module .. '.' .. what, file = told.file, encoding = false,
        format = told.format or false }
    end
    result[#result + 1] = {
      role = role, outputs = outputs, inputs = inputs, weight = unplaced(role),
      bias = part.bias[role] and unplaced(role .. ' bias'),
    }
  end
  if part.gated then add('gate', f.d_ff, f.d_model) end
  add('up', f.d_ff, f.d_model)
  add('down', f.d_model, f.d_ff)
  return result
end

--- The layers of a part of a stack.
---@param told table  { file =, format =, because =, undecided = }
local function add_part(layers, part, stack, before, told)
  local names = part.names[1]
  for i, n in ipairs(part.layers) do
    local prefix = ('%s.%d.'):format(stack.rule.at[1], n)
    local around = around_of(part, prefix, i == 1 and told.undecided or {})
    for expert = 0, part.experts and part.experts.count - 1 or 0 do
      local at = one_layer.name(part, names, prefix, expert)
      layers[#layers + 1] = {
        index = before + n, part = part.experts and expert or nil, at = at, kind = 'ffn',
        fields = part.fields, because = told.because_of(part), around = around,
        matrices = matrices_of(part, at, told),
      }
    end
  end
end

--- What found.of() takes, but for its path.
---@param path string  of the config.json
---@param conclusion Conclusion
---@param packing Quantized|nil  that tells of its numbers more than a dtype
---@return table layers
---@return string[] undecided
function M.of(path, conclusion, packing)
  local format, because = format_of(conclusion.configs)
  if packing then format, because = nil, ('%s is %s'):format(packing.key, packing.method) end
  local undecided = {
    ('the format in which the tensors are stored: here %s (%s)'):format(format
      or 'that of --weights', because),
    'whether each layer has the tensors of its rule, in these shapes, and no others',
  }
  local of_part = {}
  local told = {
    file = 1, format = format, undecided = undecided,
    because_of = function(part)
      of_part[part] = of_part[part] or lists.append({
        { field = 'weights', text = because .. '; only the tensors can tell' },
      }, part.because)
      return of_part[part]
    end,
  }
  local layers = {}
  for _, stack in ipairs(conclusion.stacks) do
    local own = {}
    for _, part in ipairs(stack.parts) do
      limits.hold(path, 'experts', part.experts and part.experts.count or 0)
      add_part(own, part, stack, #layers > 0 and layers[#layers].index + 1 or 0, told)
      if part.learned then
        undecided[#undecided + 1] = 'the learned numbers of the activation'
      end
    end
    table.sort(own, function(a, b)
      return a.index < b.index or a.index == b.index and (a.part or 0) < (b.part or 0)
    end)
    lists.append(layers, own)
    if stack.rule.optional then
      undecided[#undecided + 1] = ('whether the model has the layers %s.*'):format(stack.rule.at[1])
    end
  end
  return layers, lists.unique(undecided)
end

--- Refuses options that are about tensors.
---@param path string
---@param options ImportOptions
---@param others string[]  names that are to be left out, of no key
---@param packing Quantized|nil
function M.check(path, options, others, packing)
  for _, name in ipairs { 'decode', 'float_activations' } do
    if options[name] then
      problems.usage('leave out --%s: it is about the numbers of tensors, and %s is alone',
        (name:gsub('_', '-')), record.shown(path))
    end
  end
  if options.also then
    problems.usage('leave out --also: %s is alone, and only the names and shapes of tensors tell '
      .. 'which products a model has', record.shown(path))
  end
  if #others > 0 then
    problems.bad_input('--leave', '%s has no key "%s", and no tensor is there: leave out the name',
      record.shown(path), record.shown(others[1]))
  end
  if packing and not options.has_weights then
    problems.bad_input(path, '%s is %s, %s: only the tensors tell the format of each matrix: put '
      .. 'the .safetensors files beside this file, or name the format with --weights',
      packing.key, packing.method, packing.reason)
  end
end

return M
