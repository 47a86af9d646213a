--- What a reader finds in a model's file, as strict records: where every number of a layer lies,
--- and which rule told what the layer is. Readers hand in plain tables, found.of() makes records of
--- them and holds each number against its file, by arithmetic that cannot wrap around. What is left
--- out (nil) is false in a record, or {} where it is a list.
local affine = require 'import.affine'
local found_rows = require 'import.found_rows'
local hosts = require 'import.host'
local limits = require 'import.limits'
local number_types = require 'import.number_types'
local operand_scale = require 'tensors.operand_scale'
local part_numbers = require 'import.parts'
local fields = require 'read.fields'
local problems = require 'common.problem'
local record = require 'common.record'
local scaled = require 'import.scaled'
local size = require 'read.size'
local varints = require 'import.varints'
local weights = require 'weights'

local M = {}

---@class Found
---@field reader string       its name
---@field path string         as the user gave it
---@field about string[]      comment lines for the spec's head: architecture, source of its rule
---@field files FoundFile[]
---@field layers FoundLayer[] in the model's order
---@field mixtures FoundMixture[]  layers of experts with their routers, where these are asked for
---@field rows FoundRows[]    tables that no kernel takes, sorted by name: import/found_rows.lua
---@field left Left[]         what is left to the host
---@field untaken Untaken[]   the same by name, where a reader knows why
---@field host HostFacts|false  what its reader tells a host: import/host/
---@field undecided string[]  where a config is alone: what only the tensors could tell

---@class FoundMixture  a layer of the model; its experts, its router and its shared expert are
---                     layers of the same index
---@field index integer
---@field experts integer
---@field top_k integer      experts of a token
---@field router table       what a spec says of its router, but for bias and weights
---@field gate string|false  of the shared expert: 'none', 'sigmoid'; false: there is none
---@field correction string|false  the tensor that is added where experts are chosen
---@field text string        what its router computes

---@class FoundFile
---@field path string         as given, or as found beside what was given
---@field bytes integer       its size
---@field spans integer[][]   { first, count } of the bytes that import read, ascending
---@field xxh64 string        sixteen hexadecimal digits, of the spans one after the other
---@field varints Varints|false  what ffn-pack makes the file of: import/varints.lua

---@class Left
---@field what string         attention, norms, embeddings ...
---@field count integer       of tensors, or of nodes

---@class Untaken
---@field what string         product, rounding, part, function, alone
---@field node string         as the file calls it
---@field text string         why, with the name

---@class FoundLayer
---@field index integer       from 0
---@field part integer|false  which expert it is of the layer of this index, from 0; or a product's
---                           number: parts.lua
---@field at string           model.layers.0.mlp, or the node of the first product
---@field kind string         of specs: a word of kind/
---@field fields table        what a spec of this kind is given, but for name, about and weights
---@field because Because[]   a comment line each
---@field activations OwnActivation[]  activations without a name of the project, which fields name
---@field parameters number[] of its activation, where fields say 'runtime'
---@field matrices Matrix[]   in the order of stages; gate before up
---@field around HostPart[]   what lies beside the layer and is the host's

---@class Because
---@field field string
---@field text string         why it is so, and from where

---@class OwnActivation
---@field name string
---@field text string         a function of Lua: 'function(x) return x * sigmoid(1.5 * x) end'

---@class HostPart
---@field place string        before, after, inside, beside
---@field what string         RMSNorm, residual multiplier ...
---@field tensor string|false
---@field text string         for the comment; '' says it all

---@class Matrix
---@field role string         gate, up, down; chain of those that have none
---@field word string|false  of products: q, k, v, o, head, qkv, as --weights says; false of others
---@field at integer          of a chain, from 0; of others 0
---@field outputs integer
---@field inputs integer
---@field weight Placed
---@field bias Placed|false
---@field affine Affine|false  a norm behind it, that is folded in: import/affine.lua
---@field operand_scale number|false  that what it multiplies is rounded by: an f32

