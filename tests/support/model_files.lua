--- Files of models for tests of `ffngen import`: safetensors by names, types and shapes.
local json = require 'dkjson'
local lists = require 'common.list'
local support = require 'support'

local M = {}

local bytes_of = { F64 = 8, F32 = 4, F16 = 2, BF16 = 2, I8 = 1, F8_E4M3 = 1 }

--- A tensor of a line: `up_proj.weight BF16 8 4`; F32 where no type is said.
local function tensor_of(line)
  local name, rest = line:match '^(%S+)%s*(.*)$'
  local dtype, shape, count = rest:match '^%u%w*' or 'F32', {}, 1
  for size in rest:gsub('^%u%w*', ''):gmatch '%d+' do
    shape[#shape + 1] = math.tointeger(tonumber(size))
    count = count * shape[#shape]
  end
  return { name = name, dtype = dtype, shape = shape, bytes = count * bytes_of[dtype] }
end

--- Bytes of any value; doubles that an f32 is.
local function data_of(t, at)
  local parts = {}
  if t.dtype == 'F64' then
    for i = 1, t.bytes // 8 do parts[i] = string.pack('<d', (at + i) % 251 / 4 - 25) end
  else
    for i = 1, t.bytes do parts[i] = string.char((at + i - 1) % 251) end
  end
  return table.concat(parts)
end

--- The text of a safetensors file with these tensors, in order.
---@param lines string[]
---@param data_in table<string, string>|nil  what tensors hold, by their names
---@return string text
---@return string header
function M.text(lines, data_in)
  local entries, data, at = {}, {}, 0
  for i, line in ipairs(lines) do
    local t = tensor_of(line)
    entries[i] = ('"%s":{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]}'):format(t.name,
      t.dtype, table.concat(t.shape, ','), at, at + t.bytes)
    data[i] = data_in and data_in[t.name] or data_of(t, at)
    at = at + t.bytes
  end
  local header = '{"__metadata__":{"format":"pt"}'
    .. (#entries > 0 and ',' or '') .. table.concat(entries, ',') .. '}'
  return string.pack('<I8', #header) .. header .. table.concat(data), header
end

--- Lines behind a prefix.
---@return string[]
function M.behind(prefix, lines)
  return lists.map(lines, function(line) return prefix .. line end)
end

--- Several lists as one.
function M.joined(...)
  local result = {}
  for _, list in ipairs { ... } do lists.append(result, list) end
  return result
end

--- A folder with shards of a model and its index.
---@param folder string
---@param shards string[][]
---@param change fun(map: table<string, string>)|nil
function M.write_shards(folder, shards, change)
  local map = {}
  for i, lines in ipairs(shards) do
    local file = ('model-%05d-of-%05d.safetensors'):format(i, #shards)
    support.write(folder .. '/' .. file, (M.text(lines)))
    for _, line in ipairs(lines) do map[line:match '^%S+'] = file end
  end
  if change then change(map) end
  local entries = {}
  for i, key in ipairs(support.keys(map)) do entries[i] = ('"%s": "%s"'):format(key, map[key]) end
  support.write(folder .. '/model.safetensors.index.json',
    '{"metadata": {}, "weight_map": {' .. table.concat(entries, ', ') .. '}}')
end

--- A block of a Llama, by its number.
---@param n integer
---@param dtype string|nil
function M.llama(n, dtype)
  local type_of = dtype or 'BF16'
  return M.behind(('model.layers.%d.'):format(n), {
    'input_layernorm.weight ' .. type_of .. ' 8',
    'mlp.down_proj.weight ' .. type_of .. ' 8 24', 'mlp.gate_proj.weight ' .. type_of .. ' 24 8',
    'mlp.up_proj.weight ' .. type_of .. ' 24 8',
    'post_attention_layernorm.weight ' .. type_of .. ' 8',
    'self_attn.q_proj.weight ' .. type_of .. ' 8 8',
  })
end

--- A safetensors file of tensors: { name = { dtype, size, shape, bytes } }, all 0 without bytes.
function M.store(path, tensors)
  local header, at, data = {}, 0, {}
  local names = support.keys(tensors)
  for _, name in ipairs(names) do
    local t = tensors[name]
    local bytes = t[2]
    for _, n in ipairs(t[3]) do bytes = bytes * n end
    header[name] = { dtype = t[1], shape = setmetatable(t[3], { __jsontype = 'array' }),
      data_offsets = { at, at + bytes } }
    at = at + bytes
    data[#data + 1] = t[4] or ('\0'):rep(bytes)
  end
  support.write(path, string.pack('<s8', json.encode(header)) .. table.concat(data))
end

return M
