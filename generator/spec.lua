--- read: path -> Spec[]. The user's words are judged here and nowhere else.
---
--- A spec file is Lua with a handful of words in scope and nothing else: no io, no os, no loops
--- that never end, no memory that never stops growing. It says what a layer is, never how it is
--- computed. Every error has the file, the line, the wrong word and the nearest right one.
local record = require 'record'
local activations = require 'activations'
local isas = require 'isas'

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
---@field beta number|string|nil  a number, 'runtime', or nil where the activation has none
---@field about string
---@field build table[]        { { dtype =, isa = { ... } } ... }
---@field file string
---@field line integer

M.max_size = 1 << 20
local max_parameters = 1 << 34
local max_stages = 16
local max_instructions = 2000000
local max_kilobytes = 65536
local max_name = 120

--- Words of C11 and C++17 that cannot name anything.
local reserved = {}
for word in ([[
  alignas alignof and asm auto bool break case catch char class const constexpr continue decltype
  default delete do double else enum explicit export extern false float for friend goto if inline
  int long mutable namespace new noexcept not nullptr operator or private protected public register
  restrict return short signed sizeof static struct switch template this throw true try typedef
  typeid typename union unsigned using virtual void volatile wchar_t while xor]]):gmatch('%w+') do
  reserved[word] = true
end

--- An error of the user's input: thrown as a table so that main can tell it from a defect.
local function bad_input(message)
  error(setmetatable({ bad_input = message }, { __tostring = function(e) return e.bad_input end }), 0)
end
M.bad_input = bad_input

-- Sizes as rules of d_model ------------------------------------------------------------------

local size_meta = {}

local function size(rule) return setmetatable({ rule = rule }, size_meta) end

local function resolve(v, d_model)
  if getmetatable(v) == size_meta then return v.rule(d_model) end
  return v
end

local function size_operation(name, operate)
  size_meta[name] = function(a, b)
    return size(function(d_model)
      local x, y = resolve(a, d_model), resolve(b, d_model)
      if math.type(x) ~= 'integer' or math.type(y) ~= 'integer' then
        error('a size rule works on integers only', 0)
      end
      return operate(x, y)
    end)
  end
end
size_operation('__add', function(x, y) return x + y end)
size_operation('__sub', function(x, y) return x - y end)
size_operation('__mul', function(x, y) return x * y end)
size_operation('__idiv', function(x, y)
  if y == 0 then error('a size rule divides by zero', 0) end
  return x // y
end)
size_meta.__div = function() error('a size is an integer: divide with //', 2) end