---@class Placed
--- Number (o, i) of a matrix is at first + o * row_bytes + i * column_bytes; number o of a vector
--- at first + o * column_bytes, and column_bytes = 0 is one number for all of them. Rows of blocks
--- lie whole: their column_bytes is 0.
---@field tensor string       its name in the file
---@field file integer        index into files, from 1
---@field first integer       byte of its first number in the file
---@field bytes integer       of the whole tensor
---@field encoding string|false  f64, f64_rounded (doubles.lua), or a format of weights/ whose
---                           numbers a file may hold as they are; where it is scaled, one of
---                           scaled.units; false: a config alone tells of it, and it lies nowhere
---@field row_bytes integer   0 for a vector
---@field column_bytes integer
---@field scaled Scaled|false what numbers have beside them: import/scaled.lua
---@field format string       that a matrix is packed as: its encoding's, or what a reader says

local most = limits.bytes -- of a file, a stride: products are compared without making them

--- What makes records of a kind, in place. Numbers are held against their file, where each is used.
local function record_of(kind, fields_of_kind)
  local schema = record.schema(fields_of_kind)
  return function(given) return record.strict(kind, schema:fill(given, kind)) end
end

local file_of = record_of('found file', {
  path = 'string', bytes = 'any', spans = 'table', xxh64 = 'string', varints = { 'table', false },
})
local place_of = record_of('placed', {
  tensor = 'string', file = 'any', first = 'any', bytes = 'any', encoding = 'any',
  row_bytes = 'any', column_bytes = 'any', scaled = { 'table', false },
  format = { 'string', false },
})
local unplaced_of = record_of('unplaced', {
  tensor = 'string', file = 'integer', encoding = 'boolean', format = { 'string', false },
})
local scaled_of = record_of('scaled', {
  every = 'any', scales = 'table', zeros = { 'table', false }, groups = { 'table', false },
})
local place_beside_of = record_of('beside', {
  tensor = 'string', file = 'any', first = 'any', bytes = 'any', encoding = 'any',
  row_bytes = 'any', column_bytes = 'any', rows = { 'any', 1 }, add = { 'integer', 0 },
  only = { 'integer', 0 },
})
local matrix_of = record_of('matrix', {
  role = { one_of = { 'gate', 'up', 'down', 'chain' } }, at = { 'integer', 0 },
  word = { 'string', false }, outputs = 'any', inputs = 'any', weight = 'table',
  bias = { 'table', false }, affine = { 'table', false }, operand_scale = { 'number', false },
})
local layer_of = record_of('found layer', {
  index = 'any', part = { 'any', false }, at = 'string', kind = 'string', fields = 'table',
  because = { 'table', {} }, activations = { 'table', {} }, parameters = { 'table', {} },
  matrices = 'table', around = { 'table', {} },
})
local around_of = record_of('around', {
  place = { one_of = { 'before', 'after', 'inside', 'beside' } }, what = 'string',
  tensor = { 'string', false }, text = { 'string', '' },
})
local because_of = record_of('because', { field = 'string', text = 'string' })
local activation_of = record_of('own activation', { name = 'string', text = 'string' })
local mixture_of = record_of('found mixture', {
  index = 'integer', experts = 'integer', top_k = 'integer', router = 'table',
  gate = { 'any', false }, correction = { 'string', false }, text = 'string',
})
local left_of = record_of('left', { what = 'string', count = 'integer' })
local untaken_of = record_of('untaken', { what = 'string', node = 'string', text = 'string' })
local found_of = record_of('found', {
  reader = 'string', path = 'string', about = { 'table', {} }, files = 'table',
  layers = 'table', mixtures = { 'table', {} }, rows = { 'table', {} }, left = { 'table', {} },
  untaken = { 'table', {} },
  undecided = { 'table', {} }, host = { 'table', false },
})

local function is_count(v, least) return math.type(v) == 'integer' and v >= least and v <= most end

--- The record of a file.
---@param files FoundFile[]  all of them
---@return FoundFile
function M.file(given, files)
  local file = file_of(given)
  if not is_count(file.bytes, 0) then problems.bad_input(file.path, 'its size is beyond all') end
  local at = 0
  for _, span in ipairs(file.spans) do
    local first, count = span[1], span[2]
    if not (is_count(first, at) and is_count(count, 0) and count <= file.bytes - first) then
      error(('%s: spans must ascend and lie in the file'):format(file.path), 0)
    end
    at = first + count
  end
  if not file.xxh64:find '^%x+$' or #file.xxh64 ~= 16 then
    error(file.path .. ': xxh64 has sixteen digits', 0)
  end
  if file.varints then varints.check(file, files[file.varints.file]) end
  return file
