--- read: path -> Spec[]. The user's words are judged here and nowhere else.
---
--- A spec file is Lua with a handful of words in scope and nothing else: no io, no os, no loops
--- that never end, no memory that never stops growing. It says what a layer is, never how it is
--- computed. Every error has the file, the line, the wrong word and the nearest right one.
local record = require 'common.record'
local name = require 'lower.name'
local activations = require 'activation'
local isas = require 'isa'
local list_of = require 'common.list'
local numbers = require 'common.number'
local place = require 'read.place'
local problems = require 'common.problem'
local sandbox = require 'read.sandbox'
local size = require 'read.size'
local version = require 'common.version'
local weights = require 'weights'

local function bad_input(text) problems.bad_input(nil, '%s', text) end

local M = {}

---@class Spec
---@field name string          what the user calls it
---@field kind string          ffn, linear, mlp, glu, selfgate
---@field word string|nil      the variant (ffn, glu) or activation (selfgate)
---@field d_model integer
---@field d_ff integer|nil
---@field d_out integer
---@field widths table|nil     of an mlp: { { width =, word =, beta = } ... }
---@field bias boolean
---@field sparse boolean      may skip zeros of relu and its like where few tokens share them
---@field beta number|string|nil  a number, 'runtime', or nil where the activation has none
---@field about string
---@field build table[]        { { dtype =, isa = { ... } } ... }
---@field file string
---@field line integer

local max_parameters = 1 << 34
local max_stages = 16
local max_builds = 16
local max_file = 1 << 18
local max_name = 120
local max_layer_name = 200 -- with instruction set and suffixes still a file name of 255 bytes

--- Words of C11 and C++17 that cannot name anything.
local reserved = {}
for word in ([[
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
  class compl const const_cast constexpr continue decltype default delete do double dynamic_cast
  else enum explicit export extern false float for friend goto if inline int long mutable namespace
  new noexcept not not_eq nullptr operator or or_eq private protected public register
  reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct
  switch template this thread_local throw true try typedef typeid typename union unsigned using
  virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof _Atomic _Bool _Complex _Generic
  _Imaginary _Noreturn _Static_assert _Thread_local]]):gmatch('[%w_]+') do
  reserved[word] = true
end

-- Fields ---------------------------------------------------------------------------------------

local fields = {
  ffn = { 'variant', 'd_model', 'd_ff', 'd_out', 'bias', 'beta', 'sparse', 'about', 'build' },
  linear = { 'd_model', 'd_out', 'bias', 'about', 'build' },
  mlp = { 'd_model', 'layers', 'bias', 'sparse', 'about', 'build' },
  glu = { 'variant', 'd_model', 'd_out', 'bias', 'beta', 'about', 'build' },
  selfgate = { 'activation', 'd_model', 'bias', 'beta', 'about', 'build' },
}
local kinds = { 'ffn', 'glu', 'linear', 'mlp', 'selfgate' }
local words = { 'ffn', 'glu', 'linear', 'mlp', 'selfgate', 'llama_d_ff', 'd_model', 'schema' }

-- Judging ---------------------------------------------------------------------------------------

