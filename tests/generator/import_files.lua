--- What import reads of files before it knows of layers: the hash of headers, a model's folder, the
--- records of what was found.
local lfs = require 'lfs'
local unit = require 'luaunit'
local model_files = require 'model_files'
local refusal = require 'refusal'
local support = require 'support'

local doubles = require 'import.doubles'
local found_records = require 'import.found'
local found_rows = require 'import.found_rows'
local heaps = require 'common.heap'
local lists = require 'common.list'
local model_folder = require 'files.model_folder'
local number_types = require 'import.number_types'
local part_numbers = require 'import.parts'
local problems = require 'common.problem'
local record = require 'common.record'
local tensor_entries = require 'files.tensor_entries'
local weight_map = require 'files.weight_map'
local weights = require 'weights'
local xxh64 = require 'files.xxh64'

TestImportFiles = {}

--- Values that xxHash's own documents and test suites have.
function TestImportFiles.test_xxh64()
  for text, hash in pairs {
    [''] = 'ef46db3751d8e999', a = 'd24ec4f1a98c6e5b', abc = '44bc2cf5ad770999',
    ['Nobody inspects the spammish repetition'] = 'fbcea83c8a378bf1',
    xxhash = '32dd38952c4bc720',
  } do
    unit.assertEquals(xxh64.of(text), hash, text)
  end
  -- The bytes of xxHash's sanity check, by a generator of 64 bits: 222 of them.
  local generator, bytes = 2654435761, {}
  for i = 1, 222 do
    bytes[i] = string.char(generator >> 56)
    generator = generator * 0x9e3779b185ebca8d
  end
  local text = table.concat(bytes)
  unit.assertEquals(xxh64.of(text:sub(1, 1)), 'e934a84adb052768')
  unit.assertEquals(xxh64.of(text:sub(1, 4)), '9136a0dca57457ee')
  unit.assertEquals(xxh64.of(text:sub(1, 14)), '8282dcc4994e35c8')
  unit.assertEquals(xxh64.of(text), 'b641ae8cb691c174')
end

local function assert_refused(words, call, ...)
  support.assert_has(refusal.of(words, call, ...), words, words)
end

--- How many texts a quick way reads, and the whole one alone: both say the same where both do.
local function compared(texts, quick_of, whole_of)
  local quick, whole = 0, 0
  for _, text in ipairs(texts) do
    local one = quick_of(text)
    local ok, other = pcall(whole_of, text)
    if one then
      quick = quick + 1
      table.sort(one.keys)
      unit.assertTrue(record.equal(one, other), text)
    elseif ok then
      whole = whole + 1
    end
  end
  return quick, whole
end

--- The quick way through a header gives what the whole one does, or steps aside.
function TestImportFiles.test_quick_headers()
  local function entry(name, fields)
    return ('"%s":{"dtype":"%s","shape":[%s],"data_offsets":[%s]}'):format(name, fields[1],
      fields[2], fields[3])
  end
  local plain = entry('a.weight', { 'F32', '2,3', '0,24' })
  local quick, whole = compared({
    '{' .. plain .. '}', '{' .. plain .. '}  \n',
    '{"__metadata__":{"format":"pt"},' .. plain .. '}',
    '{' .. plain .. ',' .. entry('b', { 'BF16', '', '24,26' }) .. '}',
    '{"__metadata__":{"a":"{"},' .. plain .. '}', '{ ' .. plain .. '}', '{' .. plain .. ',}',
    '{' .. plain .. ',' .. plain .. '}', '{' .. plain .. '}}', '{' .. plain, '{}', '', '[]',
    '{' .. entry('a\\u0062', { 'F32', '2', '0,8' }) .. '}',
    '{' .. entry('a', { 'F32', '02', '0,8' }) .. '}',
    '{' .. entry('a', { 'F32', '2,', '0,8' }) .. '}',
    '{' .. entry('a', { 'F32', ',2', '0,8' }) .. '}',
    '{' .. entry('a', { 'F32', '9223372036854775807', '0,8' }) .. '}',
    '{' .. entry('a', { 'F32', '99999999999999999999', '0,8' }) .. '}',
    '{' .. entry('a', { 'F32', '2', '0,99999999999999999999' }) .. '}',
    '{' .. entry('\xff', { 'F32', '2', '0,8' }) .. '}', '{' .. plain .. ',"__metadata__":{}}',
    '{"__metadata__":{"a":1},' .. plain .. '}',
    '{"__metadata__":{"a":"b","a":"b"},' .. plain .. '}',
    '{' .. entry('a', { 'F32', '-2', '0,8' }) .. '}',
    '{' .. entry('a', { 'F32', '2.0', '0,8' }) .. '}',
  }, function(text)
    return tensor_entries.quick(text, 100, 'path', heaps.new 'path')
  end, function(text)
    return tensor_entries.whole('path', text, 100, heaps.new 'path')
  end)
  unit.assertEquals(quick, 5)
  unit.assertTrue(whole >= 6)
