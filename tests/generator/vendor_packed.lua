--- Packed weights that `ffngen vendor --weights model.ffn` embeds are the bytes of the file, in
--- every format; which entry is taken, and what is refused.
local unit = require 'luaunit'
local formats = require 'weights.format'
local groups = require 'weights.group'
local lists = require 'common.list'
local packed = require 'plan.packed'
local packed_writer = require 'packed_writer'
local pipeline = require 'pipeline'
local support = require 'support'
local weights = require 'weights'

TestVendorPacked = {}

--- The packed weights of the one layer of a spec, and the layer.
local function kernel_of(folder, text)
  support.write(folder .. '/my.lua', text)
  local layer = pipeline.lower(pipeline.read { folder .. '/my.lua' }, { 'c' })[1].layer
  return packed.of(layer), layer
end

local function vendor(folder, ...)
  return support.ffngen({ 'vendor', 'my.lua', '--out', 'out', '--isa', 'c', '--prefix', 'my',
    '--weights', ... }, { dir = folder })
end

--- Whether the constants are these bytes, but for the ABI, which is for people.
local program = [[
#include <stdio.h>
#include <string.h>
const void *my_it_packed(void);
int main(void) {
  static unsigned char bytes[1 << 20];
  FILE *file = fopen("bytes", "rb");
  const size_t count = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  for (size_t i = 0; i < count; i++)
    if (((const unsigned char *)my_it_packed())[i] != bytes[i] && i / 4 != 1)
      return printf("byte %zu of %zu\n", i, count), 1;
  return count == 0;
}
]]

---@param bytes string
---@param flags string[]|nil
local function assert_bytes(folder, bytes, what, flags)
  support.write(folder .. '/bytes', bytes)
  support.write(folder .. '/main.c', program)
  support.assert_code(support.run(lists.append({ 'gcc', '-O0', '-Wall', '-Wextra', '-Werror',
    'main.c', 'out/my_weights.c', '-o', 'main' }, flags or {}), { dir = folder }), 0, 'gcc')
  local result = support.run({ './main' }, { dir = folder })
  unit.assertEquals({ result.code, result.out }, { 0, '' }, what)
end

--- Calls a function with the place and the bytes of each number that lies in a word with others.
---@param stage Stage
local function each_small(stage, call)
  local format, own, types = stage.stream.format, stage.stream.layout, {}
  local parts = lists.append({ table.unpack(format.levels) }, { format.step })
  for _, part in ipairs(lists.append({ format.head or nil }, parts)) do
    for _, line in ipairs(part.lines) do types[formats.lane_types[line.lane].c_type] = true end
  end
  if #support.keys(types) < 2 then return end
  local planes, count = groups.planes(own.placed), 1
  for depth, part in ipairs(parts) do
    count = count * own.placed.parts[depth].count
    for _, line in ipairs(part.lines) do
      local size = formats.lane_types[line.lane].bytes
      for n = 0, size < 4 and count - 1 or -1 do
        for group = 0, own.bytes // own.bundle * own.groups - 1 do
          local at = group // own.groups * own.bundle + own.head + group % own.groups * own.step
            + own.members * planes[line.plane].at(n)
          for lane = 0, own.members * 16 - 1 do call(at + lane * size, size) end
        end
      end
    end
  end
end

--- What the constants of a machine with the other order of bytes are on this one: numbers stand at
--- their places, and those in a word with others the other way around.
local function turned(bytes, kernel, layer)
  local list = { bytes:byte(1, 64) }
  for i = 65, #bytes do list[i] = bytes:byte(i) end
  for i, stage in ipairs(layer.passes.forward) do
    each_small(stage, function(at, size)
      local first = kernel.stages[i].at + at
      local other = first // 4 * 4 + 4 - size - first % 4
      for b = 1, size do list[other + b] = bytes:byte(first + b) end
    end)
  end
  return (table.concat(lists.map(list, string.char)))
end

local function is_narrow(name) return weights.by_name[name].divides <= 64 end

