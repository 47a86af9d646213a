--- Files of weights for a layer: valid ones by random numbers, and changes of them.
local mutants = require 'text_mutants'

local M = {}

---@class FuzzModel
---@field spec string
---@field tensors FuzzTensor[]

--- Layers with and without biases, of one and of two branches.
---@type FuzzModel[]
M.models = {
  {
    spec = "ffn 'it' { variant = 'swiglu', d_model = 3, d_ff = 5, d_out = 2, bias = true }",
    tensors = {
      { name = 'gate.weight', shape = { 5, 3 } }, { name = 'gate.bias', shape = { 5 } },
      { name = 'up.weight', shape = { 5, 3 } }, { name = 'up.bias', shape = { 5 } },
      { name = 'down.weight', shape = { 2, 5 } }, { name = 'down.bias', shape = { 2 } },
    },
  },
  {
    spec = "selfgate 'it' { activation = 'silu', d_model = 2 }",
    tensors = { { name = 'gate.weight', shape = { 2, 2 } } },
  },
  {
    spec = "ffn 'it' { variant = 'relu', d_model = 1, d_ff = 17 }",
    tensors = {
      { name = 'up.weight', shape = { 17, 1 } }, { name = 'down.weight', shape = { 1, 17 } },
    },
  },
}

local function count_of(shape)
  local count = 1
  for _, n in ipairs(shape) do count = count * n end
  return count
end

--- Finite numbers, those at the edges of f32 among them.
local function numbers(random, count)
  local parts = {}
  for i = 1, count do
    local bits = random:chance(30) and random:pick { 0, 0x80000000, 1, 0x7f7fffff, 0x3f800000 }
      or random:below(1 << 32)
    if bits & 0x7f800000 == 0x7f800000 then bits = bits & 0x807fffff end
    parts[i] = string.pack('<I4', bits)
  end
  return table.concat(parts)
end

local make = {}

function make.bin(random, tensors)
  local count = 0
  for _, t in ipairs(tensors) do count = count + count_of(t.shape) end
  return numbers(random, count)
end

function make.npy(random, tensors)
  local data = make.bin(random, tensors)
  local shape = ('(%d,)'):format(#data // 4)
  if #tensors == 1 and random:chance(70) then
    shape = ('(%s)'):format(table.concat(tensors[1].shape, ', '))
  end
  local header = ("{'descr': '<f4', 'fortran_order': %s, 'shape': %s, }"):format(
    random:pick { 'False', 'True' }, shape)
  local version = random:pick { 1, 1, 2, 3 }
  local length = version == 1 and '<s2' or '<s4'
  return '\x93NUMPY' .. string.char(version, 0) .. string.pack(length, header .. '\n') .. data
end

---@param more string|nil  a name behind the prefix or around it, of a few numbers
function make.safetensors(random, tensors, more)
  local order, entries, data, at = { table.unpack(tensors) }, {}, {}, 0
  for i = #order, 2, -1 do
    local j = random:range(1, i)
    order[i], order[j] = order[j], order[i]
  end
  local prefix = random:chance(30) and 'model.layers.0.' or ''
  for i, t in ipairs(order) do
    data[i] = numbers(random, count_of(t.shape))
    entries[i] = ('"%s%s":{"dtype":"F32","shape":[%s],"data_offsets":[%d,%d]}'):format(prefix,
      t.name, table.concat(t.shape, ','), at, at + #data[i])
    at = at + #data[i]
  end
  if random:chance(40) then table.insert(entries, 1, '"__metadata__":{"format":"pt"}') end
  if random:chance(30) then
    entries[#entries + 1] = ('"other":{"dtype":"F64","shape":[0],"data_offsets":[%d,%d]}')
      :format(at, at)
  end
  if more then
    local count = random:pick { 1, 1, 2, 3, 5, 17 }
    entries[#entries + 1] = ('"%s%s":{"dtype":"F32","shape":[%s%d],"data_offsets":[%d,%d]}')
      :format(random:chance(50) and prefix or random:pick { 'else.', 'model.', 'model.layers.1.' },
        more, random:pick { '', '', '1,' }, count, at, at + 4 * count)
    data[#data + 1] = numbers(random, count)
  end
  local header = '{' .. table.concat(entries, ',') .. '}' .. (' '):rep(random:below(8))
  return string.pack('<s8', header) .. table.concat(data)
end

--- Names of what may stand beside a layer.
local beside = {
  'up.bias', 'gate.weight', 'norm.weight', 'gate.weight_scale', 'down.lora_A.default.weight',
  'num_batches_tracked', 'attn.rotary_emb.inv_freq', 'weight', 'beta', 'x',
  'norms.0.weight', 'scales.0',
}

M.forms = { 'bin', 'npy', 'safetensors', 'safetensors' }

--- Words of headers.
local dictionary = {
  'F32', 'F16', 'BF16', 'F64', 'I8', '"dtype"', '"shape"', '"data_offsets"', '__metadata__',
  'null', 'true', 'False', 'True', "'<f4'", "'>f4'", "'<f8'", "'|O'", '{', '}', '[', ']', '(', ')',
  ',', ':', '0', '1', '-1', '2', '3', '5', '17', '40', '60', '1e3', '1.0', '4294967296',
  '9223372036854775807', '18446744073709551616', '3L', 'gate.weight', 'up.weight', '"', "'",
  '\\u0000', '\\ud800', '/*', '//',
}

--- A change of the header that keeps what says how long it is.
local function with_header(random, file, form)
  local pattern = form == 'npy' and (file:byte(7) == 1 and '<s2' or '<s4') or '<s8'
  local at = form == 'npy' and 9 or 1
  local header, data = string.unpack(pattern, file, at)
  if random:chance(10) then
    local depth = random:pick { 10, 300, 250000 }
    header = random:chance(50) and ('['):rep(depth) or '{"a":' .. ('{"a":'):rep(depth)
    if #header > 60000 then pattern = pattern == '<s2' and '<s4' or pattern end
  else
    header = mutants.words(random, header, dictionary, 3)
  end
  return file:sub(1, at - 1) .. string.pack(pattern, header) .. file:sub(data)
end

--- One that is right.
---@param random Random
---@param form string
---@param model FuzzModel
---@return string
function M.valid(random, form, model) return make[form](random, model.tensors) end

--- One that is right, or has a change.
---@param random Random
---@param form string
---@param model FuzzModel
---@return string
function M.random(random, form, model)
  local way = random:below(10)
  if way == 9 and form == 'safetensors' then
    return make.safetensors(random, model.tensors, random:pick(beside))
  end
  local file = M.valid(random, form, model)
  if way == 0 then return file end
  if form ~= 'bin' and way < 6 then return with_header(random, file, form) end
  return mutants.bytes(random, file, 3)
end

return M
