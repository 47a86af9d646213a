--- Names as long as files may have them, of letters that make a search long: what readers and
--- naming rules do with one grows as its length does. C looks for patterns unseen, so these are
--- counted by patterns.lua.
local unit = require 'luaunit'
local effort = require 'effort'
local gguf_file = require 'gguf_file'
local model_files = require 'model_files'
local model_folder = require 'files.model_folder'
local patterns = require 'patterns'
local problems = require 'common.problem'
local record = require 'common.record'
local support = require 'support'
local writer = require 'onnx_writer'

TestLongNames = {}

local folder = support.folder()

--- Texts of a length, each of which makes some pattern begin again and again.
local function hostile(length)
  local function of(piece) return piece:rep(length // #piece + 1):sub(1, length) end
  local part = of('a'):sub(1, length // 50)
  return {
    of 'a', of '1', of '.', of ' ', of '-', of '%', of 'a1', of '0 ', of '"', of '{', of '=',
    of 'norm', of '/', of 'x=', of '# ', of 'weight', ((part .. '.'):rep(50)), 'fc' .. of '1',
    ((part:gsub('a', '1') .. '.'):rep(50)), of '\x7f', '1' .. of '1.', of(' '):sub(2) .. 'x',
  }
end

local tails = { '', '.weight', '.bias', '.up_proj.weight', '.lora_A.default.weight', '.kernel' }

local wanted = {
  leave = {}, variant = 'swiglu,relu', activation = 'relu,relu', order = 'out-in', decode = false,
  float_activations = false,
}

--- Loads the generator's modules anew, as patterns are counted now.
---@param work fun(): any
local function anew(work)
  local was = {}
  for key in pairs(package.loaded) do
    local path = package.searchpath(key, package.path)
    if path and path:find('/generator/', 1, true) and not path:find('/tests/', 1, true) then
      was[key], package.loaded[key] = package.loaded[key], nil
    end
  end
  local made = work()
  for key, loaded in pairs(was) do package.loaded[key] = loaded end
  return made
end

--- A file's reader, by the file's name: what it makes of a text of a stranger, in a place of it.
local cases = {}

local function model(lines)
  return (model_files.text(model_files.joined({ 'gate_proj.weight 8 4', 'up_proj.weight 8 4',
    'down_proj.weight 4 8' }, lines)))
end

local function plain_names(name)
  return name:gsub('["\\%c\x7f]', '_')
end

--- Beside a layer, in its module, in a list, and alone.
cases['m.safetensors'] = function(text)
  local files = {}
  text = plain_names(text):gsub('%s', '_')
  for i, tail in ipairs(tails) do
    local name = text:sub(1, 960) .. tail
    files[i] = model { name .. ' 8 4' }
    files[#tails + i] = (model_files.text { '0.weight 8 4', name .. ' 4 8', '2.weight 4 8' })
    files[2 * #tails + i] = (model_files.text { name .. ' 4 8' })
    files[3 * #tails + i] = (model_files.text(model_files.behind('model.layers.0.',
      { 'mlp.gate_proj.weight 8 4', 'mlp.up_proj.weight 8 4', 'mlp.down_proj.weight 4 8',
        name .. ' 9 9' })))
  end
  return files
end

cases['m.safetensors.index.json'] = function(text)
  text = plain_names(text)
  return { ('{"metadata": {"%s": "%s"}, "weight_map": {"%s": "x%s"}}'):format(text, text,
    text:sub(1, 960), text:sub(1, 200)) }
end

cases['m.gguf'] = function(text)
  local f = gguf_file.model { blocks = 1, d_model = 32, d_ff = 32, tensors = gguf_file.gated }
  for _, key in ipairs(f.keys) do
    if key[1] == 'general.name' then key[2] = { 'text', text } end
  end
  local other = gguf_file.model { blocks = 1, d_model = 32, d_ff = 32, tensors = gguf_file.gated }
  table.insert(other.keys, { 'x' .. text:sub(1, 960):gsub('[^\x20-\x7e]', '_'), { 'u32', 1 } })
  return { (gguf_file.text(f)), (gguf_file.text(other)) }
end

--- A square matrix, of which a map says which tensor it is.
cases['w.safetensors'] = function(text)
  local name = plain_names(text):gsub('%s', '_'):sub(1, 960)
  return { (model_files.text { name .. '.weight 4 4' }), (model_files.text { name .. ' 4 4' }) }
end

cases['m.onnx'] = function(text)
  local name = text:sub(1, 960)
  return { writer.model {
    nodes = { writer.node('MatMul x a -> h', nil, name),
      writer.bytes(1, 'h') .. writer.bytes(2, name) .. writer.bytes(4, 'Relu')
        .. writer.bytes(3, name .. '2'), writer.bytes(1, name) .. writer.bytes(1, name .. 'b')
        .. writer.bytes(2, 'y') .. writer.bytes(4, 'MatMul') },
    tensors = { writer.weights('a', { 4, 8 }), writer.weights(name .. 'b', { 8, 4 }) },
    after = writer.bytes(3, name),
  } }
end

local config = [[{"model_type": "llama", "hidden_size": 8, "intermediate_size": 24,
  "num_hidden_layers": 1, "hidden_act": "silu", %s}]]

cases['hf/config.json'] = function(text)
  text = plain_names(text)
  local files = { config:format '"bos_token_id": 1' }
  support.sh('mkdir -p', folder .. '/hf')
  support.write(folder .. '/hf/model.safetensors', (model_files.text(model_files.joined(
    model_files.llama(0), { text:gsub('%s', '_'):sub(1, 960) .. '.weight 4 4' }))))
  for i, form in ipairs {
    '"%s": 1', '"architectures": ["%s"]', '"quantization_config": {"quant_method": "%s"}',
    '"rope_scaling": {"type": "%s"}', '"quantization_config": {"quant_method": "fp8", '
      .. '"modules_to_not_convert": ["%s", "re:%s"]}', '"transformers_version": "%s"',
  } do
    files[i + 1] = config:format(form:gsub('%%s', function() return text end))
  end
  return files
end

cases['w.npy'] = function(text)
  local files = {}
  for i, form in ipairs { '%s', '{%s}', "{'descr': '<f4', 'shape': (%s), 'fortran_order': False}",
    "{'descr': '%s', 'fortran_order': False, 'shape': (4,)}" } do
    local header = form:gsub('%%s', function() return text end)
    files[i] = '\x93NUMPY\1\0' .. string.pack('<s2', header) .. ('\0'):rep(16)
  end
  return files
end

cases['w.map'] = function(text)
  return { text, 'up.weight = ' .. text, text .. ' = x', 'up.weight = a' .. text .. ' transposed' }
end

--- What reads each of them.
local function all_readers()
  local readers = require 'import.readers'
  local loaded = {}
  for name in pairs(readers.by_name) do
    local options = record.fields(wanted)
    if name == 'gguf' then options.variant = nil end
    loaded[name] = function(path) readers.by_name[name].read(path, options) end
  end
  local weight_map = require 'tensors.map'
  loaded.map = function(path) weight_map.read(path, { 'up.weight', 'down.weight' }) end
  local weights_file = require 'tensors.weights'
  local tensors = {
    { name = 'up.weight', matrix = 'up', stage = 0, part = 'weight', shape = { 8, 4 } },
    { name = 'down.weight', matrix = 'down', stage = 1, part = 'weight', shape = { 4, 8 } },
  }
  loaded.mapped = function(path)
    local name = support.read(path):match '{"format":"pt"},"([^"]*)"'
    weights_file.read(path, { { name = 'up.weight', matrix = 'up', stage = 0, part = 'weight',
      has_bias = false, shape = { 4, 4 } } },
      { leave = {}, fixed = {}, map = { ['up.weight'] = { key = name } } })
  end
  loaded.weights = function(path) weights_file.read(path, tensors, { leave = {}, fixed = {} }) end
  return loaded
end

--- By whom a file of a name is read.
local read_by = {
  ['m.safetensors'] = { 'safetensors', 'weights' },
  ['m.safetensors.index.json'] = { 'safetensors' }, ['m.gguf'] = { 'gguf' },
  ['m.onnx'] = { 'onnx' },
  ['hf/config.json'] = { 'huggingface' },
  ['w.npy'] = { 'weights' },
  ['w.safetensors'] = { 'mapped' }, ['w.map'] = { 'map' },
}

local shortest = support.full and 500 or 100

--- Calls with each text and one twice as long, by all who read it.
---@param cost fun(name: string, by: string, text: string): integer
---@param least integer  that is no growth
local function compare(what, cost, least)
  local short, long = hostile(shortest), hostile(2 * shortest)
  for _, name in ipairs(support.keys(cases)) do
    for _, by in ipairs(read_by[name]) do
      for i = 1, #short do
        local half, whole = cost(name, by, short[i]), cost(name, by, long[i])
        unit.assertTrue(whole < 2.2 * half + least, ('%s by %s, %q: %d %s, twice as long %d')
          :format(name, by, short[i]:sub(1, 20), half, what, whole))
      end
    end
  end
end

--- Reads what a case makes of a text. It is taken, or refused.
local function read(loaded, name, by, text, is_problem)
  for _, file in ipairs(cases[name](text)) do
    local path = folder .. '/' .. name
    support.write(path, file)
    local ok, problem = pcall(loaded[by], path)
    unit.assertTrue(ok or is_problem(problem), tostring(problem))
  end
end

local most_steps = 24 -- of a pattern, for a byte of the text in which it is sought

--- Every pattern takes a few steps for a byte.
function TestLongNames.test_patterns()
  patterns.counted(function(taken)
    local loaded = anew(all_readers)
    compare('steps', function(name, by, text)
      taken()
      read(loaded, name, by, text, function(problem) return type(problem) == 'table' end)
      local worst, all = taken()
      for pattern, each in pairs(worst) do
        unit.assertTrue(each < most_steps, ('%s by %s: "%s" takes %.0f steps a byte of %q'):format(
          name, by, pattern, each, text:sub(1, 20)))
      end
      return all
    end, 4000)
  end)
end

--- The same of all else.
function TestLongNames.test_instructions()
  local loaded = all_readers()
  compare('thousands of instructions', function(name, by, text)
    return (effort.within(2000, read, loaded, name, by, text, problems.is))
  end, 30)
end

--- What is longer than a name may be, or has more parts, is refused where it is read.
function TestLongNames.test_refused()
  local function outcome(name)
    local path = folder .. '/a.safetensors'
    support.write(path, (model_files.text { name .. ' 2' }))
    local ok, problem = pcall(model_folder.open, path)
    return ok and '' or problem.text
  end
  unit.assertEquals(outcome(('x'):rep(1024)), '')
  support.assert_has(outcome(('x'):rep(1025)), '1025 bytes of a name: tensors', 'a long one')
  unit.assertEquals(outcome(('x.'):rep(63) .. 'x'), '')
  support.assert_has(outcome(('x.'):rep(64) .. 'x'), 'at most 64 are read', 'parts')
end