end

--- Blocks of an encoding, or of a number: how many inputs one holds, and its bytes.
---@return integer|nil k
---@return integer|nil bytes
function M.block(encoding)
  if number_types.bytes[encoding] then return 1, number_types.bytes[encoding] end
  local format = weights.by_name[encoding]
  local source = format and format.source
  if not source or source.scale > 0 or source.zero > 0 then return nil end
  return source.k, source.bytes
end

--- count * stride + rest, or nil where that is beyond all files.
local function reach(count, stride, rest)
  if count > 0 and stride > (most - rest) // count then return nil end
  return count * stride + rest
end

--- Bytes from the first number of a matrix or vector to the end of its last; nil where they do not
--- lie apart from each other.
local function extent(p, outputs, inputs, k, bytes)
  if not inputs then -- a vector
    if p.row_bytes ~= 0 or p.column_bytes ~= 0 and p.column_bytes < bytes then return nil end
    return reach(outputs - 1, p.column_bytes, bytes)
  end
  local row, column = p.row_bytes, p.column_bytes
  if k > 1 then
    local whole = inputs // k * bytes
    if column ~= 0 or outputs > 1 and row < whole then return nil end
    return reach(outputs - 1, row, whole)
  end
  local across = reach(inputs - 1, column, bytes)
  local along = reach(outputs - 1, row, bytes)
  local is_apart = across and along and (
    (inputs == 1 or column >= bytes) and (outputs == 1 or row >= across)
    or (outputs == 1 or row >= bytes) and (inputs == 1 or column >= along))
  return is_apart and reach(outputs - 1, row, across) or nil
end

local function refuse(p, files, reason, ...)
  problems.bad_input(files[p.file].path, '"%s": ' .. reason, record.shown(p.tensor, 80), ...)
end

local sizes = { 'first', 'bytes', 'row_bytes', 'column_bytes' }

--- Refuses what is beyond a tensor or its file: numbers, or units of several of them, in rows.
---@param k integer  of a block, 1 of others
---@param bytes integer  of a block, number or unit
local function check_extent(p, files, outputs, inputs, k, bytes)
  for i = 1, #sizes do
    if not is_count(p[sizes[i]], 0) then refuse(p, files, '%s is beyond the file', sizes[i]) end
  end
  local taken, file = extent(p, outputs, inputs, k, bytes), files[p.file]
  if not taken then refuse(p, files, 'its rows do not lie apart from each other') end
  if taken > p.bytes or p.first > file.bytes or taken > file.bytes - p.first then
    refuse(p, files, '%d bytes from %d on are beyond its %d, or the file\'s %d', taken, p.first,
      p.bytes, file.bytes)
  end
end

--- A name as a plan holds it, or why it is none.
---@param name string
---@return string|nil problem
function M.name_problem(name)
  if #name <= limits.name and utf8.len(name) and not name:find('\0', 1, true) then
    return nil
  end
  return ('is no name of at most %d bytes of UTF-8 without a zero, as plans have them: give it '
    .. 'another one in the model'):format(limits.name)
end

local function check_file(p, files)
  if not files[p.file] then error(('placed: "%s" is in no file'):format(p.tensor), 0) end
  local problem = M.name_problem(p.tensor)
  if problem then
    problems.bad_input(files[p.file].path, '"%s" %s', record.shown(p.tensor, 80), problem)
  end
end

