--- Numbers of 64 bits, which become f32 when they are packed: those that an f32 is go in as they
--- are; others are refused by their tensor, or rounded once each where that is asked for. They are
--- the only weights that import reads, some at a time.
local limits = require 'import.limits'
local numbers = require 'common.number'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'

local M = {}

--- What a plan calls those that are rounded.
M.rounded = 'f64_rounded'

local bytes, at_once = 8, 1 << 13
local unpack = string.unpack

--- Whether bits are those of a number that is no f32, or larger than all: a NaN is one, whatever it
--- holds.
---@return boolean|nil is_other
---@return boolean|nil is_beyond
local function judged(bits)
  local value = unpack('<d', string.pack('<i8', bits))
  if value ~= value or math.abs(value) == math.huge then return nil end
  return numbers.to_f32(value) ~= value, math.abs(value) > limits.number
end

--- The first number of a text that is to be told: one that is no f32, or larger than all.
---@return integer|nil index  from 0
---@return boolean is_beyond
local function first_of(text, beyond_alone)
  local most = #text // bytes
  for i = 0, most - 1, 4 do
    local left, b, c, d = most - i, 0, 0, 0
    local a = unpack('<i8', text, i * bytes + 1)
    if left >= 4 then
      b, c, d = unpack('<i8i8i8', text, i * bytes + 9)
    elseif left > 1 then
      b = unpack('<i8', text, i * bytes + 9)
      if left > 2 then c = unpack('<i8', text, i * bytes + 17) end
    end
    -- All four have an exponent of f32 and no more bits than it, or are 0: nothing to look at.
    local p, q, r, s = a >> 52 & 0x7ff, b >> 52 & 0x7ff, c >> 52 & 0x7ff, d >> 52 & 0x7ff
    if (a | b | c | d) & 0x1fffffff ~= 0
      or (p < 897 or p > 1150) and a << 1 ~= 0 or (q < 897 or q > 1150) and b << 1 ~= 0
      or (r < 897 or r > 1150) and c << 1 ~= 0 or (s < 897 or s > 1150) and d << 1 ~= 0 then
      for n, bits in ipairs { a, b, c, d } do
        local is_other, is_beyond = judged(bits)
        if is_beyond or is_other and not beyond_alone then return i + n - 1, is_beyond end
      end
    end
  end
  return nil, false
end

---@class Double  a number that is no f32
---@field output integer
---@field input integer|false
---@field value number
---@field is_beyond boolean  larger than every f32

--- The first number of a matrix or vector that is no f32; before all others one that is larger
--- than every f32.
---@param p Placed
---@param path string
---@param outputs integer
---@param inputs integer|nil  nil of a vector
---@return Double|nil
local function find(p, path, outputs, inputs)
  local far, near = { outputs, p.row_bytes }, { inputs or 1, p.column_bytes }
  if not inputs then far, near = { 1, 0 }, { outputs, p.column_bytes } end
  local is_turned = inputs and p.row_bytes < p.column_bytes
  if is_turned then far, near = near, far end
  local count, step = near[1], near[2]
  -- One number for all of a vector is read once.
  if step == 0 then count, step = 1, bytes end
  local function told(handle, line, at, is_beyond)
    local text = random_access.slice(handle, p.first + line * far[2] + at * step, bytes)
    local output, input = is_turned and at or line, is_turned and line or at
    if not inputs then output, input = at, false end
    return { output = output, input = input, value = unpack('<d', text), is_beyond = is_beyond }
  end
  return random_access.with(path, function(handle)
    local found
    for line = 0, far[1] - 1 do
      for at = 0, count - 1, at_once do
        local some = math.min(at_once, count - at)
        local text = random_access.slice(handle, p.first + line * far[2] + at * step,
          (some - 1) * step + bytes)
        if #text < (some - 1) * step + bytes then
          problems.bad_input(path, 'the file became shorter while ffngen read it')
        end
        if step ~= bytes then
          local parts = {}
          for n = 1, some do parts[n] = text:sub((n - 1) * step + 1, (n - 1) * step + bytes) end
          text = table.concat(parts)
        end
        local index, is_beyond = first_of(text, found ~= nil)
        if index then
          local own = told(handle, line, at + index, is_beyond)
          if is_beyond then return own end
          found = found or own
          -- What is left of this part may hold one that is larger than all.
          index, is_beyond = first_of(text, true)
          if index then return told(handle, line, at + index, is_beyond) end
        end
      end
    end
    return found
  end)
end

--- Settles the numbers of a place.
---@return boolean is_rounded
local function settle(p, files, is_asked, outputs, inputs)
  if not p or p.encoding ~= 'f64' then return false end
  local path = files[p.file].path
  local other = find(p, path, outputs, inputs)
  if not other then return false end
  local where = ('"%s": the number of output %d%s is %.17g'):format(record.shown(p.tensor, 80),
    other.output, other.input and (', input %d'):format(other.input) or '', other.value)
  if other.is_beyond then
    problems.bad_input(path, '%s, which is larger than every f32: scale the model, or compute '
      .. 'this layer in your own program', where)
  end
  if not is_asked then
    problems.bad_input(path, '%s, which is not an f32: add --decode, which rounds each number '
      .. 'once', where)
  end
  p.encoding = M.rounded
  return true
end

local because = {
  field = 'weights', text = 'numbers of 64 bits, each rounded once to f32 (--decode)',
}

--- Settles all numbers of 64 bits, but of what a norm is folded into, which is computed in double.
---@param found Found
---@param is_asked boolean  they may be rounded
---@return Found
function M.settle(found, is_asked)
  for _, rows in ipairs(found.rows) do
    settle(rows.place, found.files, is_asked, rows.count, rows.width)
  end
  local told = {} -- layers that look alike share their reasons
  for _, l in ipairs(found.layers) do
    local is_rounded = false
    for _, m in ipairs(l.matrices) do
      if not m.affine then
        local weight = settle(m.weight, found.files, is_asked, m.outputs, m.inputs)
        local bias = settle(m.bias, found.files, is_asked, m.outputs)
        is_rounded = is_rounded or weight or bias
      end
    end
    if is_rounded then
      if not told[l.because] then
        local list = { because }
        table.move(l.because, 1, #l.because, 2, list)
        told[l.because] = list
      end
      l.because = told[l.because]
    end
  end
  return found
end

return M
