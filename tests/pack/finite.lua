--- A scale or a number that is Inf or NaN, of each way in which numbers lie: ffn-pack names the
--- tensor and the output on stderr, and packs the layer as its format means it.
---
---   lua5.4 tests/pack/finite.lua FFN_PACK FOLDER
---
--- FOLDER is what plans.lua made, and ffn-pack packed: nothing is said of that.
local json = require 'dkjson'

local pack, folder = arg[1], arg[2]
local failed, passed = 0, 0

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read 'a'
  file:close()
  return text
end

local write = dofile('tests/support/write.lua')

local infinite = {
  f16 = '\0\x7c', bf16 = '\x80\x7f', f32 = '\0\0\x80\x7f', e8m0 = '\xff',
  f64 = '\0\0\0\0\0\0\xf0\x7f', e4m3 = '\x7f',
}
--- Blocks of ggml: inputs, bytes, and where their scales are, in f16, of mxfp4 a byte.
local blocks = {
  q4_0 = { 32, 18, { 0 } }, q4_1 = { 32, 20, { 0, 2 } }, q5_1 = { 32, 24, { 0, 2 } },
  q5_0 = { 32, 22, { 0 } }, q8_0 = { 32, 34, { 0 } },
  q4_K = { 256, 144, { 0, 2 } }, q5_K = { 256, 176, { 0, 2 } }, q6_K = { 256, 210, { 208 } },
  iq4_nl = { 32, 18, { 0 } }, iq4_xs = { 256, 136, { 0 } }, mxfp4 = { 32, 17, { 0 } },
}

local function expect(what, is_right, said)
  passed = passed + (is_right and 1 or 0)
  failed = failed + (is_right and 0 or 1)
  if not is_right then print(what .. ':\n' .. said) end
end

--- Adds that scales of random bytes are 1: { first byte, bytes } each.
local function add_ones(patches, m)
  local w = m.weight
  local block = blocks[w.encoding]
  for o = 0, block and m.outputs - 1 or -1 do
    for b = 0, m.inputs // block[1] - 1 do
      for _, at in ipairs(block[3]) do
        patches[#patches + 1] = { w.first + o * w.row_bytes + b * block[2] + at,
          w.encoding == 'mxfp4' and '\x7f' or '\0\x3c' }
      end
    end
  end
  local s = w.scales and w.scales.encoding == 'e8m0' and w.scales
  for o = 0, s and m.outputs - 1 or -1 do
    for g = 0, (m.inputs + w.every - 1) // w.every - 1 do
      patches[#patches + 1] = { s.first + o * s.row_bytes + g * s.column_bytes, '\x7f' }
    end
  end
end

--- A file with other bytes at some places.
local function patched(text, patches)
  table.sort(patches, function(a, b) return a[1] < b[1] end)
  local parts, at = {}, 0
  for _, patch in ipairs(patches) do
    parts[#parts + 1] = text:sub(at + 1, patch[1])
    parts[#parts + 1], at = patch[2], patch[1] + #patch[2]
  end
  parts[#parts + 1] = text:sub(at + 1)
  return table.concat(parts)
end

--- What ffn-pack says of one layer of a plan.
local function said_of(plan, layer)
  local own = { layer }
  local path, out = folder .. '/finite.json', folder .. '/finite.ffn'
  local layers = plan.layers
  plan.layers = own
  write(path, json.encode(plan))
  plan.layers = layers
  local pipe = io.popen(('%s %s --out %s 2>&1'):format(pack, path, out))
  local said = pipe:read 'a'
  local _, _, code = pipe:close()
  return code, said
end

local plan = json.decode(read(folder .. '/PLAN.json'), 1, json.null)
plan.rows = setmetatable({}, { __jsontype = 'array' })
local seen, names = {}, {}

--- A layer, one of whose scales or numbers is spoilt, or nil where random floats are already.
local function look(layer, m, key)
  local w, output = m.weight, m.outputs // 2
  local block, scaled = blocks[w.encoding], w.scales and w.encoding ~= 'e4m3'
  local first, bytes = w.first + output * w.row_bytes, infinite[w.encoding]
  if scaled then -- several outputs may share a scale
    local row = output // w.scales.rows
    first, bytes = w.scales.first + row * w.scales.row_bytes, infinite[w.scales.encoding]
    output = row * w.scales.rows
  elseif block then
    first, bytes = first + block[3][1], w.encoding == 'mxfp4' and '\xff' or infinite.f16
  end
  assert(bytes, key)
  local file = plan.files[(scaled and w.scales or w).file + 1]
  local path, ones = file.path, {}
  for _, other in ipairs(layer.matrices) do
    if other.weight.file == w.file then add_ones(ones, other) end
  end
  local whole = patched(read(path:find '^/' and path or folder .. '/' .. path), ones)
  file.path = 'finite.bin'
  write(folder .. '/finite.bin', whole)
  local before, clean = said_of(plan, layer)
  file.path = path
  if before == 0 and clean:find('Inf or NaN', 1, true) then return nil end
  file.path = 'finite.bin'
  write(folder .. '/finite.bin', patched(whole, { { first, bytes } }))
  local code, said = said_of(plan, layer)
  file.path = path
  expect(key .. ' as it is', before == 0, clean)
  expect(key, code == 0 and said:find(('ffn-pack: %s: a '):format(scaled and w.scales.tensor
    or w.tensor), 1, true) and said:find((' of output %d is Inf or NaN'):format(output), 1, true)
    and said:find('finite.ffn: written', 1, true), said)
  return true
end

for _, layer in ipairs(plan.layers) do
  for _, m in ipairs(layer.matrices) do
    local key = m.weight.encoding .. (m.weight.scales and m.weight.scales.encoding or '')
    if not seen[key] and m.affine == nil and look(layer, m, key) then
      seen[key], names[#names + 1] = true, key
    end
  end
end
for _, name in ipairs { 'finite.json', 'finite.bin', 'finite.ffn' } do
  os.remove(folder .. '/' .. name)
end
table.sort(names)
local told = table.concat(names, ' ')
for _, key in ipairs { 'q5_K', 'mxfp4', 'e2m1_in2e8m0', 'u4_in8f16', 'i8f32', 'f32' } do
  expect(key .. ' among the ways in which numbers lie', seen[key], told)
end
print(('ffn-pack: %d of weights that are not finite, %d not as they should be'):format(passed,
  failed))
os.exit(failed == 0)
