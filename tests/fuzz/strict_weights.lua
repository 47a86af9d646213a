--- What a file of weights says, read by code that shares nothing with the generator's: the bytes of
--- the tensors, one after the other, or nil where the file is not wholly right.
local json = require 'strict_json'

local M = {}

---@class FuzzTensor
---@field name string      in safetensors
---@field shape integer[]

local function bytes_of(shape)
  local bytes = 4
  for _, n in ipairs(shape) do bytes = bytes * n end
  return bytes
end

local function total(tensors)
  local bytes = 0
  for _, t in ipairs(tensors) do bytes = bytes + bytes_of(t.shape) end
  return bytes
end

local function finite(bytes)
  for i = 1, #bytes, 4 do
    if string.unpack('<I4', bytes, i) & 0x7f800000 == 0x7f800000 then return nil end
  end
  return bytes
end

function M.bin(file, tensors) return #file == total(tensors) and finite(file) or nil end

--- A tuple of Python: its numbers, or nil.
local function tuple(text)
  local inside = text:match('^%(%s*(.-)%s*%)$')
  if not inside then return nil end
  local shape = {}
  for item in inside:gmatch('[^,]+') do
    local digits = item:match('^%s*(%d+)L?%s*$')
    if not digits or #digits > 15 then return nil end
    shape[#shape + 1] = math.tointeger(tonumber(digits))
  end
  local _, commas = inside:gsub(',', '')
  local trailing = inside:match(',%s*$') ~= nil
  if commas ~= #shape - (trailing and 0 or 1) and #inside > 0 or #shape == 1 and not trailing then
    return nil
  end
  return shape
end

local values = { '(%b())', '(%a+)', '("[^"\\]*")', "('[^'\\]*')" }

--- The first entry of a dictionary of Python: key, value as a text, and what stands behind.
local function entry_of(text)
  for _, value in ipairs(values) do
    local _, key, found, behind = text:match('^%s*(["\'])([%w_]+)%1%s*:%s*' .. value .. '%s*(.*)$')
    if key then return key, found, behind end
  end
end

--- The dictionary of an .npy header: its entries as texts.
local function dictionary(text)
  local rest, found = text:match('^%s*{(.*)}%s*$'), {}
  while rest and rest:match('%S') do
    local key, value, behind = entry_of(rest)
    if not key or found[key] then return nil end
    if behind ~= '' and behind:sub(1, 1) ~= ',' then return nil end
    found[key], rest = value, behind:sub(2)
  end
  return rest and found
end

--- The numbers of a matrix row after row, which lie column after column.
local function by_row(data, shape)
  local parts = {}
  for row = 0, shape[1] - 1 do
    for column = 0, shape[2] - 1 do
      local at = 4 * (column * shape[1] + row)
      parts[#parts + 1] = data:sub(at + 1, at + 4)
    end
  end
  return table.concat(parts)
end

function M.npy(file, tensors)
  local major = file:match('^\x93NUMPY([\1-\3])')
  if not major then return nil end
  local form = major == '\1' and '<I2' or '<I4'
  if #file < 8 + string.packsize(form) then return nil end
  local length, first = string.unpack(form, file, 9)
  local header, data = file:sub(first, first + length - 1), file:sub(first + length)
  if #header ~= length then return nil end
  local entries, count = dictionary(header), 0
  if not entries then return nil end
  for _ in pairs(entries) do count = count + 1 end
  local shape = entries.shape and tuple(entries.shape)
  local by_column = entries.fortran_order == 'True'
  if count ~= 3 or not shape or not (by_column or entries.fortran_order == 'False')
    or not (entries.descr == "'<f4'" or entries.descr == '"<f4"') or bytes_of(shape) ~= #data then
    return nil
  end
  if #shape == 1 then return M.bin(data, tensors) end
  local is_only = #tensors == 1 and table.concat(shape, ',') == table.concat(tensors[1].shape, ',')
  return is_only and M.bin(by_column and by_row(data, shape) or data, tensors) or nil
end

--- Whether an entry of a header has its own bytes of the file; `taken` has those of others.
local function in_place(entry, size, taken)
  local at = type(entry) == 'table' and entry.data_offsets
  if type(at) ~= 'table' or type(entry.shape) ~= 'table' or #at ~= 2 then return false end
  for _, list in ipairs { at, entry.shape } do
    for _, n in ipairs(list) do
      if math.type(n) ~= 'integer' or n < 0 then return false end
    end
  end
  if at[1] > at[2] or at[2] > size then return false end
  for _, other in ipairs(taken) do
    if at[1] < other[2] and other[1] < at[2] and at[1] < at[2] then return false end
  end
  taken[#taken + 1] = at
  return true
end

--- What stands in front of all matrices, nothing or something with a dot; nil where there is no
--- such prefix or two.
local function prefix_of(header, tensors)
  local found
  for key in pairs(header) do
    local prefix = key:sub(1, -#tensors[1].name - 1)
    local fits = prefix .. tensors[1].name == key and (prefix == '' or prefix:sub(-1) == '.')
    for _, wanted in ipairs(tensors) do
      local is_matrix = wanted.name:match('weight$')
      fits = fits and (header[prefix .. wanted.name] ~= nil or not is_matrix)
    end
    if fits and found then return nil end
    if fits then found = prefix end
  end
  return found
end

local function is_harmless(key, entry)
  local last = key:match('[^./]*$')
  return last == 'num_batches_tracked' or last == 'inv_freq' or bytes_of(entry.shape) == 0
end

--- Whether a tensor is a matrix: more than a row of numbers, or a weight of two dimensions.
local function is_matrix(key, shape)
  local wide = 0
  for _, n in ipairs(shape) do wide = wide + (n > 1 and 1 or 0) end
  return #shape > 1 and (wide > 1 or key:match('[^./]*$') == 'weight')
end

--- The module around that of the layer, and what of it the layer is in; lists are no modules.
local function module_around(prefix)
  local parts = {}
  for part in prefix:gmatch('[^./]*[./]') do parts[#parts + 1] = part end
  while #parts > 0 and parts[#parts]:match('^%d+[./]$') do parts[#parts] = nil end
  return table.concat(parts, '', 1, math.max(#parts - 1, 0)), table.concat(parts)
end

--- What is around the layer: names by their modules, and whether there is attention.
local function around(header, prefix)
  local outside, inside = module_around(prefix)
  local modules, is_block = {}, false
  for key in pairs(header) do
    if key:sub(1, #outside) == outside and key ~= '__metadata__' then
      local behind = key:sub(#outside + 1):lower()
      for _, word in ipairs { 'attn', 'attention', 'query', 'qkv', 'q_proj', 'fourier' } do
        is_block = is_block or behind:find(word, 1, true) ~= nil
      end
      if key:sub(1, #inside) ~= inside then
        local module = key:sub(#outside + 1):match('^[^./]*')
        modules[module] = modules[module] or {}
        table.insert(modules[module], key)
      end
    end
  end
  return modules, is_block, #outside
end

--- Whether something around the module of a layer may be between its matrices.
local function has_between(header, prefix, tensors)
  local first, last = tensors[1], tensors[#tensors]
  for _, t in ipairs(tensors) do last = t.name == 'down.weight' and t or last end
  if prefix == '' or last.name ~= 'down.weight' then return false end
  local inputs, outputs, hidden = first.shape[2], last.shape[1], last.shape[2]
  local modules, is_block, at = around(header, prefix)
  for module, keys in pairs(modules) do
    local matrices, vectors = {}, {}
    for _, key in ipairs(keys) do
      local shape = header[key].shape
      if not is_harmless(key, header[key]) then
        table.insert(is_matrix(key, shape) and matrices or vectors, key)
      end
    end
    for _, key in ipairs(#matrices == 0 and vectors or {}) do
      local n, behind = bytes_of(header[key].shape) // 4, key:sub(at + 1)
      local is_norm = is_block and (n == inputs or n == outputs)
      local is_single = n == 1 and (behind:find('[./]weight$') or behind:find('[./]%d+$'))
      if n > 1 and n == hidden and not is_norm or is_single then return true end
    end
    local only = #matrices == 1 and not is_block and matrices[1]:sub(at + 1) == module .. '.weight'
    local shape = only and table.concat(header[matrices[1]].shape, ',')
    if only and (shape == outputs .. ',' .. inputs or shape == inputs .. ',' .. outputs) then
      return true
    end
  end
  return false
end

--- Whether there is a number behind the prefix that the layer has no place for.
local function has_more(header, prefix, tensors)
  local known = { [prefix .. '__metadata__'] = prefix == '' }
  for _, wanted in ipairs(tensors) do known[prefix .. wanted.name] = true end
  for key, entry in pairs(header) do
    if key:sub(1, #prefix) == prefix and not known[key] and not is_harmless(key, entry) then
      return true
    end
  end
  return false
end

--- Whether what a file tells of itself is texts.
local function is_metadata(told)
  if told ~= nil and type(told) ~= 'table' then return false end
  for key, text in pairs(told or {}) do
    if type(key) ~= 'string' or type(text) ~= 'string' then return false end
  end
  return true
end

function M.safetensors(file, tensors)
  if #file < 10 then return nil end
  local length = string.unpack('<I8', file)
  if length < 2 or length > #file - 8 then return nil end
  local header, data = json.object(file:sub(9, 8 + length)), file:sub(9 + length)
  if not header then return nil end
  local taken, parts = {}, {}
  for key, entry in pairs(header) do
    if key ~= '__metadata__' and not in_place(entry, #data, taken) then return nil end
  end
  local prefix = prefix_of(header, tensors)
  if not prefix or not is_metadata(header.__metadata__) or has_more(header, prefix, tensors)
    or has_between(header, prefix, tensors) then
    return nil
  end
  for i, wanted in ipairs(tensors) do
    local entry = header[prefix .. wanted.name]
    if not entry or entry.dtype ~= 'F32'
      or table.concat(entry.shape, ',') ~= table.concat(wanted.shape, ',')
      or entry.data_offsets[2] - entry.data_offsets[1] ~= bytes_of(wanted.shape) then
      return nil
    end
    parts[i] = data:sub(entry.data_offsets[1] + 1, entry.data_offsets[2])
  end
  return finite(table.concat(parts))
end

return M
