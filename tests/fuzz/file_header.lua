--- Headers of models that ask for much: counts beyond all files, brackets in brackets, long names,
--- pieces that are repeated; and pipes in a file's place. Import takes them or says what is wrong,
--- within the worker's time and memory.
local in_process = require 'in_process'
local files = require 'folder'
local process = require 'process'
local verdict = require 'verdict'

local M = {}

local counts = { 0, 1, 64, 1025, 70000, 500000, 1 << 31, 1 << 40, 1 << 62, -1 }

--- Pieces of each format, which a header repeats.
local pieces = {
  safetensors = { '[],', '{},', '"a":', '[', '{"a":', '"x":{"dtype":"F32","shape":[],', '\\n', ' ',
    '"data_offsets":[0,0]},', '1,', '"__metadata__":{', '}' },
  onnx = { '\x0a\0', '\x2a\0', '\x6a\0', '\x0a\x02\x0a\0', '\x3a\x02\x0a\0', '\x22\x03Neg',
    '\x0a\x01x', '\x12\x01y', '\x80', '\x08\x01' },
  gguf = { '\9\0\0\0\1\0\0\0\0\0\0\0', '\1\0\0\0\0\0\0\0a', '\4\0\0\0\0\0\0\0', 'blk.0.', '\xff',
    '\8\0\0\0\0\0\0\0\0\0\0\0' },
}
pieces['safetensors.index.json'] = pieces.safetensors
local forms = { 'gguf', 'onnx', 'safetensors', 'safetensors.index.json' }

---@param random Random
function M.make(random)
  local form = random:pick(forms)
  local case = { form = form, pipe = random:chance(5), open = '', count = random:pick(counts),
    pieces = {}, times = {}, name = random:chance(30) and random:range(1, 200000) or 0,
    letter = random:pick { 'a', '1', '.', '/', ' ', 'a.', '1.' } }
  for i = 1, random:range(1, 4) do
    case.pieces[i] = random:pick(pieces[form])
    case.times[i] = random:pick { 1, 2, 100, 5000, 200000 }
  end
  case.close = random:pick { '', '}', ']}', '}}' }
  return case
end

--- The text that a case tells.
local function text_of(case)
  local parts = {}
  for i, piece in ipairs(case.pieces) do parts[i] = piece:rep(case.times[i]) end
  local body, name = table.concat(parts), case.letter:rep(case.name)
  if case.form == 'gguf' then
    return 'GGUF' .. string.pack('<I4i8i8', 3, case.count, 1) .. string.pack('<s8', name) .. body
  elseif case.form == 'onnx' then
    local graph = body .. '\x0a' .. string.pack('B', 0)
    return '\x3a' .. string.pack('BBBB', #graph & 127 | 128, #graph >> 7 & 127 | 128,
      #graph >> 14 & 127 | 128, #graph >> 21 & 127) .. graph
  end
  local header = '{' .. (case.name > 0 and ('"%s":'):format(name) or '') .. body .. case.close
  if case.form ~= 'safetensors' then return '{"weight_map":' .. header .. '}' end
  return string.pack('<i8', case.count > 1 << 20 and case.count or #header) .. header
end

function M.show(case) return ('-- m.%s\n%q'):format(case.form, text_of(case):sub(1, 4000)) end

---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  local file = 'm.' .. case.form
  if case.pipe then
    os.execute('mkfifo ' .. process.quote(folder .. '/' .. file))
  else
    files.write(folder .. '/' .. file, text_of(case))
  end
  local result = in_process.run(root, { 'import', file, '--variant', 'swiglu', '--list' }, folder)
  if case.form == 'gguf' or case.form == 'onnx' then
    result = in_process.run(root, { 'import', file, '--list' }, folder)
  end
  if result.code == 0 then return nil, 'taken' end
  local problem = verdict.of(result, file, false)
  return problem, problem and 'failed' or 'refused'
end

return M
