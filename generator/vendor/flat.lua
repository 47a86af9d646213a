--- The flat functions of a vendored folder (`--flat`): a layer's kernel as functions and constants
--- that languages which translate headers understand, as their templates say them.
local lists = require 'common.list'
local prefixes = require 'common.prefix'
local record = require 'common.record'
local texts = require 'common.text'

local M = {}

-- As ffn_train.h has them: FFN_TOKEN_BLOCK and FFN_SAVED_HEADER.
local saved_block, saved_header = 128, 64

local rows = { 'float *y', 'size_t y_stride', 'const float *x', 'size_t x_stride', 'size_t tokens' }
local work = { 'void *work', 'size_t work_bytes' }
local host = { 'size_t threads', 'ffn_flat_host host', 'void *pool' }

local function joined(...)
  local all = {}
  for _, part in ipairs { ... } do lists.append(all, part) end
  return all
end

--- A layer's tensors as arguments: matrices, biases, what comes with the weights.
---@param l table  a layer of vendor.layers
---@param kind string    of a pointer, in C
---@param before string  what names begin with
---@return string[]
local function tensors(l, kind, before)
  local list = {}
  for _, m in ipairs(l.matrices) do
    list[#list + 1] = kind .. before .. m.weight
    if m.bias then list[#list + 1] = kind .. before .. m.bias end
  end
  if l.parameters > 0 then list[#list + 1] = kind .. before .. 'parameters' end
  return list
end

--- What the tensors of a layer are, in words.
local function shapes(l)
  local parts = {}
  for _, m in ipairs(l.matrices) do
    local stored = m.format.source and (' (stored as %s)'):format(m.format.name) or ''
    parts[#parts + 1] = ('%s[%d][%d]%s'):format(m.weight, m.outputs, m.inputs, stored)
    if m.bias then parts[#parts + 1] = ('%s[%d]'):format(m.bias, m.outputs) end
  end
  if l.parameters > 0 then parts[#parts + 1] = ('parameters[%d]'):format(l.parameters) end
  return table.concat(parts, ', ')
end

---@class FlatFunction
---@field name string     behind that of the layer
---@field result string
---@field arguments string[]
---@field about string    a sentence or some, '' where the one before says it

local function asking(name, result, arguments, about)
  return record.strict('flat function', {
    name = name, result = result, arguments = arguments, about = about,
  })
end

local function status(name, arguments, about)
  return asking(name, 'ffn_flat_status ', arguments, about)
end

--- A function, and behind it the same on a host's threads.
local function with_threads(name, arguments, about)
  return {
    status(name, arguments, about),
    status(name .. '_threads', joined(arguments, host), ''),
  }
end

--- What runs a layer.
---@return FlatFunction[]
local function running(l)
  local packed = l.embedded and {} or { 'const void *packed', 'size_t packed_bytes' }
  local list = {
    asking('kernel_name', 'const char *', {}, 'The name of the kernel that serves this CPU; NULL '
      .. 'where none does, and the functions below say FFN_FLAT_NO_KERNEL.'),
    asking('work_bytes', 'size_t ', { 'size_t threads', 'size_t tokens' },
      'Bytes of work memory for that many threads and at most so many tokens in a call (0 counts '
      .. 'as 1 of both). SIZE_MAX where that overflows, 0 where no kernel serves this CPU.'),
  }
  if not l.embedded then
    lists.append(list, {
      asking('packed_bytes', 'size_t ', {}, ('FFN_%s_PACKED_BYTES, as the library that is linked '
        .. 'has it; 0 where no kernel serves this CPU.'):format(l.spec:upper())),
      status('pack', joined({ 'void *packed', 'size_t packed_bytes' },
        tensors(l, 'const float *', '')), ('Packs weights, dense rows [out][in] as those of '
        .. 'torch.nn.Linear: %s. None may be NULL; none is needed afterwards.'):format(shapes(l))),
      status('unpack', joined(tensors(l, 'float *', ''), packed),
        'The way back. What is NULL is passed over.'),
    })
  end
  lists.append(list, with_threads('run', joined(rows, packed, work), 'y = layer(x). '
    .. (l.in_place and 'y may be x, with the same stride, of a row at least.'
      or 'y must not overlap x.')))
  local added = { rows[1], rows[2], 'float scale', rows[3], rows[4], rows[5] }
  return lists.append(list, with_threads('add', joined(added, packed, work),
    'y += scale * layer(x), which rounds once more.'))
end

--- What trains it.
---@return FlatFunction[]
local function learning(l)
  local packed = { 'const void *packed', 'size_t packed_bytes' }
  local drops = l.training.drops and { 'const ffn_flat_dropout *dropout' } or {}
  local dropped = l.training.drops and ' dropout may be NULL: nothing is dropped.' or ''
  local SPEC = l.spec:upper()
  local saving = joined(rows, { 'void *saved', 'size_t saved_bytes' }, packed, work, drops)
  local back = joined({ 'float *dx', 'size_t dx_stride' }, tensors(l, 'float *', 'd_'), {
    'int accumulate', 'const float *dy', 'size_t dy_stride', rows[3], rows[4], rows[5],
    'const void *saved', 'size_t saved_bytes',
  }, packed, work, drops)
  local list = {
    asking('saved_bytes', 'size_t ', { 'size_t tokens' }, 'Bytes of what run_train() saves of so '
      .. 'many tokens. SIZE_MAX where that overflows, 0 where no kernel serves this CPU.'),
    asking('train_work_bytes', 'size_t ', { 'size_t threads' }, 'Bytes of work memory of '
      .. 'run_train() and grad(). SIZE_MAX where that overflows, 0 where no kernel serves this '
      .. 'CPU.'),
    status('pack_train', joined({ 'void *packed', 'size_t packed_bytes' },
      tensors(l, 'const float *', '')), ('pack() for training, into FFN_%s_TRAIN_PACKED_BYTES; '
      .. 'run() takes them, too.'):format(SPEC)),
  }
  lists.append(list, with_threads('run_train', saving, ('run() that keeps what grad() needs, in '
    .. 'saved_bytes(tokens)%s. y must not overlap x.%s'):format(
    l.training.saved_bytes == 0 and ', which is nothing: saved may be NULL' or '', dropped)))
  return lists.append(list, with_threads('grad', back, 'Gradients of the loss whose gradient with '
    .. 'respect to y is dy, in the shapes of pack(). What is NULL is not computed; accumulate is 1 '
    .. 'to add to all but dx. x, packed and what drops are those that run_train() had, and what is '
    .. 'written lies apart.'))
end

--- The functions of a layer, each once.
---@param l table
---@return FlatFunction[] running
---@return FlatFunction[] learning  {} where it is not trained
local function functions_of(l)
  return running(l), l.training and learning(l) or {}
end

--- What is said of a layer's sizes, { name, value, comment }: what other headers say among them.
---@return table[]
local function constants_of(l)
  local list = { { 'INPUTS', l.inputs, '' }, { 'OUTPUTS', l.outputs, '' } }
  local function add(name, value, comment) list[#list + 1] = { name, value, comment } end
  add('MAX_TOKENS', l.max_tokens, 'of a call; 0: any number')
  if not l.embedded then
    for _, m in ipairs(l.matrices) do
      add(m.weight:upper() .. '_FLOATS', m.outputs * m.inputs,
        ('[%d][%d]'):format(m.outputs, m.inputs))
      if m.bias then add(m.bias:upper() .. '_FLOATS', m.outputs, '') end
    end
    if l.parameters > 0 then add('PARAMETERS', l.parameters, 'that come with the weights') end
    add('PACKED_BYTES', l.packed_bytes, '')
  end
  add('WORK_ROWS', l.work.rows, 'of work memory: a thread takes at most so many tokens')
  add('WORK_ROW_BYTES', l.work.row, 'times this, and the next, on any instruction set')
  add('WORK_BESIDE_BYTES', l.work.beside, '')
  if l.training then
    add('TRAIN_PACKED_BYTES', l.training.packed_bytes, '')
    local header = l.training.saved_bytes > 0 and saved_header or 0
    add('SAVED_ROW_BYTES', l.training.saved_bytes, 'of saved memory: times tokens, and')
    add('SAVED_BLOCK_ROWS', saved_block, 'for each so many of them, or fewer,')
    add('SAVED_BLOCK_BYTES', header, 'these')
    add('TRAIN_WORK_BYTES', l.training.work_bytes, 'one thread, on any instruction set')
  end
  return list
end

--- All names of C that this adds for a layer, in a prefix.
---@param l table
---@param prefix string
---@return string[]
function M.names(l, prefix)
  local run, learn = functions_of(l)
  local before = ('%s_%s_'):format(prefix, l.spec)
  local names = lists.map(joined(run, learn), function(f) return before .. f.name end)
  return lists.append(names, lists.map(constants_of(l), function(c)
    return before:upper() .. c[1]
  end))
end

--- The beginning of a function, in lines, without what closes it.
---@param f FlatFunction
local function head(l, f)
  local name = ('%sffn_%s_%s('):format(f.result, l.spec, f.name)
  if #f.arguments == 0 then return name .. 'void)' end
  local lines = texts.lines(texts.closed({ table.unpack(f.arguments) }, ')'), 92)
  if #lines == 1 and #name + #lines[1] <= 98 then return name .. lines[1] end
  return name .. '\n    ' .. table.concat(lines, '\n    ')
end

local function words(sentences)
  local parts = {}
  for part in sentences:gmatch('%S+') do parts[#parts + 1] = part end
  return texts.lines(parts, 94)
end

--- What templates say of a layer: `declared`, the header's part, and `head(name)`, how the
--- definition of a function begins.
---@param l table
---@param prefix string
local function layer_text(l, prefix)
  local function named(code) return prefixes.text(code, prefix) end
  local run, learn = functions_of(l)
  local all, by_name = joined(run, learn), {}
  local declared = { texts.comment(words(('---- %s: %s ----'):format(l.spec, l.title))) }
  for _, c in ipairs(constants_of(l)) do
    declared[#declared + 1] = ('#define FFN_%s_%s %d%s\n'):format(l.spec:upper(), c[1], c[2],
      c[3] ~= '' and (' /* %s */'):format(c[3]) or '')
  end
  for _, f in ipairs(all) do
    by_name[f.name] = named(head(l, f))
    if f.about ~= '' then declared[#declared + 1] = '\n' .. texts.comment(words(f.about)) end
    declared[#declared + 1] = head(l, f) .. ';\n'
  end
  local given, gradients = tensors(l, '', ''), tensors(l, '', 'd_')
  if l.parameters > 0 then given[#given], gradients[#gradients] = nil, nil end
  return record.strict('flat layer', {
    declared = named(table.concat(declared)),
    head = function(name) return by_name[name] end, packed_hash = l.packed_hash,
    given = given, gradients = gradients, parameters = l.parameters > 0,
    drops = l.training and l.training.drops or false,
  })
end

--- The texts of the files, from their templates, into what templates may say; `page` is what the
--- folder's page says of them, `own` has the names that no layer adds.
---@param env table
---@param from fun(file: string, values: table|nil): string
function M.add(env, from)
  local function with(values)
    return setmetatable(values, { __index = env })
  end
  env.flat_of = function(l) return layer_text(l, env.prefix) end
  local drops = #lists.filter(env.trained, function(l) return l.training.drops end) > 0
  local values = with { flat_drops = drops }
  local none = with { flat_drops = true, alone = false, layers = {}, trained = {} }
  local function text(file) return from(file, values) end
  env.flat = record.strict('flat texts', {
    header = text 'flat.h', checks = text 'flat_checks.h', code = text 'flat.c',
    training = env.training and text 'flat_train.c' or '', page = text 'flat.md',
    own = table.concat(lists.map({ 'flat.h', 'flat_checks.h', 'flat.c', 'flat_train.c' },
      function(file) return from(file, none) end)),
  })
end

return M
