--- A model of Hugging Face: a folder with config.json, whose rule tells what its layers are, and
--- safetensors, whose headers tell where they lie. Every tensor of a layer is taken, known to be
--- another part of the block, or refused.
local activations = require 'activation'
local chosen = require 'import.chosen'
local conclude = require 'import.conclude'
local configs = require 'import.config'
local disk = require 'common.disk'
local leaving = require 'tensors.leaving'
local left = require 'import.left'
local lists = require 'common.list'
local model_folder = require 'files.model_folder'
local numbers = require 'files.numbers'
local opened = require 'files.opened'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local quantized = require 'import.quantized'
local record = require 'common.record'
local rows = require 'import.rows'
local xxh64 = require 'files.xxh64'

local M = {
  about = 'a folder of Hugging Face: config.json beside safetensors, by the rule of its family',
  takes = { 'node', 'leave' },
}

local config_name, adapter_name = 'config.json', 'adapter_config.json'

local function folder_of(path)
  local folder = path:match '^(.*)/config%.json$' or path:match '^(.*)/adapter_config%.json$'
    or (path == config_name or path == adapter_name) and '.'
  return folder or path:match '^(.-)/*$'
end

--- Whether a path is what this reads: a look at names alone.
---@param path string
function M.recognises(path)
  local folder = folder_of(path)
  if folder ~= path and not path:find '/$' and disk.mode(path) ~= 'file' then return false end
  if not disk.is_folder(folder) then return false end
  local names = lists.set(disk.list(folder))
  return names[config_name] or names[adapter_name] or false
end

-- Names of tensors -------------------------------------------------------------------------------

---@class Numbered  tensors of numbered layers: at 'model.layers', by number, what is behind it
---@field [string] table<integer, string[]>

--- Every tensor by the name in front of its first number, the number, and what is behind.
---@param model ModelFolder
local function numbered(model)
  local result = {}
  for _, key in ipairs(model.keys) do
    local at, digits, rest = key:match '^(.-)%.(%d+)%.(.+)$'
    local n = digits and #digits <= 6 and math.tointeger(tonumber(digits))
    if n and tostring(n) == digits then
      result[at] = result[at] or {}
      local layer = result[at][n] or {}
      result[at][n], layer[#layer + 1] = layer, rest
    end
  end
  return result
end

--- Which of a stack's names a file has.
local function place_of(model, found, stack)
  local here = lists.filter(stack.at, function(at) return found[at] ~= nil end)
  if #here > 1 then
    problems.bad_input(model.path, 'it has layers at "%s" and at "%s": one of them is another '
      .. 'model', here[1], here[2])
  end
  if #here == 0 and not stack.optional then
    problems.bad_input(model.path, 'no tensor "%s.0...", where the rule has its layers%s',
      stack.at[1], #model.keys > 0 and ('; the first is "%s"'):format(record.shown(model.keys[1],
        80)) or '')
  end
  return here[1]
end

-- One layer --------------------------------------------------------------------------------------

---@class Reading
---@field model ModelFolder
---@field reason string|false  why rows may be no plain numbers
---@field taken table<string, boolean>
---@field about string[]
---@field is_left fun(key: string): boolean

--- A name of a rule, of an expert.
local function name_of(name, expert) return (name:gsub('{expert}', tostring(expert))) end

--- The names of a layer's matrices that its file has.
---@param r Reading
---@param part Part
---@return NameRule
local function names_of(r, part, prefix)
  return lists.filter(part.names, function(names)
    local down = prefix .. part.inside .. name_of(names.down, 0)
    return r.model.shapes[down .. (names.bare and '' or '.weight')] ~= nil
  end)[1] or part.names[1]
end

