--- The memory of readers: at most 64 MiB beside four times the bytes of headers and index, whatever
--- these say. In the quick form files are a fifth as large as limits let them be.
local unit = require 'luaunit'
local lists = require 'common.list'
local model_files = require 'model_files'
local onnx = require 'files.onnx'
local random_access = require 'files.random_access'
local support = require 'support'
local writer = require 'onnx_writer'

TestMemory = {}

local folder = support.folder()
local share = support.full and 1 or 5

--- Holds what a reader takes against the bytes that it has to read; what it says.
---@param reader string
---@param path string
---@param bytes integer  of headers and index
local function assert_fits(reader, path, bytes, ...)
  local said = support.capture(table.concat(lists.map({ 'lua5.4',
    support.root .. '/tests/support/peak.lua', support.project, reader, path, ... },
    support.quote), ' '))
  local kilobytes, outcome = said:match '^(%d+) (.*)$'
  unit.assertNotNil(kilobytes, path .. ': ' .. said)
  local most = (64 << 10) + 4 * bytes // 1024
  unit.assertTrue(tonumber(kilobytes) <= most, ('%s: %s KB of memory, at most %d: %s'):format(path,
    kilobytes, most, outcome:sub(1, 200)))
  return outcome
end

local function many(count, make)
  local parts = {}
  for i = 1, count // share do parts[i] = make(i) end
  return table.concat(parts)
end

