--- A plan of small layers, for the test that ffn-pack lays bytes as pack() does: their numbers lie
--- in every way that a file may have them, and once more as pack() takes them.
---
---   lua5.4 tests/pack/plans.lua [--small] FOLDER SPEC...      small: numbers of a model that runs
---
--- FOLDER/PLAN.json and numbers.bin are ffn-pack's; the others are for equal.c. cases.txt has a
--- line `layer KERNEL PARAMETERS...` for each layer of the plan, and for each of its matrices
--- `SOURCE WEIGHT SCALES ZEROS BIAS`, all places in dense.bin, -1 where there is none. rows.txt has
--- a line `NAME ENCODING COUNT WIDTH BYTES FLOATS` for each table: its rows as the packed file has
--- them, and as floats (-1 of blocks), both places in rows.bin.
package.path = 'generator/?.lua;generator/?/init.lua;tests/pack/?.lua;' .. package.path
local affine = require 'affine'
local isas = require 'isa'
local json = require 'dkjson'
local lists = require 'common.list'
local packed = require 'plan.packed'
local pipeline = require 'pipeline'
local plan_text = require 'import.plan_text'
local record = require 'common.record'
local scaled = require 'scaled'
local version = require 'common.version'
local weights = require 'weights'

local M = {}

--- What rows of a packed file may be.
local row_encodings = {
  'f32', 'f16', 'bf16', 'f64', 'iq4_nl', 'iq4_xs', 'mxfp4', 'q4_0', 'q4_1', 'q4_K', 'q5_0', 'q5_1',
  'q5_K', 'q6_K', 'q8_0',
}

--- Exponents of numbers that are not wild end here; where they are small, none are.
local greatest, are_small = 135, false

local most_numbers = 60000 -- of a layer; of blocks a sixteenth of them

