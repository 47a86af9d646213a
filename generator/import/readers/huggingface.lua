--- A model of Hugging Face: a folder with config.json, whose rule tells what its layers are, and
--- safetensors, whose headers tell where they lie. Every tensor of a layer is taken, known to be
--- another part of the block, or refused.
local conclude = require 'import.conclude'
local config_alone = require 'import.huggingface.config_alone'
local configs = require 'import.config'
local disk = require 'common.disk'
local exclusions = require 'tensors.exclusions'
local hosts = require 'import.huggingface.host'
local layer_by_node = require 'import.layer_by_node'
local lists = require 'common.list'
local mixture = require 'import.huggingface.mixture'
local model_folder = require 'files.model_folder'
local one_layer = require 'import.huggingface.layer'
local other_tensors = require 'import.other_tensors'
local problems = require 'common.problem'
local products = require 'import.products'
local huggingface_products = require 'import.huggingface.products'
local quantized = require 'import.quantized'
local random_access = require 'files.random_access'
local record = require 'common.record'
local safetensors = require 'import.readers.safetensors'
local tables = require 'import.tables'
local xxh64 = require 'files.xxh64'

local M = {
  about = 'a folder of Hugging Face: config.json beside safetensors, by the rule of its family',
  takes = { 'node', 'also', 'leave', 'decode', 'float_activations', 'variant', 'order' },
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
    problems.bad_input(model.path, 'it has layers at "%s" and at "%s", which are two models: '
      .. 'import one model alone', here[1], here[2])
  end
  if #here == 0 and not stack.optional then
    problems.bad_input(model.path, 'there is no tensor "%s.0...", where the rule has the layers%s',
      stack.at[1], #model.keys > 0 and ('; the first is "%s"'):format(record.shown(model.keys[1],
        80)) or '')
  end
  return here[1]
end

-- The model --------------------------------------------------------------------------------------

--- The layers of a stack, and the blocks that they stand in.
---@param blocks Block[]
---@param mixtures table[]
local function add_stack(r, found, stack, beyond, layers, blocks, mixtures)
  local at = place_of(r.model, found, stack.rule)
  if not at then
    r.about[#r.about + 1] = ('no layers at "%s": its tensors are not there'):format(
      stack.rule.at[1])
    return
  end
  stack.here = at
  local before = #layers > 0 and layers[#layers].index + 1 or 0
  local of_number, is_whole = {}, {}
  for _, part in ipairs(stack.parts) do
    for _, n in ipairs(part.layers) do of_number[n] = part end
    is_whole[part] = mixture.is_whole(r, part, at)
  end
  for n = 0, stack.count - 1 do
    local part, prefix = of_number[n], ('%s.%d.'):format(at, n)
    if not found[at][n] then
      problems.bad_input(r.model.path, 'no tensor "%s...", and config.json says %d layers', prefix,
        stack.count)
    end
    r.model.heap:look()
    blocks[#blocks + 1] = {
      prefix = prefix, index = before + n, rests = found[at][n], stack = stack,
    }
    one_layer.add(r, part, prefix, before + n, layers, is_whole[part])
    if is_whole[part] then mixture.add(r, part, prefix, before + n, layers, mixtures) end
    one_layer.check_block(r, part, prefix, found[at][n])
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

--- A config.json, all of which was read.
local function file_of(config)
  return {
    path = config.path, bytes = #config.text, spans = { { 0, #config.text } },
    xxh64 = xxh64.of(config.text),
  }
end

