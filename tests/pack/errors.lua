--- The error of each matrix whose floats are rounded: ffn-pack tells it on stderr and in its JSON,
--- of numbers whose errors are known.
---
---   lua5.4 tests/pack/errors.lua FFN_PACK FOLDER
local json = require 'dkjson'

local pack, folder = arg[1], arg[2] .. '/errors'
local write = dofile('tests/support/write.lua')
local failed, passed = 0, 0

local function expect(what, is_right, said)
  passed = passed + (is_right and 1 or 0)
  failed = failed + (is_right and 0 or 1)
  if not is_right then print(what .. ':\n' .. said) end
end

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read 'a'
  return text, pipe:close()
end

--- A model y = down gelu(up x), 32 to 512 to 32, of floats that functions of a number's index give:
--- up is packed in several parts. With a gate: y = down(silu(gate x) * up x). Or of other sizes, or
--- of doubles.
local function model(up, down, gate, of_all)
  of_all = of_all or {}
  local d, f, form = of_all.d or 32, of_all.f or 512, of_all.is_double and '<d' or '<f'
  local data, tensors, bytes = {}, {}, d * f * #string.pack(form, 0)
  for i, tensor in ipairs { { 'up', up }, { 'down', down }, { 'gate', gate } } do
    local name, of = table.unpack(tensor)
    if of then
      for k = 0, d * f - 1 do data[#data + 1] = string.pack(form, of(k)) end
      tensors[name .. '_proj.weight'] = {
        dtype = of_all.is_double and 'F64' or 'F32',
        shape = name == 'down' and { d, f } or { f, d },
        data_offsets = { bytes * (i - 1), bytes * i },
      }
    end
  end
  local header = json.encode(tensors)
  assert(os.execute(("mkdir -p '%s'"):format(folder)))
  write(folder .. '/m.safetensors', string.pack('<I8', #header) .. header .. table.concat(data))
end

--- What ffn-pack says, packing these words.
local function packed(words, options, variant)
  assert(os.execute(("./ffngen import '%s/m.safetensors' --variant %s --out '%s/out' --spec-only "
    .. "%s >'%s/log' 2>&1"):format(folder, variant or 'gelu', folder, words, folder)))
  return output(("'%s' '%s/out/PLAN.json' %s 2>'%s/stderr'"):format(pack, folder, options, folder)),
    output(("cat '%s/stderr'"):format(folder))
end

--- The lines about errors, by tensor.
local function told(text)
  local errors = {}
  for tensor, format, error in text:gmatch
    ': (%S+) of f32 is packed as (%S+), error (%S+) %(rms over rms%)\n' do
    errors[#errors + 1] = ('%s %s %s'):format(tensor, format, error)
  end
  return table.concat(errors, ', ')
end

--- 1 + 2^-9 becomes 1 as bf16: half of up's numbers; the others are 1. In a block with 127 the
--- scale of q8_0 is 1: 0.25 becomes 0.
local half_place, quarter = 2.0 ^ -9, math.sqrt(31 / 16 / (127 ^ 2 + 31 / 16))
model(function(i) return i < 32 * 256 and 1 + half_place or 1 end,
  function(i) return i % 32 == 7 and 127 or 0.25 end)
local out, err = packed('--weights up=bf16,down=q8_0', '--json')
local errors = json.decode(out).layers[1].errors
local ones = math.sqrt(half_place ^ 2 / ((1 + half_place) ^ 2 + 1))
expect('stderr', told(err) == ('up_proj.weight bf16 %.3g, down_proj.weight q8_0 %.3g'):format(ones,
  quarter), err)
expect('JSON', #errors == 2 and errors[1].tensor == 'up_proj.weight'
  and errors[2].tensor == 'down_proj.weight' and math.abs(errors[1].error - ones) < 1e-12
  and math.abs(errors[2].error - quarter) < 1e-12, out)
out, err = packed('--weights up=bf16,down=q8_0', '--check')
expect('--check', out:find 'same\n' and told(err) == '', out .. err)
out, err = packed('--weights down=q8_0', '--json')
errors = json.decode(out).layers[1].errors
expect('f32 is not rounded', #errors == 1 and errors[1].tensor == 'down_proj.weight'
  and told(err) == ('down_proj.weight q8_0 %.3g'):format(quarter), err)
out, err = packed('', '--json')
expect('nothing is rounded', #json.decode(out).layers[1].errors == 0 and told(err) == '', err)
-- Each branch has errors of its own.
local function mixed(i) return i < 32 * 256 and 1 + half_place or 1 end
local function one() return 1 end
for _, of in ipairs { { mixed, one }, { one, mixed } } do
  local gate, up = table.unpack(of)
  model(up, one, gate)
  out = packed('--weights up=bf16', '--json', 'swiglu')
  for _, told_of in ipairs(json.decode(out).layers[1].errors) do
    local own = told_of.tensor == 'gate_proj.weight' and gate or up
    expect(told_of.tensor, math.abs(told_of.error - (own == mixed and ones or 0)) < 1e-12, out)
  end
  expect('two branches', #json.decode(out).layers[1].errors == 2, out)
end
-- Zeros are packed as they are, and of what is not finite no error is told.
for _, number in ipairs { math.huge, 0 / 0, 1e38 } do
  model(function() return 0 end, function(i) return i == 9 and number or 1 end)
  out, err = packed('--weights up=i8,down=q4_0', '--json')
  errors = json.decode(out).layers[1].errors
  expect('zeros', told(err) == 'up_proj.weight i8 0' and #errors == 1 and errors[1].error == 0, err)
end

-- In the second part of up alone.
model(function(i) return i == 32 * 64 + 5 and math.huge or 1 end, one)
out, err = packed('', '')
expect('Inf in the second part', err:find('of output 64 is Inf or NaN', 1, true) ~= nil, out .. err)

--- Several threads: the same bytes, and errors. Parts take long enough for all threads to have
--- some, and the last one has fewer columns.
model(math.sin, math.cos, nil, { d = 256, f = 1000 })
local alone = select(2, packed('--weights up=q4_K,down=bf16', ''))
expect('one thread', select(2, told(alone):gsub('_proj', '')) == 2, alone)
assert(os.execute(("mv '%s/out/model.ffn' '%s/alone.ffn'"):format(folder, folder)))
for _, threads in ipairs { 2, 3, 64 } do
  out, err = packed('--weights up=q4_K,down=bf16', '--threads ' .. threads)
  local _, is_same = output(("cmp '%s/out/model.ffn' '%s/alone.ffn' 2>&1"):format(folder, folder))
  expect(threads .. ' threads', is_same and told(err) == told(alone), out .. err)
end
--- Of many parts that cannot be packed the first one is told, by any number of threads.
--- Import would refuse these numbers, so that they come behind it.
model(one, one, nil, { is_double = true })
packed('', '')
model(function(i) return i >= 96 and 0.1 or 1 end, one, nil, { is_double = true })
for _, threads in ipairs { 1, 2, 3, 64, 64, 64 } do
  out = output(("'%s' '%s/out/PLAN.json' --threads %d 2>&1"):format(pack, folder, threads))
  expect(threads .. ' threads, and no f32', out:find('its number of output 3, input 0 is an f64',
    1, true) ~= nil, out)
end
if failed > 0 then os.exit(1) end
print(('%d errors of packed floats are told'):format(passed))
