--- Numbers with scales in arrays of their own for plans.lua: drawn, laid into a file in one of the
--- ways that a plan can tell, and once more as pack() takes them.
local M = {}

--- How many inputs and outputs share a unit, its bytes, and the nibble of each.
local units = {
  u4_in2 = { 2, 1, 1 }, u4_in8 = { 8, 1, 4 }, u4_out8 = { 1, 8, 4 },
  u4_awq8 = { 1, 8, 4, { 0, 4, 1, 5, 2, 6, 3, 7 } }, e2m1_in2 = { 2, 1, 1 }, e4m3 = { 1, 1, 1 },
  i8 = { 1, 1, 1 }, u8 = { 1, 1, 1 }, f16 = { 1, 1, 2 }, bf16 = { 1, 1, 2 }, f32 = { 1, 1, 4 },
  e8m0 = { 1, 1, 1 }, i32 = { 1, 1, 4 },
}

local nibbles = { 'u4_in2', 'u4_in8', 'u4_out8', 'u4_awq8' }
local nibble_zeros = { false, 'u4_out8', 'u8', 'u4_in2', 'u4_awq8', 'u4_in8' }
local floats = { 'f32', 'f16', 'bf16' }
local signs = { { 'i8', 'i8' }, { 'u8', 'u8' }, { 'u8', false } } -- with zeros
local decoded = { { 'u4_in2', 'u4_out8' }, { 'i8', 'i8' }, { 'e4m3', false }, { 'u4_awq8', false },
  { 'u8', false }, { 'u4_out8', 'u8' }, { 'i8', false }, { 'u4_in8', 'u4_in8' }, { 'u8', 'u8' } }
local spans = { 16, 0, 5, 32 }
local shares = { 1, 3, 128 }
local has_groups = { true, false, false }

--- The next of a list: few layers have them all. With a key, the next for this key: so all of the
--- list meet it, whatever layers come between.
local turns = {}
local function any(list, key)
  key = key or list
  turns[key] = (turns[key] or 0) % #list + 1
  return list[turns[key]]
end