end

--- The same of an index.
function TestImportFiles.test_quick_indices()
  local quick, whole = compared({
    '{"metadata":{"total_size":8},"weight_map":{"a":"x","b":"y"}}',
    ' {\n "metadata": {},\n "weight_map": {\n  "b": "y",\n  "a": "x"\n }\n}\n',
    '{"metadata":{},"weight_map":{"a":"x"}} ]', '{"metadata":{},"weight_map":{"a":"x"}',
    '{"metadata":{},"weight_map":{"a":"x"},"more":1}', '{"metadata":{},"weight_map":{}}',
    '{"metadata":{"a":1,"a":2},"weight_map":{"a":"x"}}', '{"metadata":{x},"weight_map":{"a":"x"}}',
    '{"metadata":{},"weight_map":{"a":"x","a":"x"}}', '{"metadata":{},"weight_map":{"a":"x",}}',
    '{"metadata":{},"weight_map":{"a":"x"\v,"b":"x"}}', '{"metadata":{},"weight_map":{"a":1}}',
    '{"metadata":{},"weight_map":{"a\\u0062":"x"}}', '{"metadata":{},"weight_map":{"\xff":"x"}}',
    '{"weight_map":{"a":"x"}}', '{"weight_map":{"a":"x"},"metadata":{}}',
    '{"metadata":{"}":"{"},"weight_map":{"a":"x"}}', '{"metadata":{},"weight_map":["a"]}',
    '{"metadata":{}}', '[]', '',
  }, function(text)
    return weight_map.quick('path', text, heaps.new 'path')
  end, function(text)
    return weight_map.whole('path', text, heaps.new 'path')
  end)
  unit.assertEquals(quick, 2)
  unit.assertTrue(whole >= 6)
end

