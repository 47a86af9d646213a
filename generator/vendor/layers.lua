--- The layers of a vendored folder as its templates say them: how each is called, what it
--- costs, how its weights are given.
local describe = require 'emit.describe'
local english = require 'lower.english'
local kernels_of = require 'vendor.kernels_of'
local list = require 'common.list'
local prefixes = require 'common.prefix'
local problem = require 'common.problem'
local record = require 'common.record'
local text = require 'common.text'
local text_size = require 'vendor.text_size'

local M = {}

--- How the weights of a layer are spelled in an example.
---@param l Layer
---@return table[] matrices { weight =, bias =, inputs =, outputs = }
---@return string[] fields of an ffn_weights
local function weights_of(l)
  local matrices, chain, fields = {}, {}, {}
  for i, stage in ipairs(l.passes.forward) do
    for _, branch in ipairs(stage.stream.branches) do
      local field = branch.matrix ~= 'chain' and branch.matrix
      local m = {
        weight = 'w_' .. (field or i), bias = stage.stream.bias and 'b_' .. (field or i),
        inputs = stage.inputs, outputs = stage.outputs,
      }
      matrices[#matrices + 1] = m
      local pair = ('{%s, %s}'):format(m.weight, m.bias or 'NULL')
      if field then
        fields[#fields + 1] = ('.%s = %s'):format(field, pair)
      else
        chain[#chain + 1] = pair
      end
    end
  end
  if #chain > 0 then
    fields[1] = ('.chain = (const ffn_linear[]){%s}'):format(table.concat(chain, ', '))
  end
  if #l.runtime_parameters > 0 then
    local ones = list.map(l.runtime_parameters, function() return '1' end)
    fields[#fields + 1] = ('.parameters = {%s}'):format(table.concat(ones, ', '))
  end
  return matrices, fields
end

--- The same of an ffn_gradients.
local function gradients_of(l, fields)
  local gradients = list.map(fields, function(field)
    return (field:gsub('%f[%w]([wb]_)', 'd_%1'):gsub('ffn_linear%f[^%w_]', 'ffn_linear_gradient')
      :gsub('%.parameters = .*', '.parameters = d_parameters'))
  end)
  return list.append({ '.dx = dx', ('.dx_stride = %d'):format(l.inputs) }, gradients)
end

--- What training takes in memory, in bytes, on any instruction set; false where it is none.
---@param l Layer
---@param plans Plan[]  its kernels
local function training_of(l, plans)
  if not l.backward then return false end
  local first, work = plans[1].training, 0
  for _, p in ipairs(plans) do
    work = math.max(work, p.training.shared_bytes + p.training.thread_bytes)
  end
  return record.strict('vendored training', {
    packed_bytes = first.packed_bytes, saved_bytes = 4 * first.saved_row, work_bytes = work,
  })
end

--- Fields with commas between them, each as a text of its own.
local function commas(fields)
  local last = #fields
  for i = 1, last - 1 do fields[i] = fields[i] .. ',' end
  return fields
end

--- One layer and those of the plans that are its kernels.
local function layer_of(s, layer_name, request)
  local function named(code) return prefixes.text(code, request.prefix) end
  local plans = kernels_of(s, layer_name, request.plans)
  local kernels, fallback = {}, false
  local work = { rows = 1, row = 0, beside = 0 }
  for i, p in ipairs(plans) do
    local own = p.passes.forward.work
    kernels[i] = {
      name = prefixes.symbol(p.name, request.prefix), work_bytes = own.most,
      one_token = own.row + own.beside,
      text_bytes = text_size.estimate(p), text_bytes_fma = text_size.with_fma(p),
    }
    fallback = fallback or p.isa.arch == ''
    for _, field in ipairs { 'rows', 'row', 'beside' } do
      work[field] = math.max(work[field], own[field])
    end
  end
  local first = plans[1]
  local l = list.filter(plans, function(p) return p.layer.max_tokens == (s.max_tokens or 0) end)[1]
    .layer
  local matrices, weights_fields = weights_of(l)
  return record.strict('vendored layer', {
    spec = s.name, name = l.name, title = english.describe_layer(l), about = s.about,
    max_tokens = l.max_tokens,
    isas = table.concat(list.map(plans, function(p) return p.isa.title end), ', '),
    fallback = fallback, kernels = kernels,
    kernel = kernels[1].name, guard = named(first.isa.arch),
    inputs = l.inputs, outputs = l.outputs, flop = l.flop_per_token,
    weight_count = l.flop_per_token // 2, packed_bytes = first.passes.forward.packed_bytes,
    work = record.strict('vendored work', work),
    bounds = list.map(l.passes.forward, function(stage)
      return ('%s: %s'):format(stage.name, describe.error(stage))
    end),
    matrices = matrices, training = training_of(l, plans), parameters = #l.runtime_parameters,
    gradient_fields = commas(list.map(gradients_of(l, weights_fields), named)),
    weights_fields = commas(list.map(weights_fields, named)),
  })
end

---@param request Request
---@return table[]
function M.list(request)
  return list.map(request.layers, function(l) return layer_of(l.spec, l.name, request) end)
end

--- A name of a layer in C that is another's: in a text, or of another layer; or nil.
---@param layers table[]
---@param prefix string
---@param code string
---@return string|nil name
---@return table|nil layer
function M.taken(layers, prefix, code)
  local seen = {}
  for _, l in ipairs(layers) do
    for _, taken in ipairs {
      ('%s_%s'):format(prefix, l.spec), ('%s_%s_packed'):format(prefix, l.spec),
      ('%s_%s_INPUTS'):format(prefix, l.spec):upper(),
      l.training and ('%s_%s_training'):format(prefix, l.spec),
    } do
      if taken and (seen[taken] or code:find('%f[%w_]' .. taken .. '%f[^%w_]')) then
        return taken, l
      end
      if taken then seen[taken] = true end
    end
  end
  return nil
end

--- The same, as an error.
function M.refuse_taken(layers, prefix, code)
  local taken, l = M.taken(layers, prefix, code)
  if taken then
    problem.bad_input(nil, 'layer "%s": the name is taken in C: %s is another\'s (rename it)',
      l.spec, taken)
  end
end

--- The call that finds a layer's kernel, in C.
---@param cpu string
---@param prefix string
function M.find(l, cpu, prefix)
  local call = l.max_tokens == 0 and 'ffn_find_layer(NAME, CPU)'
    or ('ffn_find_limited(NAME, %d, CPU)'):format(l.max_tokens)
  return (prefixes.text(call:gsub('CPU', cpu), prefix):gsub('NAME', ('"%s"'):format(l.name)))
end

--- What a layer is and how its kernel is chosen, as a comment of C.
---@param env table of the templates
---@param l table
---@return string
function M.comment(env, l)
  local lines = { l.title .. '.' }
  local function add(sentence, ...)
    local parts = {}
    for part in sentence:format(...):gmatch('%S+') do parts[#parts + 1] = part end
    list.append(lines, text.lines(parts, 94))
  end
  if l.about ~= '' then add('%s.', l.about) end
  if env.dispatch then
    add('The best kernel that this CPU allows, of: %s%s. The first call asks the CPU; later ones '
      .. 'read a pointer. To choose among fewer, or to ask anew:', l.isas,
      l.fallback and '' or '; NULL where it allows none of them')
    lines[#lines + 1] = M.find(l, 'ffn_cpu() & ...', env.prefix) .. '.'
  else
    add('Its one kernel, for %s. The CPU is not asked%s.', l.isas,
      l.guard ~= '' and '; NULL where this is not compiled for such a machine' or '')
  end
  return text.comment(lines)
end

--- A constant of some fields, in lines.
---@param declared string  its type and its name
local function constant(declared, fields)
  local lines = text.lines(fields, 80)
  lines[#lines] = lines[#lines] .. '};'
  if #lines == 1 and #lines[1] < 60 then
    return { ('const %s = {%s'):format(declared, lines[1]) }
  end
  for i, line in ipairs(lines) do lines[i] = '    ' .. line end
  table.insert(lines, 1, ('const %s = {'):format(declared))
  return lines
end

--- What packs an example's weights, in lines.
---@param l table
---@return string[]
function M.pack_call(l)
  return list.append(constant('ffn_weights weights', l.weights_fields),
    { 'k->pack(packed, &weights);' })
end

--- What trains by a batch, behind its memory, in lines.
---@param l table
---@return string[]
function M.train_call(l)
  local lines = constant('ffn_weights weights', l.weights_fields)
  list.append(lines, { 't->pack_train(packed, &weights);',
    ('t->run_train(y, %d, x, %d, tokens, saved, packed, work, NULL, NULL);'):format(l.outputs,
      l.inputs) })
  list.append(lines, constant('ffn_gradients to', l.gradient_fields))
  lines[#lines + 1] = ('t->grad(&to, dy, %d, x, %d, tokens, saved, packed, work, NULL, NULL);')
    :format(l.outputs, l.inputs)
  return lines
end

--- Layers for examples: of those whose weights are of one form, the first.
---@return table[]
function M.examples(layers)
  local seen = {}
  return list.filter(layers, function(l)
    local form = table.concat(l.weights_fields):gsub('%b{}', '')
    local is_new = not seen[form]
    seen[form] = true
    return is_new
  end)
end

--- How a layer is run, for README and header.
---@param env table of the templates
---@param l table
---@return string[] lines
function M.usage(env, l)
  local bytes = ('FFN_%s_'):format(l.spec:upper())
  local lines = { ('const ffn_kernel *k = ffn_%s();'):format(l.spec) }
  local function add(line, ...) lines[#lines + 1] = line:format(...) end
  if env.freestanding then
    add('static _Alignas(FFN_ALIGNMENT) unsigned char work[%sWORK_BYTES(TOKENS)];', bytes)
    if not env.weights then
      add('static _Alignas(FFN_ALIGNMENT) unsigned char packed[%sPACKED_BYTES];', bytes)
    end
  else
    add 'const size_t bytes = ffn_work_bytes(k, 1, tokens);'
    add 'void *work = ffn_alloc(bytes);'
    if not env.weights then add 'void *packed = ffn_alloc(k->packed_bytes);' end
  end
  if env.weights then
    add('const void *packed = ffn_%s_packed();', l.spec)
  else
    list.append(lines, M.pack_call(l))
  end
  add('k->run(y, %d, x, %d, %s, packed, work, %s, NULL);', l.outputs, l.inputs,
    env.freestanding and 'TOKENS' or 'tokens', env.freestanding and 'sizeof work' or 'bytes')
  if not env.freestanding then
    add('%sffn_free(work);', env.weights and '' or 'ffn_free(packed), ')
  end
  return list.map(lines, function(line) return prefixes.text(line, env.prefix) end)
end

--- How a layer is trained, for README.
---@param env table of the templates
---@param l table
---@return string[] lines
function M.training_usage(env, l)
  local lines = {
    ('const ffn_training *t = ffn_%s_training();'):format(l.spec),
    'void *packed = ffn_alloc(t->packed_bytes), *work = ffn_alloc(ffn_train_work_bytes(t, 1));',
    'void *saved = ffn_alloc(ffn_saved_bytes(t, tokens));',
  }
  if env.freestanding then
    local bytes = ('FFN_%s_'):format(l.spec:upper())
    lines = { lines[1] }
    for _, memory in ipairs { { 'packed', 'TRAIN_PACKED_BYTES' }, { 'work', 'TRAIN_WORK_BYTES' },
      { 'saved', 'SAVED_BYTES * TOKENS' } } do
      lines[#lines + 1] = ('static _Alignas(FFN_ALIGNMENT) unsigned char %s[%s%s];'):format(
        memory[1], bytes, memory[2])
    end
  end
  list.append(lines, M.train_call(l))
  return list.map(lines, function(line) return prefixes.text(line, env.prefix) end)
end

return M