--- Bytes one after the other, and where they came to lie.
local function pile()
  local parts, bytes = {}, 0
  return {
    put = function(text)
      local at = bytes
      parts[#parts + 1], bytes = text, bytes + #text
      return at
    end,
    align = function(step, past)
      local gap = -bytes % step + past
      parts[#parts + 1], bytes = ('\xa5'):rep(gap), bytes + gap
    end,
    text = function() return table.concat(parts) end,
    bytes = function() return bytes end,
  }
end

--- The bits of the f32 that an f16 is.
local function widened(half)
  local sign, exponent, fraction = half >> 15 << 31, half >> 10 & 31, half & 1023
  if exponent == 31 then return sign | 0x7f800000 | fraction << 13 end
  if exponent > 0 then return sign | exponent + 112 << 23 | fraction << 13 end
  local value = fraction * 2.0 ^ -24
  return sign | string.unpack('<I4', string.pack('<f', value))
end

--- How a number of each encoding is made: its bytes in a file, and the bits of its float.
local makers = {
  f32 = function(wild)
    local bits = math.random(0, 0xffffffff)
    if not wild then bits = bits & 0x807fffff | math.random(110, greatest) << 23 end
    return string.pack('<I4', bits), bits
  end,
  f16 = function(wild)
    local bits = math.random(0, 0xffff)
    if not wild and bits >> 10 & 31 == 31 then bits = bits & 0x83ff end
    return string.pack('<I2', bits), widened(bits)
  end,
  bf16 = function(wild)
    local bits = math.random(0, 0xffff)
    if not wild then bits = bits & 0x807f | math.random(110, greatest) << 7 end
    return string.pack('<I2', bits), bits << 16
  end,
  f64 = function(wild)
    local bits = math.random(0, 0xffffffff)
    local exponent = bits >> 23 & 255
    if not wild or exponent == 255 then
      bits = bits & 0x807fffff | math.random(110, greatest) << 23
    end
    return string.pack('<d', (string.unpack('<f', string.pack('<I4', bits)))), bits
  end,
}

local plain = { 'f32', 'f16', 'bf16', 'f64' }
local number_bytes = { f32 = 4, f16 = 2, bf16 = 2, f64 = 8 }

--- Rows of numbers or blocks, each a list of pieces, and the same rows as pack() takes them.
local function rows_of(format, encoding, outputs, inputs, wild)
  local rows, dense, own = {}, {}, encoding == format.name
  for o = 1, outputs do
    local row = {}
    if number_bytes[encoding] then
      for k = 1, inputs do
        local bytes, bits = makers[encoding](wild)
        row[k] = bytes
        dense[#dense + 1] = own and bytes or string.pack('<I4', bits)
      end
    else
      local whole = {}
      for b = 1, inputs // format.source.k * format.source.bytes do
        whole[b] = string.char(math.random(0, 255))
      end
      row[1] = table.concat(whole)
      dense[#dense + 1] = row[1]
    end
    rows[o] = row
  end
  return rows, table.concat(dense)
end

--- Puts matrices of one stage into a file, in a way that is drawn; gives where each begins.
local function place(file, encoding, matrices, outputs, inputs)
  local bytes = number_bytes[encoding]
  local way = math.random(1, bytes and 5 or 3)
  local row_bytes = bytes and inputs * bytes or #matrices[1][1][1]
  file.align(64, math.random(0, 3) == 0 and 1 or 0) -- of some no number is aligned
  if way == 4 or way == 5 then -- [in][out], each for itself or side by side
    local together = way == 5 and #matrices or 1
    local column, parts, begins = outputs * bytes * together, {}, {}
    for m, rows in ipairs(matrices) do
      if way == 4 or m == 1 then parts = {} end
      for k = 1, inputs do
        for o = 1, outputs do
          local n = (k - 1) * outputs + o
          local at = way == 4 and n or (n - 1) * together + m
          parts[at] = rows[o][k]
        end
      end
      if way == 4 then begins[m] = file.put(table.concat(parts)) end
    end
    if way == 5 then
      local at = file.put(table.concat(parts))
      for m in ipairs(matrices) do begins[m] = at + (m - 1) * bytes end
    end
    return begins, bytes * together, column
  end
  local function row(m, o) return table.concat(matrices[m][o]) end
  local begins, parts = {}, {}
  if way == 3 then -- rows of all take turns
    for o = 1, outputs do
      for m in ipairs(matrices) do parts[#parts + 1] = row(m, o) end
    end
    local at = file.put(table.concat(parts))
    for m in ipairs(matrices) do begins[m] = at + (m - 1) * row_bytes end
    return begins, row_bytes * #matrices, bytes or 0
  end
  local pad = way == 2 and ('\x5a'):rep(math.random(1, 70)) or ''
  for m in ipairs(matrices) do
    parts = {}
    for o = 1, outputs do parts[o] = row(m, o) .. pad end
    begins[m] = file.put(table.concat(parts))
  end
  return begins, row_bytes + #pad, bytes or 0
end

--- No bias where others have one: -0, as pack() takes it.
local function no_bias(dense, outputs)
  dense.align(64, 0)
  return json.null, dense.put(string.pack('<f', -0.0):rep(outputs))
end

--- A bias in a file, and as pack() takes it.
local function bias_of(file, dense, outputs)
  local encoding, parts, floats = plain[math.random(#plain)], {}, {}
  local bytes, step = number_bytes[encoding], math.random(0, 2)
  for o = 1, outputs do
    local text, bits = makers[encoding](false)
    if step == 0 and o > 1 then -- one number for all
      parts[o], floats[o] = '', floats[1]
    else
      parts[o] = text .. (step == 2 and '\x5a' or '')
      floats[o] = string.pack('<I4', bits)
    end
  end
  local first = file.put(table.concat(parts))
  dense.align(64, 0)
  return {
    tensor = 'a bias', file = 0, first = first, bytes = file.bytes() - first, encoding = encoding,
    row_bytes = 0, column_bytes = step == 0 and 0 or bytes + step - 1,
  }, dense.put(table.concat(floats))
end

--- Encodings that a format is packed from.
local function encodings_of(format)
  local list, source = {}, format.source
  if format.pack then lists.append(list, plain) end
  if are_small then return { 'f32', 'bf16' } end
  local alone = source and source.scale == 0 and source.zero == 0
  if alone and not lists.has(list, format.name) then list[#list + 1] = format.name end
  -- Most of what numbers with scales in arrays are packed as has no other way in.
  local ways = scaled.has(format.name) and (format.name == 'f32' and 1 or 4) or 0
  for _ = 1, ways do list[#list + 1] = 'scaled' end
  return list
end

--- How often a format was packed: each of its encodings has its turn.
local turns = {}

--- The matrices of a stage in floats or blocks: what the plan says of each, where each lies as
--- pack() takes it, and as what.
local function plain_stage(file, dense, format, encoding, stage)
  local wild = math.random(0, 4) == 0 and not are_small
  local matrices, places, of_plan = {}, {}, {}
  for b in ipairs(stage.matrices) do
    local bytes
    matrices[b], bytes = rows_of(format, encoding, stage.outputs, stage.inputs, wild)
    dense.align(64, 0)
    places[b] = { dense.put(bytes), -1, -1 }
  end
  local begins, row_bytes, column_bytes =
    place(file, encoding, matrices, stage.outputs, stage.inputs)
  local stop = file.bytes()
  for b in ipairs(stage.matrices) do
    of_plan[b] = {
      tensor = 'a matrix', file = 0, first = begins[b], bytes = stop - begins[b],
      encoding = encoding, row_bytes = row_bytes, column_bytes = column_bytes,
    }
  end
  return of_plan, places, encoding == format.name and encoding or 'f32'
end

--- The same of numbers with scales in arrays of their own.
local function scaled_stage(file, dense, format, _, stage)
  local of_plan, places = {}, {}
  local way = scaled.way(format.name)
  for b in ipairs(stage.matrices) do
    of_plan[b], places[b] =
      scaled.matrix(file, dense, format.name, way, stage.outputs, stage.inputs)
  end
  return of_plan, places, format.name
end

--- A layer of the plan, and its lines for equal.c.
local function layer_of(file, dense, kernel, index, name, lines)
  local layer = {
    index = index, name = ('layers.%d'):format(index), kernel = 0, parameters = {}, matrices = {},
  }
  for i = 1, kernel.parameters do layer.parameters[i] = i / 4 end
  lines[#lines + 1] = ('layer %s %s'):format(name, table.concat(layer.parameters, ' '))
  for s, stage in ipairs(kernel.stages) do
    local format = weights.by_name[stage.format]
    local encodings = encodings_of(format)
    turns[format] = (turns[format] or math.random(#encodings)) + 1
    local encoding = encodings[turns[format] % #encodings + 1]
    local made = encoding == 'scaled' and scaled_stage or plain_stage
    local weights_of, places, source = made(file, dense, format, encoding, stage)
    for b in ipairs(stage.matrices) do
      local bias, bias_at = json.null, -1
      if stage.bias then bias, bias_at = bias_of(file, dense, stage.outputs) end
      if stage.bias and #layer.matrices > 0 and (b > 1 or (index + s) % 2 == 0) then
        bias, bias_at = no_bias(dense, stage.outputs)
      end
      local norm
      if stage.bias and s == 2 and stage.format == 'f32' and number_bytes[encoding] then
        local own, weight_at, own_bias_at = affine.fold(file, dense, stage, places[b][1],
          bias ~= json.null and bias_at)
        if own then norm, places[b][1], bias_at = own, weight_at, own_bias_at end
      end
      layer.matrices[#layer.matrices + 1] = {
        stage = s - 1, branch = b - 1, outputs = stage.outputs, inputs = stage.inputs, bias = bias,
        weight = weights_of[b], affine = norm,
      }
      lines[#lines + 1] = ('%s %s %d'):format(source, table.concat(places[b], ' '), bias_at)
    end
  end
  setmetatable(layer.parameters, { __jsontype = 'array' })
  return layer
end

--- Tables in every encoding and way, and their lines for equal.c: a number, a vector, several rows.
--- One of f32 and one of f16 have more bytes than ffn-pack hands on at a time.
local function tables_of(file, dense)
  local sizes = { { 1, 1 }, { 1, 320 }, { 7, 256 }, { 5, 512 } }
  local list, lines = {}, {}
  for _, encoding in ipairs(row_encodings) do
    local format = weights.by_name[encoding]
    local bytes, k = number_bytes[encoding], number_bytes[encoding] and 1 or format.source.k
    for n, size in ipairs(sizes) do
      local count, width = size[1], (size[2] + k - 1) // k * k
      if n == #sizes and (encoding == 'f32' or encoding == 'f16') then count = 1100 end
      local unnamed = { name = '', source = format and format.source }
      local rows, floats = rows_of(unnamed, encoding, count, width, false)
      local begins, row_bytes, column_bytes = place(file, encoding, { rows }, count, width)
      local parts, name = {}, ('rows.%s.%d'):format(encoding, n)
      for o, row in ipairs(rows) do parts[o] = table.concat(row) end
      lines[#lines + 1] = ('%s %s %d %d %d %d'):format(name, encoding, count, width,
        dense.put(table.concat(parts)), bytes and dense.put(floats) or -1)
      list[#list + 1] = {
        name = name, count = count, width = width, tensor = 'a table', file = 0, first = begins[1],
        bytes = file.bytes() - begins[1], encoding = encoding, row_bytes = row_bytes,
        column_bytes = column_bytes,
      }
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list, table.concat(lines, '\n') .. '\n'
end

--- Whether all numbers of a kernel are few, and some encoding has them.
local function is_small(kernel)
  local numbers = 0
  for _, stage in ipairs(kernel.stages) do
    local source = weights.by_name[stage.format].source
    local alone = source and source.k > 1 and not weights.by_name[stage.format].pack
    numbers = numbers + stage.inputs * stage.outputs * #stage.matrices // (alone and 16 or 1)
  end
  return numbers <= most_numbers
end

--- Kernels of small layers in portable C, each once.
---@param specs string[]
---@return table[] { name =, packed = }
function M.kernels(specs)
  local kernels, seen = {}, {}
  for _, wanted in ipairs(pipeline.lower(pipeline.read(specs), { isas.by_name.c.name })) do
    local kernel = packed.of(wanted.layer)
    if not seen[kernel.packed] and is_small(kernel) then
      seen[kernel.packed] = true
      kernels[#kernels + 1] = { name = wanted.layer.name, packed = kernel }
    end
  end
  return kernels
end

--- A kernel as plans have it: a stage says what it has alone.
local function in_plan(kernel)
  local result = record.fields(kernel)
  result.stages = lists.map(kernel.stages, function(stage)
    local own = {}
    for _, field in ipairs(packed.stage_fields(stage)) do own[field] = stage[field] end
    return own
  end)
  return result
end

--- A plan of them; of those with other weights than f32 several variants.
---@return table plan
---@return string numbers
---@return string dense
---@return string cases
---@return string row_bytes
---@return string row_cases
function M.plan(kernels)
  local file, dense, lines, layers, list = pile(), pile(), {}, {}, {}
  file.put(('header of the file'):rep(3))
  for i, kernel in ipairs(kernels) do
    list[i] = in_plan(kernel.packed)
    for _ = 1, kernel.packed.packed:find '_f32$' and 1 or 6 do
      local layer = layer_of(file, dense, kernel.packed, #layers, kernel.name, lines)
      layer.kernel = i - 1
      layers[#layers + 1] = layer
    end
  end
  local row_bytes = pile()
  local tables, row_cases = tables_of(file, row_bytes)
  return {
    ffngen_plan = plan_text.version, abi = version.abi, layout = version.layout,
    files = { { path = 'numbers.bin', bytes = file.bytes(), spans = { { 4, 14 }, { 36, 18 } },
      xxh64 = '4674f27689c78e4a' } }, -- of the header's bytes 4 to 18 and 36 to 54
    kernels = list, layers = layers, rows = tables,
  }, file.text(), dense.text(), table.concat(lines, '\n') .. '\n', row_bytes.text(), row_cases
end

local write = dofile('tests/support/write.lua')

if arg and arg[0]:match 'plans%.lua$' then
  math.randomseed(31, 31)
  are_small = arg[1] == '--small' and table.remove(arg, 1) ~= nil
  if are_small then greatest = 120 end
  local folder, specs = arg[1], { table.unpack(arg, 2) }
  local plan, numbers, dense, cases, row_bytes, row_cases = M.plan(M.kernels(specs))
  write(folder .. '/PLAN.json', json.encode(plan, { indent = true }))
  write(folder .. '/numbers.bin', numbers)
  write(folder .. '/dense.bin', dense)
  write(folder .. '/cases.txt', cases)
  write(folder .. '/rows.bin', row_bytes)
  write(folder .. '/rows.txt', row_cases)
end

return M