--- Lays numbers, bits(o, i), into a file; gives what a plan says of them.
local function laid(file, name, encoding, outputs, inputs, bits)
  local per_input, per_output, bytes, places = table.unpack(units[encoding])
  local rows, columns = (outputs - 1) // per_output + 1, (inputs - 1) // per_input + 1
  local count, width = per_input * per_output, 8 * bytes // (per_input * per_output)
  local function unit(row, column)
    local word = 0
    for n = 0, count - 1 do
      local o = row * per_output + (per_output > 1 and n or 0)
      local i = column * per_input + (per_input > 1 and n or 0)
      local place = places and places[n + 1] or n
      if o < outputs and i < inputs then word = word | bits(o, i) << width * place end
    end
    return string.pack('<I' .. bytes, word)
  end
  local pad, by_row = math.random(0, 1) * math.random(1, 9), math.random(0, 1) == 1
  local lines = {}
  for a = 0, (by_row and rows or columns) - 1 do
    local line = {}
    for b = 0, (by_row and columns or rows) - 1 do
      line[#line + 1] = by_row and unit(a, b) or unit(b, a)
    end
    lines[#lines + 1] = table.concat(line) .. ('\x5a'):rep(pad)
  end
  local text = table.concat(lines)
  local first, line = file.put(text), #lines[1]
  return {
    tensor = name, file = 0, first = first, bytes = #text, encoding = encoding,
    row_bytes = by_row and line or bytes, column_bytes = by_row and bytes or line,
  }
end

--- The float of the bits of a scale.
local function value_of(encoding, bits)
  if encoding == 'f32' then return (string.unpack('<f', string.pack('<I4', bits))) end
  if encoding == 'bf16' then return (string.unpack('<f', string.pack('<I4', bits << 16))) end
  local sign, size = bits >> 15 == 1 and -1.0 or 1.0, bits >> 10 & 31
  if size == 0 then return sign * (bits & 1023) * 2.0 ^ -24 end
  return sign * (1024 + (bits & 1023)) * 2.0 ^ (size - 25)
end

local function drawn_scale(encoding)
  if encoding == 'e8m0' then return math.random(0, 255) end
  if math.random(0, 30) == 0 then return 0 end
  if encoding == 'f16' then return math.random(0, 1) << 15 | math.random(0, 0x7bff) end
  local bits = math.random(0, 1) << 31 | math.random(100, 140) << 23 | math.random(0, 0x7fffff)
  return encoding == 'bf16' and bits >> 16 or bits
end

--- The number that the bits of an E4M3 are.
local function e4m3(bits)
  local size, fraction = bits >> 3 & 15, bits & 7
  local value = size == 0 and fraction * 2.0 ^ -9 or (8 + fraction) * 2.0 ^ (size - 10)
  return bits > 127 and -value or value
end

--- One of the ways in which numbers of a format lie: encoding, inputs to a scale, scales, zeros.
local function drawn_way(format)
  local group, suffix = format:match '^u4g(%d+)_?(.*)$'
  if group then
    local scales = suffix == '' and 'f16' or suffix
    return any(nibbles, scales), tonumber(group), scales, any(nibble_zeros)
  elseif format == 'mxfp4' then return 'e2m1_in2', 32, 'e8m0', false
  elseif format == 'i8' then return 'i8', 0, any(floats), false
  elseif format == 'i8z' then
    local encoding, zeros = table.unpack(any(signs))
    return encoding, 0, any(floats), zeros
  elseif format == 'f8_e4m3' then return 'e4m3', 128, any(floats), false
  elseif format == 'f8_e4m3_row' then return 'e4m3', 0, any(floats), false
  end
  local encoding, zeros = table.unpack(any(decoded))
  return encoding, any(spans), any(floats), zeros
end

--- Whether a format has numbers that lie so; all others are made of floats, and so is f32.
function M.has(format) return format == 'f32' or format == 'mxfp4' or #M.parts(format) > 0 end

--- What pack() is handed beside rows: names of arrays.
function M.parts(format)
  if format:find '^u4g' or format == 'i8z' then return { 'scales', 'zeros' } end
  return (format == 'i8' or format:find '^f8_') and { 'scales' } or {}
end

--- Rows as pack() takes them, of a matrix drawn in m.
local function rows_of(m, format, inputs, o)
  local row = {}
  if format == 'f32' then
    for k = 0, inputs - 1 do
      local q, zero = m.q(o, k), m.zero(o, k)
      if m.encoding == 'i8' then q, zero = (q ~ 128) - 128, (zero ~ 128) - 128 end
      local number = m.encoding == 'e4m3' and e4m3(q) or q - zero
      row[k + 1] = string.pack('<f', number * value_of(m.scale_encoding, m.scale(o, k)))
    end
  elseif format == 'mxfp4' then
    for k = 0, inputs - 1, 32 do
      row[#row + 1] = string.char(m.scale(o, k))
      for j = k, k + 15 do row[#row + 1] = string.char(m.q(o, j) | m.q(o, j + 16) << 4) end
    end
  elseif format:find '^u4g' then
    for k = 0, inputs - 1, 2 do row[#row + 1] = string.char(m.q(o, k) | m.q(o, k + 1) << 4) end
  else
    local flip = m.encoding == 'u8' and 128 or 0
    for k = 0, inputs - 1 do row[k + 1] = string.char(m.q(o, k) ~ flip) end
  end
  return table.concat(row)
end

--- Draws a matrix for a stage, puts it into a file and into what pack() is handed.
---@return table weight    of the plan
---@return integer[] at    in dense: rows, scales, zeros; -1: none
function M.matrix(file, dense, format, way, outputs, inputs)
  local encoding, every, scale_encoding, zeros = table.unpack(way)
  local span = every > 0 and every or inputs
  local groups = (inputs - 1) // span + 1
  local per_nibble = encoding:find '^u4' or encoding:find '^e2m1'
  local bits, scales, zero_bits = {}, {}, {}
  -- Of scales and zeros rows of several outputs, which pack() is handed once for each.
  local shared = not encoding:find '^u4' and encoding ~= 'e2m1_in2'
    and math.min(any(shares), outputs) or 1
  for o = 0, outputs - 1 do
    for k = 0, inputs - 1 do
      local q = math.random(0, per_nibble and 15 or 255)
      if encoding == 'e4m3' and q & 127 == 127 and format == 'f32' then q = 0 end
      bits[o * inputs + k] = q
    end
    for g = 0, groups - 1 do
      local from, at = (o // shared * shared) * groups + g, o * groups + g
      scales[at] = scales[from] or drawn_scale(scale_encoding)
      zero_bits[at] = zero_bits[from] or math.random(0, per_nibble and 15 or 255)
    end
  end
  -- A version in which zeros mean one more than is stored.
  local add = zeros and encoding:find '^u4' and math.random(0, 1) or 0
  if add == 1 then
    for at, zero in pairs(zero_bits) do zero_bits[at] = math.max(zero, 1) end
  end
  local m = {
    encoding = encoding, scale_encoding = scale_encoding,
    q = function(o, k) return bits[o * inputs + k] end,
    scale = function(o, k) return scales[o * groups + k // span] end,
    zero = function(o, k)
      if not zeros then return encoding:find '^u4' and 8 or 0 end
      return zero_bits[o * groups + k // span]
    end,
  }
  local weight = laid(file, 'scaled numbers', encoding, outputs, inputs, m.q)
  local function beside(name, kind, of)
    local numbers = laid(file, name, kind, (outputs - 1) // shared + 1, groups,
      function(row, g) return of(row * shared * groups + g) end)
    numbers.rows = shared
    return numbers
  end
  weight.every = every
  weight.scales = beside('scales', scale_encoding, function(at) return scales[at] end)
  weight.zeros = require('dkjson').null
  if zeros then
    weight.zeros = beside('zeros', zeros, function(at) return zero_bits[at] - add end)
    weight.zeros.add = add
  end
  weight.groups = require('dkjson').null
  if any(has_groups) then
    weight.groups = laid(file, 'groups', 'i32', 1, inputs, function(_, k) return k // span end)
  end
  local rows, own_scales, own_zeros = {}, {}, {}
  for o = 0, outputs - 1 do
    rows[o + 1] = rows_of(m, format, inputs, o)
    for g = 0, groups - 1 do
      local scale, zero = scales[o * groups + g], m.zero(o, g * span)
      own_scales[#own_scales + 1] = format:find '^u4g'
        and string.pack('<I' .. units[scale_encoding][3], scale)
        or string.pack('<f', scale_encoding == 'e8m0' and 0 or value_of(scale_encoding, scale))
      own_zeros[#own_zeros + 1] = string.char(zero ~ (encoding == 'u8' and 128 or 0))
    end
  end
  local parts = M.parts(format)
  local function put(text)
    dense.align(64, 0)
    return dense.put(text)
  end
  return weight, {
    put(table.concat(rows)), parts[1] and put(table.concat(own_scales)) or -1,
    parts[2] and put(table.concat(own_zeros)) or -1,
  }
end

--- A way for the matrices of a stage.
function M.way(format) return { drawn_way(format) } end

return M
