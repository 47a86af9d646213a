--- Headers of GGUF: what is read of them, what is refused and why, in time and memory that a
--- stranger's file does not choose.
local unit = require 'luaunit'
local effort = require 'effort'
local forward = require 'files.forward'
local gguf = require 'files.gguf'
local gguf_file = require 'gguf_file'
local gguf_model = require 'files.gguf_model'
local heaps = require 'common.heap'
local random_access = require 'files.random_access'
local refusal = require 'refusal'
local support = require 'support'

TestGgufFiles = {}

local folder = support.folder()

local outcome = refusal.outcome

local function header(text)
  local path = folder .. '/m.gguf'
  support.write(path, text)
  return outcome(random_access.with, path, function(handle, size)
    return gguf.header(path, handle, size, heaps.new(path))
  end)
end

local function assert_refused(f, reason)
  local found = header(type(f) == 'string' and f or (gguf_file.text(f)))
  unit.assertEquals(type(found), 'string', 'taken, without: ' .. reason)
  support.assert_has(found, reason, 'refused')
end

local function small()
  return gguf_file.model { blocks = 1, d_model = 32, d_ff = 32, tensors = gguf_file.gated }
end

--- Values of each type, in files of both versions.
function TestGgufFiles.test_values()
  local f = {
    keys = {
      { 'a.u8', { 'u8', 255 } }, { 'a.i8', { 'i8', -1 } }, { 'a.u16', { 'u16', 65535 } },
      { 'a.i16', { 'i16', -2 } }, { 'a.u32', { 'u32', 0xffffffff } }, { 'a.i32', { 'i32', -3 } },
      { 'a.f32', { 'f32', 0.5 } }, { 'a.yes', true }, { 'a.no', false }, { 'a.text', 'x y' },
      { 'a.u64', { 'u64', 1 << 40 } }, { 'a.i64', { 'i64', -4 } }, { 'a.f64', { 'f64', 0.1 } },
      { 'a.large', { 'u64', -1 } }, { 'a.list', { 3, 1, 2 } },
      { 'a.empty', { 'array', 'i64', {} } },
      { 'a.flags', { 'array', 'bool', { 1, 0 } } }, { 'a.words', { 'array', 'text', { 'a', '' } } },
      { 'a.long', ('x'):rep(5000) },
      { 'a.nested', { 'raw', string.pack('<I4 I4i8 I4i8I1I1 I4i8i8', 9, 9, 2, 0, 2, 7, 8, 8, 1,
        0) } },
    },
    tensors = {
      { name = 'one', shape = { 64, 3 }, type = 'Q4_0' },
      { name = 'two', shape = { 5 }, type = 'F16' },
    },
  }
  for _, version in ipairs { 2, 3 } do
    f.version = version
    local h = header((gguf_file.text(f)))
    unit.assertEquals(h.version, version)
    local k = h.keys
    unit.assertEquals({ k['a.u8'], k['a.i8'], k['a.u16'], k['a.i16'], k['a.u32'], k['a.i32'] },
      { 255, -1, 65535, -2, 0xffffffff, -3 })
    unit.assertEquals({ k['a.f32'], k['a.yes'], k['a.no'], k['a.text'], k['a.u64'], k['a.i64'],
      k['a.f64'] }, { 0.5, true, false, 'x y', 1 << 40, -4, 0.1 })
    unit.assertEquals(k['a.large'], { of = 'u64', count = 1, is_kept = false })
    unit.assertEquals(k['a.list'], { 3, 1, 2, of = 'u32', count = 3, is_kept = true })
    unit.assertEquals(k['a.empty'], { of = 'i64', count = 0, is_kept = true })
    unit.assertEquals(k['a.flags'], { true, false, of = 'bool', count = 2, is_kept = true })
    unit.assertEquals(k['a.words'], { of = 'text', count = 2, is_kept = false })
    unit.assertEquals(k['a.long'], { of = 'text', count = 5000, is_kept = false })
    unit.assertEquals(k['a.nested'], { of = 'array', count = 2, is_kept = false })
    unit.assertEquals(h.data % 32, 0)
    unit.assertEquals(h.tensors[1], {
      name = 'one', shape = { 64, 3 }, type = 'Q4_0', first = h.data, bytes = 108,
    })
    unit.assertEquals(h.tensors[2].first, h.data + 128)
  end