--- Where a tensor ends is where the next begins, unless it says otherwise; a hole is none's.
function TestImportFiles.test_places()
  for _, case in ipairs {
    { '0,8', '8,16' }, { '8,16', '0,8' }, { '0,8', '08,16' }, { '0,8', '9,17' },
    { '0,8', '4,12', 'use the same bytes' }, { '4,12', '8,16', 'use the same bytes' },
    { '0,8', '12,20', 'do not fit the file' }, { '0,8', '8,12', 'do not fit its shape' },
  } do
    local header = ('{"a":{"dtype":"F32","shape":[2],"data_offsets":[%s]},'
      .. '"b":{"dtype":"F32","shape":[2],"data_offsets":[%s]}}'):format(case[1], case[2])
    local path = support.folder() .. '/model.safetensors'
    support.write(path, ('<s8'):pack(header) .. ('\0'):rep(17))
    if case[3] then
      assert_refused(case[3], model_folder.open, path)
    elseif case[2]:find '^0%d' then
      assert_refused('not safetensors', model_folder.open, path)
    else
      local stored = model_folder.open(path).stored
      unit.assertEquals(stored.b.first, 8 + #header + math.tointeger(tonumber(case[2]:match '%d+')))
      unit.assertEquals(stored.b.bytes, 8)
    end
  end
end

--- A model in one file, in several, in a folder of either, and what is where.
function TestImportFiles.test_folders()
  local folder = support.folder()
  local first = { 'b.weight BF16 2 3', 'a.weight 4' }
  support.write(folder .. '/model.safetensors', (model_files.text(first)))
  for _, path in ipairs { folder, folder .. '/', folder .. '/model.safetensors' } do
    local model = model_folder.open(path)
    unit.assertEquals(model.keys, { 'a.weight', 'b.weight' })
    unit.assertEquals(model.shapes['b.weight'], { 2, 3 })
    local text, header = model_files.text(first)
    unit.assertEquals(model.stored['a.weight'],
      { file = 1, dtype = 'F32', first = 8 + #header + 12, bytes = 16 })
    unit.assertEquals(model.files, { {
      path = folder .. '/model.safetensors', bytes = #text, spans = { { 0, 8 + #header } },
      xxh64 = xxh64.of(text:sub(1, 8 + #header)),
    } })
  end
  local many = support.folder()
  model_files.write_shards(many, { first, { 'c 2 2' }, { 'd F16 0' } })
  for _, path in ipairs {
    many, many .. '/model.safetensors.index.json', many .. '/model-00002-of-00003.safetensors',
  } do
    local model = model_folder.open(path)
    unit.assertEquals(model.keys, { 'a.weight', 'b.weight', 'c', 'd' })
    unit.assertEquals(model.stored.c.file, 2)
    unit.assertEquals(#model.files, 3)
  end
end

--- What an index and its files say of each other.
function TestImportFiles.test_shards()
  local shards = { { 'a 2' }, { 'b 2' } }
  local second = 'model-00002-of-00002.safetensors'
  for _, case in ipairs {
    { 'it says that "z" is in model-00002', function(map) map.z = second end },
    { 'it says that "a" is in model-00002-of-00002.safetensors, and the tensor is in model-00001',
      function(map) map.a, map.b = second, 'model-00001-of-00002.safetensors' end },
    { 'it does not say that "a" is in', function(map) map.a = nil; map.b = second
      map.x = 'model-00001-of-00002.safetensors' end, 'it says that "x"' },
    { 'which is missing: was a download',
      function(map) map.b = 'model-00003-of-00002.safetensors' end },
    { 'name it without a folder', function(map) map.b = '/etc/passwd.safetensors' end },
    { 'name it without a folder', function(map) map.b = '../' .. second end },
    { 'name it without a folder', function(map) map.b = 'sub/' .. second end },
    { 'name it without a folder', function(map) map.b = '..' end, '.safetensors files only' },
    { 'import reads .safetensors files only', function(map) map.b = 'pytorch_model.bin' end },
  } do
    local folder = support.folder()
    model_files.write_shards(folder, shards, case[2])
    assert_refused(case[3] or case[1], model_folder.open, folder)
  end
  local folder = support.folder()
  model_files.write_shards(folder, { { 'a 2', 'x 2' }, { 'a 2' } })
  assert_refused('tensor "a" is in', model_folder.open, folder)
  support.write(folder .. '/model.safetensors.index.json', '{"weight_map": {}}')
  assert_refused('its weight_map is empty', model_folder.open, folder)
  support.write(folder .. '/model.safetensors.index.json', '{"weight_map": ["a"]}')
  assert_refused('it has no weight_map', model_folder.open, folder)
  support.write(folder .. '/model.safetensors.index.json', '{"weight_map": {"a": 3}}')
  assert_refused('it names the file "3"', model_folder.open, folder)
  os.remove(folder .. '/model.safetensors.index.json')
  assert_refused('which of these is the model? Name that file in place of the '
    .. 'folder', model_folder.open, folder)
  assert_refused('is missing: put the index there', model_folder.open,
    folder .. '/model-00001-of-00002.safetensors')
end

--- Links: those of a cache, to a name beside, and no others.
function TestImportFiles.test_links()
  local cache = support.folder()
  for _, part in ipairs { '/blobs', '/snapshots', '/snapshots/abc', '/other' } do
    assert(lfs.mkdir(cache .. part))
  end
  local text = model_files.text { 'a 2' }
  support.write(cache .. '/blobs/0f3e', text)
  support.write(cache .. '/other/f.safetensors', text)
  local snapshot = cache .. '/snapshots/abc'
  local place = snapshot .. '/model.safetensors'
  local function link(target)
    os.remove(place)
    assert(lfs.link(target, place, true))
  end
  link '../../blobs/0f3e'
  unit.assertEquals(model_folder.open(snapshot).keys, { 'a' })
  link '../../blobs/dead'
  assert_refused('the cache has no blobs/dead', model_folder.open, snapshot)
  for _, target in ipairs {
    '../../other/f.safetensors', cache .. '/blobs/0f3e', '../../blobs/../other/f.safetensors',
    '../../../blobs/0f3e',
  } do
    link(target)
    assert_refused('a link must lead into its own folder or into a '
      .. 'cache', model_folder.open, snapshot)
  end
  assert(lfs.link('0f3e', cache .. '/blobs/1', true))
  link '../../blobs/1'
  assert_refused('the cache has no blobs/1', model_folder.open, snapshot)
  support.write(snapshot .. '/real', text)
  link 'real'
  unit.assertEquals(model_folder.open(snapshot).keys, { 'a' })
  -- Blobs of what is no cache.
  local plain = support.folder()
  assert(lfs.mkdir(plain .. '/blobs'))
  assert(lfs.mkdir(plain .. '/a'))
  assert(lfs.mkdir(plain .. '/a/b'))
  support.write(plain .. '/blobs/0f3e', text)
  assert(lfs.link('../../blobs/0f3e', plain .. '/a/b/model.safetensors', true))
  assert_refused('a link must lead into its own folder or into a '
    .. 'cache', model_folder.open, plain .. '/a/b')
end

--- What is no model is named, with what makes one of it.
function TestImportFiles.test_others()
  local folder = support.folder()
  assert_refused('import finds no model here; import reads: an ONNX graph (.onnx), a GGUF file',
    model_folder.open, folder)
  support.write(folder .. '/config.json', '{}')
  assert_refused('config.json: this file describes a model, and the weights of the model are '
    .. 'missing',
    model_folder.open, folder)
  for _, case in ipairs {
    { '', 'a file of pickles', "torch.load('pytorch_model.bin', weights_only=True" },
    { 'PK\3\4m/data.pkl\128\2ctorch.nn.modules.linear\nLinear X\8\0\0\0_modulesq',
      'a whole module in pickles', "torch.load('pytorch_model.bin', weights_only=False" },
    { 'PK\3\4m/data.pkl' .. ('\0'):rep(100) .. 'PK\1\2m/code/__torch__.py',
      'a module of TorchScript', "torch.jit.load('pytorch_model.bin'" },
  } do
    support.write(folder .. '/pytorch_model.bin', case[1])
    assert_refused(case[2], model_folder.open, folder)
    assert_refused(case[3], model_folder.open, folder)
  end
  local broken = folder .. '/x.safetensors'
  for _, case in ipairs {
    { '', 'the header\'s length is beyond' }, { string.pack('<I8', 1 << 63), 'length is beyond' },
    { string.pack('<I8', -1), 'length is beyond' }, { string.pack('<I8', 3) .. '{}', 'beyond' },
    { 'a 2', 'its data_offsets do not fit', function(t) return t:sub(1, -2) end },
    { 'a 2', 'its data_offsets do not fit its shape',
      function(t) return (t:gsub('F32', 'F64')) end },
    { 'a 2', 'it is not a JSON object', function(t) return (t:gsub('%[0,8', '[-,8')) end },
    { 'a 100', 'has no shape or no data_offsets',
      function(t) return (t:gsub('%[0,400', '[-4,40')) end },
  } do
    local text = case[1]:find '^%a' and model_files.text { case[1] } or case[1]
    support.write(broken, case[3] and case[3](text) or text)
    assert_refused(case[2], model_folder.open, broken)
  end
  support.write(broken, (model_files.text { 'a 2', 'b 2' }):gsub('%[8,16', '[4,12'))
  assert_refused('"a" and "b" use the same bytes', model_folder.open, broken)
  support.write(broken, (model_files.text { 'a 2', 'b 2' }):gsub('"b"', '"a"'))
  assert_refused('"a" occurs twice', model_folder.open, broken)
end

--- The command that makes safetensors of a file of pickles stores its only dict of tensors, which
--- may stand under a key, and names several.
function TestImportFiles.test_pickled_under_a_key()
  local folder = support.folder()
  support.sh('mkdir', folder .. '/safetensors', folder .. '/m')
  support.write(folder .. '/torch.py', [[
class Tensor(int):
    def contiguous(self): return self
    def clone(self): return self
def is_tensor(value): return isinstance(value, Tensor)
def load(name, weights_only, map_location): return eval(open(name).read(), {"T": Tensor(1)})
]])
  support.write(folder .. '/safetensors/torch.py',
    'def save_file(tensors, name): print(name, *tensors)\n')
  local function stored(text)
    support.write(folder .. '/m/model.pt', text)
    local ok, problem = pcall(model_folder.open, folder .. '/m')
    unit.assertFalse(ok)
    local command = problem.text:match 'python3 %-c ".*"'
    return support.run({ 'sh', '-c', command }, { dir = folder .. '/m',
      env = { 'PYTHONPATH=..', 'PYTHONDONTWRITEBYTECODE=1' } })
  end
  for _, text in ipairs {
    '{"a": T, "b": T, "epoch": 3}', '{"model": {"a": T, "b": T}, "epoch": 3}',
    '{"optimizer": {"state": {0: {"step": T}}, "param_groups": []}, "module": {"a": T, "b": T}}',
  } do
    local made = stored(text)
    support.assert_code(made, 0, text)
    unit.assertEquals(made.out, 'model.safetensors a b\n')
  end
  local several = stored '{"model": {"a": T}, "ema": {"a": T}}'
  unit.assertEquals({ several.code, several.out }, { 1, '' })
  support.assert_has(several.err, 'set d to one of: model, ema', 'several')
end

-- Records ----------------------------------------------------------------------------------------

local file = { path = 'm.safetensors', bytes = 1000, spans = { { 0, 100 } },
  xxh64 = '0123456789abcdef' }

local function placed(change)
  local p = { tensor = 't', file = 1, first = 100, bytes = 96, encoding = 'f32', row_bytes = 16,
    column_bytes = 4 }
  for key, value in pairs(change or {}) do p[key] = value end
  return p
end

--- Every number lies inside its file, whatever stands in a record.
function TestImportFiles.test_placed()
  local files = { found_records.file(file) }
  local function take(change, outputs, inputs)
    return found_records.placed(placed(change), files, outputs, inputs)
  end
  unit.assertEquals(take({}, 6, 4).first, 100)
  take({ row_bytes = 4, column_bytes = 24 }, 6, 4)
  take({ row_bytes = 0, column_bytes = 4 }, 24)
  take({ row_bytes = 0, column_bytes = 0 }, 24)
  take({ row_bytes = 8, column_bytes = 32 }, 4, 3) -- every second column
  take({ encoding = 'q4_0', bytes = 36, row_bytes = 18, column_bytes = 0 }, 2, 32)
  local most = math.maxinteger
  for _, case in ipairs {
    { { first = 905 }, 6, 4, 'beyond' }, { { first = -1 }, 6, 4, 'first is beyond' },
    { { first = most }, 6, 4, 'beyond' }, { { bytes = 95 }, 6, 4, 'beyond' },
    { { row_bytes = most }, 6, 4, 'row_bytes is beyond' },
    { { row_bytes = 1 << 51, bytes = 1 << 52 }, 6, 4, 'do not lie apart' },
    { { row_bytes = 1 << 50, bytes = 1 << 52 }, 3, 4, 'beyond' },
    { { row_bytes = 12 }, 6, 4, 'do not lie apart' },
    { { column_bytes = 2 }, 6, 4, 'do not lie apart' },
    { { row_bytes = 4, column_bytes = 20 }, 6, 4, 'do not lie apart' },
    { { row_bytes = 4.0 }, 6, 4, 'row_bytes is beyond' },
    { { row_bytes = 0, column_bytes = 2 }, 24, nil, 'do not lie apart' },
    { { row_bytes = 4, column_bytes = 4 }, 24, nil, 'do not lie apart' },
    { { encoding = 'q9' }, 6, 4, 'which no layer takes' },
    { { encoding = 'u4g32' }, 6, 32, 'which no layer takes' },
    { { encoding = 'q4_0', row_bytes = 18, column_bytes = 0 }, 2, 33, 'no whole blocks of 32' },
    { { encoding = 'q4_0', row_bytes = 17, column_bytes = 0 }, 2, 32, 'do not lie apart' },
    { { encoding = 'q4_0', row_bytes = 18, column_bytes = 1 }, 2, 32, 'do not lie apart' },
    { { encoding = 'q4_0', row_bytes = 0 }, 32, nil, 'a vector of numbers in q4_0' },
  } do
    assert_refused(case[4], take, case[1], case[2], case[3])
  end
  -- A reader's own mistakes are no user's.
  for _, change in ipairs { { file = 2 }, { sise = 3 } } do
    local ok, thrown = pcall(take, change, 6, 4)
    unit.assertFalse(ok)
    unit.assertFalse(problems.is(thrown))
  end
end

--- Tables: sorted by name, each once, inside of their file, and in what a packed file may have.
function TestImportFiles.test_rows()
  local function take(...)
    return found_records.of { reader = 'r', path = 'p', files = { file }, layers = {},
      rows = { ... } }.rows
  end
  local function of(name, change, count, width)
    return { name = name, count = count or 6, width = width or 4, place = placed(change) }
  end
  local rows = take(of 'b.norm', of 'a', of('b', { encoding = 'q4_0', bytes = 36, row_bytes = 18,
    column_bytes = 0 }, 2, 32), of('B', { row_bytes = 0 }, 1, 24))
  unit.assertEquals(lists.map(rows, function(r) return r.name end), { 'B', 'a', 'b', 'b.norm' })
  unit.assertEquals(rows[3].place.encoding, 'q4_0')
  for _, case in ipairs {
    { of('x', {}, 7), 'are beyond its' }, { of('x', {}, 6, 5), 'do not lie apart' },
    { of('x', { row_bytes = 8 }), 'do not lie apart' }, { of('x', { first = 905 }), 'beyond' },
    { of('x', {}, 0), 'count = 0 is no size' },
    { of('x', {}, 1, (1 << 20) + 1), 'width = 1048577' },
    { of('x', {}, 1.0), 'count = 1.0 is no size' },
    { of('\xff', {}), 'is no name' },
    { of('x', { encoding = 'q4_0', row_bytes = 18, column_bytes = 0 }, 2, 33), 'no whole blocks' },
  } do
    assert_refused(case[2], take, case[1])
  end
  for _, given in ipairs { { of 'x', of 'x' }, { of('x', { encoding = 'f8_e4m3' }) },
    { of('x', { encoding = 'u4g32' }) }, { { name = 'x', count = 1, width = 4 } } } do
    local ok, thrown = pcall(take, table.unpack(given))
    unit.assertFalse(ok)
    unit.assertFalse(problems.is(thrown), tostring(thrown))
  end
end

--- Rows of 64 bits are floats, or are rounded where that is asked for.
function TestImportFiles.test_rows_of_64_bits()
  local path = support.folder() .. '/rows.bin'
  local function encoding(is_asked, ...)
    support.write(path, string.pack('<dddd', ...))
    local found = found_records.of { reader = 'r', path = path, layers = {},
      files = { { path = path, bytes = 32, spans = {}, xxh64 = file.xxh64 } },
      rows = { { name = 'x', count = 2, width = 2, place = placed { encoding = 'f64', first = 0,
        bytes = 32, row_bytes = 16, column_bytes = 8 } } } }
    return doubles.settle(found, is_asked).rows[1].place.encoding
  end
  unit.assertEquals(encoding(false, 1, 2, 3, 0.5), 'f64')
  unit.assertEquals(encoding(true, 1, 2, 3, 0.5), 'f64')
  unit.assertEquals(encoding(true, 1, 2, 3, 0.1), 'f64_rounded')
  assert_refused('output 1, input 1 is 0.1', encoding, false, 1, 2, 3, 0.1)
  assert_refused('larger than every f32', encoding, true, 1, 2, 1e300, 0.1)
end

--- What the packed file's own header says may be rows, and what a reader may hand in.
function TestImportFiles.test_row_encodings()
  local text, count = support.read(support.root .. '/runtime/file_rows.h'), 0
  for name, k, bytes in text:gmatch 'BLOCK%(([%w_]+), (%d+), (%d+)%)' do
    local source = weights.by_name[name].source
    unit.assertEquals({ source.k, source.bytes }, { tonumber(k), tonumber(bytes) }, name)
    unit.assertTrue(found_rows.takes(name), name)
    count = count + 1
  end
  for name, bytes in text:gmatch '{"([%w_]+)", 1, (%d+), ffn_file_floats_' do
    unit.assertEquals(number_types.bytes[name], tonumber(bytes), name)
    count = count + 1
  end
  local taken = lists.filter(lists.append({ 'f64' }, weights.names), found_rows.takes)
  unit.assertEquals(#taken, count)
  unit.assertFalse(found_rows.takes 'q9')
end

--- Parts have the same numbers for import and for C, from 2^31 on, so that none is an expert's.
function TestImportFiles.test_parts()
  local text, found = support.read(support.root .. '/runtime/ffn_file.h'), {}
  for name, number in text:gmatch '\n#define FFN_PART_(%u[%u_]*) (0x%x+)u ' do
    found[name:lower()] = math.tointeger(number)
    unit.assertTrue(math.tointeger(number) >= 1 << 31, name)
  end
  unit.assertEquals(found, part_numbers.by_name)
end

--- Records are strict, and their sizes are those of specs.
function TestImportFiles.test_records()
  local function layer(change)
    local l = {
      index = 0, at = 'it', kind = 'linear', fields = { d_model = 4, d_out = 6 },
      matrices = { { role = 'chain', outputs = 6, inputs = 4, weight = placed() } },
    }
    for key, value in pairs(change) do l[key] = value end
    return { reader = 'r', path = 'p', files = { file }, layers = { l } }
  end
  local f = found_records.of(layer {})
  unit.assertEquals(f.layers[1].matrices[1].bias, false)
  unit.assertEquals(f.layers[1].around, {})
  for _, size in ipairs { 0, -1, (1 << 20) + 1, 4.0 } do
    assert_refused('is no size from 1 to', found_records.of, layer {
      matrices = { { role = 'chain', outputs = 6, inputs = size, weight = placed() } },
    })
  end
  for _, change in ipairs {
    { kind = 'attention' }, { fields = { sise = 3 } }, { fields = { weights = 'f32' } },
    { matrices = {} }, { around = { { place = 'above', what = 'norm' } } }, { more = 1 },
    { matrices = { { role = 'gat', outputs = 6, inputs = 4, weight = placed() } } },
  } do
    local ok, thrown = pcall(found_records.of, layer(change))
    unit.assertFalse(ok)
    unit.assertFalse(problems.is(thrown), tostring(thrown))
  end
end
