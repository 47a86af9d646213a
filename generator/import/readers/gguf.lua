--- Models in GGUF, as llama.cpp has them: one file, or shards. The architecture that a file names
--- has a rule, or the file is refused.
local architectures = require 'import.gguf.architectures'
local asked_products = require 'import.gguf.asked_products'
local blocks = require 'import.gguf.block_tensors'
local by_word = require 'import.gguf.by_word'
local disk = require 'common.disk'
local exclusions = require 'tensors.exclusions'
local gguf_model = require 'files.gguf_model'
local hosts = require 'import.gguf.host'
local key_values = require 'import.gguf.key_values'
local keys = require 'import.gguf.keys'
local layers = require 'import.gguf.layers'
local limits = require 'common.limits'
local lists = require 'common.list'
local problems = require 'common.problem'
local products = require 'import.products'
local record = require 'common.record'
local routers = require 'import.gguf.routers'
local tables = require 'import.gguf.tables'
local types = require 'files.ggml_types'
local variants = require 'import.gguf.variants'

local M = {
  about = 'GGUF, a file or the first of its shards',
  takes = { 'node', 'also', 'leave', 'decode', 'variant' },
}

function M.recognises(path)
  if disk.mode(path) ~= 'file' then return false end
  return path:lower():find '%.gguf$' ~= nil or disk.head(path, 4) == 'GGUF'
end

---@param asked string|nil  what --variant says
---@return GgufRule
local function rule_of(path, name, asked)
  local rule = architectures.of[name]
  if rule then return rule end
  if architectures.refused[name] then
    problems.bad_input(path, 'general.architecture is "%s", which is not taken: %s', name,
      architectures.refused[name])
  end
  if asked then return by_word.rule(path, name, asked) end
  problems.bad_input(path, 'general.architecture is "%s": ffngen has no rule for its feed-forward '
    .. 'layers%s; if you know what they are, add --variant swiglu, or another',
    record.shown(name), record.suggest(name, architectures.names))
end

--- The number of blocks of each stack.
local function counts_of(path, values, rule)
  local count = keys.size(path, values, rule.name .. '.block_count')
  local counts = { count }
  if #rule.stacks > 1 then
    counts[2] = keys.size(path, values, rule.name .. '.decoder_block_count', true) or count
  end
  for _, n in ipairs(counts) do
    if n < 1 then
      key_values.refuse(path, rule.name .. '.block_count', n, 'at least 1')
    end
    limits.hold(path, 'gguf_blocks', n)
  end
  return counts
end

--- The sizes that keys tell, of a block by its number.
---@return fun(number: integer): GgufSizes
local function sizes_of(path, values, rule, count)
  local function size(name, is_optional)
    return keys.size(path, values, ('%s.%s'):format(rule.name, name), is_optional)
  end
  local widths = keys.sizes(path, values, rule.name .. '.feed_forward_length', count) or {}
  local expert_widths =
    keys.sizes(path, values, rule.name .. '.expert_feed_forward_length', count) or {}
  local d_model = size 'embedding_length'
  local shared, shared_count = size('expert_shared_feed_forward_length', true),
    size('expert_shared_count', true)
  local experts, used = size('expert_count', true), size('expert_used_count', true)
  limits.hold(path, 'experts', experts or 0)
  return function(number)
    local dense = widths[number + 1]
    local expert = expert_widths[number + 1]
    return record.strict('GGUF sizes', {
      d_model = d_model, dense = dense or false, expert = expert or dense or false,
      shared = shared or shared_count and expert and shared_count * expert or false,
      experts = experts or false, used = used or false,
    })
  end
end

--- Which blocks have no experts, where the file says so.
local function check_dense(path, values, rule, found_blocks)
  local leading = keys.size(path, values, rule.name .. '.leading_dense_block_count', true)
  if not leading then return end
  for _, block in ipairs(found_blocks) do
    local is_dense = block.stems.ffn_up ~= nil
    if is_dense ~= (block.number < leading) and (is_dense or block.stems.ffn_gate_inp) then
      problems.bad_input(path, '%s.leading_dense_block_count is %d, and block %d has %s',
        rule.name, leading, block.number, is_dense and 'no experts' or 'experts')
    end
  end
end

local function has_blocks(model)
  for _, name in ipairs(model.names) do
    if types.by_name[model.tensors[name].type].numbers > 1 then return true end
  end
  return false
end