--- Files, each with the spans that were read of it.
local function files_of(model, spans, config)
  local files = {}
  for i, file in ipairs(model.files) do
    local own = lists.filter(spans, function(s) return s.file == i end)
    table.sort(own, function(a, b) return a.first < b.first end)
    local all, texts = { file.spans[1] }, nil
    if #own > 0 then
      texts = { random_access.with(file.path, function(handle)
        return random_access.slice(handle, 0, file.spans[1][2])
      end) }
    end
    for _, s in ipairs(own) do
      local last = all[#all]
      if #all > 1 and last[1] + last[2] == s.first then -- many small tensors lie side by side
        last[2] = last[2] + s.count
      else
        all[#all + 1] = { s.first, s.count }
      end
      texts[#texts + 1] = s.bytes
    end
    files[i] = {
      path = file.path, bytes = file.bytes, spans = all,
      xxh64 = texts and xxh64.of(table.concat(texts)) or file.xxh64,
    }
  end
  files[#files + 1] = file_of(config)
  return files
end

--- Files of tensors in a folder: those of an adapter, and others.
local function tensor_files(names)
  local own, others = {}, {}
  for _, name in ipairs(record.sorted_keys(names)) do
    local is_file = name:find '%.safetensors$' or name:find '%.safetensors%.index%.json$'
    if is_file then table.insert(name:find '^adapter_model' and own or others, name) end
  end
  return own, others
end

--- Refuses an adapter, which is no model, unless it is told to be left out.
local function refuse_adapter(folder, names, is_left)
  if not names[adapter_name] or is_left then return end
  local merge = ('merge it first: python3 -c "from peft import AutoPeftModelForCausalLM as A; '
    .. "A.from_pretrained('%s').merge_and_unload().save_pretrained('merged')\""):format(
    record.shown(folder))
  if not names[config_name] then
    problems.bad_input(folder .. '/' .. adapter_name, 'this is an adapter such as LoRA, which is '
      .. 'added to a model: %s', merge)
  end
  local own, others = tensor_files(names)
  problems.bad_input(folder, 'it has an adapter such as LoRA (%s) and a model (%s), to which it is '
    .. 'added: %s, or --leave %s for the model without it',
    table.concat(lists.map(lists.append({ adapter_name }, own), record.shown), ', '),
    table.concat(lists.map(lists.append({ config_name }, others), record.shown), ', '), merge,
    adapter_name)
end

--- What has the model's tensors: the folder, or where it has an adapter's, too, the other file.
local function weights_of(folder, names)
  local own, others = tensor_files(names)
  local indices = lists.filter(others, function(name) return name:find '%.json$' ~= nil end)
  local one = #indices == 1 and indices[1] or #others == 1 and others[1]
  return #own > 0 and one and folder .. '/' .. one or folder
end

--- Files that tell how rows are packed where config.json does not: what the first versions of
--- programs wrote, and by which method.
local beside = {
  ['quantize_config.json'] = 'gptq', ['quant_config.json'] = 'awq',
  ['hf_quant_config.json'] = 'modelopt',
}

--- Why rows may be no plain numbers, or false.
---@param packing Quantized|nil
---@param names table<string, boolean>  in the folder
local function reason_of(packing, names)
  if packing then return ('%s is %s, %s'):format(packing.key, packing.method, packing.reason) end
  for _, name in ipairs(record.sorted_keys(beside)) do
    if names[name] then
      return ('%s tells how rows are packed, and config.json does not: put what it says into '
        .. 'config.json, as "quantization_config", with "quant_method": "%s" in it'):format(name,
        beside[name])
    end
  end
  return false
end

--- Rows are plain numbers where a file beside says that they are packed: whoever knows better says
--- so.
---@param names table<string, boolean>  in the folder
local function check_plain(folder, names, options, reason)
  for _, name in ipairs(record.sorted_keys(beside)) do
    if names[name] and not lists.has(options.leave, name) then
      problems.bad_input(folder .. '/' .. name,
        '%s; the tensors hold plain numbers: add --leave %s to import them', reason, name)
    end
  end
end

--- What a config.json tells where no tensors are beside it.
local function read_alone(path, options, config, conclusion, packing)
  local layers, undecided = config_alone.of(config.path, conclusion, packing)
  conclusion.about[#conclusion.about + 1] = 'From config.json alone. Only the tensors can tell:'
  return {
    reader = 'huggingface', path = path, about = lists.append(conclusion.about, undecided),
    files = { file_of(config) }, layers = layer_by_node.of(path, layers, options.node),
    left = {}, undecided = undecided,
  }
end

--- A model whose model_type has no rule, by the user's word: names of tensors tell which modules
--- are layers, and --variant what they compute.
---@param config Config
---@param weights string  the folder, or the file of the model's tensors in it
local function read_by_word(path, options, config, packing, weights)
  if packing then
    config:refuse('%s is %s, and no rule tells what this model_type computes: --variant takes '
      .. 'plain numbers alone', packing.key, packing.method)
  end
  local found = safetensors.read(weights, options)
  found.path, found.files[#found.files + 1] = path, file_of(config)
  table.insert(found.about, 1, ('model_type %s has no rule: layers by the names of their tensors, '
    .. 'what they compute by --variant %s; nothing tells what lies around them'):format(
    record.shown(config:get 'model_type'), options.variant))
  return found
end

---@param path string
---@param options ImportOptions
function M.read(path, options)
  local folder = folder_of(path)
  local names = lists.set(disk.list(folder))
  local is_alone = lists.has(options.leave, adapter_name)
  refuse_adapter(folder, names, is_alone)
  local config = configs.open(model_folder.inside(folder, config_name, folder))
  local packing = quantized.of(config)
  if options.variant and conclude.is_unknown(config) then
    return read_by_word(path, options, config, packing,
      is_alone and weights_of(folder, names) or folder)
  end
  for _, name in ipairs { 'variant', 'order' } do
    if options[name] then
      problems.usage('leave out --%s: config.json tells it; the .safetensors file alone, without '
        .. 'config.json, is read by the names of its tensors and takes this option', name)
    end
  end
  local keys = lists.filter(options.leave, function(name) return config:has(name) end)
  local others = lists.filter(options.leave, function(name)
    return not config:has(name) and not ((name == adapter_name or beside[name]) and names[name])
  end)
  local function is_left_key(key) return lists.has(keys, key) end
  quantized.check(config, packing, is_left_key)
  local conclusion = conclude.of(config, is_left_key)
  local own, weights = tensor_files(names)
  if options.spec_only and #own == 0 and #weights == 0 then
    local packed = packing and not is_left_key(packing.key) and packing or nil
    config_alone.check(config.path, options, others, packed)
    return read_alone(path, options, config, conclusion, packed)
  end
  local model = model_folder.open(is_alone and weights_of(folder, names) or folder)
  local r = {
    model = model, options = options, quantized = packing, taken = {}, spans = {}, read = {},
    about = conclusion.about, is_left_key = is_left_key,
    is_left = exclusions.test({ path = path, keys = model.keys, elsewhere = {} }, others,
      '--leave'),
    reason = reason_of(packing, names),
  }
  local layers, found, blocks, mixtures = {}, numbered(model), {}, {}
  for _, stack in ipairs(conclusion.stacks) do
    add_stack(r, found, stack, conclusion.beyond, layers, blocks, mixtures)
  end
  products.expect_routers(path, options, mixtures)
  if #layers == 0 then
    problems.bad_input(path, 'its tensors have no layer of the rule')
  end
  layers = huggingface_products.added(r, blocks, conclusion, layers)
  exclusions.check_model(lists.filter(model.keys, function(key) return r.taken[key] end), others)
  if packing then
    conclusion.about[#conclusion.about + 1] = ('%s is %s; %s'):format(packing.key, packing.method,
      r.rule and r.rule.about or 'these rows are dense')
  end
  if r.reason and not packing then check_plain(folder, names, options, r.reason) end
  if r.rule and r.rule.activations then
    conclusion.about[#conclusion.about + 1] = ('The origin rounds what goes into each product (%s);'
      .. ' here x and h stay floats, by --float-activations: another function than the origin\'s')
      :format(r.rule.activations)
  end
  return {
    reader = 'huggingface', path = path, about = conclusion.about,
    files = files_of(model, r.spans, config),
    layers = layer_by_node.of(path, layers, options.node),
    mixtures = mixtures, left = other_tensors.of(model.keys, r.taken),
    host = hosts.of(r, conclusion),
    rows = options.also and tables.of(model, r.taken, huggingface_products.is_other(r)) or {},
  }
end

return M
