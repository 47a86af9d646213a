--- A model of two small blocks, each with other weights: embedded_model.lua FOLDER D_MODEL D_FF.
local folder, d_model, d_ff = arg[1], math.tointeger(arg[2]), math.tointeger(arg[3])

local entries, data, at = {}, {}, 0
local function add(name, shape, count, number)
  local numbers = {}
  for i = 1, count do numbers[i] = string.pack('<f', number(i)) end
  local bytes = table.concat(numbers)
  entries[#entries + 1] = ('"%s.weight":{"dtype":"F32","shape":[%s],"data_offsets":[%d,%d]}')
    :format(name, shape, at, at + #bytes)
  data[#data + 1], at = bytes, at + #bytes
end

for layer = 0, 1 do
  local block = ('model.layers.%d.'):format(layer)
  add(block .. 'post_attention_layernorm', d_model, d_model, function() return 1 end)
  for m, name in ipairs { 'gate_proj', 'up_proj', 'down_proj' } do
    local shape = m == 3 and { d_model, d_ff } or { d_ff, d_model }
    add(block .. 'mlp.' .. name, table.concat(shape, ','), d_ff * d_model, function(i)
      return math.sin(i * (m + 3 * layer)) / (1 + i % 5)
    end)
  end
end

local function write(name, text)
  local file <close> = assert(io.open(folder .. '/' .. name, 'wb'))
  file:write(text)
end

local header = '{' .. table.concat(entries, ',') .. '}'
write('model.safetensors', string.pack('<I8', #header) .. header .. table.concat(data))
write('config.json', ([[
{"model_type": "llama", "hidden_act": "silu", "mlp_bias": false, "num_hidden_layers": 2,
 "hidden_size": %d, "intermediate_size": %d, "torch_dtype": "float32"}
]]):format(d_model, d_ff))
