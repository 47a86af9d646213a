--- What ffngen's own reader makes of tensors: for each case of a JSON file the numbers that it
--- takes, or what it says. Usage: judged_weights.lua CASES.json
---
--- A case: { tensors = of the layer, held = { { name, shape }... }, prefix, order, leave }. The
--- numbers of a case's file are 0, 1, 2 and so on.
local root = arg[0]:match '^(.*)/tests/python/' or '.'
package.path = ('%s/generator/?.lua;%s/generator/?/init.lua;%s'):format(root, root, package.path)
local json = require 'dkjson'
local named_tensors = require 'tensors.named_tensors'
local problems = require 'common.problem'

local most = 1 << 14

--- A file of numbers in order, of which each case has its own.
local function numbers()
  local file, list = assert(io.tmpfile()), {}
  for i = 1, most do list[i] = string.pack('<f', i - 1) end
  file:write(table.concat(list))
  return file
end

local function file_of(case, handle)
  local file = {
    path = 'w', handle = handle, keys = {}, shapes = {}, stored = {}, elsewhere = {},
  }
  local at = 0
  for i, entry in ipairs(case.held) do
    local key, shape, count = entry[1], entry[2], 1
    for _, size in ipairs(shape) do count = count * size end
    file.keys[i], file.shapes[key] = key, shape
    file.stored[key] = { dtype = 'F32', first = 4 * at, bytes = 4 * count }
    at = at + count
  end
  assert(at <= most)
  table.sort(file.keys)
  return file
end

local file <close> = assert(io.open(arg[1], 'rb'))
local handle, answers = numbers(), {}
for i, case in ipairs(json.decode(file:read 'a').cases) do
  for _, tensor in ipairs(case.tensors) do
    if tensor.part == 'parameter' then tensor.matrix = tensor.name end
    tensor.matrix = tensor.matrix or 'chain'
  end
  local ok, result = pcall(named_tensors.read, file_of(case, handle), case.tensors, {
    prefix = case.prefix, order = case.order, leave = case.leave or {}, fixed = {},
  })
  if not ok and not problems.is(result) then error(result, 0) end
  answers[i] = ok and { taken = result } or { refused = tostring(result) }
end
print(json.encode { answers = answers })
