--- Writes ONNX files for tests, field by field as onnx.proto numbers them: also such as no program
--- would write.
local M = {}

function M.varint(n)
  local bytes = {}
  repeat
    local rest = n >> 7
    bytes[#bytes + 1] = string.char(n & 127 | (rest ~= 0 and 128 or 0))
    n = rest
  until n == 0
  return table.concat(bytes)
end

function M.integer(field, n) return M.varint(field << 3) .. M.varint(n) end
function M.bytes(field, text) return M.varint(field << 3 | 2) .. M.varint(#text) .. text end
function M.float(field, x) return M.varint(field << 3 | 5) .. string.pack('<f', x) end

local function all(field, list, write)
  local parts = {}
  for i, item in ipairs(list) do parts[i] = write(field, item) end
  return table.concat(parts)
end

--- Floats of the bytes of f32.
function M.floats(list)
  local parts = {}
  for i, x in ipairs(list) do parts[i] = string.pack('<f', x) end
  return table.concat(parts)
end

function M.longs(list)
  local parts = {}
  for i, x in ipairs(list) do parts[i] = string.pack('<i8', x) end
  return table.concat(parts)
end

--- A tensor of raw data; `more` is what else stands in it.
function M.tensor(name, dims, data, kind, more)
  return all(1, dims, M.integer) .. M.integer(2, kind or 1) .. M.bytes(8, name)
    .. (data and M.bytes(9, data) or '') .. (more or '')
end

--- A matrix or vector of f32 whose numbers count up in small steps.
function M.weights(name, dims, first)
  local count, list = 1, {}
  for _, n in ipairs(dims) do count = count * n end
  for i = 1, count do list[i] = ((first or 0) + i) % 17 / 16 - 0.5 end
  return M.tensor(name, dims, M.floats(list))
end

function M.sizes(name, list) return M.tensor(name, { #list }, M.longs(list), 7) end
function M.number(name, x) return M.tensor(name, {}, string.pack('<f', x)) end

--- An attribute: a float, an integer, a text, a list of integers, a tensor or a graph.
function M.attribute(name, value)
  local head = M.bytes(1, name)
  if math.type(value) == 'float' then return head .. M.float(2, value) .. M.integer(20, 1) end
  if math.type(value) == 'integer' then return head .. M.integer(3, value) .. M.integer(20, 2) end
  if type(value) == 'string' then return head .. M.bytes(4, value) .. M.integer(20, 3) end
  if value.tensor then return head .. M.bytes(5, value.tensor) .. M.integer(20, 4) end
  if value.graph then return head .. M.bytes(6, value.graph) .. M.integer(20, 5) end
  return head .. all(8, value, M.integer) .. M.integer(20, 7)
end

--- A node from 'Op in in -> out out' or 'domain:Op ...'; '_' is an input that is left out.
function M.node(text, attributes, name)
  local op, ins, outs = text:match '^(%S+)(.-)%->(.*)$'
  local domain, own = op:match '^(.*):(.*)$'
  local parts = {}
  for word in ins:gmatch '%S+' do parts[#parts + 1] = M.bytes(1, word == '_' and '' or word) end
  for word in outs:gmatch '%S+' do parts[#parts + 1] = M.bytes(2, word) end
  parts[#parts + 1] = M.bytes(3, name or '') .. M.bytes(4, own or op)
  local keys = {}
  for key in pairs(attributes or {}) do keys[#keys + 1] = key end
  table.sort(keys)
  for _, key in ipairs(keys) do
    parts[#parts + 1] = M.bytes(5, M.attribute(key, attributes[key]))
  end
  if domain then parts[#parts + 1] = M.bytes(7, domain) end
  return table.concat(parts)
end

--- What a graph takes or gives, with so many sizes where they are told.
function M.value(name, rank)
  local shape = M.bytes(2, (M.bytes(1, M.integer(1, 4))):rep(rank or 0))
  return M.bytes(1, name)
    .. (rank and M.bytes(2, M.bytes(1, M.integer(1, 1) .. shape)) or '')
end

--- A graph of nodes ('Op ...', or what M.node() wrote), tensors, inputs and outputs.
function M.graph(of)
  local function values(list)
    local texts = {}
    for i, name in ipairs(list or {}) do texts[i] = M.value(name, of.rank) end
    return texts
  end
  local nodes = {}
  for i, node in ipairs(of.nodes or {}) do
    nodes[i] = node:find '^[%w_.:]+ .-%->' and M.node(node) or node
  end
  return all(1, nodes, M.bytes) .. M.bytes(2, 'graph') .. all(5, of.tensors or {}, M.bytes)
    .. all(11, values(of.inputs or { 'x' }), M.bytes)
    .. all(12, values(of.outputs or { 'y' }), M.bytes) .. (of.more or '')
end

--- A model of a graph; `opset` is 17 where nothing else is asked for.
function M.model(of)
  return M.integer(1, of.ir or 8) .. M.bytes(2, 'test') .. M.bytes(7, M.graph(of))
    .. M.bytes(8, M.integer(2, of.opset or 17)) .. (of.after or '')
end

return M
