--- Damaged headers: whatever stands in a model's files, import takes it or says what is wrong, in
--- no time.
local damage = require 'damage'
local model_files = require 'model_files'
local support = require 'support'

local found_records = require 'import.found'
local groups = require 'import.groups'
local plan_text = require 'import.plan_text'
local readers = require 'import.readers'

TestImportDamage = {}

local numbers = {
  '0', '-1', '1', '2', '3', '9223372036854775807', '9223372036854775808', '-9223372036854775808',
  '18446744073709551615', '1e3', '1.5', '4294967296', '1152921504606846976', 'null', '""', '[]',
}

local pieces = {
  '{', '}', '[', ']', ',', ':', '"', '\\', '\0', '\xff', '..', '/', 'F16', 'I8', 'null', 'true',
  '"__metadata__":{},', 'gate_proj', '.bias', '.weight', ('['):rep(200), '\\u0000', '\n',
}

local damages = {
  damage.byte,
  damage.cut,
  function(text, random) -- put in
    local at = random(#text)
    return text:sub(1, at - 1) .. pieces[random(#pieces)] .. text:sub(at)
  end,
  function(text, random) -- twice
    local at = random(#text)
    local piece = text:sub(at, at + random(80))
    return text:sub(1, at - 1) .. piece .. text:sub(at)
  end,
  function(text, random) -- another number
    return damage.other(text, random, 30, '%d+', function() return numbers[random(#numbers)] end)
  end,
}

local function damaged(text, random) return damage.several(text, random, damages, 3) end

local one = model_files.joined(model_files.llama(0), { 'lm_head.weight BF16 3 8' })
local chain = { '0.weight 6 4', '0.bias 6', '2.weight F16 5 6', '2.bias F16 5' }
local fused = { 'm.gate_up_proj.weight 12 4', 'm.down_proj.weight 4 6', 'm.gate_up_proj.bias 12',
  'm.down_proj.bias 4' }

--- Writes a model with something wrong in it: the header of its file, with its length as it is then
--- or as it was, the file's end, or its index.
local function write(folder, random)
  local lines = ({ one, chain, fused })[random(3)]
  local text, header = model_files.text(lines)
  local data = text:sub(9 + #header)
  if random(4) == 1 then
    support.write(folder .. '/model-00001-of-00001.safetensors', text)
    local map = {}
    for i, line in ipairs(lines) do
      map[i] = ('"%s": "model-00001-of-00001.safetensors"'):format(line:match '^%S+')
    end
    support.write(folder .. '/model.safetensors.index.json',
      damaged(('{"weight_map": {%s}}'):format(table.concat(map, ', ')), random))
    return folder .. '/model.safetensors.index.json'
  end
  local changed = damaged(header, random)
  local length = random(8) == 1 and #header or #changed
  if random(20) == 1 then length = ({ 0, 1, -1, 1 << 62, #changed + 1 })[random(5)] end
  if random(10) == 1 then data = data:sub(1, random(#data)) end
  support.write(folder .. '/model.safetensors', string.pack('<i8', length) .. changed .. data)
  return folder .. '/model.safetensors'
end

--- What import does before it writes.
local function import(path)
  local f = found_records.of(readers.by_name.safetensors.read(path, {
    leave = {}, variant = 'swiglu,relu', activation = 'relu,relu', order = 'out-in',
  }))
  return plan_text.of(f, groups.of(f), 'out', '/h')
end

function TestImportDamage.test_headers()
  local random, folder, taken = damage.chance(0x5eed), support.folder(), 0
  local count = support.full and 200000 or 2000
  for i = 1, count do
    local path = write(folder, random)
    local function shown() return support.read(path):sub(9, 2000) end
    if damage.is_taken(i, shown, import, path) then taken = taken + 1 end
  end
  damage.assert_some(taken, count)
end