--- Chains with a stage of each format, widths as narrow as these allow, and odd ones at the end.
local function chains()
  local list, wide = {}, lists.filter(weights.names, function(name) return not is_narrow(name) end)
  local narrow = lists.filter(weights.names, is_narrow)
  for _, group in ipairs { { narrow, 64 }, { wide, 256 } } do
    for first = 1, #group[1], 6 do
      local names = { table.unpack(group[1], first, first + 5) }
      local layers = lists.map(names, function(_) return ("{ %d, 'relu' }"):format(group[2]) end)
      layers[#layers] = '{ 35 }'
      list[#list + 1] = ([[
mlp 'it' { d_model = %d, layers = { %s }, bias = true, weights = { '%s' } }]]):format(
        group[2], table.concat(layers, ', '), table.concat(names, "', '"))
    end
  end
  list[#list + 1] = [[
ffn 'it' { variant = 'swiglu', d_model = 256, d_ff = 512, d_out = 35, bias = true,
  weights = { gate = 'q4_K', up = 'q4_K', down = 'f16' } }]]
  return list
end

--- Bytes of any value: bits that are no floats are among them.
local function any(i) return i * 167 % 251 ~ i * i // 7 % 256 end

function TestVendorPacked.test_every_format()
  for _, spec in ipairs(chains()) do
    local folder = support.folder()
    local kernel, layer = kernel_of(folder, spec)
    local bytes = packed_writer.weights(kernel, any, 0)
    support.write(folder .. '/w.ffn',
      packed_writer.text({ packed_writer.entry('mlp', 0, kernel, bytes) }, {}))
    support.assert_code(vendor(folder, 'w.ffn'), 0, spec)
    assert_bytes(folder, bytes, spec)
    assert_bytes(folder, turned(bytes, kernel, layer), spec, { '-U__BYTE_ORDER__',
      '-D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__', '-Wno-builtin-macro-redefined' })
  end
end

--- A file of version 1; floats are floats in C, and parameters stand in the header.
function TestVendorPacked.test_floats()
  local folder = support.folder()
  kernel_of(folder, "linear 'it' { d_model = 10, d_out = 5, bias = true }")
  local data = support.root .. '/tests/data/file_version_1.ffn'
  support.assert_code(vendor(folder, data), 0, 'version 1')
  local text = support.read(data)
  local at, bytes = string.unpack('<i8i8', text, 65)
  assert_bytes(folder, text:sub(at + 1, at + bytes), 'version 1')
  support.assert_has(support.read(folder .. '/out/my_weights.c'), '  float values[176];', 'floats')
  folder = support.folder()
  local kernel = kernel_of(folder, "ffn 'it' { variant = 'swish', d_model = 3, d_ff = 4 }")
  local own = packed_writer.weights(kernel, function() return 0 end, 1, { -1.5 })
  support.write(folder .. '/w.ffn',
    packed_writer.text({ packed_writer.entry('mlp', 0, kernel, own) }, {}))
  support.assert_code(vendor(folder, 'w.ffn'), 0, 'a parameter')
  assert_bytes(folder, own, 'a parameter')
  -- Infinities have no constant in C.
  own = packed_writer.weights(kernel, function(i)
    return i % 4 == 3 and 0x80 or i % 4 == 0 and 0x7f or 0
  end, 0, { 1 })
  support.write(folder .. '/w.ffn',
    packed_writer.text({ packed_writer.entry('mlp', 0, kernel, own) }, {}))
  support.assert_code(vendor(folder, 'w.ffn'), 0, 'infinities')
  assert_bytes(folder, own, 'infinities')
  own = packed_writer.weights(kernel, function() return 0 end, 1, { math.huge })
  support.write(folder .. '/w.ffn',
    packed_writer.text({ packed_writer.entry('mlp', 0, kernel, own) }, {}))
  support.assert_has(vendor(folder, 'w.ffn').err, '"mlp": parameter 1 of its activation is inf',
    'an infinite parameter')
end

