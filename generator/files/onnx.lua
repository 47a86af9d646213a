--- An ONNX model (onnx.proto, IR 3 and later): graphs of nodes, and where the numbers of tensors
--- lie. Data are skipped, not read.
local lists = require 'common.list'
local problems = require 'common.problem'
local protobuf = require 'files.protobuf'
local random_access = require 'files.random_access'
local record = require 'common.record'
local tensors = require 'files.onnx_tensors'

local M = {}

local schemas = {}

schemas.attribute = {
  name = 'AttributeProto', limit = 'attributes',
  [1] = { 'name', 'text' }, [2] = { 'f', 'float' }, [3] = { 'i', 'integer' },
  [4] = { 's', 'place' }, [5] = { 't', tensors.schema },
  [6] = { 'g', function() return schemas.graph end },
  [7] = { 'floats', 'floats' }, [8] = { 'ints', 'integers' }, [9] = false, [10] = false,
  [11] = { 'graphs', function() return schemas.graph end, 'many' }, [13] = false, [14] = false,
  [15] = false, [20] = { 'type', 'integer' }, [21] = { 'ref_attr_name', 'text' },
  [22] = { 'sparse_tensor', 'place' }, [23] = false,
}

schemas.node = {
  name = 'NodeProto', limit = 'nodes',
  [1] = { 'inputs', 'text', 'many', 'uses' }, [2] = { 'outputs', 'text', 'many', 'uses' },
  [3] = { 'name', 'text' }, [4] = { 'op_type', 'text' },
  [5] = { 'attributes', schemas.attribute, 'many' }, [6] = false,
  [7] = { 'domain', 'text' }, [8] = false, [9] = false, [10] = false,
}

local shape = { name = 'TensorShapeProto', [1] = { 'dims', 'one', 'many' } }

local tensor_type = { name = 'TypeProto.Tensor', [1] = false, [2] = { 'shape', shape } }

local value_type = { name = 'TypeProto', [1] = { 'tensor', tensor_type }, [4] = false, [5] = false,
  [6] = false, [7] = false, [8] = false, [9] = false }

local value_info = { name = 'ValueInfoProto', [1] = { 'name', 'text' },
  [2] = { 'type', value_type }, [3] = false, [4] = false }

local sparse = { name = 'SparseTensorProto', [1] = { 'values', tensors.schema }, [2] = false,
  [3] = false }

local annotation = { name = 'TensorAnnotation', [1] = { 'tensor_name', 'text' }, [2] = false }

schemas.graph = {
  name = 'GraphProto',
  [1] = { 'nodes', schemas.node, 'many' }, [2] = { 'name', 'text' },
  [5] = { 'initializers', tensors.schema, 'many' }, [10] = false,
  [11] = { 'inputs', value_info, 'many' }, [12] = { 'outputs', value_info, 'many' },
  [13] = { 'infos', value_info, 'many' },
  [14] = { 'annotations', annotation, 'many' }, [15] = { 'sparse', sparse, 'many' }, [16] = false,
}

local opset = { name = 'OperatorSetIdProto', [1] = { 'domain', 'text' },
  [2] = { 'version', 'integer' } }

local model_function = { name = 'FunctionProto', [1] = { 'name', 'text' }, [4] = false, [5] = false,
  [6] = false, [7] = false, [8] = false, [9] = false, [10] = { 'domain', 'text' }, [11] = false,
  [12] = false, [13] = false, [14] = false }

local model = {
  name = 'ModelProto',
  [1] = { 'ir_version', 'integer' }, [2] = { 'producer_name', 'text' },
  [3] = { 'producer_version', 'text' }, [4] = false, [5] = false, [6] = false,
  [7] = { 'graph', schemas.graph }, [8] = { 'opsets', opset, 'many' }, [14] = false, [20] = false,
  [25] = { 'functions', model_function, 'many' }, [26] = false,
}

---@class OnnxModel
---@field path string
---@field bytes integer
---@field ir_version integer
---@field producer string       with its version
---@field opsets table<string, integer>  by domain; that of ONNX itself is ''
---@field functions table<string, boolean>  'domain name' of those of the model
---@field graph OnnxGraph
---@field spans integer[][]     { first, bytes } of what was read
---@field heap Heap              what may be taken to look through it

---@class OnnxGraph
---@field name string
---@field nodes OnnxNode[]
---@field tensors OnnxTensor[]  with numbers in the file, by name
---@field sparse string[]       tensors that are written as few numbers among zeros
---@field annotated string[]    tensors of which the file says how they were quantised
---@field inputs string[]
---@field outputs string[]
---@field ranks table<string, integer>  how many sizes values have, where the file says it

---@class OnnxNode
---@field op string
---@field domain string       '' of ONNX itself
---@field name string
---@field inputs string[]     '' where one is left out
---@field outputs string[]
---@field attributes table<string, OnnxAttribute>
---@field names string[]     of attributes, as they stand
---@field graphs OnnxGraph[]  of If, Loop, Scan

---@class OnnxAttribute
---@field type integer|nil
---@field f number|nil
---@field i integer|nil
---@field s string|nil        of few bytes
---@field t OnnxTensor|nil
---@field floats number[]|nil of few
---@field ints integer[]|nil

--- A list of an attribute, where it has few numbers and each is known.
local function few(wire, list)
  if not list then return nil end
  if not list.count or list.count > protobuf.most_numbers then return nil end
  local result = { table.unpack(list, 1, list.count) }
  if #result < list.count then -- floats in one piece
    local text = wire:bytes(list.first, list.first + list.bytes)
    for i = 1, list.count do result[i] = string.unpack('<f', text, 4 * i - 3) end
  end
  return result
