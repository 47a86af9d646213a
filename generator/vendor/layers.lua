--- The layers of a vendored folder as its templates say them: how each is called, what it
--- costs, how its weights are given.
local describe = require 'emit.describe'
local english = require 'lower.english'
local environment = require 'emit.environment'
local flat = require 'vendor.flat'
local kernels = require 'vendor.kernels'
local kernels_of = require 'vendor.kernels_of'
local lists = require 'common.list'
local prefix_words = require 'common.prefix_words'
local prefixes = require 'common.prefix'
local problems = require 'common.problem'
local record = require 'common.record'
local texts = require 'common.text'

local M = {}

--- Bytes of a row, where it is blocks of a format that takes no floats; else false.
---@param format Format
---@param inputs integer
local function blocks_of_row(format, inputs)
  return format.pack == false and inputs // format.source.k * format.source.bytes
end

--- How the matrices of a layer are spelled in an example.
---@param l Layer
---@param before string      what their names begin with
---@param kind string        of a matrix of a chain, in C
---@param parameters string  those that come with the weights, in C
---@return table[] matrices { weight =, bias =, inputs =, outputs =, format =, row_bytes = }
---@return string[] fields
---@return string form  which fields these are
local function fields_of(l, before, kind, parameters)
  local matrices, chain, fields, names = {}, {}, {}, {}
  for i, stage in ipairs(l.passes.forward) do
    local format = stage.stream.format
    for _, branch in ipairs(stage.stream.branches) do
      local field = branch.matrix ~= 'chain' and branch.matrix
      local own = field or l.beside and l.beside[i].name or i
      local m = {
        weight = before .. 'w_' .. own, bias = stage.stream.bias and before .. 'b_' .. own,
        inputs = stage.inputs, outputs = stage.outputs, format = format,
        row_bytes = blocks_of_row(format, stage.inputs),
      }
      matrices[#matrices + 1] = m
      local pair = ('{.weight = %s%s%s%s}'):format(m.weight,
        m.bias and ', .bias = ' .. m.bias or '',
        m.row_bytes and ', .source = FFN_SOURCE_' .. format.name:upper() or '',
        stage.arithmetic.scales == 'static' and ', .operand_scale = 0x1p-6f' or '')
      if field then
        fields[#fields + 1], names[#names + 1] = ('.%s = %s'):format(field, pair), field
      else
        chain[#chain + 1] = pair
      end
    end
  end
  if #chain > 0 then
    fields[1], names[1] = ('.chain = (const %s[]){%s}'):format(kind, table.concat(chain, ', ')),
      'chain'
  end
  if l.beside then names[#names + 1] = 'outputs' end
  if #l.runtime_parameters > 0 then
    fields[#fields + 1], names[#names + 1] = '.parameters = ' .. parameters, 'parameters'
  end
  return matrices, fields, table.concat(names, ' ')
end

--- The same of an ffn_weights.
local function weights_of(l)
  local ones = lists.map(l.runtime_parameters, function() return '1' end)
  return fields_of(l, '', 'ffn_linear', ('{%s}'):format(table.concat(ones, ', ')))
end

--- The same of an ffn_gradients, behind those of dx.
---@return string[]
local function gradients_of(l)
  local _, fields = fields_of(l, 'd_', 'ffn_linear_gradient', 'd_parameters')
  return lists.append({ '.dx = dx', ('.dx_stride = %d'):format(l.inputs) }, fields)
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
    packed_bytes = first.packed_bytes, saved_bytes = first.saved_bytes, work_bytes = work,
    drops = l.dropout,
  })
end

--- Fields with commas between them, each as a text of its own.
local function commas(fields)
  local last = #fields
  for i = 1, last - 1 do fields[i] = fields[i] .. ',' end
  return fields
end

--- Where a layer sums integers, false where it does not: in all of its stages, and whether a stage
--- takes what such a one gives.
local function integers_of(l)
  local stages = l.passes.forward
  local found = lists.filter(stages, function(stage) return stage.arithmetic.bound == 'bytes' end)
  return #found > 0 and record.strict('sums of integers', {
    everywhere = #found == #stages,
    taken = not l.beside and (#found > 1 or found[1] ~= stages[#stages]),
  })
end

--- One layer and those of the plans that are its kernels.
local function layer_of(root, s, layer_name, request)
  local function named(code) return prefixes.text(code, request.prefix) end
  local plans = kernels_of(s, layer_name, request.plans)
  local rows, fallback = {}, false
  local work = { rows = 1, row = 0, beside = 0 }
  for i, p in ipairs(plans) do
    local own = p.passes.forward.work
    rows[i] = {
      name = prefixes.symbol(p.name, request.prefix), work_bytes = own.most,
      one_token = own.row + own.beside, code = kernels.code_bytes(root, request, p),
    }
    fallback = fallback or p.isa.arch == ''
    for _, field in ipairs { 'rows', 'row', 'beside' } do
      work[field] = math.max(work[field], own[field])
    end
  end
  local first = plans[1]
  local in_place = #lists.filter(plans, function(p) return p.passes.forward.in_place end) == #plans
  local l = lists.filter(plans, function(p) return p.layer.max_tokens == (s.max_tokens or 0) end)[1]
    .layer
  local matrices, weights_fields, weights_form = weights_of(l)
  return record.strict('vendored layer', {
    spec = s.name, name = l.name, title = english.describe_layer(l), about = s.about,
    max_tokens = l.max_tokens,
    isas = table.concat(lists.map(plans, function(p) return p.isa.title end), ', '),
    fallback = fallback, kernels = rows,
    kernel = rows[1].name, guard = named(first.isa.arch),
    inputs = l.inputs, outputs = l.outputs, beside = l.beside, flop = l.flop_per_token,
    weight_count = l.flop_per_token // 2, packed_bytes = first.passes.forward.packed_bytes,
    work = record.strict('vendored work', work),
    bounds = lists.map(l.passes.forward, function(stage)
      return ('%s: %s'):format(stage.name, describe.error(stage))
    end),
    bounded = #lists.filter(l.passes.forward, function(stage)
      return not stage.arithmetic.bound
    end) == 0,
    integers = integers_of(l),
    matrices = matrices, training = training_of(l, plans), parameters = #l.runtime_parameters,
    gradient_fields = commas(lists.map(gradients_of(l), named)),
    weights_fields = commas(lists.map(weights_fields, named)), weights_form = weights_form,
    in_place = in_place, packed_hash = environment.name_hash(l.packed), flat = request.flat,
    embedded = request.weights and true or false,
  })
end

---@param root string the project's folder
---@param request VendorRequest
---@return table[]
function M.list(root, request)
  return lists.map(request.layers, function(l) return layer_of(root, l.spec, l.name, request) end)
end

--- What a layer adds to the names of C.
local function names_of(l, prefix)
  local names = {
    ('%s_%s'):format(prefix, l.spec), ('%s_%s_packed'):format(prefix, l.spec),
    ('%s_%s_INPUTS'):format(prefix, l.spec):upper(),
  }
  if l.training then names[#names + 1] = ('%s_%s_training'):format(prefix, l.spec) end
  if l.beside then names[#names + 1] = ('%s_%s_outputs'):format(prefix, l.spec) end
  return lists.unique(lists.append(names, l.flat and flat.names(l, prefix) or {}))
end

--- A name of a layer in C that is another's: of a system, in a text, of another layer; or nil.
---@param layers table[]
---@param prefix string
---@param code string
---@return string|nil name
---@return table|nil layer
function M.taken(layers, prefix, code)
  local seen = {}
  for _, l in ipairs(layers) do
    for _, taken in ipairs(names_of(l, prefix)) do
      if seen[taken] or prefix_words.is_declared(taken)
        or texts.has_word(code, taken) then
        return taken, l
      end
      seen[taken] = true
    end
  end
  return nil
end

--- The same, as an error.
function M.refuse_taken(layers, prefix, code)
  local taken, l = M.taken(layers, prefix, code)
  if taken then
    problems.bad_input(nil, 'layer "%s": the name is taken in C: %s is another\'s (rename the '
      .. 'layer)',
      l.spec, taken)
  end
end

--- The call that finds a layer's kernel, in C.
---@param cpu string
---@param prefix string
function M.find_call(l, cpu, prefix)
  local asked = prefixes.text(cpu, prefix)
  if l.max_tokens == 0 then return ('%s_find_layer("%s", %s)'):format(prefix, l.name, asked) end
  return ('%s_find_limited("%s", %d, %s)'):format(prefix, l.name, l.max_tokens, asked)
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
    lists.append(lines, texts.lines(parts, 94))
  end
  if l.about ~= '' then add('%s.', l.about) end
  if env.dispatch then
    add('The best kernel that this CPU allows, of: %s%s. The first call asks the CPU; later ones '
      .. 'read a pointer. To choose among fewer, or to ask anew:', l.isas,
      l.fallback and '' or '; NULL where it allows none of them')
    lines[#lines + 1] = M.find_call(l, 'ffn_cpu() & ...', env.prefix) .. '.'
  else
    add('Its one kernel, for %s. The CPU is not asked%s.', l.isas,
      l.guard ~= '' and '; NULL where this is not compiled for such a machine' or '')
  end
  return texts.comment(lines)
end

--- A constant of some fields, in lines.
---@param declared string  its type and its name
local function constant(declared, fields)
  local lines = texts.lines(fields, 80)
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
  return lists.append(constant('ffn_weights weights', l.weights_fields),
    { 'k->pack(packed, &weights);' })
end

--- What trains by a batch, behind its memory, in lines.
---@param l table
---@param tokens string  how many, in C
---@return string[]
function M.train_call(l, tokens)
  local lines = constant('ffn_weights weights', l.weights_fields)
  lists.append(lines, { 't->pack_train(packed, &weights);',
    ('ffn_run_train(t, y, %d, x, %d, %s, saved, packed, work, NULL, NULL);'):format(l.outputs,
      l.inputs, tokens) })
  lists.append(lines, constant('ffn_gradients to', l.gradient_fields))
  lines[#lines + 1] = ('ffn_grad(t, &to, dy, %d, x, %d, %s, saved, packed, work, NULL, NULL);')
    :format(l.outputs, l.inputs, tokens)
  return lines
end

--- Layers for examples: of those whose weights are of one form, the first.
---@return table[]
function M.examples(layers)
  local seen = {}
  return lists.filter(layers, function(l)
    local is_new = not seen[l.weights_form]
    seen[l.weights_form] = true
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
    lists.append(lines, M.pack_call(l))
  end
  local run, y = 'ffn_run(k', ('y, %d'):format(l.outputs)
  if l.beside then
    lists.append(lines, constant('ffn_destination to[]', commas(lists.map(l.beside, function(output)
      return ('{%s, %d}'):format(output.name, output.width)
    end))))
    run, y = ('ffn_run_to(ffn_%s_outputs()'):format(l.spec), 'to'
  end
  add('%s, %s, x, %d, %s, packed, work, %s, NULL);', run, y, l.inputs,
    env.freestanding and 'TOKENS' or 'tokens', env.freestanding and 'sizeof work' or 'bytes')
  if not env.freestanding then
    add('%sffn_free(work);', env.weights and '' or 'ffn_free(packed), ')
  end
  return lists.map(lines, function(line) return prefixes.text(line, env.prefix) end)
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
      { 'saved', 'SAVED_BYTES(TOKENS)' } } do
      lines[#lines + 1] = ('static _Alignas(FFN_ALIGNMENT) unsigned char %s[%s%s];'):format(
        memory[1], bytes, memory[2])
    end
  end
  lists.append(lines, M.train_call(l, 'tokens'))
  return lists.map(lines, function(line) return prefixes.text(line, env.prefix) end)
end

return M
