--- Packed files for tests, as ffn-pack writes them: runtime/ffn_file.h has the format. What a test
--- changes is sealed anew, so that no checksum hides what it asks for.
local fnv = require 'common.fnv'
local xxh64 = require 'files.xxh64'

local M = {}

local header_bytes, entry_bytes, table_bytes, step = 64, 96, 64, 16384

--- Packed weights of any bytes behind their header.
---@param kernel PackedKernel
---@param byte fun(i: integer): integer
---@param finite integer
---@param parameters number[]|nil
function M.weights(kernel, byte, finite, parameters)
  local values, bytes = table.move(parameters or {}, 1, 8, 1, {}), {}
  for i = 1, 8 do values[i] = values[i] or 0.0 end
  local header = string.pack('<c4I4I8I4I4I8', 'FFNP', 11, tonumber(fnv(kernel.packed), 16), 1,
    finite, 0) .. string.pack('<' .. ('f'):rep(8), table.unpack(values))
  for i = 1, kernel.packed_bytes - #header do bytes[i] = string.char(byte(i)) end
  return header .. table.concat(bytes)
end

--- An entry for a kernel.
---@param kernel PackedKernel
function M.entry(name, layer, kernel, weights)
  local formats = {}
  for i, stage in ipairs(kernel.stages) do formats[i] = stage.format end
  return {
    name = name, layer = layer, part = 0, packed = kernel.packed, weights = weights,
    formats = table.concat(formats, ' '), stages = #kernel.stages, inputs = kernel.inputs,
    hidden = kernel.hidden, outputs = kernel.outputs,
  }
end

local function filled(text, to) return text .. ('\0'):rep(to - #text) end

local function rounded(n, unit) return (n + unit - 1) // unit * unit end

--- The text of a file of entries, and tables of a name and bytes each. What `change` sets in the
--- header, an entry or a table stands there in place of what is right.
---@param change fun(header: table, entries: table[], tables: table[])|nil
function M.text(entries, tables, change)
  local words, words_at = '', header_bytes + #entries * entry_bytes + #tables * table_bytes
  local function word(text)
    words = words .. text .. '\0'
    return words_at + #words - #text - 1
  end
  local list, rows = {}, {}
  for i, e in ipairs(entries) do
    list[i] = setmetatable({ name_at = word(e.name), packed_at = word(e.packed),
      formats_at = word(e.formats), hash = tonumber(fnv(e.packed), 16), zero = 0,
      bytes = #e.weights, checksum = xxh64.number(e.weights:sub(65) .. e.weights:sub(1, 64)),
    }, { __index = e })
  end
  for i, t in ipairs(tables) do
    rows[i] = { name_at = word(t.name), encoding_at = word 'f32', bytes = #t.data, data = t.data,
      checksum = xxh64.number(t.data), count = 1, width = #t.data // 4, zero = 0 }
  end
  local head = { order = 0x01020304, version = 2, layout = 1, layers = #list, rows = #rows,
    head_bytes = words_at + #words, zero = 0 }
  local at = head.head_bytes
  for _, e in ipairs(list) do
    e.at = rounded(at, step)
    at = e.at + e.bytes
  end
  for _, t in ipairs(rows) do
    t.at = rounded(at, 64)
    at = t.at + t.bytes
  end
  head.bytes = at
  if change then change(head, list, rows) end
  local parts = {}
  for i, e in ipairs(list) do
    parts[i] = string.pack('<i8i8i8i8i8i8i8I4I4I4I4I4I4i8i8', e.at, e.bytes, e.checksum, e.hash,
      e.inputs, e.hidden, e.outputs, e.layer, e.part, e.name_at, e.packed_at, e.formats_at,
      e.stages, e.zero, 0)
  end
  for _, t in ipairs(rows) do
    parts[#parts + 1] = string.pack('<i8i8i8i8i8I4I4i8i8', t.at, t.bytes, t.checksum, t.count,
      t.width, t.name_at, t.encoding_at, t.zero, 0)
  end
  local front = string.pack('<c8I4I4I4I4i8i8i8i8', 'FFNMODEL', head.order, head.version,
    head.layout, head.layers, head.bytes, head.head_bytes, head.rows, head.zero)
  local behind = table.concat(parts) .. words
  local text = front .. string.pack('<i8', head.checksum or xxh64.number(front .. behind)) .. behind
  for i, e in ipairs(list) do
    if e.at >= #text then text = filled(text, e.at) .. entries[i].weights end
  end
  for _, t in ipairs(rows) do
    if t.at >= #text then text = filled(text, t.at) .. t.data end
  end
  return text
end

return M
