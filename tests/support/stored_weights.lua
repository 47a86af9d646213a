--- Files of weights for tests of `ffngen vendor --weights`: tensors by name and shape, with numbers
--- of their own; whether they are taken, with which numbers, or refused, in which words.
local unit = require 'luaunit'
local json = require 'dkjson'
local model_files = require 'model_files'
local support = require 'support'

local M = {}

local layers = [[
ffn 'gated' { variant = 'swiglu', d_model = 3, d_ff = 4 }
ffn 'plain' { variant = 'gelu', d_model = 3, d_ff = 4, bias = true }
ffn 'bare' { variant = 'gelu', d_model = 3, d_ff = 4 }
mlp 'chain' { d_model = 3, layers = { { 4, 'relu' }, { 3 } }, bias = true }
mlp 'deep' { d_model = 3, layers = { { 4, 'relu' }, { 4, 'relu' }, { 3 } } }
mlp 'even' { d_model = 4, layers = { { 4, 'relu' }, { 4 } }, bias = true }
mlp 'wide' { d_model = 3, layers = { { 4, 'relu' }, { 4 } }, bias = true }
ffn 'square' { variant = 'swiglu', d_model = 4, d_ff = 4 }
linear 'box' { d_model = 4, d_out = 4, bias = true }
linear 'line' { d_model = 3, d_out = 4, bias = true }
selfgate 'own' { activation = 'silu', d_model = 3 }
ffn 'swish' { variant = 'swish', d_model = 3, d_ff = 4, beta = 1.5 }
ffn 'xielu' { variant = 'xielu', d_model = 3, d_ff = 4, parameters = 'runtime' }
]]

--- A table of tests, each with a new folder in which the specs are.
---@param specs string|nil in place of those above
function M.tests(specs)
  return {
    setUp = function()
      M.folder, M.constants = support.folder(), {}
      support.write(M.folder .. '/my.lua', specs or layers)
    end,
  }
end

--- A tensor's name, behind which its shape may stand: `fc1.weight 4 3`. Without one it has three
--- numbers.
function M.named(text)
  local key, rest = text:match '^(%S+)%s*(.*)$'
  local shape = {}
  for size in rest:gmatch '%d+' do shape[#shape + 1] = math.tointeger(tonumber(size)) end
  return key, rest == '' and { 3 } or shape
end

--- Writes w.safetensors; each tensor has numbers of its own, those of its place in the list.
---@param texts string[]
---@param path string|nil
---@return table<string, number[]> numbers by name
function M.store(texts, path)
  local header, data, at, numbers = {}, {}, 0, {}
  for t, text in ipairs(texts) do
    local key, shape = M.named(text)
    local list, count = {}, 1
    for _, size in ipairs(shape) do count = count * size end
    for i = 1, count do list[i] = t * 100 + i end
    local bytes = string.pack('<' .. ('f'):rep(count), table.unpack(list))
    header[key] = { dtype = 'F32', shape = setmetatable(shape, { __jsontype = 'array' }),
      data_offsets = { at, at + #bytes } }
    numbers[key], data[t], at = list, bytes, at + #bytes
  end
  header.__metadata__ = { format = 'pt' }
  local text = json.encode(header)
  support.write(M.folder .. '/' .. (path or 'w.safetensors'),
    string.pack('<I8', #text) .. text .. table.concat(data))
  return numbers
end

function M.run(layer, ...)
  return support.ffngen({ 'vendor', 'my.lua', '--out', 'out', '--layer', layer, '--isa', 'c',
    '--weights', ... }, { dir = M.folder })
end

--- The constants of bare numbers for a layer, made once.
local function constants_of(layer, bytes)
  local key = layer .. bytes
  if not M.constants[key] then
    support.write(M.folder .. '/w.bin', bytes)
    support.assert_code(M.run(layer, 'w.bin'), 0, layer)
    M.constants[key] = support.read(M.folder .. '/out/ffn_weights.c')
    support.sh('rm -rf', M.folder .. '/out')
  end
  return M.constants[key]
end

--- The file is taken, with the numbers of these tensors.
---@param own string[]  names of tensors
function M.assert_taken(layer, texts, own, ...)
  local numbers, all = M.store(texts), {}
  local what = layer .. ': ' .. table.concat(texts, ', ')
  support.assert_code(M.run(layer, 'w.safetensors', ...), 0, what)
  local taken = support.read(M.folder .. '/out/ffn_weights.c')
  for _, key in ipairs(own) do
    for _, number in ipairs(numbers[key]) do all[#all + 1] = number end
  end
  support.sh('rm -rf', M.folder .. '/out')
  unit.assertEquals(taken, constants_of(layer, string.pack('<' .. ('f'):rep(#all),
    table.unpack(all))), what)
end

--- The file is refused with all of these words, and nothing is written.
---@return string all that is said
function M.assert_refused(layer, texts, said, ...)
  M.store(texts)
  local result = M.run(layer, 'w.safetensors', ...)
  local what = layer .. ': ' .. table.concat(texts, ', ')
  support.assert_code(result, 4, what)
  for _, words in ipairs(said) do support.assert_has(result.err, words, what) end
  support.assert_lacks(result.err, 'traceback', what)
  unit.assertFalse(support.exists(M.folder .. '/out'), what)
  return result.err
end

M.joined, M.behind = model_files.joined, model_files.behind

return M