--- The Llama rule: multiple_of * ceil(int(8 d / 3) / multiple_of), with an optional multiplier
--- before the rounding (Llama 3). Its options are judged when d_model is known.
local function llama_d_ff(options)
  return size(function(d_model)
    if type(options) ~= 'table' then
      error('llama_d_ff takes a table: llama_d_ff { multiple_of = 256 }', 0)
    end
    local known = { multiple_of = 256, ffn_dim_multiplier = 1 }
    for _, key in ipairs(record.sorted_keys(options)) do
      if not known[key] then
        error(('llama_d_ff: unknown field "%s"%s'):format(tostring(key),
          record.suggest(tostring(key), record.sorted_keys(known))), 0)
      end
      known[key] = options[key]
    end
    local multiple_of, multiplier = known.multiple_of, known.ffn_dim_multiplier
    if math.type(multiple_of) ~= 'integer' or multiple_of < 1 or multiple_of > M.max_size then
      error('llama_d_ff: multiple_of must be a positive integer', 0)
    end
    if type(multiplier) ~= 'number' or not (multiplier > 0 and multiplier <= 1024) then
      error('llama_d_ff: ffn_dim_multiplier must be a positive number', 0)
    end
    local hidden = math.floor(multiplier * (8 * d_model // 3))
    return (hidden + multiple_of - 1) // multiple_of * multiple_of
  end)
end

-- Fields ---------------------------------------------------------------------------------------

local fields = {
  ffn = { 'variant', 'd_model', 'd_ff', 'd_out', 'bias', 'beta', 'about', 'build' },
  linear = { 'd_model', 'd_out', 'bias', 'about', 'build' },
  mlp = { 'd_model', 'layers', 'bias', 'about', 'build' },
  glu = { 'variant', 'd_model', 'd_out', 'bias', 'beta', 'about', 'build' },
  selfgate = { 'activation', 'd_model', 'bias', 'beta', 'about', 'build' },
}
local kinds = { 'ffn', 'glu', 'linear', 'mlp', 'selfgate' }
local words = { 'ffn', 'glu', 'linear', 'mlp', 'selfgate', 'llama_d_ff', 'd_model' }

--- The line at or after `line` on which a word of a spec's table stands, for the error message.
local function line_of(lines, line, word)
  for i = line, math.min(line + 200, #lines) do
    if i > line and lines[i]:match('^[%a_][%w_]*%s*[\'"]') then break end
    local code = lines[i]:gsub('%-%-.*$', '')
    for at in code:gmatch('()%f[%w_]' .. word:gsub('%p', '%%%0') .. '%f[^%w_]') do
      if code:find('^[%w_]*%s*=', at) or code:find('^[%w_.]*[\'"]', at) then return i end
    end
  end
  return line
end

---@param source table { file, lines, line, kind, name }
---@param given table what the user wrote
---@return Spec
local function judge(source, given)
  local function fail(word, message, ...)
    local line = word and line_of(source.lines, source.line, word) or source.line
    bad_input(('%s:%d: %s "%s": '):format(source.file, line, source.kind, source.name)
      .. message:format(...))
  end

  local known = fields[source.kind]
  for _, key in ipairs(record.sorted_keys(given)) do
    if type(key) ~= 'string' then
      fail(nil, 'a value without a field name (%s); fields are: %s', tostring(given[key]),
        table.concat(known, ', '))
    end
    local found = false
    for _, field in ipairs(known) do found = found or field == key end
    if not found then fail(key, 'unknown field "%s"%s', key, record.suggest(key, known)) end
  end

  local function type_name(v)
    if getmetatable(v) == size_meta then return 'size rule' end
    return math.type(v) or type(v)
  end

  local function check_size(field, v, word)
    if type_name(v) == 'float' then
      fail(word, '%s must be an integer, not the float %s (divide with //)', field, tostring(v))
    elseif type_name(v) ~= 'integer' then
      fail(word, '%s must be an integer, not a %s', field, type_name(v))
    elseif v < 1 then
      fail(word, '%s must be at least 1, not %d', field, v)
    elseif v > M.max_size then
      fail(word, '%s = %d is beyond the largest size, %d', field, v, M.max_size)
    end
    return v
  end

  local function get_size(field, d_model)
    local v = rawget(given, field)
    if v == nil then fail(nil, 'field "%s" is missing', field) end
    if getmetatable(v) == size_meta and d_model then
      local ok, resolved = pcall(v.rule, d_model)
      if not ok then fail(field, '%s: %s', field, tostring(resolved)) end
      v = resolved
    end
    return check_size(field, v, field)
  end

  local function get(field, wanted, default)
    local v = given[field]
    if v == nil then return default end
    if type(v) ~= wanted then
      fail(field, '%s must be a %s, not a %s', field, wanted, type_name(v))
    end
    return v
  end

  --- A word from a list, with its activation.
  local function get_word(field, words)
    local v = get(field, 'string')
    if v == nil then fail(nil, 'field "%s" is missing (choose from: %s)', field, table.concat(words, ', ')) end
    for _, word in ipairs(words) do
      if word == v then return v end
    end
    fail(field, 'unknown %s "%s"%s', field, v, record.suggest(v, words))
  end

  local function check_beta(beta, activation, field)
    if not activation.parameter then
      if beta ~= nil then fail(field, '%s has no beta', activation.name) end
      return nil
    end
    if beta == nil or beta == 'runtime' then return 'runtime' end
    if type(beta) ~= 'number' then
      fail(field, 'beta must be a number or "runtime", not %s', type(beta) == 'string'
        and '"' .. beta .. '"' or 'a ' .. type_name(beta))
    end
    local single = string.unpack('<f', string.pack('<f', beta))
    if single ~= single or single == 0 or math.abs(single) > 1e6 then
      fail(field, 'beta = %s: a fixed beta is a finite number other than 0, at most 1e6', tostring(beta))
    end
    return single
  end

  local function get_build()
    local build = get('build', 'table', { { dtype = 'f32' } })
    local result = {}
    if #build == 0 then fail('build', 'build must list at least one { dtype =, isa = { ... } }') end
    for _, key in ipairs(record.sorted_keys(build)) do
      if math.type(key) ~= 'integer' then
        fail('build', 'build is a list of { dtype =, isa = { ... } }, not a table with "%s"', tostring(key))
      end
    end
    for _, entry in ipairs(build) do
      if type(entry) ~= 'table' then fail('build', 'build is a list of { dtype =, isa = { ... } }') end
      for _, key in ipairs(record.sorted_keys(entry)) do
        if key ~= 'dtype' and key ~= 'isa' then
          fail(tostring(key), 'build: unknown field "%s"%s', tostring(key),
            record.suggest(tostring(key), { 'dtype', 'isa' }))
        end
      end
      if entry.dtype ~= nil and entry.dtype ~= 'f32' then
        fail('dtype', 'unknown dtype "%s"%s', tostring(entry.dtype),
          record.suggest(tostring(entry.dtype), { 'f32' }))
      end
      local list = entry.isa == nil and isas.names or entry.isa
      if type(list) ~= 'table' or #list == 0 then
        fail('isa', 'isa must be a list such as { "c", "avx2" }')
      end
      local wanted = {}
      for _, isa in ipairs(list) do
        if type(isa) ~= 'string' or not isas.by_name[isa] then
          fail(tostring(isa), 'unknown isa "%s"%s', tostring(isa), record.suggest(tostring(isa), isas.names))
        end
        wanted[isa] = true
      end
      local ordered = {}
      for _, isa in ipairs(isas.names) do
        if wanted[isa] then ordered[#ordered + 1] = isa end
      end
      result[#result + 1] = { dtype = 'f32', isa = ordered }
    end
    return result
  end

  local function get_layers(bias_default)
    local list = get('layers', 'table')
    if not list or #list == 0 then
      fail('layers', 'layers must list at least one { width, "activation" }')
    end
    if #list > max_stages then fail('layers', '%d layers; at most %d', #list, max_stages) end
    local widths = {}
    for i, layer in ipairs(list) do
      if type(layer) ~= 'table' then
        fail('layers', 'layer %d must be a table { width, "activation" }, not a %s', i, type_name(layer))
      end
      for _, key in ipairs(record.sorted_keys(layer)) do
        if key ~= 1 and key ~= 2 and key ~= 'beta' then
          fail(tostring(key), 'layer %d: unknown field "%s" (a layer is { width, "activation" })', i, tostring(key))
        end
      end
      local word = layer[2] == nil and 'identity' or layer[2]
      if type(word) ~= 'string' or not activations.by_name[word] then
        fail(tostring(word), 'layer %d: unknown activation "%s"%s', i, tostring(word),
          record.suggest(tostring(word), activations.names))
      end
      widths[i] = {
        width = check_size(('the width of layer %d'):format(i), layer[1], 'layers'),
        word = word,
        beta = check_beta(layer.beta, activations.by_name[word], 'beta'),
      }
    end
    return widths, bias_default
  end

  local s = {
    kind = source.kind, name = source.name, file = source.file, line = source.line,
    word = nil, d_ff = nil, widths = nil, beta = nil,
  }
  s.about = get('about', 'string', '')
  if s.about:find('[%c]') or s.about:find('*/', 1, true) or #s.about > 200 then
    fail('about', 'about is one line of at most 200 characters, without "*/"')
  end
  s.d_model = get_size('d_model')
  s.bias = get('bias', 'boolean', false)
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
    s.beta = check_beta(given.beta, activation, 'beta')
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
  if parameters > max_parameters then
    fail('d_model', 'a layer of about %d parameters is beyond the limit of %d', parameters, max_parameters)
  end
  return s
end

-- Reading --------------------------------------------------------------------------------------

--- Runs a chunk under limits of instructions and memory, and without string methods, whose C
--- code no limit reaches. Returns nil, or what went wrong.
local function run_limited(chunk)
  local budget, step = max_instructions, 64
  collectgarbage()
  local start = collectgarbage('count')
  local thread = coroutine.create(chunk)
  debug.sethook(thread, function()
    budget = budget - step
    if budget <= 0 then error('the spec runs too long (an endless loop?)', 2) end
    if collectgarbage('count') - start > max_kilobytes then
      error('the spec uses too much memory (an endless table or string?)', 2)
    end
  end, '', step)
  local strings = getmetatable('')
  local methods = strings.__index
  strings.__index = nil
  local ok, problem = coroutine.resume(thread)
  strings.__index = methods
  if ok then return nil end
  return tostring(problem)
end

--- A spec's name is a C identifier, not too long, and new.
local function check_name(path, call, seen)
  local name, place = call.name, ('%s:%d'):format(path, call.line)
  if type(name) ~= 'string' then
    bad_input(('%s: %s takes a name: %s \'my_layer\' { ... }'):format(place, call.kind, call.kind))
  elseif not name:match('^[%a_][%w_]*$') or reserved[name] then
    bad_input(('%s: %s "%s": the name must be a C identifier (letters, digits, _)'):format(
      place, call.kind, name))
  elseif #name > max_name then
    bad_input(('%s: %s: the name is longer than %d characters'):format(place, call.kind, max_name))
  elseif seen[name] then
    bad_input(('%s: %s "%s": the name is taken at %s'):format(place, call.kind, name, seen[name]))
  end
  seen[name] = place
end

--- Reads one spec file. `seen` (name -> place) is shared among files: names are unique.
---@param path string
---@param seen table<string, string>
---@return Spec[]
function M.read(path, seen)
  local handle, problem = io.open(path, 'rb')
  local text = handle and handle:read('a')
  if handle then handle:close() end
  if not text then
    bad_input(('%s: cannot be read (%s)'):format(path, problem or 'is it a directory?'))
  end
  if text:sub(1, 1) == '\27' then bad_input(path .. ':1: a precompiled chunk is not a spec: give Lua text') end

  local lines = {}
  for line in (text .. '\n'):gmatch('(.-)\r?\n') do lines[#lines + 1] = line end

  -- What runs inside the spec only takes notes; they are judged when it has ended.
  local calls, scope = {}, { llama_d_ff = llama_d_ff, d_model = size(function(d) return d end) }
  for _, kind in ipairs(kinds) do
    scope[kind] = function(name)
      local call = { kind = kind, name = name, line = debug.getinfo(2, 'l').currentline, given = false }
      calls[#calls + 1] = call
      return function(given) call.given = given end
    end
  end
  local unknown, line_unknown
  setmetatable(scope, {
    __index = function(_, key)
      unknown, line_unknown = tostring(key), debug.getinfo(2, 'l').currentline
      error('unknown word', 2)
    end,
    __newindex = function() error('a spec sets no globals; write "local" before the name', 2) end,
    __metatable = false,
  })

  local chunk, syntax = load(text, '@' .. path, 't', scope)
  if not chunk then bad_input(syntax) end
  local trouble = run_limited(chunk)
  if unknown then
    bad_input(('%s:%d: unknown word "%s"%s'):format(path, line_unknown, unknown,
      record.suggest(unknown, words)))
  elseif trouble then
    bad_input(trouble:find(path, 1, true) and trouble or path .. ': ' .. trouble)
  end

  local specs = {}
  for i, call in ipairs(calls) do
    check_name(path, call, seen)
    if type(call.given) ~= 'table' or getmetatable(call.given) ~= nil then
      bad_input(('%s:%d: %s "%s": takes a table: %s \'%s\' { d_model = ..., ... }'):format(
        path, call.line, call.kind, call.name, call.kind, call.name))
    end
    specs[i] = judge(
      { file = path, lines = lines, line = call.line, kind = call.kind, name = call.name }, call.given)
  end
  return specs
end

return M
