--- What is no file, in the place of each file that a verb reads: a pipe that nobody writes to, a
--- device that never ends, a folder. Each run ends, and says the path and what it is.
local unit = require 'luaunit'
local gguf_file = require 'gguf_file'
local lists = require 'common.list'
local model_files = require 'model_files'
local support = require 'support'
local writer = require 'onnx_writer'

TestOpening = {}

local good = "ffn 'a' { variant = 'swiglu', d_model = 8, d_ff = 24 }"
local llama = model_files.behind('', model_files.llama(0))

--- By what is read: the words of the verb, the file that is no file, and what is beside it.
local cases = {
  { 'spec.lua', { 'list', 'spec.lua' } },
  { 'spec.lua', { 'generate', 'spec.lua', '--out', 'out' } },
  { 'spec.lua', { 'plot', 'a', '--spec', 'spec.lua', '--out', 'x.svg' } },
  { 'tuned.lua', { 'generate', 'good.lua', '--out', 'out', '--tuned', 'tuned.lua', '--tuned-for',
    'test-cpu' } },
  { 'm.safetensors', { 'import', 'm.safetensors', '--list' } },
  { 'm.gguf', { 'import', 'm.gguf', '--list' } }, { 'm.onnx', { 'import', 'm.onnx', '--list' } },
  { 'm.other', { 'import', 'm.other', '--list' } },
  { 'hf/config.json', { 'import', 'hf', '--list' }, { ['hf/model.safetensors'] = 'x' } },
  { 'hf/config.json', { 'import', 'hf/config.json', '--list' } },
  { 'hf/model.safetensors', { 'import', 'hf', '--list' } },
  { 'hf/model.safetensors.index.json', { 'import', 'hf', '--list' } },
  { 'hf/model-00001-of-00001.safetensors', { 'import', 'hf', '--list' },
    { ['hf/model.safetensors.index.json'] =
      '{"weight_map": {"a": "model-00001-of-00001.safetensors"}}' } },
  { 'g-00002-of-00002.gguf', { 'import', 'g-00001-of-00002.gguf', '--list' }, function()
    local f = gguf_file.model { blocks = 1, d_model = 32, d_ff = 32, tensors = gguf_file.gated }
    lists.append(f.keys, { { 'split.no', { 'u16', 0 } }, { 'split.count', { 'u16', 2 } },
      { 'split.tensors.count', { 'i32', 20 } } })
    return { ['g-00001-of-00002.gguf'] = (gguf_file.text(f)) }
  end },
  { 'w.data', { 'import', 'e.onnx', '--list' }, function()
    local entry = writer.bytes(1, 'location') .. writer.bytes(2, 'w.data')
    local weights = writer.tensor('a', { 4, 8 }, nil, 1, writer.bytes(13, entry)
      .. writer.integer(14, 1))
    return { ['e.onnx'] = writer.model { nodes = { 'MatMul x a -> y' }, tensors = { weights } } }
  end },
  { 'w.safetensors', { 'vendor', 'good.lua', '--out', 'out', '--weights', 'w.safetensors' } },
  { 'w.bin', { 'vendor', 'good.lua', '--out', 'out', '--weights', 'w.bin' } },
  { 'w.npy', { 'vendor', 'good.lua', '--out', 'out', '--weights', 'w.npy' } },
  { 'map', { 'vendor', 'good.lua', '--out', 'out', '--weights', 'w.safetensors', '--weights-map',
    'map' }, function() return { ['w.safetensors'] = (model_files.text(llama)) } end },
  { 'w.safetensors.index.json', { 'vendor', 'good.lua', '--out', 'out', '--weights',
    'w-00001-of-00002.safetensors' }, function()
    return { ['w-00001-of-00002.safetensors'] = (model_files.text(llama)) }
  end },
  { 'out/model.lua', { 'import', 'm.onnx', '--out', 'out', '--spec-only' }, function()
    return { ['m.onnx'] = writer.model { nodes = { 'MatMul x a -> y' },
      tensors = { writer.weights('a', { 4, 8 }) } } }
  end },
  { 'out/PLAN.json', { 'import', 'm.onnx', '--out', 'out', '--spec-only' }, function()
    return { ['m.onnx'] = writer.model { nodes = { 'MatMul x a -> y' },
      tensors = { writer.weights('a', { 4, 8 }) } } }
  end },
}

--- What stands in a file's place.
local kinds = {
  pipe = function(path) support.sh('mkfifo', path) end,
  ['pipe behind a link'] = function(path)
    support.sh('mkfifo', path .. '.real')
    support.sh('ln -s', path:match '[^/]*$' .. '.real', path)
  end,
  directory = function(path) support.sh('mkdir', path) end,
}

function TestOpening.test_what_is_no_file()
  for i, case in ipairs(cases) do
    for kind, make in pairs(kinds) do
      local path, what = case[1], ('%s, %s: %s'):format(table.concat(case[2], ' '), case[1], kind)
      -- A folder of that name is a model's, or a word of its own to who writes.
      if kind ~= 'directory' or not (path:find '%.safetensors$' or path == 'm.gguf'
        or path:find '^m%.o' or path:find 'config' or path:find '^out/') then
        local folder = support.folder()
        support.write(folder .. '/good.lua', good)
        support.sh('mkdir -p', folder .. '/hf', folder .. '/out')
        local beside = case[3] or {}
        for name, text in pairs(type(beside) == 'function' and beside() or beside) do
          support.write(folder .. '/' .. name, text)
        end
        make(folder .. '/' .. path)
        local result = support.run({ 'timeout', '60', support.project .. '/ffngen',
          table.unpack(case[2]) }, { dir = folder })
        unit.assertTrue(result.code == 4 or result.code == 1, what .. ': ' .. result.err)
        support.assert_has(result.err, path:match '[^/]*$', what)
        support.assert_has(result.err, kind:match '^%a+', what)
      end
    end
    if i == 1 and not support.full then kinds['pipe behind a link'] = nil end
  end
end

--- A device never ends, and is not read.
function TestOpening.test_devices()
  for _, words in ipairs {
    { 'list', '/dev/zero' }, { 'import', '/dev/zero', '--list' },
    { 'vendor', 'good.lua', '--out', 'out', '--weights-map', '/dev/zero', '--weights',
      'w.safetensors' },
  } do
    local folder = support.folder()
    support.write(folder .. '/good.lua', good)
    support.write(folder .. '/w.safetensors', (model_files.text(llama)))
    local result = support.ffngen(words, { dir = folder, before = 'ulimit -v 400000;' })
    support.assert_code(result, 4, table.concat(words, ' '))
    support.assert_has(result.err, '/dev/zero: cannot be read: Is a device', words[1])
  end
end