--- The entry is the one that fits, or that of the name; its command is in the folder's page.
function TestVendorPacked.test_which_entry()
  local folder = support.folder()
  local other = kernel_of(folder, "linear 'it' { d_model = 7, d_out = 5 }")
  local kernel = kernel_of(folder, "linear 'it' { d_model = 8, d_out = 5 }")
  local entries = {}
  for i = 0, 2 do
    entries[i + 1] = packed_writer.entry('layers.' .. i, i, i == 1 and other or kernel,
      packed_writer.weights(i == 1 and other or kernel, function(k)
        return k % 4 == 3 and i or 0
      end, 1))
  end
  local tables = { { name = 'a', data = ('x'):rep(12) }, { name = 'b', data = ('y'):rep(4) } }
  support.write(folder .. '/w.ffn', packed_writer.text(entries, tables))
  local function refused(said, ...)
    local result = vendor(folder, 'w.ffn', ...)
    support.assert_code(result, 4, said)
    support.assert_has(result.err, 'w.ffn: ' .. said, said)
    unit.assertFalse(support.exists(folder .. '/out'), said)
  end
  refused '2 entries fit the layer: choose one by --weights-prefix: layers.0, layers.2'
  refused('it has no entry "layers.4" (did you mean "layers.0"?)', '--weights-prefix', 'layers.4')
  refused('no weights of linear_d8_o5_f32: "layers.1" has those of linear_d7_o5_f32',
    '--weights-prefix', 'layers.1')
  for _, name in ipairs { 'layers.2', 'layers.2.' } do
    support.assert_code(vendor(folder, 'w.ffn', '--weights-prefix', name), 0, name)
    assert_bytes(folder, entries[3].weights, name)
    support.assert_has(support.read(folder .. '/out/README.md'),
      '--weights ../w.ffn --weights-prefix ' .. name, name)
    support.sh('rm -rf', folder .. '/out')
  end
  kernel_of(folder, "linear 'it' { d_model = 9, d_out = 5 }")
  refused 'no weights of linear_d9_o5_f32: it has those of linear_d8_o5_f32, linear_d7_o5_f32'
  entries[3].name = 'layers.0'
  kernel_of(folder, "linear 'it' { d_model = 8, d_out = 5 }")
  support.write(folder .. '/w.ffn', packed_writer.text(entries, tables))
  refused('it has 2 entries "layers.0" that fit the layer', '--weights-prefix', 'layers.0')
  support.write(folder .. '/w.ffn', packed_writer.text({}, tables))
  refused 'it has no entries'
end

