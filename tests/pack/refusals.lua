--- What ffn-pack refuses, and how: a plan with one thing wrong each, files that are others, and
--- calls that ask for nothing that there is.
---
---   lua5.4 tests/pack/refusals.lua FFN_PACK FOLDER
---
--- FOLDER is what plans.lua made, and ffn-pack packed.
package.path = 'generator/?.lua;' .. package.path
local json = require 'dkjson'
local lists = require 'common.list'

local pack, folder = arg[1], arg[2]
local failed, passed = 0, 0

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read 'a'
  file:close()
  return text
end

local write = dofile('tests/support/write.lua')

local function exists(path)
  local file = io.open(path)
  return file and file:close() or false
end

--- A call of ffn-pack: its exit code and what it said.
local function call(arguments)
  local pipe = io.popen(('%s %s 2>&1'):format(pack, arguments))
  local said = pipe:read 'a'
  local _, _, code = pipe:close()
  return code, said
end

local function expect(what, arguments, code, text)
  local got, said = call(arguments)
  local as_it_should = got == code and said:find(text, 1, true)
  passed = passed + (as_it_should and 1 or 0)
  if not as_it_should then
    failed = failed + 1
    print(('%s: exit %d, not %d with "%s":\n%s'):format(what, got, code, text, said))
  end
end