---@param source table { file, text, line, kind, name }
---@param given table what the user wrote
---@return Spec
local function judge(source, given)
  --- `path`: where in the table, from the outside in; {} is the table itself.
  local function fail(path, message, ...)
    bad_input(('%s:%d: %s "%s": '):format(source.file, place.line_of(source, path), source.kind,
      source.name) .. message:format(...))
  end

  local function inside(path, key)
    local longer = { table.unpack(path) }
    longer[#longer + 1] = key
    return longer
  end

  --- Nothing but the fields `known`.
  local function check_fields(path, t, known, prefix)
    for _, key in ipairs(record.sorted_keys(t)) do
      local found = list_of.has(known, key)
      if not found and type(key) == 'string' then
        fail(inside(path, key), '%sunknown field "%s"%s', prefix, record.shown(key),
          record.suggest(key, known))
      elseif not found then
        fail(inside(path, key), '%sa value without a field name (%s); fields are: %s', prefix,
          record.shown(type(key) == 'number' and t[key] or key), table.concat(known, ', '))
      end
    end
  end

  --- A list: positions 1 to n and nothing else.
  local function check_list(path, t, form, most)
    local field = path[#path]
    if type(t) ~= 'table' or size.is(t) then
      fail(path, '%s must be a list such as %s, not a %s', field, form, size.type_name(t))
    end
    local keys = record.sorted_keys(t)
    if #keys == 0 then fail(path, '%s is empty; it is a list such as %s', field, form) end
    for i, key in ipairs(keys) do
      if key ~= i then
        if math.type(key) == 'integer' then
          fail(inside(path, i), '%s has a gap: item %d is missing', field, i)
        end
        fail(inside(path, key), '%s is a list such as %s, without the field "%s"', field, form,
          record.shown(key))
      end
    end
    if #keys > most then fail(path, '%s has %d items; at most %d', field, #keys, most) end
  end

  local function check_size(field, v, path)
    if size.type_name(v) == 'float' then
      fail(path, '%s must be an integer, not the float %s (divide with //)', field, tostring(v))
    elseif size.type_name(v) ~= 'integer' then
      fail(path, '%s must be an integer, not a %s', field, size.type_name(v))
    elseif v < 1 then
      fail(path, '%s must be at least 1, not %d', field, v)
    elseif v > size.max then
      fail(path, '%s = %d is beyond the largest size, %d', field, v, size.max)
    end
    return v
  end

  local function get_size(field, d_model)
    local v = given[field]
    if v == nil then fail({}, 'field "%s" is missing', field) end
    if size.is(v) and d_model then
      local ok, resolved = pcall(v.rule, d_model)
      if not ok then
        local problem = type(resolved) == 'table' and resolved or { message = resolved }
        fail({ field, problem.field }, '%s: %s', field, problem.message)
      end
      v = resolved
    end
    return check_size(field, v, { field })
  end

  local function get(field, wanted, default)
    local v = given[field]
    if v == nil then return default end
    if type(v) ~= wanted then
      fail({ field }, '%s must be a %s, not %s %s', field, wanted,
        size.type_name(v) == 'integer' and 'an' or 'a', size.type_name(v))
    end
    return v
  end

  --- A word from a list, with its activation.
  local function get_word(field, choices)
    local v = get(field, 'string')
    if v == nil then
      fail({}, 'field "%s" is missing (choose from: %s)', field, table.concat(choices, ', '))
    end
    if list_of.has(choices, v) then return v end
    fail({ field }, 'unknown %s "%s"%s', field, record.shown(v), record.suggest(v, choices))
  end

  local function check_beta(beta, activation, path)
    if not activation.parameter then
      if beta ~= nil then fail(path, '%s has no beta', activation.name) end
      return nil
    end
    if beta == nil or beta == 'runtime' then return 'runtime' end
    if type(beta) ~= 'number' then
      fail(path, 'beta must be a number or "runtime", not %s', type(beta) == 'string'
        and '"' .. record.shown(beta) .. '"' or 'a ' .. size.type_name(beta))
    end
    local single = numbers.to_f32(beta)
    if single ~= single or single == 0 or math.abs(single) > 1e6 then
      fail(path, 'beta = %s: a fixed beta is a finite number other than 0, at most 1e6',
        tostring(beta))
    end
    return single
  end

  local build_form = '{ { dtype = "f32", isa = { "c", "avx2" } } }'

  local function get_build()
    local build = given.build == nil and { {} } or given.build
    local result = {}
    check_list({ 'build' }, build, build_form, max_builds)
    for i, entry in ipairs(build) do
      if type(entry) ~= 'table' or size.is(entry) then
        fail({ 'build', i }, 'build is a list such as %s; item %d is a %s', build_form, i,
          size.type_name(entry))
      end
      check_fields({ 'build', i }, entry, { 'dtype', 'isa' }, 'build: ')
      local dtype = entry.dtype == nil and weights.names[1] or entry.dtype
      if not list_of.has(weights.names, dtype) then
        fail({ 'build', i, 'dtype' }, 'unknown dtype "%s"%s', record.shown(dtype),
          record.suggest(tostring(dtype), weights.names))
      end
      local list = entry.isa == nil and isas.names or entry.isa
      check_list({ 'build', i, 'isa' }, list, '{ "c", "avx2" }', max_builds)
      local wanted = {}
      for j, isa in ipairs(list) do
        if type(isa) ~= 'string' or not isas.by_name[isa] then
          fail({ 'build', i, 'isa', j }, 'unknown isa "%s"%s', record.shown(isa),
            record.suggest(tostring(isa), isas.names))
        end
        wanted[isa] = true
      end
      local ordered = {}
      for _, isa in ipairs(isas.names) do
        if wanted[isa] then ordered[#ordered + 1] = isa end
      end
      result[i] = { dtype = dtype, isa = ordered }
    end
    return result
  end

  local function get_layers()
    local list = given.layers
    if list == nil then
      fail({}, 'field "layers" is missing: layers = { { 64, "relu" }, { 1 } }')
    end
    check_list({ 'layers' }, list, '{ { 64, "relu" }, { 1 } }', max_stages)
    local widths = {}
    for i, layer in ipairs(list) do
      if type(layer) ~= 'table' or size.is(layer) then
        fail({ 'layers', i }, 'layer %d must be a table { width, "activation" }, not a %s', i,
          size.type_name(layer))
      end
      for _, key in ipairs(record.sorted_keys(layer)) do
        if key ~= 1 and key ~= 2 and key ~= 'beta' then
          fail({ 'layers', i, key }, 'layer %d: unknown field "%s" (a layer is { width, '
            .. '"activation", beta = number })', i, record.shown(key))
        end
      end
      local word = layer[2] == nil and 'identity' or layer[2]
      if type(word) ~= 'string' or not activations.by_name[word] then
        fail({ 'layers', i, 2 }, 'layer %d: unknown activation "%s"%s', i, record.shown(word),
          record.suggest(tostring(word), activations.names))
      end
      widths[i] = {
        width = check_size(('the width of layer %d'):format(i), layer[1], { 'layers', i, 1 }),
        word = word,
        beta = check_beta(layer.beta, activations.by_name[word], { 'layers', i, 'beta' }),
      }
    end
    return widths
  end

  check_fields({}, given, fields[source.kind], '')
  local s = {
    kind = source.kind, name = source.name, file = source.file, line = source.line,
    word = nil, d_ff = nil, widths = nil, beta = nil,
  }
  s.about = get('about', 'string', '')
  if #s.about > 200 or s.about:find('[%c]') or not utf8.len(s.about)
    or s.about:find('*/', 1, true) or s.about:find('/*', 1, true) then
    fail({ 'about' }, 'about is one line of UTF-8, at most 200 bytes, without "/*" and "*/"')
  end
  s.d_model = get_size('d_model')
  s.bias = get('bias', 'boolean', false)
  s.sparse = get('sparse', 'boolean', true)
  if s.kind == 'ffn' then
    s.word = get_word('variant', activations.variant_names)
    s.d_ff = get_size('d_ff', s.d_model)
  elseif s.kind == 'glu' then
    s.word = get_word('variant', activations.gated_names)
  elseif s.kind == 'selfgate' then
    s.word = get_word('activation', activations.names)
  elseif s.kind == 'mlp' then
    s.widths = get_layers()
  end
  if s.word then
    local activation = s.kind == 'selfgate' and activations.by_name[s.word]
      or activations.by_variant[s.word].activation
    s.beta = check_beta(given.beta, activation, { 'beta' })
  end
  if s.kind == 'mlp' then
    s.d_out = s.widths[#s.widths].width
  elseif s.kind == 'selfgate' or (s.kind == 'ffn' and given.d_out == nil) then
    s.d_out = s.d_model
  else
    s.d_out = get_size('d_out', s.d_model)
  end
  s.build = get_build()

  local parameters = s.d_model * (s.d_ff or s.d_out) * 2 + (s.d_ff or 0) * s.d_out
  local inputs = s.d_model
  for i, layer in ipairs(s.widths or {}) do
    parameters = (i == 1 and 0 or parameters) + inputs * layer.width
    inputs = layer.width
  end
  if parameters > max_parameters then
    fail({ 'd_model' }, 'a layer of about %d parameters is beyond the limit of %d', parameters,
      max_parameters)
  end
  for _, build in ipairs(s.build) do
    local layer_name = name.encode_layer(setmetatable({ dtype = build.dtype }, { __index = s }))
    if #layer_name > max_layer_name then
      fail({ 'layers' }, 'the kernel names that these layers make have more than %d characters',
        max_layer_name)
    end
  end
  return s
end

-- Reading --------------------------------------------------------------------------------------

--- The C identifier nearest to what is none.
local function identifier(text)
  local near = text:gsub('[^%w_]', '_'):gsub('^%d', '_%0')
  return reserved[near] and near .. '_' or near
end

--- A spec's name is a C identifier, not too long, and new.
local function check_name(path, call, seen)
  local given, at = call.name, ('%s:%d'):format(path, call.line)
  if type(given) ~= 'string' then
    bad_input(('%s: %s takes a name: %s \'my_layer\' { ... }'):format(at, call.kind, call.kind))
  elseif #given > max_name then
    bad_input(('%s: %s "%s": the name is longer than %d characters'):format(
      at, call.kind, record.shown(given), max_name))
  elseif given == '' then
    bad_input(('%s: %s "": the name is empty'):format(at, call.kind))
  elseif not given:match('^[%a_][%w_]*$') then
    bad_input(('%s: %s "%s": the name must be a C identifier (did you mean "%s"?)'):format(
      at, call.kind, record.shown(given), identifier(given)))
  elseif reserved[given] then
    bad_input(('%s: %s "%s": the name is a keyword of C or C++ (did you mean "%s"?)'):format(
      at, call.kind, given, identifier(given)))
  elseif seen[given] then
    bad_input(('%s: %s "%s": the name is taken at %s'):format(
      at, call.kind, given, seen[given]))
  end
  seen[given] = at
end

--- The text of a spec file.
local function read_text(path)
  local handle, problem = io.open(path, 'rb')
  local text
  if handle then
    text, problem = handle:read(max_file + 1)
    handle:close()
    if not text and not problem then text = '' end
  end
  if not text then
    bad_input(('%s: cannot be read: %s'):format(path, (problem:gsub('^.*: ', ''))))
  elseif #text > max_file then
    bad_input(('%s:1: the file has more than %d bytes: that is no spec'):format(path, max_file))
  elseif text:sub(1, 1) == '\27' then
    bad_input(path .. ':1: a precompiled chunk is not a spec: give Lua text')
  end
  return text
end

--- Reads one spec file. `seen` (name -> place) is shared among files: names are unique.
---@param path string
---@param seen table<string, string>
---@return Spec[]
function M.read(path, seen)
  local text = read_text(path)
  local last_line = 1 + select(2, text:gsub('%s+$', ''):gsub('\n', ''))

  -- What runs inside the spec only takes notes; they are judged when it has ended. What goes wrong
  -- there is thrown as a bare sentence, or as { unknown = word }.
  local calls, scope = {}, { llama_d_ff = size.llama_d_ff, d_model = size.d_model }
  for _, kind in ipairs(kinds) do
    scope[kind] = function(given_name)
      -- `return ffn 'x'` has left the spec when it gets here.
      local caller = debug.getinfo(2, 'Sl')
      local inside = caller and caller.source == sandbox.chunk_name
      local line = inside and caller.currentline or last_line
      local call = { kind = kind, name = given_name, line = line, given = nil }
      calls[#calls + 1] = call
      return function(given)
        if call.given ~= nil then error(kind .. ': a layer is given twice', 0) end
        call.given = given == nil and false or given
      end
    end
  end
  -- Judged at once: words of a newer schema may follow. Strings have no methods in here.
  function scope.schema(given)
    if math.type(given) ~= 'integer' or given < 1 then
      error(string.format('schema takes the number of a schema: schema(%d)', version.schema), 0)
    elseif given > version.schema then
      error(string.format('schema %d is newer than %d, the newest that ffngen %s reads: '
        .. 'install a newer ffngen', given, version.schema, version.generator), 0)
    elseif #calls > 0 then
      error('schema stands before the first layer', 0)
    end
  end
  local environment = setmetatable({}, {
    __index = function(_, key)
      local v = scope[key]
      if v == nil then error({ unknown = key }, 0) end
      return v
    end,
    __newindex = function(_, key)
      error({ message = 'a spec sets no globals: write "local" before ', global = key }, 0)
    end,
    __metatable = false,
  })

  -- In pcall, which keeps the caller's error handler out of what is no defect.
  local _, chunk, syntax = pcall(load, text, sandbox.chunk_name, 't', environment)
  local function at_line(message, line)
    bad_input(('%s:%d: %s'):format(path, line or last_line, record.shown(message, 400)))
  end
  if not chunk then
    local line, message = syntax:match('^%(spec%):(%d+): (.*)$')
    at_line(message or syntax:gsub('C stack overflow', 'brackets in brackets without end'),
      math.tointeger(tonumber(line)))
  end
  local problem, line = sandbox.run(chunk)
  if type(problem) == 'table' and problem.unknown ~= nil then
    at_line(('unknown word "%s"%s'):format(record.shown(problem.unknown),
      record.suggest(tostring(problem.unknown), words)), line)
  elseif type(problem) == 'table' then
    at_line(problem.message .. '"' .. record.shown(problem.global) .. '"', line)
  elseif problem then
    at_line(problem:gsub('^[^\n]-:%d+: ', ''), line)
  end
  if #calls == 0 then
    bad_input(('%s:1: the file has no layer (choose from: %s)'):format(path,
      table.concat(kinds, ', ')))
  end

  local specs = {}
  for i, call in ipairs(calls) do
    check_name(path, call, seen)
    if type(call.given) ~= 'table' or size.is(call.given) then
      bad_input(('%s:%d: %s "%s" takes a table: %s \'%s\' { d_model = ..., ... }'):format(
        path, call.line, call.kind, call.name, call.kind, call.name))
    end
    specs[i] = judge(
      { file = path, text = text, line = call.line, kind = call.kind, name = call.name },
      call.given)
  end
  return specs
end

return M
