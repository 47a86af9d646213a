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

math.randomseed(7, 7)
for i, kernel in ipairs(plans.kernels { table.unpack(arg, 2) }) do
  if kernel.packed.packed_bytes < 40000 then
    local text = json.encode((plans.plan { kernel }))
    write(('%s/plans/%d.json'):format(folder, i), text)
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

--- A packed file of layers that hold nothing; in front of it the byte of file_fuzzer.c.
local function file(layers)
  local table_at, words = 64, {}
  local words_at = table_at + 96 * layers
  local text = ('name\0kernel\0f32\0'):rep(layers)
  local head = words_at + #text
  for i = 1, layers do
    local at = (head + 16383) // 16384 * 16384 + (i - 1) * 16384
    local word = words_at + (i - 1) * 16
    words[i] = string.pack('<I8I8I8I8I8I8I8I4I4I4I4I4I4I8I8', at, 128, 0,
      tonumber(fnv 'kernel', 16), 4, 0, 4, i, 0, word,
      word + 5, word + 12, 1, 0, 0)
  end
  local bytes = (head + 16383) // 16384 * 16384 + (layers - 1) * 16384 + 128
  local whole = table.concat {
    '\1', 'FFNMODEL',
    string.pack('<I4I4I4I4I8I8I8I8I8', 0x01020304, 1, 1, layers, bytes, head, 0, 0, 0),
    table.concat(words), text,
  }
  for i = 1, layers do
    local at = (head + 16383) // 16384 * 16384 + (i - 1) * 16384
    whole = whole .. ('\0'):rep(at + 1 - #whole) .. packed .. ('\0'):rep(128 - #packed)
  end
  return whole
end

for layers = 1, 3 do write(('%s/files/%d'):format(folder, layers), file(layers)) end