end

local most_word = 256
local none = {}

function schemas.attribute.made(wire, raw)
  local graphs = raw.graphs or raw.g and {} or none
  if raw.g then graphs[#graphs + 1] = raw.g end
  local text = raw.s and raw.s.bytes <= most_word
    and wire:bytes(raw.s.first, raw.s.first + raw.s.bytes) or false
  -- Nodes say the same again and again: axis 1, to 1. All have one record of it.
  local look = #graphs == 0 and not (raw.t or raw.floats or raw.ints or raw.sparse_tensor)
    and ('%s\0%s\0%s\0%q\0%s'):format(raw.name or '', raw.type, raw.i, raw.f or false, text)
  local known = look and wire.known[look]
  if known then return known end
  if not raw.name or raw.name == '' then wire:refuse('an attribute of a node has no name') end
  known = { name = raw.name, look = look, graphs = graphs,
    attribute = record.strict('ONNX attribute', {
      type = raw.type or false, f = raw.f or false, i = raw.i or false, s = text,
      t = raw.t or false, floats = few(wire, raw.floats) or false,
      ints = few(wire, raw.ints) or false,
    }) }
  wire:know(look, known)
  return known
end

--- The attributes of a node, by name, and their names: one table for all that say the same.
---@return table<string, OnnxAttribute>
---@return string[] names
---@return OnnxGraph[] graphs
local function attributes_of(wire, raw)
  local all = raw.attributes
  if not all then return none, none, none end
  local looks = {}
  for i, item in ipairs(all) do looks[i] = item.look or nil end
  local look = #looks == #all and table.concat(looks, '\1')
  local known = look and wire.known[look .. '\1']
  if known then return known.attributes, known.names, none end
  local attributes, names, graphs = {}, {}, {}
  for i, item in ipairs(all) do
    if attributes[item.name] then
      wire:refuse('node "%s" has attribute "%s" twice', record.shown(raw.name or ''),
        record.shown(item.name))
    end
    attributes[item.name], names[i] = item.attribute, item.name
    lists.append(graphs, item.graphs)
  end
  wire:know(look and look .. '\1', { attributes = attributes, names = names })
  return attributes, names, graphs
end

function schemas.node.made(wire, raw)
  local attributes, names, graphs = attributes_of(wire, raw)
  if not raw.op_type or not (raw.inputs or raw.outputs) then
    wire:refuse('a node has %s: it computes nothing', raw.op_type and 'neither inputs nor outputs'
      or 'no operator')
  end
  local domain = raw.domain or ''
  return record.strict('ONNX node', {
    op = raw.op_type or '', domain = domain == 'ai.onnx' and '' or domain,
    name = raw.name or '', inputs = raw.inputs or none,
    outputs = raw.outputs or none, attributes = attributes, names = names, graphs = graphs,
  })
end

function value_info.made(_, raw)
  local sized = raw.type and raw.type.tensor and raw.type.tensor.shape
  return { name = raw.name or '', rank = sized and #(sized.dims or none) }
end

--- The names of values; how many sizes each has is put into a table.
local function names_of(list, ranks)
  local names = {}
  for i, info in ipairs(list or none) do
    names[i], ranks[info.name] = info.name, info.rank or ranks[info.name]
  end
  return names
end

function sparse.made(_, raw) return raw.values and raw.values.name or '' end
function annotation.made(_, raw) return raw.tensor_name or '' end

function schemas.graph.made(_, raw)
  local ranks = {}
  names_of(raw.infos, ranks)
  return record.strict('ONNX graph', {
    name = raw.name or '', nodes = raw.nodes or none, tensors = raw.initializers or none,
    sparse = raw.sparse or none, annotated = raw.annotations or none,
    inputs = names_of(raw.inputs, ranks), outputs = names_of(raw.outputs, ranks), ranks = ranks,
  })
end

local function opsets_of(wire, raw)
  local opsets = {}
  for _, item in ipairs(raw.opsets or none) do
    local domain = item.domain == 'ai.onnx' and '' or item.domain or ''
    local version = item.version or 0
    if opsets[domain] and opsets[domain] ~= version then
      wire:refuse('it names two operator sets, %d and %d', opsets[domain], version)
    end
    opsets[domain] = version
  end
  return opsets
end

--- The model of an open file.
---@return OnnxModel
local function read(path, handle, size)
  local wire = protobuf.open(path, handle, size)
  local raw = wire:message(model, 0, size)
  wire:look(size)
  if not raw.graph then wire:refuse('the file has no graph') end
  local functions = {}
  for _, item in ipairs(raw.functions or none) do
    functions[('%s %s'):format(item.domain or '', item.name or '')] = true
  end
  return record.strict('ONNX model', {
    path = path, bytes = size, ir_version = raw.ir_version or 0,
    producer = ('%s %s'):format(raw.producer_name or '', raw.producer_version or ''),
    opsets = opsets_of(wire, raw), functions = functions, graph = raw.graph, spans = wire:spans(),
    heap = wire.heap,
  })
end

--- The model of a file.
---@param path string
---@return OnnxModel
function M.open(path)
  return random_access.with(path, function(handle, size)
    if size == 0 then
      problems.bad_input(path, 'not an ONNX model: the file is empty: export the model again')
    end
    return read(path, handle, size)
  end)
end

return M
