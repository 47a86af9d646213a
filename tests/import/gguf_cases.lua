--- What tests/pack/equal.c is told of a model in GGUF, its numbers where the gguf package found
--- them: cases.txt and dense.bin, the files of the model one after the other; rows.txt and
--- rows.bin, the same of tables; and values.txt, what cases.txt says for values.py.
---
---   lua5.4 tests/import/gguf_cases.lua FOLDER DATA FILE...
---
--- FOLDER has PLAN.json, which tells the kernel of each layer and the tensors of its matrices; DATA
--- has FILE... and places.json, which tells where these are.
local json = require 'dkjson'

local folder, data = arg[1], arg[2]

local function read(path)
  local handle = assert(io.open(path, 'rb'))
  local text = handle:read 'a'
  handle:close()
  return text
end

local write = dofile('tests/support/write.lua')

local places, parts, at = json.decode(read(data .. '/places.json')).files, {}, 0
local place_of = {}
for i = 3, #arg do
  local text = read(data .. '/' .. arg[i])
  for name, place in pairs(places[arg[i]]) do
    place.at, place.from = at + place.first, arg[i]
    place_of[name] = place
  end
  parts[#parts + 1] = text .. ('\0'):rep(-#text % 64)
  at = at + #parts[#parts]
end

local plan, cases, values = json.decode(read(folder .. '/PLAN.json')), {}, {}
for _, layer in ipairs(plan.layers) do
  cases[#cases + 1] = 'layer ' .. plan.kernels[layer.kernel + 1].layer
  values[#values + 1] = cases[#cases]
  local before = {} -- rows of a tensor that matrices before have
  -- A part of a tensor: of an expert or a head, or rows behind those of matrices before.
  local function part(placed, outputs, role)
    local place = place_of[placed.tensor]
    local rows = #place.shape > 1 and role == 'weight' and place.shape[2] or place.shape[1]
    local expert, experts = layer.name:match 'exps%.(%d+)$' or layer.name:match '_b%.(%d+)$' or 0, 1
    if #place.shape > (role == 'weight' and 2 or 1) then experts = place.shape[#place.shape] end
    local first = before[placed.tensor] or 0
    before[placed.tensor] = first + outputs
    local bytes = place.bytes // experts
    return place.at + expert * bytes + first * (bytes // rows), ('%s %d %d'):format(placed.tensor,
      expert * rows + first, outputs)
  end
  for _, m in ipairs(layer.matrices) do
    local weight, weight_value = part(m.weight, m.outputs, 'weight')
    local bias, bias_value = -1, '- 0 0'
    if type(m.bias) == 'table' then bias, bias_value = part(m.bias, m.outputs, 'bias') end
    -- Its scales and zeros are in its blocks.
    cases[#cases + 1] = ('%s %d -1 -1 %d'):format(m.weight.encoding, weight, bias)
    values[#values + 1] = ('%d %s %s'):format(m.inputs, weight_value, bias_value)
  end
end
-- Tables lie in the packed file as in the model's; f32 are the floats that they mean.
local rows = {}
for i, r in ipairs(plan.rows) do
  local place = place_of[r.name]
  assert(place.type == r.encoding:upper(), r.name)
  rows[i] = ('%s %s %d %d %d %d\n'):format(r.name, r.encoding, place.shape[2] or 1,
    place.shape[1], place.at, place.type == 'F32' and place.at or -1)
end
write(folder .. '/rows.txt', table.concat(rows))
write(folder .. '/rows.bin', table.concat(parts))
write(folder .. '/dense.bin', table.concat(parts))
write(folder .. '/cases.txt', table.concat(cases, '\n') .. '\n')
write(folder .. '/values.txt', table.concat(values, '\n') .. '\n')