--- The same of units of several numbers.
local function check_units(p, files, unit, outputs, inputs)
  check_file(p, files)
  check_extent(p, files, (outputs + unit.outputs - 1) // unit.outputs,
    (inputs + unit.inputs - 1) // unit.inputs, 1, unit.bytes)
end

--- What lies beside scaled numbers.
---@return Beside
local function beside_of(given, files, unit, outputs, groups)
  local b = place_beside_of(given)
  if not is_count(b.rows, 1) or b.rows > limits.size then
    refuse(b, files, '%s outputs share a row', tostring(b.rows))
  end
  check_units(b, files, unit, (outputs + b.rows - 1) // b.rows, groups)
  if b.rows > 1 and unit.outputs > 1 then
    refuse(b, files, 'eight outputs of 32 bits share no row')
  end
  return b
end

--- A unit of one number.
local function single(bytes) return { inputs = 1, outputs = 1, bytes = bytes } end

--- Makes a record of what scaled numbers have beside them, and tells the format that holds them.
---@param p Placed
---@return string|nil
local function format_of_scaled(p, files, outputs, inputs)
  local s = scaled_of(p.scaled)
  local unit = scaled.units[p.encoding]
  if not unit then error(('scaled: no encoding "%s"'):format(p.encoding), 0) end
  check_units(p, files, unit, outputs, inputs)
  if not is_count(s.every, 0) or s.every > limits.size then
    refuse(p, files, '%s inputs to a scale', tostring(s.every))
  end
  local groups = s.every > 0 and (inputs + s.every - 1) // s.every or 1
  local bytes = scaled.scale_bytes(p.encoding, s.scales.encoding)
  if not bytes then
    refuse(p, files, 'its scales are %s, which such numbers have not',
      record.shown(s.scales.encoding))
  end
  beside_of(s.scales, files, single(bytes), outputs, groups)
  if s.zeros then
    if not unit.zeros[s.zeros.encoding] then
      refuse(p, files, 'its zeros are %s, which such numbers have not',
        record.shown(s.zeros.encoding))
    end
    beside_of(s.zeros, files, scaled.units[s.zeros.encoding], outputs, groups)
  end
  if s.groups then
    if s.groups.encoding ~= 'i32' then refuse(p, files, 'its groups are told in i32') end
    beside_of(s.groups, files, single(4), 1, inputs)
  end
  return scaled.format(p.encoding, s.every, s.scales.encoding, s.zeros ~= false)
end

--- The record of where scaled numbers of a matrix lie. `format` says that they are decoded to it.
local function placed_scaled(p, files, outputs, inputs)
  local format = format_of_scaled(p, files, outputs, inputs)
  if p.format ~= weights.names[1] or not scaled.units[p.encoding].decoded then
    if not format or p.format and p.format ~= format then
      error(('placed: "%s" is packed as no %s'):format(p.tensor, p.format or p.encoding), 0)
    end
    p.format = format
  end
  return p
end

--- The record of where integers of a bias lie that have scales: they become f32.
local function placed_vector(p, files, outputs)
  local s, bytes = scaled_of(p.scaled), scaled.vectors[p.encoding]
  local size_of = scaled.vector_scale_bytes(s.scales.encoding)
  if not bytes or not size_of or s.every ~= 0 or s.groups
    or s.zeros and s.zeros.encoding ~= p.encoding then
    error(('placed: "%s" is no bias with such scales'):format(p.tensor), 0)
  end
  check_file(p, files)
  check_extent(p, files, outputs, nil, 1, bytes)
  beside_of(s.scales, files, single(size_of), outputs, 1)
  if s.zeros then beside_of(s.zeros, files, single(bytes), outputs, 1) end
  p.format = weights.names[1]
  return p
end

--- The record of where numbers lie: outputs times inputs of a matrix, outputs alone of a vector.
---@param files FoundFile[]
---@param outputs integer
---@param inputs integer|nil
---@return Placed
function M.placed(given, files, outputs, inputs)
  if given.encoding == false then return unplaced_of(given) end
  local p = place_of(given)
  if p.scaled and inputs then return placed_scaled(p, files, outputs, inputs) end
  if p.scaled then return placed_vector(p, files, outputs) end
  check_file(p, files)
  local k, bytes = M.block(p.encoding)
  if not k then
    refuse(p, files, 'its numbers are %s, which no layer takes', record.shown(p.encoding))
  end
  if not inputs and not number_types.bytes[p.encoding] then
    refuse(p, files, 'a vector of numbers in %s: they must be f32, f16, bf16 or f64', p.encoding)
  end
  if inputs and inputs % k ~= 0 then
    refuse(p, files, '%d inputs are no whole blocks of %d, as %s has them', inputs, k, p.encoding)
  end
  check_extent(p, files, outputs, inputs, k, bytes)
  -- Numbers of 64 bits are packed as f32, and refused where they are none.
  p.format = p.format or p.encoding == 'f64' and 'f32' or p.encoding
  return p
end

local matrix_sizes = { 'outputs', 'inputs' }

--- The record of a matrix.
---@param files FoundFile[]
---@return Matrix
local function check_matrix(given, files)
  local m = matrix_of(given)
  for _, field in ipairs(matrix_sizes) do
    if not is_count(m[field], 1) or m[field] > size.max then
      problems.bad_input(files[m.weight.file].path, '"%s": %s = %s is no size from 1 to %d',
        record.shown(m.weight.tensor, 80), field, record.shown(m[field]), size.max)
    end
  end
  m.weight = M.placed(m.weight, files, m.outputs, m.inputs)
  m.bias = m.bias and M.placed(m.bias, files, m.outputs)
  m.affine = m.affine and affine.of(m.affine, m.weight, function(vector)
    return M.placed(vector, files, m.outputs)
  end)
  local problem = m.operand_scale and operand_scale.problem(m.operand_scale)
  if problem then
    problems.bad_input(files[m.weight.file].path, 'what "%s" multiplies: its scale %s',
      record.shown(m.weight.tensor, 80), problem)
  end
  return m
end

--- Nothing but what a spec of a kind is given.
local function check_fields(l)
  local known = fields.of[l.kind] or error(('found layer: no kind "%s"'):format(l.kind), 0)
  local allowed = {}
  for _, field in ipairs(known) do allowed[field] = true end
  for _, field in ipairs(record.sorted_keys(l.fields)) do
    if not allowed[field] or field == 'weights' then
      error(('found layer: %s has no field "%s"'):format(l.kind, tostring(field)), 0)
    end
  end
end

--- What a plan says of a layer beside where its numbers lie.
local function check_told(l, files)
  local path = files[l.matrices[1].weight.file].path
  local problem = M.name_problem(l.at)
  if problem then problems.bad_input(path, '"%s" %s', record.shown(l.at, 80), problem) end
  for _, number in ipairs { l.index, l.part or 0 } do
    if not is_count(number, 0) or number > limits.index then
      problems.bad_input(path, '"%s": %s numbers no layer: they are from 0 to %d',
        record.shown(l.at, 80), tostring(number), limits.index)
    end
  end
  local is_named = l.part and l.part >= part_numbers.first
  local kind = part_numbers.is_product(l.part) and 'linear' or 'ffn'
  if is_named and not (l.kind == kind and part_numbers.is_known(l.part)) then
    problems.bad_input(path, '"%s": %d numbers no part: parts of products begin there',
      record.shown(l.at, 80), l.part)
  end
  for _, number in ipairs(l.parameters) do
    if number ~= number or math.abs(number) > limits.number then
      problems.bad_input(path, '"%s": %s is no parameter of an activation: it is no f32',
        record.shown(l.at, 80), tostring(number))
    end
  end
end

--- The record of a layer.
---@param files FoundFile[]
---@param seen table<table, any>  what layers have in common, with what was made of it
---@return FoundLayer
function M.layer(given, files, seen)
  local l = layer_of(given)
  if seen[l.fields] ~= l.kind then check_fields(l) end
  seen[l.fields] = l.kind
  for _, m in ipairs(l.matrices) do check_matrix(m, files) end
  if #l.matrices == 0 then error('found layer: no matrices', 0) end
  check_told(l, files)
  if not seen[l.around] then
    for _, a in ipairs(l.around) do around_of(a) end
  end
  if not seen[l.because] then
    for _, b in ipairs(l.because) do because_of(b) end
  end
  seen[l.around], seen[l.because] = true, true
  for _, a in ipairs(l.activations) do activation_of(a) end
  return l
end

--- The record of all that a reader found.
---@return Found
function M.of(given)
  local f = found_of(given)
  local seen = {}
  for _, file in ipairs(f.files) do M.file(file, f.files) end
  for i, given_layer in ipairs(f.layers) do
    local layer, before = M.layer(given_layer, f.files, seen), f.layers[i - 1]
    if before and (layer.index < before.index
      or layer.index == before.index and (layer.part or 0) <= (before.part or 0)) then
      error(('found: "%s" and "%s" have no order'):format(before.at, layer.at), 0)
    end
  end
  f.rows = found_rows.of(f.rows, f.path, M.name_problem, function(place, count, width)
    return M.placed(place, f.files, count, width)
  end)
  for _, m in ipairs(f.mixtures) do mixture_of(m) end
  for _, l in ipairs(f.left) do left_of(l) end
  for _, u in ipairs(f.untaken) do untaken_of(u) end
  f.host = f.host and hosts.facts(f.host)
  return f
end

return M
