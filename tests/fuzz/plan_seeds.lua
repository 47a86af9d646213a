--- Seeds of c_targets.sh: a plan of a layer each, right and with another number, and heads of
--- packed files.
---
---   lua5.4 tests/fuzz/plan_seeds.lua FOLDER SPEC...
package.path = 'tests/pack/?.lua;generator/?.lua;generator/?/init.lua;' .. package.path
local fnv = require 'common.fnv'
local json = require 'dkjson'
local plans = require 'plans'

local folder = arg[1]

local write = dofile('tests/support/write.lua')

--- The same plan with biases in integers that have scales, decoded of varints.
local function with_integers(plan)
  local most = 0
  for _, m in ipairs(plan.layers[1].matrices) do most = math.max(most, m.outputs) end
  plan.files[2] = { path = 'varints', bytes = 4 * most, xxh64 = ('0'):rep(16),
    spans = setmetatable({}, { __jsontype = 'array' }),
    varints = { file = 0, first = 0, bytes = most, type = 'i32' } }
  for _, m in ipairs(plan.layers[1].matrices) do
    if m.bias ~= json.null then
      m.bias = { file = 1, first = 0, bytes = 4 * most, encoding = 'i32', row_bytes = 0,
        column_bytes = 4, tensor = 'v', every = 0, zeros = json.null, groups = json.null,
        scales = { file = 0, first = 0, bytes = 4, encoding = 'f32', row_bytes = 0,
          column_bytes = 0, tensor = 's', rows = m.outputs } }
    end
  end
  return json.encode(plan)
end

math.randomseed(7, 7)
for i, kernel in ipairs(plans.kernels { table.unpack(arg, 2) }) do
  if kernel.packed.packed_bytes < 40000 then
    local text = json.encode((plans.plan { kernel }))
    write(('%s/plans/%d.json'):format(folder, i), text)
    if i % 4 == 0 then
      write(('%s/plans/%d_integers.json'):format(folder, i),
        with_integers(json.decode(text, 1, json.null)))
    end
    -- And one that contradicts itself: a number is another.
    local places = {}
    for at, digits in text:gmatch '[:%[,]()(%d+)%f[,%]}]' do
      places[#places + 1] = { at, digits }
    end
    local at, digits = table.unpack(places[i * 7 % #places + 1])
    write(('%s/plans/%d_other.json'):format(folder, i),
      text:sub(1, at - 1) .. digits * 2 + i % 2 .. text:sub(at + #digits))
  end
end

--- What packed weights begin with.
local packed = string.pack('<c4I4I8I4', 'FFNP', 8, tonumber(fnv 'kernel', 16), 1)

--- A packed file of layers that hold nothing, and of tables; in front of it the byte of
--- file_fuzzer.c.
local function file(layers, tables)
  local entries, words = {}, {}
  local words_at = 64 + 96 * layers + 64 * #tables
  local word = words_at
  local function word_of(text)
    words[#words + 1], word = text .. '\0', word + #text + 1
    return word - #text - 1
  end
  local bytes = words_at + 16 * layers
  for _, t in ipairs(tables) do bytes = bytes + #t[1] + #t[2] + 2 end
  local head, body = bytes, {}
  local function put(step, data)
    local at = (bytes + step - 1) // step * step
    body[#body + 1], bytes = ('\0'):rep(at - bytes) .. data, at + #data
    return at
  end
  for i = 1, layers do
    entries[i] = string.pack('<I8I8I8I8I8I8I8I4I4I4I4I4I4I8I8',
      put(16384, packed .. ('\0'):rep(128 - #packed)), 128, 0, tonumber(fnv 'kernel', 16), 4, 0, 4,
      i, 0, word_of 'name', word_of 'kernel', word_of 'f32', 1, 0, 0)
  end
  for _, t in ipairs(tables) do
    local data = ('\x3c'):rep(t[3] * t[5])
    entries[#entries + 1] = string.pack('<I8I8I8I8I8I4I4I8I8', put(64, data), #data, 0, t[3], t[4],
      word_of(t[1]), word_of(t[2]), 0, 0)
  end
  return table.concat {
    '\1', 'FFNMODEL', string.pack('<I4I4I4I4I8I8I8I8I8', 0x01020304, #tables > 0 and 2 or 1, 1,
      layers, bytes, head, #tables, 0, 0),
    table.concat(entries), table.concat(words), table.concat(body),
  }
end

for layers = 1, 3 do write(('%s/files/%d'):format(folder, layers), file(layers, {})) end
--- Name, encoding, rows, numbers of each, bytes of each.
local norm, table_of = { 'a.norm', 'f32', 1, 4, 16 }, { 'b', 'q4_0', 3, 64, 36 }
for layers = 0, 1 do
  write(('%s/files/%d_rows'):format(folder, layers), file(layers, { norm, table_of,
    { 'c', 'q6_K', 2, 256, 210 }, { 'd', 'f64', 2, 3, 24 }, { 'e', 'f16', 1, 7, 14 } }))
end