--- What can be wrong with a file whose checksums are right: nothing is written.
function TestVendorPacked.test_damaged()
  local folder = support.folder()
  local kernel = kernel_of(folder, "linear 'it' { d_model = 8, d_out = 5 }")
  local own = packed_writer.weights(kernel, function() return 0 end, 1)
  local entries = { packed_writer.entry('a', 0, kernel, own),
    packed_writer.entry('b', 1, kernel, own) }
  local tables = { { name = 'a', data = ('x'):rep(12) }, { name = 'b', data = ('y'):rep(4) } }
  local function refused(said, text, what)
    support.write(folder .. '/w.ffn', text)
    local result = vendor(folder, 'w.ffn', '--weights-prefix', 'b')
    support.assert_code(result, 4, what)
    support.assert_has(result.err, 'w.ffn: ' .. said, what)
    support.assert_lacks(result.err, 'traceback', what)
    unit.assertFalse(support.exists(folder .. '/out'), what)
  end
  local head, first, second = 'it is corrupted: its head', 'it is corrupted: entry 1',
    'it is corrupted: entry 2'
  local sizes = 'it is corrupted: the sizes of "b"'
  local cases = {
    { 'it was packed on a machine of the other byte order', 1, 'order', 0x04030201 },
    { 'it is corrupted: its byte order', 1, 'order', 1 },
    { 'it is of version 3 of the file', 1, 'version', 3 },
    { 'it is of version 0 of the file', 1, 'version', 0 },
    { 'its weights are of layout 2', 1, 'layout', 2 }, { head, 1, 'layers', 1000 },
    { head, 1, 'head_bytes', 1 << 40 }, { head, 1, 'head_bytes', -1 }, { head, 1, 'checksum', 1 },
    { 'it is cut short', 1, 'bytes', 1 << 40 }, { 'it is corrupted: its bytes', 1, 'bytes', 100 },
    { 'it is corrupted: its tables', 1, 'rows', -1 },
    { 'it is corrupted: its tables', 1, 'rows', 1 << 50 },
    { 'it is corrupted: its tables', 1, 'zero', 1 },
    { 'it is corrupted: its tables', 1, 'version', 1 },
    { first, 2, 'at', 0 }, { first, 2, 'at', 16384 + 64 }, { first, 2, 'at', -16384 },
    { first, 2, 'bytes', 0 }, { first, 2, 'bytes', -64 }, { first, 2, 'bytes', 1 << 60 },
    { first, 2, 'bytes', 65 }, { first, 2, 'zero', 1 }, { first, 2, 'stages', 2 },
    { first, 2, 'name_at', 3 }, { first, 2, 'packed_at', 1 << 31 }, { first, 2, 'formats_at', 1e9 },
    { second, 2, 'layer', 1 }, { second, 2, 'bytes', 16384 + 64 }, { second, 3, 'layer', 0 },
    { sizes, 3, 'hash', 5 }, { sizes, 3, 'inputs', 9 }, { sizes, 3, 'hidden', 1 },
    { sizes, 3, 'outputs', 6 },
    { '"b" has 512 bytes, and weights of linear_d8_o5_f32 are 576', 3, 'bytes', 512 },
    { 'it is corrupted: the weights of "b"', 3, 'checksum', 5 },
    { 'it is corrupted: table 1', 4, 'at', 0 }, { 'it is corrupted: table 1', 4, 'bytes', 1 << 60 },
    { 'it is corrupted: table 1', 4, 'zero', 1 }, { 'it is corrupted: table 2', 5, 'name_at', 0 },
    { 'it is corrupted: table 1', 4, 'encoding_at', 0 },
  }
  for _, case in ipairs(cases) do
    local text = packed_writer.text(entries, tables, function(header, list, rows)
      local changed = ({ header, list[1], list[2], rows[1], rows[2] })[case[2]]
      changed[case[3]] = math.tointeger(case[4])
    end)
    refused(case[1], text, ('%d %s %s'):format(case[2], case[3], case[4]))
  end
  local text = packed_writer.text(entries, tables)
  for _, bytes in ipairs { 9, 63, 64, 300, 16384, #text - 1 } do
    refused('it is cut short', text:sub(1, bytes), bytes)
  end
  for _, foreign in ipairs { '', 'FFNMODE', 'GGUF' .. text:sub(5) } do
    refused('it is no file of packed weights', foreign, foreign)
  end
  refused('it is corrupted: its bytes', text .. 'x', 'a byte more')
  refused('it is corrupted: its tables',
    packed_writer.text(entries, { { name = 'b', data = 'abcd' }, { name = 'a', data = 'abcd' } },
      function(header) header.rows = 1 << 62 end), 'more tables than bytes')
  refused('it is corrupted: table 2', packed_writer.text(entries, { tables[2], tables[1] }),
    'order')
  for at, byte in pairs { [1] = 'G', [9] = '\0', [17] = '\2', [21] = '\2', [25] = '\1' } do
    local header = own:sub(1, at - 1) .. byte .. own:sub(at + 1)
    entries[2].weights = header
    refused('it is corrupted: the header of "b"', packed_writer.text(entries, tables), at)
  end
end

--- Models without plain numbers: how to make a packed file of them.
function TestVendorPacked.test_models()
  local folder = support.folder()
  kernel_of(folder, "linear 'it' { d_model = 32, d_out = 5, weights = 'q5_0' }")
  support.sh('mkdir', folder .. '/model')
  local both = 'ffngen import %s --out imported/, then ffn-pack imported/PLAN.json, then --weights '
    .. 'imported/model.ffn'
  for _, case in ipairs {
    { 'a b.onnx', both:format "'a b.onnx'" }, { 'm.gguf', both:format 'm.gguf' },
    { 'model', both:format 'model' },
    { 'my/PLAN.json', 'ffn-pack my/PLAN.json, then --weights my/model.ffn' },
    { 'PLAN.json', 'ffn-pack PLAN.json, then --weights model.ffn' },
  } do
    local result = vendor(folder, case[1])
    support.assert_code(result, 4, case[1])
    support.assert_has(result.err, case[1] .. ': vendor takes packed weights of it: ' .. case[2],
      case[1])
  end
  for _, words in ipairs { { '--weights-order', 'out-in' }, { '--weights-map', 'map' },
    { '--weights-leave', 'a' } } do
    support.assert_code(vendor(folder, 'w.ffn', table.unpack(words)), 2, words[1])
  end
end