--- Why a tensor that should be there is not.
local function refuse_missing(r, key)
  local module = key:gsub('%.weight$', '')
  local others = lists.filter(r.model.keys, function(other) return paths.is_of(other, module) end)
  local shown = #others > 0 and ('; "%s" is there'):format(record.shown(others[1], 80)) or ''
  problems.bad_input(r.model.path, 'no tensor "%s"%s%s', record.shown(key, 80), shown,
    r.reason and ': ' .. r.reason or '')
end

--- A tensor of a layer, where it lies.
local function placed(r, key, wanted)
  if not r.model.shapes[key] then refuse_missing(r, key) end
  r.taken[key] = true
  return rows.of(r.model, key, wanted, r.reason)
end

--- A matrix and its bias.
---@param r Reading
---@param part Part
---@param role string
---@param name string  of its module
---@param w Wanted
local function matrix_of(r, part, role, name, names, w)
  local key = names.bare and name or name .. '.weight'
  local bias = names.bare and name .. '_bias' or name .. '.bias'
  local has = r.model.shapes[bias] ~= nil
  if has ~= part.bias[role] then
    problems.bad_input(r.model.path, '"%s" is %s, and by its config %s has %s bias', record.shown(
      bias, 80), has and 'there' or 'not there', role, part.bias[role] and 'a' or 'no')
  end
  return {
    role = role, outputs = w.outputs, inputs = w.inputs, weight = placed(r, key, w),
    bias = has and placed(r, bias, {
      outputs = w.outputs, inputs = false, in_out = false, order = w.order, half = w.half,
      experts = w.experts, expert = w.expert,
    }) or nil,
  }
end

--- The matrices of a layer.
---@param r Reading
---@param part Part
local function matrices_of(r, part, names, prefix, expert)
  local result, f = {}, part.fields
  local experts = names.stacked and part.experts and part.experts.count or false
  local function add(role, name, outputs, inputs, order, half)
    local module = prefix .. part.inside .. name_of(name, expert)
    result[#result + 1] = matrix_of(r, part, role, module, names, {
      outputs = outputs, inputs = inputs, in_out = names.in_out or false, order = order or false,
      half = half or 1, experts = experts, expert = experts and expert or 0,
    })
  end
  if names.fused then
    add('gate', names.fused, f.d_ff, f.d_model, names.order, 1)
    add('up', names.fused, f.d_ff, f.d_model, names.order, 2)
  else
    if part.gated then add('gate', names.gate, f.d_ff, f.d_model) end
    add('up', names.up, f.d_ff, f.d_model)
  end
  add('down', names.down, f.d_model, f.d_ff)
  return result
end