end

--- Magic, versions, the order of bytes.
function TestGgufFiles.test_kinds()
  local text = gguf_file.text(small())
  local function with(at, bytes) return text:sub(1, at) .. bytes .. text:sub(at + #bytes + 1) end
  for _, case in ipairs {
    { '', 'its first bytes are not GGUF, or too few; the '
      .. 'file is damaged: download it or convert the model again' },
    { text:sub(1, 23), 'its first bytes are not GGUF' },
    { with(0, 'GGML'), 'its first bytes are not GGUF' }, { with(4, '\1'), 'it has version 1, and '
      .. 'ffngen reads versions 2' },
    { with(4, '\4'), 'it has version 4, and ffngen reads versions 2' },
    { with(4, '\0\0\0\3'), 'it is big-endian' },
    { with(4, '\0\0\0\2'), 'it is big-endian' },
    { with(4, '\0'), 'it has version 0, and ffngen reads versions 2' },
  } do
    assert_refused(case[1], 'm.gguf: not GGUF: ' .. case[2])
  end
  unit.assertEquals(type(header(text)), 'table')
end

--- Counts are held against the file before anything is made of them.
function TestGgufFiles.test_counts()
  for _, case in ipairs {
    { -1, 5, 'tensors: 2^63 or more' }, { 8, -1, 'keys: 2^63 or more' },
    { 1 << 40, 5, 'tensors of a GGUF model, in all of its shards: at most 131072 are' },
    { 8, 1 << 40, 'at most 16384 are read' },
    { 100000, 5, 'its header says 100000 tensors and 5 keys, which is more than the file can '
      .. 'hold' },
    { 0, 16000, 'its header says 0 tensors and 16000 keys, which is more than the file can hold' },
    { 9, 5, 'the name of tensor 9 is "", and must be ' },
    { 8, 6, 'the name of tensor 1: 2251799813685248 bytes of a tensor\'s name in GGUF: at most' },
  } do
    local f = small()
    f.counts = { case[1], case[2] }
    assert_refused(f, case[3])
  end
  -- Texts, arrays, and nested arrays that end beyond the file, or would take for ever.
  local function raw(format, ...) return { 'raw', string.pack(format, ...) } end
  local deep = { string.pack('<I4', 9) }
  for _ = 1, 9 do deep[#deep + 1] = string.pack('<I4i8', 9, 1) end
  for _, case in ipairs {
    { raw('<I4i8', 8, -1), '"a.b": 2^63 or more of them' },
    { raw('<I4i8', 8, 1 << 30), '"a.b": 1073741824 bytes of a text of GGUF: at most 16777216' },
    { raw('<I4i8', 8, 1 << 20), 'the file ends within "a.b": was' },
    { raw('<I4I4i8', 9, 4, -1), '"a.b": 2^63 or more of them' },
    { raw('<I4I4i8', 9, 4, 1 << 30), 'items of an array of GGUF: at most 16777216' },
    { raw('<I4I4i8', 9, 4, 1 << 23), 'the file ends within "a.b": was' },
    { raw('<I4I4i8', 9, 8, 1 << 23), 'the file ends within "a.b": was' },
    { raw('<I4I4i8i8', 9, 8, 1, -1), '"a.b": a text of 2^63 bytes or more' },
    { raw('<I4I4i8i8', 9, 8, 1, 1 << 20), 'the file ends within "a.b": was' },
    { raw('<I4I4i8', 9, 13, 1), '"a.b": unknown type 13' },
    { raw('<I4', 13), '"a.b": unknown type 13' },
    { raw('<I4I1', 7, 2), '"a.b": 2 is neither true nor false' },
    { raw('<I4I4i8I1', 9, 7, 1, 3), '"a.b": 3 is neither true nor false' },
    { { 'raw', table.concat(deep) }, '"a.b": 9 nested arrays in GGUF: at most 8' },
  } do
    local f = small()
    f.keys[#f.keys + 1] = { 'a.b', case[1] }
    assert_refused(f, case[2])
  end
end

--- Names, shapes, types, offsets.
function TestGgufFiles.test_tensors()
  local function changed(change)
    local f = small()
    change(f, f.tensors)
    return f
  end
  for _, case in ipairs {
    { function(_, t) t[2].name = t[1].name end, 'tensor "token_embd.weight" occurs twice' },
    { function(f) f.keys[2][1] = 'general.architecture' end,
      '"general.architecture" occurs twice' },
    { function(_, t) t[2].name = ('x'):rep(65) end, 'the name of tensor 2: 65 bytes' },
    { function(_, t) t[2].name = 'a\nb' end, 'the name of tensor 2 is "a\\10b", and must '
      .. 'be printable ASCII' },
    { function(_, t) t[2].name = '' end, 'the name of tensor 2 is ""' },
    { function(_, t) t[2].name = 'caf\xc3\xa9' end, 'and must be printable ASCII' },
    { function(f) f.keys[2][1] = '' end, 'key 2 is "", and must be printable ASCII, not empty' },
    { function(_, t) t[2].shape = {} end, '"blk.0.attn_norm.weight" has no dimensions' },
    { function(_, t) t[2].shape = { 1, 1, 1, 1, 1 } end,
      '5 dimensions of a tensor of GGUF: at most 4' },
    { function(_, t) t[2].shape, t[2].data = { 0 }, '' end,
      'has no numbers, or more than 2^50' },
    { function(_, t) t[2].shape, t[2].data = { -1 }, '' end,
      'the shape of "blk.0.attn_norm.weight": 2^63' },
    { function(_, t) t[2].shape, t[2].data = { 1 << 40, 1 << 40 }, '' end,
      'has no numbers, or more than 2^50' },
    { function(_, t) t[2].shape, t[2].data = { 1 << 41 }, '' end, 'at most 1099511627776 are '
      .. 'possible' },
    { function(_, t) t[2].type = 4 end, 'type 4 is Q4_2, which ggml no longer has' },
    { function(_, t) t[2].type = 36 end, 'type 36 is IQ4_NL_4_4, which ggml no longer has' },
    { function(_, t) t[2].type = 99 end, '"blk.0.attn_norm.weight": unknown type 99 of numbers' },
    { function(_, t) t[2].shape, t[2].type = { 33 }, 'Q8_0' end,
      'a row of 33 numbers is not whole blocks of 32, which Q8_0' },
    { function(_, t) t[2].offset = 16 end, 'its offset 16 is not a multiple of 32' },
    { function(_, t) t[2].offset = -32 end,
      'the offset of "blk.0.attn_norm.weight": 2^63 or more' },
    { function(_, t) t[2].offset = 0 end, 'begins at 0, before the end of the tensor before it' },
    { function(_, t) t[1].offset, t[2].offset = 1024, 0 end, 'begins at 0, before the end' },
    { function(_, t) t[#t].offset = 1 << 40 end,
      '"output_norm.weight": the file ends before it does' },
    { function(f) f.cut = 1 end, '"output_norm.weight": the file ends before it does' },
    { function(f) f.keys[1] = { 'general.alignment', 0 } end,
      ', and must be a power of 2' },
    { function(f) f.keys[1] = { 'general.alignment', 24 } end,
      ', and must be a power of 2' },
    { function(f) f.keys[1] = { 'general.alignment', 1 << 21 } end, 'at most 1048576 are read' },
    { function(f) f.keys[1] = { 'general.alignment', 'x' } end,
      ', and must be a power of 2' },
  } do
    assert_refused(changed(case[1]), case[2])
  end
  -- Another alignment is taken, and so is a hole.
  local f = small()
  f.alignment = 128
  f.keys[#f.keys + 1] = { 'general.alignment', 128 }
  unit.assertEquals(header((gguf_file.text(f))).data % 128, 0)
  unit.assertEquals(header((gguf_file.text { keys = {}, tensors = {} })).data, 24)
end

--- A tokenizer's words are passed without making a text of each.
function TestGgufFiles.test_words()
  local f, words = small(), {}
  for i = 1, 40000 do words[i] = ('word %d'):format(i * 7919) end
  f.keys[#f.keys + 1] = { 'tokenizer.ggml.tokens', { 'array', 'text', words } }
  f.keys[#f.keys + 1] = { 'tokenizer.ggml.model', 'x' }
  local text = gguf_file.text(f)
  support.write(folder .. '/words.gguf', text)
  collectgarbage()
  collectgarbage()
  local before = collectgarbage 'count'
  local _, h = effort.within(1000, random_access.with, folder .. '/words.gguf',
    function(handle, size) return gguf.header('words.gguf', handle, size,
      heaps.new 'words.gguf') end)
  unit.assertTrue(collectgarbage 'count' - before < 2048, 'memory')
  unit.assertEquals(h.keys['tokenizer.ggml.tokens'].count, 40000)
  unit.assertEquals(h.keys['tokenizer.ggml.model'], 'x')
  -- The pieces that a file is read in end anywhere in a text, in its length, between two.
  local handle = assert(io.open(folder .. '/words.gguf', 'rb'))
  local r = forward.new('words.gguf', 'GGUF', handle, #text)
  r:skip(24, 'x')
  unit.assertEquals(r:place(), 24)
  unit.assertEquals(r:left(), #text - 24)
  handle:close()
end

-- Shards ------------------------------------------------------------------------------------------

--- Writes the shards of a small model: what a change makes of each before it is written.
local function write_shards(change)
  local whole, shards = small(), {}
  for i = 1, 3 do
    shards[i] = { keys = i == 1 and whole.keys or {}, tensors = {} }
    gguf_file.set(shards[i].keys, 'split.no', { 'u16', i - 1 })
    gguf_file.set(shards[i].keys, 'split.count', { 'u16', 3 })
    gguf_file.set(shards[i].keys, 'split.tensors.count', { 'i32', #whole.tensors })
  end
  for i, t in ipairs(whole.tensors) do
    local own = shards[math.min(3, (i + 2) // 3)].tensors
    own[#own + 1] = t
  end
  if change then change(shards) end
  local stem = support.folder() .. '/m'
  for i, shard in ipairs(shards) do
    if shard.keys then
      support.write(('%s-%05d-of-00003.gguf'):format(stem, i), (gguf_file.text(shard)))
    end
  end
  return stem
end

--- A shard that is a link out of the folder is refused, as other files of a model are.
function TestGgufFiles.test_links()
  local stem, other = write_shards(), support.folder()
  local second = stem .. '-00002-of-00003.gguf'
  for _, case in ipairs {
    { other .. '/x.gguf' }, { '../' .. other:match '[^/]*$' .. '/x.gguf' },
    { 'beside.gguf', true },
  } do
    support.sh('rm -f', stem:match '^.*/' .. 'beside.gguf', other .. '/x.gguf')
    support.sh('mv', second, case[2] and stem:match '^.*/' .. 'beside.gguf' or other .. '/x.gguf')
    support.sh('ln -s', case[1], second)
    local model = outcome(gguf_model.open, stem .. '-00001-of-00003.gguf')
    if case[2] then
      unit.assertEquals(type(model), 'table', model)
    else
      support.assert_has(model, second .. ': it is a link to "', case[1])
      support.assert_has(model, 'a link must lead into its own folder or into a cache', case[1])
    end
    support.sh('rm', second)
    stem = write_shards()
    second = stem .. '-00002-of-00003.gguf'
  end
end

function TestGgufFiles.test_shards()
  local stem = write_shards()
  local model = outcome(gguf_model.open, stem .. '-00001-of-00003.gguf')
  unit.assertEquals(type(model), 'table', model)
  unit.assertEquals(#model.files, 3)
  unit.assertEquals(model.files[2].path, stem .. '-00002-of-00003.gguf')
  unit.assertEquals(#model.names, 8)
  unit.assertEquals(model.tensors['blk.0.attn_norm.weight'].file, 1)
  unit.assertEquals(model.tensors['output_norm.weight'].file, 3)
  local second = '-00002-of-00003.gguf'
  for _, case in ipairs {
    { function(s) s[2] = {} end, second .. ': this file is missing, and ' },
    { function(s) gguf_file.set(s[1].keys, 'split.tensors.count', { 'i32', 9 }) end,
      second .. ': its keys do not say that it is shard 2 of 3 with 9 tensors' },
    { function(s) gguf_file.set(s[2].keys, 'split.no', { 'u16', 2 }) end, 'it is shard 2 of 3' },
    { function(s) gguf_file.set(s[2].keys, 'split.count', { 'u16', 4 }) end, 'it is shard 2 of 3' },
    { function(s) s[2].keys = { { 'x.y', 1 } } end, 'it is shard 2 of 3 with 8 tensors' },
    { function(s) gguf_file.set(s[2].keys, 'llama.block_count', 7) end,
      second .. ': key "llama.block_count" is in a later shard, and all keys must be in the '
        .. 'first' },
    { function(s) s[2].tensors[1].name = 'token_embd.weight' end, second .. ': tensor '
      .. '"token_embd.weight" is in an earlier shard, too' },
    { function(s) table.remove(s[3].tensors) end, 'split.tensors.count is 8, and the shards have '
      .. '7' },
    { function(s) gguf_file.set(s[1].keys, 'split.no') end, 'contradict each other' },
    { function(s) gguf_file.set(s[1].keys, 'split.count', { 'u16', 0 }) end, 'contradict each '
      .. 'other' },
    { function(s) gguf_file.set(s[1].keys, 'split.no', { 'u16', 3 }) end, 'contradict each other' },
    { function(s) gguf_file.set(s[1].keys, 'split.no', { 'u16', 1 }) end,
      'it is shard 2 of 3, and its name must be that of a shard: NAME-00002-of-00003.gguf' },
    { function(s) gguf_file.set(s[1].keys, 'split.count', { 'u16', 2 }) end,
      'it is shard 1 of 2, and its name must be that of a shard: NAME-00001-of-00002.gguf' },
    { function(s) gguf_file.set(s[1].keys, 'split.count', { 'i32', -1 }) end,
      ', and must be a count: split the model again' },
  } do
    local found = outcome(gguf_model.open, write_shards(case[1]) .. '-00001-of-00003.gguf')
    unit.assertEquals(type(found), 'string', case[2])
    support.assert_has(found, case[2], 'shards')
  end
  support.assert_has(outcome(gguf_model.open, stem .. second),
    'it is shard 2 of 3: import the first shard, ' .. stem .. '-00001-of-00003.gguf', 'a later one')
  -- Without its name a shard cannot find the others; a model in one shard needs none.
  support.sh('cp', stem .. '-00001-of-00003.gguf', stem .. '.gguf')
  support.assert_has(outcome(gguf_model.open, stem .. '.gguf'), 'its name must be that of a '
    .. 'shard', 'name')
  local f = small()
  gguf_file.set(f.keys, 'split.no', { 'u16', 0 })
  gguf_file.set(f.keys, 'split.count', { 'u16', 1 })
  gguf_file.set(f.keys, 'split.tensors.count', { 'i32', #f.tensors })
  support.write(stem .. '.gguf', (gguf_file.text(f)))
  unit.assertEquals(type(outcome(gguf_model.open, stem .. '.gguf')), 'table')
end