--- The plan, with one layer of each kernel, and one for each way in which numbers lie.
local whole
do
  local p, layers, seen = json.decode(read(folder .. '/PLAN.json'), 1, json.null), {}, {}
  for _, l in ipairs(p.layers) do
    local is_new = not seen[l.kernel]
    seen[l.kernel] = true
    for _, m in ipairs(l.matrices) do
      local w = m.weight
      local key = w.scales and w.encoding .. w.scales.encoding
        .. (w.zeros ~= json.null and w.zeros.encoding or '') or w.encoding .. m.stage
      is_new = is_new or not seen[key]
      seen[key] = true
    end
    if is_new then layers[#layers + 1] = l end
  end
  p.layers, p.rows = layers, lists.filter(p.rows, function(r) return r.name:find '%.3$' ~= nil end)
  whole = json.encode(p)
end
local out = folder .. '/refused.ffn'
local changed = folder .. '/changed.json'

--- A plan in which something is changed: nothing is written of it.
local function plan(what, text, change)
  local p = json.decode(whole, 1, json.null)
  local replaced = change(p)
  write(changed, type(replaced) == 'string' and replaced or json.encode(p))
  expect(what, ('%s --out %s'):format(changed, out), 4, text)
  if exists(out) then
    failed = failed + 1
    print(what .. ': a file was written')
    os.remove(out)
  end
end

--- The first layer whose first matrix passes a test.
local function layer(p, test)
  for _, l in ipairs(p.layers) do
    local m = l.matrices[1]
    if test(m, p.kernels[l.kernel + 1].stages[1], p.kernels[l.kernel + 1]) then return l, m end
  end
  error('the plan has no such layer')
end

local function any() return true end
local function has_bias(m) return m.bias ~= json.null end

-- The text.
plan('no JSON', 'line 1: ', function() return '{"ffngen_plan": 1' end)
plan('a key twice', 'duplicate object key', function()
  return '{"ffngen_plan":1,"ffngen_plan":1}'
end)
plan('a number beyond 64 bits', 'too big', function()
  return '{"ffngen_plan":99999999999999999999}'
end)
plan('deep', 'maximum parsing depth', function() return ('['):rep(100000) end)
plan('another file', 'not a plan of ffngen import', function() return '{"layers":[]}' end)
plan('a list', 'not a plan of ffngen import', function() return '[]' end)
plan('an older version', 'version 2, and this ffn-pack reads 3: run ffngen import again',
  function(p) p.ffngen_plan = 2 end)
plan('a newer version', 'version 4', function(p) p.ffngen_plan = 4 end)
plan('another layout', 'layout 7', function(p) p.layout = 7 end)
plan('an unknown field', 'does not know', function(p) p.more = 1 end)
plan('a field that is not there', 'has no "layers"', function(p) p.layers = nil end)
plan('no layers', 'layers must be a list', function(p)
  p.layers = setmetatable({}, { __jsontype = 'array' })
end)
-- Files.
plan('a negative size', 'bytes must be a whole number', function(p) p.files[1].bytes = -1 end)
plan('a fraction', 'bytes must be a whole number', function(p) p.files[1].bytes = 1.5 end)
plan('a huge size', 'bytes must be a whole number', function(p) p.files[1].bytes = 1 << 53 end)
plan('spans that cross', 'must ascend', function(p) p.files[1].spans[2][1] = 5 end)
plan('a span beyond', 'a span must be', function(p) p.files[1].spans[2][2] = 1 << 40 end)
plan('spans beyond', 'lie in its', function(p)
  p.files[1].spans[2] = { p.files[1].bytes - 1, 2 }
end)
plan('no hash', 'sixteen digits', function(p) p.files[1].xxh64 = 'abc' end)
plan('another header', 'its header is not the one', function(p)
  p.files[1].xxh64 = ('%016x'):format(0)
end)
plan('another size', 'bytes, and had', function(p) p.files[1].bytes = p.files[1].bytes + 1 end)
plan('no file', 'No such file', function(p) p.files[1].path = 'nowhere.bin' end)
plan('a folder', 'not a regular file', function(p) p.files[1].path = '.' end)
-- Kernels.
plan('an unknown format', 'no format "q9"', function(p) p.kernels[1].stages[1].format = 'q9' end)
plan('panels elsewhere', 'made by another version', function(p) p.kernels[1].stages[1].at = 128 end)
plan('other bytes', 'as the plan says', function(p)
  p.kernels[1].packed_bytes = p.kernels[1].packed_bytes + 64
end)
plan('no such bundles', 'has bundles of', function(p) p.kernels[1].stages[1].width = 17 end)
plan('other bundles', 'has bundles of 16 columns, not 32', function(p)
  for _, kernel in ipairs(p.kernels) do
    for _, stage in ipairs(kernel.stages) do
      if stage.format == 'f32' and stage.outputs > 16 then stage.width = 32 end
    end
  end
end)
plan('bundles of half as many', 'has bundles of 32 columns, not 16', function(p)
  for _, kernel in ipairs(p.kernels) do
    for _, stage in ipairs(kernel.stages) do
      if stage.width == 32 then stage.width = 16 end
    end
  end
end)
plan('no matrices', 'one or two matrices', function(p)
  p.kernels[1].stages[1].matrices = { 'a', 'b', 'c' }
end)
plan('a size of 0', 'must not be 0', function(p) p.kernels[1].stages[1].inputs = 0 end)
plan('a kernel of other sizes', 'not those of its stages', function(p)
  p.kernels[1].inputs = p.kernels[1].inputs + 1
end)
plan('a kernel of other outputs', 'not those of its stages', function(p)
  p.kernels[1].outputs = p.kernels[1].outputs + 1
end)
plan('a chain of other sizes', 'run ffngen import again', function(p)
  for _, kernel in ipairs(p.kernels) do
    if kernel.kind == 'ffn' then kernel.stages[2].inputs = kernel.stages[2].inputs + 1 end
  end
  for _, l in ipairs(p.layers) do
    if p.kernels[l.kernel + 1].kind == 'ffn' then l.matrices[#l.matrices].inputs = 1 end
  end
end)
plan('a kind that there is not', 'has no kind "conv"', function(p)
  p.kernels[1].kind = 'conv'
end)
plan('stages side by side that follow each other', 'not those of its stages', function(p)
  for _, kernel in ipairs(p.kernels) do
    if #kernel.stages > 1 then
      kernel.stages_share_x, kernel.hidden, kernel.outputs = true, 0, 0
      for _, stage in ipairs(kernel.stages) do kernel.outputs = kernel.outputs + stage.outputs end
    end
  end
end)
plan('a stage beside none', 'not those of its stages', function(p)
  for _, kernel in ipairs(p.kernels) do kernel.stages_share_x = true end
end)
plan('no word on how stages stand', 'stages_share_x must be true or false', function(p)
  p.kernels[1].stages_share_x = 1
end)
--- Text in the name of a kernel's packed weights that becomes another.
local function renamed(what, from, to)
  plan(what, 'says other sizes, biases or formats', function(p)
    for _, kernel in ipairs(p.kernels) do
      local name, count = kernel.packed:gsub(from, to)
      if count == 1 then
        kernel.packed, kernel.layer = name, kernel.layer:gsub(from, to)
        return nil
      end
    end
    error(what .. ': no kernel has it')
  end)
end
renamed('a name of other inputs', '_d(%d+)_', '_d1%1_')
renamed('a name of more digits', '_d(%d+)_', '_d%10_')
renamed('a name of other hidden outputs', '_f(%d+)_', '_f9%1_')
renamed('a name of other outputs', '_o(%d+)_', '_o%19_')
renamed('a name of another chain', '^mlp_(%d+_[a-z]+)(%d+)', 'mlp_%1%29')
renamed('a name of another format', '_f32$', '_bf16')
renamed('a name without its bias', '_bias_', '_')
renamed('a name with a bias', '([a-z])_d(%d+_[of]%d+_bf16)', '%1_bias_d%2')
renamed('a name of panels in pairs', '_panels$', '')
renamed('a name of panels that are none', '_f32$', '_f32_panels')
plan('a name of another layer', 'says other sizes', function(p)
  p.kernels[1].layer = 'x' .. p.kernels[1].layer
end)
plan('a size beyond all', 'inputs must be', function(p)
  p.kernels[1].stages[1].inputs = (1 << 20) + 1
end)
-- Layers.
plan('layers that descend', 'must ascend', function(p)
  p.layers[1].index = p.layers[2].index + 1
end)
plan('parts that descend', 'must ascend', function(p)
  p.layers[2].part, p.layers[1].part = 0, 9
  p.layers[2].index = p.layers[1].index
end)
plan('a part after the last', 'must ascend', function(p)
  p.layers[1].part, p.layers[2].index = 0xffffffff, p.layers[1].index
end)
plan('no such kernel', 'has no kernel', function(p) p.layers[1].kernel = #p.kernels end)
plan('no such file index', 'has no file', function(p)
  layer(p, any).matrices[1].weight.file = 1
end)
plan('a matrix of other sizes', 'where the kernel has', function(p)
  layer(p, any).matrices[1].outputs = 999
end)
plan('matrices that are missing', 'matrices', function(p) table.remove(layer(p, any).matrices) end)
plan('matrices in another order', 'stage by stage', function(p)
  local own = layer(p, any).matrices
  own[1], own[2] = own[2], own[1]
end)
plan('an unknown encoding', 'its numbers are q9', function(p)
  layer(p, any).matrices[1].weight.encoding = 'q9'
end)
plan('scales elsewhere', 'its numbers are u4g32', function(p)
  layer(p, any).matrices[1].weight.encoding = 'u4g32'
end)
plan('blocks for floats', 'are not packed from q4_0', function(p)
  local own = layer(p, function(_, stage) return stage.format == 'bf16' end)
  own.matrices[1].weight.encoding = 'q4_0'
end)
plan('floats for blocks', 'are not packed from f32', function(p)
  layer(p, function(_, stage) return stage.format == 'q5_K' end).matrices[1].weight.encoding = 'f32'
end)
plan('numbers beyond the file', 'lies beyond', function(p)
  local _, m = layer(p, any)
  m.weight.first = p.files[1].bytes - 3
end)
plan('numbers beyond the tensor', 'lies beyond', function(p)
  local _, m = layer(p, any)
  m.weight.bytes = 1
end)
plan('a tensor beyond all', 'has 4503599627370496 of them', function(p)
  layer(p, any).matrices[1].weight.bytes = 1 << 52
end)
plan('numbers in the header', 'in what import read as its header', function(p)
  layer(p, function(m) return m.inputs * m.outputs > 400 end).matrices[1].weight.first = 5
end)
plan('numbers that begin in a span', 'in what import read as its header', function(p)
  layer(p, any).matrices[1].weight.first = 40
end)
for _, bytes in ipairs { 0, 1, 3 } do
  plan('rows ' .. bytes .. ' bytes apart', 'lie over each other', function(p)
    local _, m = layer(p, function(m)
      return m.weight.encoding == 'f32' and m.outputs > 1 and m.inputs > 1
        and m.weight.row_bytes > m.weight.column_bytes
    end)
    m.weight.row_bytes = bytes
  end)
end
plan('columns over each other', 'lie over each other', function(p)
  local _, m = layer(p, function(m)
    return m.weight.encoding == 'f32' and m.outputs > 1 and m.inputs > 1
  end)
  m.weight.column_bytes = 2
end)
plan('biases over each other', 'lie over each other', function(p)
  local _, m = layer(p, function(m) return has_bias(m) and m.outputs > 1 end)
  m.bias.column_bytes = 1
end)
plan('a stride beyond all', 'lies beyond', function(p)
  local _, m = layer(p, function(m) return m.outputs > 2 end)
  m.weight.row_bytes = 1 << 51
end)
plan('columns of blocks', 'whole blocks', function(p)
  local _, m = layer(p, function(_, stage) return stage.format == 'q5_K' end)
  m.weight.column_bytes = 1
end)
plan('rows of blocks over others', 'one over the other', function(p)
  local _, m = layer(p, function(m, stage) return stage.format == 'q5_K' and m.outputs > 1 end)
  m.weight.row_bytes = m.inputs // 256 * 176 - 1 -- a byte less than a row
end)
plan('a row of blocks for all outputs', 'one over the other', function(p)
  local _, m = layer(p, function(m, stage) return stage.format == 'q5_K' and m.outputs > 1 end)
  m.weight.row_bytes = 0
end)
plan('a kernel of other hidden outputs', 'not those of its stages', function(p)
  p.kernels[1].hidden = p.kernels[1].hidden + (1 << 20)
end)
plan('a bias too many', 'a stage that has none', function(p)
  local _, m = layer(p, function(m) return not has_bias(m) end)
  m.bias = m.weight
end)
plan('a bias that is none', 'where numbers lie is not an object', function(p)
  local _, m = layer(p, has_bias)
  m.bias = 'none'
end)
plan('a bias of blocks', 'a bias is a vector', function(p)
  local _, m = layer(p, has_bias)
  m.bias.encoding = 'q4_0'
end)
--- The first matrix behind which there is a norm.
local function with_norm(p)
  for _, l in ipairs(p.layers) do
    for _, m in ipairs(l.matrices) do
      if m.affine ~= json.null and m.affine and m.outputs > 9 then return m end
    end
  end
  error('the plan has no norm')
end
plan('a norm without an epsilon', 'epsilon must be a number', function(p)
  with_norm(p).affine.epsilon = json.null
end)
plan('a norm of a negative epsilon', 'epsilon must be a number', function(p)
  with_norm(p).affine.epsilon = -1
end)
plan('a norm without a mean', 'has no "mean"', function(p) with_norm(p).affine.mean = nil end)
plan('a norm of more', 'has a field that this version does not know', function(p)
  with_norm(p).affine.momentum = 1
end)
plan('a norm of bytes', 'gamma is a vector of f32', function(p)
  with_norm(p).affine.gamma.encoding = 'i8'
end)
plan('a norm that ends early', 'beyond its', function(p)
  local variance = with_norm(p).affine.variance
  variance.bytes = variance.bytes - 2
end)
plan('a norm that divides by nothing', 'of output 8 the variance and epsilon are 0', function(p)
  with_norm(p).affine.epsilon = 0
end)
plan('a norm of all numbers', 'where the norm behind it is folded in, which is no f32', function(p)
  local affine = with_norm(p).affine
  -- Text, which is a large number, is one for all.
  affine.gamma.first, affine.gamma.encoding, affine.gamma.column_bytes = 19, 'f64', 0
end)
plan('a norm behind blocks', 'a norm is folded into floats alone', function(p)
  local _, m = layer(p, function(_, stage) return stage.format ~= 'f32' end)
  m.affine = with_norm(p).affine
end)
plan('parameters', 'parameters with its weights', function(p)
  local l = layer(p, function(_, _, kernel) return kernel.parameters == 0 end)
  l.parameters = { 1 }
end)
-- An f64 that is no float: a number of a matrix, of a bias, and one that is larger than all.
do
  local numbers = read(folder .. '/numbers.bin')
  local function with(what, value, text, at_of, encoding)
    local p = json.decode(whole, 1, json.null)
    local at, placed = at_of(p)
    placed.encoding = encoding or 'f64'
    p.files[1].path = 'changed.bin'
    write(folder .. '/changed.bin',
      numbers:sub(1, at) .. string.pack('<d', value) .. numbers:sub(at + 9))
    write(changed, json.encode(p))
    local code = text == 'written' and 0 or 4
    expect(what, ('%s --out %s'):format(changed, out), code, text)
    local made = exists(out) and read(out)
    os.remove(out)
    return made
  end
  local function of_matrix(p)
    local _, m = layer(p, function(m)
      return m.weight.encoding == 'f64' and m.outputs > 2 and m.inputs > 3
        and (m.affine == nil or m.affine == json.null)
    end)
    return m.weight.first + 2 * m.weight.row_bytes + 3 * m.weight.column_bytes, m.weight
  end
  local function of_bias(p)
    local _, m = layer(p, function(m)
      return has_bias(m) and m.bias.encoding == 'f64' and m.outputs > 1 and m.bias.column_bytes > 0
    end)
    return m.bias.first + m.bias.column_bytes, m.bias
  end
  with('an f64 between floats', 0.1, 'output 2, input 3 is an f64 and not an f32', of_matrix)
  with('an f64 beyond floats', 1e300, 'output 2, input 3 is an f64 and not an f32', of_matrix)
  with('an f64 below floats', 1e-300, 'output 2, input 3 is an f64 and not an f32', of_matrix)
  with('a bias between floats', 0.1, 'its number 1 is an f64', of_bias)
  -- Where they are rounded, each is, once, to the nearest f32, of two to the even one.
  for i, value in ipairs { 0.1, 1 + 0x1p-24, 1 + 0x3p-24, 0x1.8p-149, 1e-300, -0.0 } do
    local float = string.unpack('<f', string.pack('<f', value))
    for name, at_of in pairs { matrix = of_matrix, bias = of_bias } do
      local rounded = with(('rounded %d of a %s'):format(i, name), value, 'written', at_of,
        'f64_rounded')
      local same = with(('float %d of a %s'):format(i, name), float, 'written', at_of)
      passed = passed + 1
      if rounded ~= same then
        failed = failed + 1
        print(('%g of a %s is rounded to another number than %g'):format(value, name, float))
      end
    end
  end
  with('rounded beyond floats', 1e300, 'is an f64 and not an f32: it is larger', of_matrix,
    'f64_rounded')
  with('a bias beyond floats', -0x1.ffffffp127, 'it is larger than all', of_bias, 'f64_rounded')
  os.remove(folder .. '/changed.bin')
end
-- Numbers whose scales lie beside them.
do
  local numbers = read(folder .. '/numbers.bin')
  local function scaled(p, test)
    for _, l in ipairs(p.layers) do
      for _, m in ipairs(l.matrices) do
        local stage, w = p.kernels[l.kernel + 1].stages[m.stage + 1], m.weight
        if w.scales and m.outputs > 1 and (not test or test(w, stage, m)) then return w, m end
      end
    end
    error 'the plan has no such numbers'
  end
  local function has_zeros(w) return w.zeros ~= json.null end
  local function is_nibbles(w) return w.encoding:find '^u4_' end
  plan('no scales', 'have scales beside them', function(p)
    local w = scaled(p)
    w.every, w.scales, w.zeros, w.groups = nil, nil, nil, nil
  end)
  plan('scales of floats', 'have no scales beside them', function(p)
    local w = scaled(p)
    w.encoding = 'f32'
  end)
  plan('scales of other bits', 'are not packed from', function(p)
    local w = scaled(p, function(w, stage)
      return w.scales.encoding == 'f16' and stage.format:find '^u4g'
    end)
    w.scales.encoding = 'bf16'
  end)
  plan('other groups', 'are not packed from', function(p)
    local w = scaled(p, function(_, stage) return stage.format:find '^u4g' end)
    w.every = w.every * 2
  end)
  plan('zeros of other bytes', 'are not packed from', function(p)
    local w = scaled(p, function(w) return w.encoding:find '^[iu]8' and has_zeros(w) end)
    w.zeros.encoding = w.encoding == 'i8' and 'u8' or 'i8'
  end)
  plan('zeros of floats for nibbles', 'are not packed from', function(p)
    local like = { u4_in2 = 'e2m1_in2', u8 = 'e4m3' } -- units of the same size
    local w = scaled(p, function(w)
      return is_nibbles(w) and has_zeros(w) and like[w.zeros.encoding]
    end)
    w.zeros.encoding = like[w.zeros.encoding]
  end)
  plan('scales of integers', 'are not packed from', function(p)
    scaled(p, function(w) return w.scales.encoding == 'f32' end).scales.encoding = 'i32'
  end)
  plan('zeros of floats', 'are not packed from', function(p)
    local w = scaled(p, function(w) return w.encoding == 'e4m3' end)
    w.zeros = {}
    for field, value in pairs(w.scales) do w.zeros[field] = value end
    w.zeros.encoding, w.zeros.add = 'u8', 0
  end)
  plan('scales behind the end', 'lies beyond', function(p)
    local w = scaled(p)
    w.scales.first = p.files[1].bytes - 1
    w.scales.rows, w.scales.row_bytes = 1, 64
  end)
  plan('rows over each other', 'lie over each other', function(p)
    local w = scaled(p, function(w, _, m)
      return m.outputs > 8 and m.inputs > 8 and is_nibbles(w)
    end)
    w.row_bytes, w.column_bytes = 1, 1
  end)
  plan('a row of eight outputs for several', 'share no row', function(p)
    local w = scaled(p, function(w) return has_zeros(w) and w.zeros.encoding:find 'out8' end)
    w.zeros.rows = 2
  end)
  plan('rows of no outputs', 'must not be 0', function(p) scaled(p).scales.rows = 0 end)
  plan('zeros of two more', 'add must be', function(p) scaled(p, has_zeros).zeros.add = 2 end)
  plan('a field too many', 'does not know', function(p) scaled(p).scales.add = 0 end)
  local function has_groups(w, _, m)
    return w.groups ~= json.null and w.every > 0 and m.inputs > w.every
  end
  plan('groups as floats', 'told in i32', function(p)
    scaled(p, has_groups).groups.encoding = 'f32'
  end)
  plan('zeros of another number than sym says', 'where the model\'s config says sym it is ',
    function(p)
      scaled(p, function(w) return is_nibbles(w) and has_zeros(w) and w.zeros.add == 0 end)
        .zeros.only = 8
    end)
  plan('a zero beyond nibbles', 'only must be', function(p)
    scaled(p, has_zeros).zeros.only = 16
  end)
  plan('a stored zero of 15', 'is stored as 15', function(p)
    scaled(p, function(w) return is_nibbles(w) and has_zeros(w) and w.zeros.add == 0 end)
      .zeros.add = 1
  end)
  --- The same plan, where a file holds other bytes at a place.
  local function holds(what, bytes, text, at_of)
    local p = json.decode(whole, 1, json.null)
    local at = at_of(p)
    p.files[1].path = 'changed.bin'
    write(folder .. '/changed.bin', numbers:sub(1, at) .. bytes .. numbers:sub(at + #bytes + 1))
    write(changed, json.encode(p))
    expect(what, ('%s --out %s'):format(changed, out), 4, text)
    os.remove(folder .. '/changed.bin')
  end
  holds('a tiny scale', string.pack('<f', 1e-35),
    'the scale of output 0, group 0 is 1e-35: below 2^-100', function(p)
      return scaled(p, function(w, stage)
        return w.scales.encoding == 'f32' and stage.format ~= 'f32'
      end).scales.first
    end)
  holds('groups in another order', string.pack('<i4', 0), 'act-order', function(p)
    local w, m = scaled(p, has_groups)
    return w.groups.first + (m.inputs - 1) * w.groups.column_bytes
  end)
end
-- A plan as import writes it: whatever is changed, it is another one.
do
  local xxh64 = require 'files.xxh64'
  local function sealed(text)
    local behind = text:sub(#'{' + 1)
    behind = behind:gsub('^"xxh64":"%x*",', '')
    -- The hash stands in front of all that it is of.
    return '{"xxh64":"' .. xxh64.of(',' .. behind) .. '",' .. behind
  end
  local p = json.decode(whole, 1, json.null)
  p.layers, p.rows = { p.layers[1] }, { p.rows[1] }
  local text = sealed(json.encode(p, {}))
  write(changed, text)
  expect('a plan with its hash', ('%s --out %s'):format(changed, out), 0, 'written')
  -- The file tells which plan it was packed by, in the last word of its head.
  local function last_word()
    local packed = read(out)
    local head_bytes = string.unpack('=I8', packed, 33)
    os.remove(out)
    return packed:sub(1, head_bytes):match '%z([^%z]*)%z$'
  end
  local function tells(what, word)
    if word == last_word() then
      passed = passed + 1
    else
      failed = failed + 1
      print(what .. ': another word of the plan')
    end
  end
  tells('a plan with its hash', 'plan ' .. text:match '"xxh64":"(%x+)"')
  write(changed, (text:gsub('"xxh64":"%x+",', '', 1)))
  expect('a plan without a hash', ('%s --out %s'):format(changed, out), 0, 'written')
  tells('a plan without a hash', p.rows[1].encoding)
  local seen = 0
  -- Each number of it, and each word.
  local layers_at = text:find('"layers"', 1, true)
  for at, digits in text:gmatch '():(%d+)' do
    if at < 300 or seen % (at > layers_at and 5 or 100) == 0 then
      write(changed, text:sub(1, at) .. (digits + 1) .. text:sub(at + 1 + #digits))
      local code, said = call(('%s --out %s'):format(changed, out))
      if code ~= 4 or exists(out) then
        failed = failed + 1
        print(('a number at %d of a plan is another: exit %d, %s'):format(at, code, said))
        os.remove(out)
      end
      passed = passed + 1
    end
    seen = seen + 1
  end
  write(changed, text:gsub('"encoding":"f32"', '"encoding":"bf16"', 1))
  expect('another encoding', changed, 4, 'it was changed after import wrote it')
  write(changed, (text:gsub('"index":%d+', '"index":77')))
  expect('another index', changed, 4, 'it was changed after import wrote it: run ffngen import')
  write(changed, (text:gsub('"xxh64":"%x+"', '"xxh64":"0"', 1)))
  expect('no hash at all', changed, 4, 'sixteen digits')
end
-- Rows.
do
  --- A table of an encoding.
  local function table_of(p, encoding)
    return lists.filter(p.rows, function(r) return r.encoding == encoding end)[1]
  end
  local function rows(what, text, encoding, change)
    plan(what, text, function(p) change(table_of(p, encoding), p) end)
  end
  plan('no rows', 'the plan has no "rows"', function(p) p.rows = nil end)
  plan('rows that are none', 'rows must be a list', function(p) p.rows = { a = 1 } end)
  rows('an unknown field of rows', 'does not know', 'f32', function(r) r.more = 1 end)
  rows('a field of rows that is not there', 'has no "width"', 'f32', function(r) r.width = nil end)
  rows('rows that descend', 'rows must ascend by name', 'f32', function(r) r.name = 'a' end)
  rows('rows twice', 'rows must ascend by name, each once', 'f32', function(r, p)
    r.name = lists.filter(p.rows, function(other) return other.name < r.name end)[1].name
  end)
  rows('no rows of a table', 'count must not be 0', 'f32', function(r) r.count = 0 end)
  rows('more rows than there are', 'lies beyond', 'q8_0', function(r) r.count = 1 << 20 end)
  rows('a size beyond all', 'width must be', 'f32', function(r) r.width = (1 << 20) + 1 end)
  rows('half a block', 'whole blocks of 32', 'q8_0', function(r) r.width = r.width - 16 end)
  rows('blocks apart', 'whole blocks of 32', 'q8_0', function(r) r.column_bytes = 34 end)
  rows('rows over each other', 'lie one over the other', 'q8_0', function(r)
    r.row_bytes = r.row_bytes - 1 - r.row_bytes // 2
  end)
  rows('numbers over each other', 'lie over each other', 'f32', function(r) r.column_bytes = 2 end)
  rows('no such file', 'has no file', 'f32', function(r) r.file = 1 end)
  rows('rows behind the end', 'lies beyond', 'bf16', function(r, p)
    r.first = p.files[1].bytes - 1
  end)
  rows('rows in a header', 'read as its header', 'bf16', function(r) r.first = 0 end)
  rows('rows of units', 'has no rows of u8', 'bf16', function(r) r.encoding = 'u8' end)
  rows('rows of f8', 'which this version does not know', 'bf16', function(r)
    r.encoding = 'f8_e4m3'
  end)
  rows('rows of nothing', 'does not know', 'bf16', function(r) r.encoding = 'q9' end)
  -- An f64 is a float, or is rounded.
  local p = json.decode(whole, 1, json.null)
  local r, numbers = table_of(p, 'f64'), read(folder .. '/numbers.bin')
  local row, column = r.count - 1, r.width - 1
  local at = r.first + row * r.row_bytes + column * r.column_bytes
  local file = p.files[1]
  local function with(what, value, encoding, code, text)
    write(folder .. '/changed.bin', numbers:sub(1, at) .. string.pack('<d', value)
      .. numbers:sub(at + 9))
    file.path, r.encoding = 'changed.bin', encoding
    write(changed, json.encode(p))
    expect(what, ('%s --out %s'):format(changed, out), code, text)
    os.remove(out)
  end
  with('a float', 0.5, 'f64', 0, 'written')
  with('a double', 0.1, 'f64', 4, ('row %d, column %d is an f64 and not an f32: import the '
    .. 'model with --decode'):format(row, column))
  with('a rounded double', 0.1, 'f64_rounded', 0, 'written')
  with('a double beyond floats', 1e300, 'f64_rounded', 4, 'it is larger than all')
  with('an infinity', -math.huge, 'f64', 0, 'written')
  os.remove(folder .. '/changed.bin')
end
-- Calls.
local good = folder .. '/PLAN.json'
expect('no plan', '', 2, 'name a plan: ffn-pack DIR/PLAN.json')
expect('an unknown option', good .. ' --nowhere', 2, 'unknown option')
expect('two plans', good .. ' ' .. good, 2, 'this is a second plan: name one plan')
expect('no value', good .. ' --out', 2, 'it takes a value')
expect('list and check', good .. ' --list --check', 2, 'choose one')
for _, list in ipairs { 'x', '1-', '-1', '3-2', '1,,2', '1;2', '99999999999' } do
  expect('layers ' .. list, ("%s --layers '%s' --list"):format(good, list), 2, 'numbers and ranges')
end
expect('no such layers', good .. ' --layers 4000000000', 4, 'the plan has none of these layers: ')
expect('no plan there', folder .. '/nowhere.json', 4, 'No such file')
expect('a folder as plan', folder, 4, 'it is not a regular file')
expect('no place', good .. ' --out ' .. folder .. '/nowhere/x.ffn', 1, 'it cannot be written')
expect('help', '--help', 0, 'Usage: ffn-pack')
-- The file that was packed, and what differs from it.
expect('the same', good .. ' --check', 0, 'same')
expect('nothing there', good .. ' --check --out ' .. folder .. '/nowhere.ffn', 3, 'this file is '
  .. 'missing')
expect('others', good .. ' --check --layers 0-2', 3, 'it does not have the')
local packed = read(folder .. '/model.ffn')
for _, at in ipairs { 1, 70, 16384 + 9, #packed // 2, #packed - 1 } do
  write(folder .. '/other.ffn', packed:sub(1, at) .. string.char(packed:byte(at + 1) ~ 1)
    .. packed:sub(at + 2))
  expect('byte ' .. at, ('%s --check --out %s/other.ffn'):format(good, folder), 3,
    'it is not what the plan makes')
end
expect('json', good .. ' --check --json', 0, '"state": "same"')
-- Some layers alone; the same bytes at each call, whatever is there before; nothing beside it.
expect('some layers', ('%s --layers 0-1,3 --out %s/some.ffn'):format(good, folder), 0, 'written')
expect('some again', ('%s --layers=3,0-1 --out=%s/some.ffn'):format(good, folder), 0, 'written')
expect('some there', ('%s --layers 0,1,3 --out %s/some.ffn --check'):format(good, folder), 0,
  'same')
do -- experts of a layer: parts, in their order where they are not numbered
  local p = json.decode(whole, 1, json.null)
  p.layers[2].index, p.layers[3].index, p.layers[3].part = 0, 0, 7
  write(changed, json.encode(p))
  local _, said = call(('%s --layers 0 --list --json 2>&1'):format(changed))
  local parts = {}
  for part in said:gmatch '"part": (%d+)' do parts[#parts + 1] = part end
  passed = passed + 1
  if table.concat(parts, ' ') ~= '0 1 7' then
    failed = failed + 1
    print('parts: ' .. said)
  end
end
do -- a layer that has no name in its model
  local p = json.decode(whole, 1, json.null)
  p.layers[1].name = ''
  write(changed, json.encode(p))
  expect('no name', ('%s --layers %d --out %s'):format(changed, p.layers[1].index, out), 0,
    'written')
  os.remove(out)
  p.layers[1].name = ('x'):rep(4097)
  write(changed, json.encode(p))
  expect('a long name', changed, 4, 'name must be a text of at most 4096 bytes')
end
expect('listed', good .. ' --layers 0-1 --list', 0, '2 layers, ')
expect('listed rows', good .. ' --list', 0, 'rows.q8_0.3  7 x 256  q8_0')
local pipe = io.popen(('ls %s'):format(folder))
local names = pipe:read 'a'
pipe:close()
if names:find('new-', 1, true) then
  failed = failed + 1
  print('half-written files are left: ' .. names)
end

print(('ffn-pack: %d refusals and calls as they should be, %d not'):format(passed, failed))
os.exit(failed == 0)