--- A number of a tensor that is one number.
local function number_of(r, key, spans)
  local tensor = r.model.stored[key]
  if not tensor then refuse_missing(r, key) end
  local size = ({ F32 = 4, BF16 = 2, F16 = 2 })[tensor.dtype]
  if not size or tensor.bytes ~= size then
    problems.bad_input(r.model.files[tensor.file].path, '"%s" is no single number in F32, BF16 or '
      .. 'F16', record.shown(key, 80))
  end
  local bytes = opened.with(r.model.files[tensor.file].path, function(handle)
    return opened.slice(handle, tensor.first, size)
  end)
  spans[#spans + 1] = { file = tensor.file, first = tensor.first, count = size, bytes = bytes }
  local value = tensor.dtype == 'F32' and string.unpack('<f', bytes)
    or numbers['of_' .. tensor.dtype:lower()](string.unpack('<I' .. size, bytes))
  if value ~= value or math.abs(value) == math.huge then
    problems.bad_input(r.model.files[tensor.file].path, '"%s" is %s: no parameter of an activation',
      record.shown(key, 80), value)
  end
  return value
end

--- Numbers that a layer has learned for its activation.
---@param r Reading
---@param part Part
local function parameters_of(r, part, names, prefix, spans)
  if not part.learned then return {} end
  local module = prefix .. part.inside .. names.learned
  for _, fixed in ipairs { { 'beta', 0.5, 0 }, { 'eps', -1e-6, 1e-8 } } do
    local key = module .. '.' .. fixed[1]
    if r.model.shapes[key] then
      local value = number_of(r, key, spans)
      r.taken[key] = true
      if value ~= value or math.abs(value - fixed[2]) > fixed[3] then
        problems.bad_input(r.model.path, '"%s" is %.9g: %s is defined with %g', record.shown(key,
          80), value, part.fields.variant, fixed[2])
      end
    end
  end
  return lists.map(activations.by_name.xielu.parameters, function(name)
    local key = module .. '.' .. name
    local value = number_of(r, key, spans)
    r.taken[key] = true
    return value
  end)
end

--- What lies around a layer, with the names of its tensors.
local function around_of(r, part, prefix)
  local result = {}
  for _, a in ipairs(part.around) do
    local key = a.tensor and prefix .. a.tensor
    local has = key and r.model.shapes[key] ~= nil
    if key and not has then -- as the first of BERT call it
      local older = key:gsub('%.weight$', '.gamma')
      has = r.model.shapes[older] ~= nil
      if has then key = older end
    end
    if key and not has and not a.optional then refuse_missing(r, key) end
    if not key or has then
      result[#result + 1] = { place = a.place, what = a.what, tensor = key, text = a.text }
    end
  end
  return result
end

--- Refuses what stands in a block and is no known part of it.
local function check_block(r, part, prefix, rests)
  for _, rest in ipairs(rests) do
    local key = prefix .. rest
    local is_known = r.taken[key] or r.is_left(key)
    for _, module in ipairs(is_known and {} or part.beside) do
      is_known = is_known or paths.is_of(rest, module)
    end
    if not is_known then
      local shown, file = record.shown(key, 80), r.model.files[r.model.stored[key].file]
      problems.bad_input(file.path, '"%s" stands in the block of a layer, and no rule knows it: it '
        .. 'may lie between its matrices%s. Where it does not, --leave %s', shown,
        r.reason and ' (' .. r.reason .. ')' or '', shown)
    end
  end
end

--- What the names of two modules begin with, whole modules: mlp. of mlp.fc1 and mlp.fc2.
local function shared_module(a, b)
  local module = ''
  for part in a:gmatch '[^.]+%.' do
    if b:sub(1, #module + #part) ~= module .. part then break end
    module = module .. part
  end
  return module
end

--- Adds a layer, or the experts of one.
---@param r Reading
---@param part Part
---@param prefix string
---@param index integer
local function add_layer(r, part, prefix, index, layers, spans)
  local names, around = names_of(r, part, prefix), around_of(r, part, prefix)
  local module = prefix .. part.inside .. shared_module(names.fused or names.up, names.down)
  for expert = 0, part.experts and part.experts.count - 1 or 0 do
    local at = name_of(module, expert):gsub('%.$', '')
    layers[#layers + 1] = {
      index = index, part = part.experts and expert or nil,
      at = names.stacked and ('%s.%d'):format(at, expert) or at, kind = 'ffn',
      fields = part.fields, because = part.because,
      matrices = matrices_of(r, part, names, prefix, expert),
      parameters = parameters_of(r, part, names, prefix, spans), around = around,
    }
  end
end

-- The model --------------------------------------------------------------------------------------

--- The layers of a stack.
local function add_stack(r, found, stack, beyond, layers, spans)
  local at = place_of(r.model, found, stack.rule)
  if not at then
    r.about[#r.about + 1] = ('no layers at "%s": its tensors are not there'):format(
      stack.rule.at[1])
    return
  end
  local before = #layers > 0 and layers[#layers].index + 1 or 0
  local of_number = {}
  for _, part in ipairs(stack.parts) do
    for _, n in ipairs(part.layers) do of_number[n] = part end
  end
  for n = 0, stack.count - 1 do
    local part, prefix = of_number[n], ('%s.%d.'):format(at, n)
    if not found[at][n] then
      problems.bad_input(r.model.path, 'no tensor "%s...", and config.json says %d layers', prefix,
        stack.count)
    end
    add_layer(r, part, prefix, before + n, layers, spans)
    check_block(r, part, prefix, found[at][n])
  end
  for _, n in ipairs(lists.filter(record.sorted_keys(found[at]), function(n)
    return n >= stack.count
  end)) do
    local kept = n >= stack.count + beyond and lists.filter(found[at][n], function(rest)
      return not r.is_left(('%s.%d.%s'):format(at, n, rest))
    end)
    if not kept then
      r.about[#r.about + 1] = ('"%s.%d" is a layer beyond those that config.json counts: not taken')
        :format(at, n)
    elseif #kept > 0 then
      problems.bad_input(r.model.path, '"%s.%d.%s" is there, and config.json says %d layers', at, n,
        record.shown(found[at][n][1], 80), stack.count)
    end
  end
end

--- Files, each with the spans that were read of it.
local function files_of(model, spans, config)
  local files = {}
  for i, file in ipairs(model.files) do
    local own = lists.filter(spans, function(s) return s.file == i end)
    table.sort(own, function(a, b) return a.first < b.first end)
    local all, texts = { file.spans[1] }, nil
    if #own > 0 then
      texts = { opened.with(file.path, function(handle)
        return opened.slice(handle, 0, file.spans[1][2])
      end) }
    end
    for _, s in ipairs(own) do
      all[#all + 1], texts[#texts + 1] = { s.first, s.count }, s.bytes
    end
    files[i] = {
      path = file.path, bytes = file.bytes, spans = all,
      xxh64 = texts and xxh64.of(table.concat(texts)) or file.xxh64,
    }
  end
  files[#files + 1] = {
    path = config.path, bytes = #config.text, spans = { { 0, #config.text } },
    xxh64 = xxh64.of(config.text),
  }
  return files
end

--- Refuses an adapter, which is no model.
local function refuse_adapter(folder, names)
  if names[adapter_name] and not names[config_name] then
    problems.bad_input(folder .. '/' .. adapter_name, 'an adapter such as LoRA is added to a '
      .. 'model: merge it first: python3 -c "from peft import AutoPeftModelForCausalLM as A; '
      .. "A.from_pretrained('%s').merge_and_unload().save_pretrained('merged')\"",
      record.shown(folder))
  end
end

---@param path string
---@param options ImportOptions
function M.read(path, options)
  local folder = folder_of(path)
  local names = lists.set(disk.list(folder))
  refuse_adapter(folder, names)
  local config = configs.open(model_folder.inside(folder, config_name, folder))
  local keys = lists.filter(options.leave, function(name) return config:has(name) end)
  local others = lists.filter(options.leave, function(name) return not config:has(name) end)
  local method, reason = quantized.of(config)
  local conclusion = conclude.of(config, function(key) return lists.has(keys, key) end)
  local model = model_folder.open(folder)
  local r = {
    model = model, taken = {}, about = conclusion.about,
    is_left = leaving.test({ path = path, keys = model.keys, elsewhere = {} }, others, '--leave'),
    reason = method and ('quantization_config is %s, %s'):format(method, reason) or false,
  }
  local layers, spans, found = {}, {}, numbered(model)
  for _, stack in ipairs(conclusion.stacks) do
    add_stack(r, found, stack, conclusion.beyond, layers, spans)
  end
  if #layers == 0 then
    problems.bad_input(path, 'no layer of the rule is in its tensors')
  end
  leaving.check_model(lists.filter(model.keys, function(key) return r.taken[key] end), others)
  if method then
    conclusion.about[#conclusion.about + 1] = ('quantization_config is %s; these rows are dense')
      :format(method)
  end
  return {
    reader = 'huggingface', path = path, about = conclusion.about,
    files = files_of(model, spans, config),
    layers = chosen.of(path, layers, options.node), left = left.of(model.keys, r.taken),
  }
end

return M
