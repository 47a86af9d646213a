--- What is read of strangers' files at most: every limit of every reader, with the largest that
--- real files are known to have, and what to do beyond the limit. A reader checks its limits while
--- it reads, before it makes anything of what is too much. import/LIMITS.md shows this table.
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class Limit
---@field name string
---@field most integer
---@field of string      what it counts, and of which files
---@field real string    the largest that is known
---@field mend string    what helps beyond it

--- In the order of the page, which has a table for each: what several readers share; safetensors
--- and its folders; GGUF; ONNX; other files.
---@type Limit[]
M.list = {}

---@type table<string, Limit>
M.by_name = {}

local function limit(name, most, of, real, mend)
  local row = record.strict('limit', { name = name, most = most, of = of, real = real,
    mend = mend })
  M.list[#M.list + 1], M.by_name[name] = row, row
end

local rename = 'use a shorter name'
local divide = 'store only the layers that you want, in a separate file'

limit('name', 1024, 'bytes of a name: tensors, nodes, values, modules',
  'below 200, of graphs that PyTorch exports', rename)
limit('parts', 64, 'parts of a tensor\'s name, between dots or slashes', '16', rename)
limit('tensors', 500000, 'tensors of a model',
  '210,000: three arrays of each matrix of 384 experts in 60 layers', divide)
limit('entry', 1024, 'values in the entry of one tensor in a header', '12',
  'write the file again by the safetensors package')
limit('experts', 4096, 'experts of a layer', '512', divide)
limit('memory', 48 << 20, 'bytes of memory, beyond 4 for each byte of headers',
  '0: a model of 138,240 tensors stays below 4', divide)

limit('header', 100000000, 'bytes of the header of a safetensors file',
  '29 MB, of 250,000 tensors; the safetensors package reads no more either',
  'store the model in several files')
limit('header_depth', 127, 'nested brackets in a safetensors header, or in an index',
  '3', 'write the file again by the safetensors package')
limit('dimensions', 64, 'dimensions of a tensor', '8', 'store the tensor with fewer dimensions')
limit('metadata', 65536, 'texts in "__metadata__", or values in an index outside its map',
  'some dozens',
  'store the model without them')
limit('index', 64 << 20, 'bytes of model.safetensors.index.json', '25 MB, of 210,000 tensors',
  divide)
limit('files', 10000, 'files that an index names', '191', 'store the model in fewer files')
limit('config', 4 << 20, 'bytes of config.json, or of a part of it',
  'some MB, where it lists modules that are not packed', 'remove what describes no layer')
limit('config_values', 250000, 'values in config.json', 'some ten thousand',
  'remove what describes no layer')
limit('config_depth', 32, 'nested brackets in config.json', '7',
  'remove what describes no layer')

limit('gguf_header', 48 << 20, 'bytes of the header of a GGUF file',
  'about 16 MB, with a vocabulary of 262,144 words', divide)
limit('gguf_keys', 1 << 14, 'keys of a GGUF file', 'some dozens', 'remove keys: gguf-new-metadata')
limit('gguf_key', 1024, 'bytes of the name of a key in GGUF', 'below 100', rename)
limit('gguf_name', 64, 'bytes of a tensor\'s name in GGUF', '63, as ggml has room for', rename)
limit('gguf_tensors', 1 << 17, 'tensors of a GGUF model, in all of its shards', 'some thousand',
  divide)
limit('gguf_dimensions', 4, 'dimensions of a tensor of GGUF', '4, as ggml has them',
  'store the tensor with fewer dimensions')
limit('gguf_text', 16 << 20, 'bytes of a text of GGUF', 'some ten KB, a chat template',
  'shorten the text')
limit('gguf_items', 1 << 24, 'items of an array of GGUF', 'about 450,000 merges of a tokenizer',
  'remove what describes no layer')
limit('gguf_walked', 1 << 22, 'texts and nested arrays in a GGUF file, in all',
  'about 650,000, of such a tokenizer', 'remove what describes no layer')
limit('gguf_depth', 8, 'nested arrays in GGUF', '1', 'remove what describes no layer')
limit('gguf_kept', 8 << 20, 'bytes of keys, names and values of a GGUF file that are kept',
  '200 KB', 'remove what describes no layer')
limit('gguf_alignment', 1 << 20, 'bytes of alignment in a GGUF file', '64',
  'write the file again with 32')
limit('gguf_shards', 999, 'shards of a GGUF model', 'some dozens',
  'split the model into fewer: gguf-split')
limit('gguf_blocks', 4096, 'blocks of a GGUF model', '126', divide)
limit('gguf_products', 1 << 17, 'products beside the feed-forward layers of a GGUF model',
  'about 16,000: k and v of 128 heads in 61 blocks', divide)

limit('nodes', 100000, 'nodes of an ONNX model, in all of its graphs',
  'some ten thousand, of language models exported operator by operator',
  'simplify the graph, or export the feed-forward layers alone')
limit('uses', 500000, 'inputs and outputs of the nodes of an ONNX model',
  'three for each node', 'simplify the graph, or export the feed-forward layers alone')
limit('attributes', 400000, 'attributes of the nodes of an ONNX model',
  'two for each node', 'simplify the graph, or export the feed-forward layers alone')
limit('fields', 1 << 22, 'fields that are read of an ONNX model', 'ten for each node',
  'simplify the graph, or export the feed-forward layers alone')
limit('messages', 64, 'nested messages in an ONNX model', 'about 20, of loops in loops',
  'simplify the graph')
limit('onnx_header', 64 << 20, 'bytes of an ONNX model, without the numbers of its tensors',
  'some ten MB', 'simplify the graph, or export the feed-forward layers alone')

limit('npy_header', 1 << 16, 'bytes of the header of an .npy file',
  '128; NumPy itself reads 10,000', 'store the array by numpy.save()')

limit('packed_head', 64 << 20, 'bytes of the head of a packed file',
  '5 MB, of 23,000 experts', 'pack fewer layers: ffn-pack --layers')
limit('spec', 1 << 18, 'bytes of a spec', '20 KB', 'divide the spec among several files')
limit('map', 1 << 16, 'bytes of a --weights-map', '2 KB',
  'remove lines that the layer does not need')
limit('record', 16 << 20, 'bytes of a record of measurements', '300 KB',
  'measure fewer layers: ffngen tune my.lua')

--- A number of a table's row.
function M.most(name) return M.by_name[name].most end

--- What is beyond a limit: what there is, how many at most, and what helps.
---@param name string   of the limit
---@param count integer|nil  what there is, where that is known
---@param what string|nil    that it belongs to
function M.told(name, count, what)
  local row = M.by_name[name]
  return ('%s%s %s: at most %d are read; %s'):format(what and what .. ': ' or '',
    count and ('%d'):format(count) or ('more than %d'):format(row.most), row.of, row.most, row.mend)
end

--- Refuses it.
---@param place string
function M.refuse(place, name, count, what)
  problems.bad_input(place, '%s', M.told(name, count, what))
end

--- Refuses more of something than its limit.
function M.hold(place, name, count, what)
  if count > M.by_name[name].most then M.refuse(place, name, count, what) end
end

return M