--- Headers of safetensors that say little, often: no table for each bracket, no entry is kept
--- before its bytes count.
function TestMemory.test_safetensors()
  local function entry(i)
    return ('"%x":{"dtype":"F32","shape":[],"data_offsets":[0,0]}'):format(i)
  end
  for name, case in pairs {
    lists = { '{"a":[' .. ('[],'):rep((5 << 20) // share) .. '[]]}', 'at most 1024 are read' },
    entries = { '{' .. many(499999, function(i) return entry(i) .. ',' end) .. entry(0) .. '}' },
    spaced = { '{ ' .. many(280000, function(i) return entry(i) .. ',' end) .. entry(0) .. '}' },
    metadata = { '{"__metadata__":{' .. many(1400000, function(i) return ('"%x":"",'):format(i) end)
      .. '"x":""}}', 'at most 65536 are read' },
    escapes = { '{"__metadata__":{"a":"' .. ('\\n'):rep(8000000 // share) .. '"}}', 'no tensors' },
  } do
    local path = ('%s/%s.safetensors'):format(folder, name)
    support.write(path, string.pack('<s8', case[1]))
    local said = assert_fits('safetensors', path, #case[1], 'variant=swiglu')
    if case[2] then support.assert_has(said, case[2], name) end
  end
end

local function sized(field, bytes) return writer.varint(field << 3 | 2) .. writer.varint(bytes) end

--- Graphs of nothing, often.
function TestMemory.test_onnx()
  for name, case in pairs {
    nodes = { writer.bytes(1, ''):rep(1000000 // share), 'it computes nothing' },
    attributes = { writer.bytes(1, writer.bytes(2, 'y') .. writer.bytes(4, 'Neg')
      .. many(600000, function(i) return writer.bytes(5, writer.bytes(1, ('%x'):format(i))) end)) },
    values = { writer.bytes(13, ''):rep(2000000 // share) },
    sizes = { writer.bytes(13, writer.bytes(1, 'q') .. writer.bytes(2, writer.bytes(1,
      writer.bytes(2, writer.bytes(1, ''):rep(3000000 // share))))) },
    tensors = { many(500000, function(i)
      return writer.bytes(5, '\x08\0\x10\1' .. writer.bytes(8, ('%x'):format(i)))
    end) },
    inputs = { writer.bytes(1, writer.bytes(1, 'x'):rep(3000000 // share) .. writer.bytes(2, 'y')
      .. writer.bytes(4, 'Add')) .. writer.bytes(11, writer.bytes(1, 'x')),
      'at most 500000 are read' },
  } do
    local path, text = ('%s/%s.onnx'):format(folder, name), writer.bytes(7, case[1])
    support.write(path, text)
    local said = assert_fits('onnx', path, #text)
    if case[2] then support.assert_has(said, case[2], name) end
  end
end

--- Numbers of other tensors are passed, however many: a file with holes in it.
function TestMemory.test_other_numbers()
  local count, bytes, path = 20000 // share, 70000, folder .. '/holes.onnx'
  local head = {}
  for i = 1, count do
    local inner = writer.integer(1, bytes // 4) .. writer.integer(2, 1)
      .. writer.bytes(8, 't' .. i) .. sized(9, bytes)
    head[i] = sized(5, #inner + bytes) .. inner
  end
  local first = writer.graph {
    nodes = { 'MatMul x a -> h', 'Relu h -> r', 'MatMul r b -> y' },
    tensors = { writer.weights('a', { 4, 8 }), writer.weights('b', { 8, 4 }) },
  }
  local size = #first
  for _, text in ipairs(head) do size = size + #text + bytes end
  local handle = assert(io.open(path, 'wb'))
  handle:write(writer.integer(1, 8), sized(7, size), first)
  for _, text in ipairs(head) do
    handle:write(text)
    handle:seek('cur', bytes)
  end
  handle:write(writer.bytes(8, writer.integer(2, 17)))
  handle:close()
  unit.assertEquals(assert_fits('onnx', path, #first + #table.concat(head)):sub(1, 5), 'taken')
  -- And little is read behind each.
  local slice, read = random_access.slice, 0
  random_access.slice = function(file, at, bytes_of)
    read = read + bytes_of
    return slice(file, at, bytes_of)
  end
  local ok, problem = pcall(onnx.open, path)
  random_access.slice = slice
  os.remove(path)
  unit.assertTrue(ok, tostring(problem))
  unit.assertTrue(read < 1024 * count + (1 << 18), ('%d bytes are read'):format(read))
end

--- As large as real ones are: a graph of 100,000 nodes; experts in many files, with their index.
function TestMemory.test_legal()
  local before = 'x'
  local nodes = many(99990, function(i)
    local name = ('/model/layers.%d/mlp/act_fn/Mul_%d'):format(i // 30, i)
    local out = name .. '_output_0'
    local text = writer.bytes(1, writer.bytes(1, before) .. writer.bytes(2, out)
      .. writer.bytes(3, name) .. writer.bytes(4, 'Neg')
      .. writer.bytes(5, writer.attribute('axis', 1))) .. writer.bytes(13, writer.value(out, 2))
    before = out
    return text
  end)
  local path = folder .. '/legal.onnx'
  local text = writer.bytes(7, nodes .. writer.bytes(11, writer.value 'x'))
  support.write(path, text)
  support.assert_has(assert_fits('onnx', path, #text), 'no feed-forward layer that ffngen '
    .. 'knows', 'legal')
  local shards, bytes = {}, 0
  for layer = 1, 60 // share do
    local lines = {}
    for expert = 0, 383 do
      lists.append(lines, model_files.behind(('model.layers.%d.mlp.experts.%d.'):format(layer,
        expert), { 'gate_proj.weight I8 1 1', 'up_proj.weight I8 1 1', 'down_proj.weight I8 1 1' }))
    end
    shards[layer] = lines
  end
  support.sh('mkdir -p', folder .. '/experts')
  model_files.write_shards(folder .. '/experts', shards)
  for _, each in pairs(support.snapshot(folder .. '/experts')) do bytes = bytes + #each end
  assert_fits('safetensors', folder .. '/experts', bytes, 'variant=swiglu')
end

--- One file may have all tensors of a model.
function TestMemory.test_one_file()
  local limits = require 'common.limits'
  local function entry(i)
    return ('"model.layers.%d.mlp.experts.%d.down_proj.weight_scale":{"dtype":"F32",'
      .. '"shape":[0,2048],"data_offsets":[0,0]}'):format(i // 6000, i)
  end
  local most = limits.most 'tensors'
  unit.assertTrue(limits.most 'header' > most * (#entry(most) + 1))
  local path = folder .. '/one.safetensors'
  local text = '{' .. many(most - 1, function(i) return entry(i) .. ',' end) .. entry(0) .. '}'
  support.write(path, string.pack('<s8', text))
  support.assert_lacks(assert_fits('safetensors', path, #text, 'variant=swiglu'), 'at most', path)
end

TestLimits = {}

--- The page has the limits as they are, in their order, and every limit is some reader's.
function TestLimits.test_page()
  local limits = require 'common.limits'
  local page, sources = support.read(support.root .. '/generator/import/LIMITS.md'), {}
  for _, text in pairs(support.snapshot(support.project .. '/generator')) do
    if not text:find('function limit(name, most', 1, true) then sources[#sources + 1] = text end
  end
  local all, rows, heads, at = table.concat(sources), 0, 0, 1
  for _, row in ipairs(limits.list) do
    local text = ('\n| %s | %d | %s | %s |\n'):format(row.of, row.most, row.real, row.mend)
    local first, last = page:find(text, at, true)
    unit.assertNotNil(first, row.name)
    at = last
    unit.assertNotNil(all:find("'" .. row.name .. "'", 1, true), row.name)
  end
  for _ in page:gmatch '\n| [^-]' do rows = rows + 1 end
  for _ in page:gmatch '\n\n## [^\n]+\n\n| what | at most | largest known | what helps |\n' do
    heads = heads + 1
  end
  unit.assertEquals({ rows, heads }, { #limits.list + 5, 5 })
  support.assert_has(page, '\nnet.onnx: ' .. limits.told 'messages' .. '\n', 'a message')
end