--- What keys tell of the host's part: a multiplier, and attention that takes the same.
---@return HostPart[]
local function host_of(path, values, rule)
  local host, key = {}, rule.residual and ('%s.%s'):format(rule.name, rule.residual)
  local times = values[key]
  if times ~= nil and type(times) ~= 'number' then
    key_values.refuse(path, key, times, 'a number')
  end
  local factor = times and ('%.9g (%s)'):format(times, key) or rule.residual_else
  if factor then
    host[1] = {
      place = 'after', what = 'multiplier',
      text = ('times %s, before the residual is added'):format(factor),
    }
  end
  key = rule.parallel and ('%s.%s'):format(rule.name, rule.parallel)
  if key and type(values[key]) ~= 'boolean' then
    key_values.refuse(path, key, values[key], 'true or false')
  end
  if key and values[key] then
    host[#host + 1] = {
      place = 'beside', what = 'attention',
      text = ('takes the block\'s input, as the norm does; both are added to it (%s)'):format(key),
    }
  end
  return host
end

local function about_of(rule, model)
  local name = model.keys['general.name']
  local about = {
    ('GGUF %d, architecture %s: %s'):format(model.version, rule.name, rule.source),
  }
  if type(name) == 'string' then table.insert(about, 1, record.shown(name, 80)) end
  return about
end

--- Only what is asked for by its name, `blk.3.ffn`, or by its block's, `blk.3`; and products.
---@param more table[]  products that are asked for
local function chosen(path, list, node, more)
  local wanted = not node and list or lists.filter(list, function(layer)
    return layer.at == node or layer.at:sub(1, #node + 1) == node .. '.'
  end)
  if node and #wanted + #more == 0 then
    problems.bad_input('--node', '%s has no layer "%s"%s', record.shown(path), record.shown(node),
      #list > 0 and (': from %s to %s'):format(list[1].at, list[#list].at) or '')
  end
  return #more > 0 and products.sorted(lists.append(wanted, more)) or wanted
end

--- The tensors of layers, and of products.
---@return table<string, boolean>
local function taken_of(list, more)
  local taken = {}
  for _, layer in ipairs(lists.append(lists.append({}, list), more)) do
    for _, m in ipairs(layer.matrices) do
      taken[m.weight.tensor] = true
      if m.bias then taken[m.bias.tensor] = true end
    end
  end
  return taken
end

---@param path string
---@param options ImportOptions
---@return table  what found.of() takes
function M.read(path, options)
  local model = gguf_model.open(path)
  local values = model.keys
  local rule = rule_of(path, keys.architecture(path, values), options.variant)
  local is_left = exclusions.test({
    path = path, keys = model.names, elsewhere = record.sorted_keys(values),
  }, options.leave, '--leave')
  keys.check(path, values, rule, is_left, has_blocks(model))
  local activation = rule.is_by_word and rule.activation
    or variants.activation(path, rule, options.variant)
  local counts = counts_of(path, values, rule)
  local sorted = blocks.of(path, model, rule, counts, is_left)
  local host, list, before, mixtures = host_of(path, values, rule), {}, 0, {}
  local also = not options.node and options.also or {}
  local router = routers.of(path, values, rule)
  for i, stack in ipairs(sorted.stacks) do
    local sizes = sizes_of(path, values, rule, counts[i])
    check_dense(path, values, rule, stack)
    for _, block in ipairs(stack) do
      model.heap:look()
      local parts, mixture = layers.of_block {
        path = path, rule = rule, activation = activation, sizes = sizes(block.number),
        block = block, host = host, router = router, decode = options.decode,
        wants_routers = also.router or false, wants_all = also.all or false,
      }
      for part, layer in ipairs(parts) do
        layer.index = before + block.number
        layer.part = layer.part or #parts > 1 and part - 1 or nil
        list[#list + 1] = layer
      end
      if mixture then
        mixture.index, mixtures[#mixtures + 1] = before + block.number, mixture
      end
    end
    before = before + counts[i]
  end
  products.expect_routers(path, options, mixtures)
  if not rule.is_by_word then variants.check(path, list, options.variant) end
  local more, taken = asked_products.of({
    path = path, values = values, rule = rule, blocks = sorted, counts = counts,
    taken = taken_of(list, {}),
  }, options)
  local files, all_taken = {}, taken_of(list, more)
  for i, file in ipairs(model.files) do
    files[i] = {
      path = file.path, bytes = file.bytes, spans = { { 0, file.header } }, xxh64 = file.xxh64,
    }
  end
  return {
    reader = 'gguf', path = path, about = about_of(rule, model), files = files,
    layers = chosen(path, list, options.node, more), mixtures = mixtures,
    left = blocks.left(sorted.host, taken),
    host = hosts.of(model, rule, counts, all_taken),
    rows = options.also and tables.of(model, all_taken, is_left) or {},
  }
end

return M
