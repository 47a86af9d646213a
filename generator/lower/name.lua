--- The naming grammar, written and read here alone: encode, decode, describe.
---
---   ffn_swiglu_d4096_f14336_f32_avx512          ffn_gelu_tanh_bias_d768_f3072_f32_c
---   ffn_swish_beta1p5_d24_f40_o8_f32            linear_bias_d10_o5_f32
---   glu_sigmoid_bias_d24_o40_f32                selfgate_silu_d24_f32
---   mlp_10_relu64_relu32_sigmoid1_bias_f32
---
--- A number after a name that ends in a digit is set off by an x (relu2x64); in numbers p is the
--- point and m the minus. Without the instruction set it is the name of a layer.
local activations = require 'activation'
local isas = require 'isa'
local numbers = require 'common.number'
local weights = require 'weights'

local M = {}

local function encode_number(number)
  return (numbers.float_literal(number):gsub('f$', ''):gsub('%.0$', ''):gsub('%.', 'p')
    :gsub('%-', 'm'):gsub('%+', ''))
end

local function decode_number(text)
  local number = tonumber((text:gsub('p', '.'):gsub('m', '-')))
  local single = number and numbers.to_f32(number)
  return single and math.abs(single) < math.huge and single or nil
end

--- A variant with its fixed beta: swish_beta1p5, swiglu_beta1p5. A run-time beta adds nothing.
local function encode_activation(name, beta)
  if math.type(beta) ~= 'float' then return name end
  return (name:match('_beta$') and name or name .. '_beta') .. encode_number(beta)
end

local function decode_activation(text)
  local name, number = text:match('^(.-)_beta(m?%d[%dpem]*)$')
  if not name then return text end
  if name == 'swiglu' then name = 'swiglu_beta' end
  return name, decode_number(number)
end

--- The name of a layer.
---@param l table kind, variant (ffn, glu) or activation (selfgate), beta, bias, d_model, d_ff,
--- d_out, widths, dtype
function M.encode_layer(l)
  local parts = { l.kind }
  if l.kind == 'mlp' then
    parts[#parts + 1] = ('%d'):format(l.d_model)
    for _, layer in ipairs(l.widths) do
      local activation = encode_activation(layer.activation, layer.beta)
      local times = activation:match('%d$') and 'x' or ''
      parts[#parts + 1] = ('%s%s%d'):format(activation, times, layer.width)
    end
  elseif l.kind ~= 'linear' then
    parts[#parts + 1] = encode_activation(l.variant or l.activation, l.beta)
  end
  if l.bias then parts[#parts + 1] = 'bias' end
  if l.kind ~= 'mlp' then parts[#parts + 1] = ('d%d'):format(l.d_model) end
  if l.kind == 'ffn' then parts[#parts + 1] = ('f%d'):format(l.d_ff) end
  if l.kind == 'linear' or l.kind == 'glu' or (l.kind == 'ffn' and l.d_out ~= l.d_model) then
    parts[#parts + 1] = ('o%d'):format(l.d_out)
  end
  parts[#parts + 1] = l.dtype
  return table.concat(parts, '_')
end

local max_layer_name = 200 -- with instruction set and suffixes still a file name of 255 bytes

--- The name of a spec's layer in a weight format. One that no file could bear is refused.
---@param spec Spec
---@param dtype string
function M.of_spec(spec, dtype)
  local text = M.encode_layer {
    kind = spec.kind, variant = spec.variant, activation = spec.activation, beta = spec.beta,
    bias = spec.bias, d_model = spec.d_model, d_ff = spec.d_ff, d_out = spec.d_out,
    widths = spec.widths, dtype = dtype,
  }
  if #text > max_layer_name then
    spec.refuse('layers', ('the kernel names that these layers make have more than %d characters')
      :format(max_layer_name))
  end
  return text
end

--- The name of a kernel: a layer for an instruction set.
function M.encode(layer_name, isa)
  return layer_name .. '_' .. isa
end

local function decode_mlp(body)
  local d_model, rest = body:match('^mlp_(%d+)_(.+)$')
  if not d_model then return nil end
  local l = { kind = 'mlp', d_model = math.tointeger(tonumber(d_model)), widths = {}, bias = false }
  if rest:match('_bias$') then l.bias, rest = true, rest:sub(1, -6) end
  local pending
  for token in rest:gmatch('[^_]+') do
    pending = pending and pending .. '_' .. token or token
    local text, width = pending:match('^(.-%d)x(%d+)$')
    if not text then text, width = pending:match('^(.-)(%d+)$') end
    if text and text ~= '' and not text:match('_beta[%dpm]*$') or pending:match('%dx%d+$') then
      local activation, beta = decode_activation(text)
      l.widths[#l.widths + 1] = { activation = activation, beta = beta,
        width = math.tointeger(tonumber(width)) }
      pending = nil
    end
  end
  if pending or #l.widths == 0 then return nil end
  return l
end

--- The body of a name, its weight format, and its instruction set if it has one.
local function split(name)
  for _, dtype in ipairs(weights.names) do
    local body, isa = name:match(('^(.+)_%s_(%%a%%w*)$'):format(dtype))
    body = body or name:match(('^(.+)_%s$'):format(dtype))
    if body then return body, dtype, isa end
  end
end

--- The parts of what looks like a name.
local function parse(name)
  local body, dtype, isa = split(name)
  if not body then return nil end
  local l
  if body:match('^mlp_') then
    l = decode_mlp(body)
  else
    local kind, rest = body:match('^(%a+)_(.+)$')
    if not kind then return nil end
    local head, sizes = rest:match('^(.-)_?(d%d+[_%w]*)$')
    if not head or not (kind == 'ffn' or kind == 'glu' or kind == 'selfgate'
      or kind == 'linear') then
      return nil
    end
    l = { kind = kind, bias = false }
    if head == 'bias' or head:match('_bias$') then
      l.bias, head = true, head:gsub('_?bias$', '')
    end
    if head ~= '' then
      l[kind == 'selfgate' and 'activation' or 'variant'], l.beta = decode_activation(head)
    end
    l.d_model = math.tointeger(tonumber(sizes:match('^d(%d+)')))
    l.d_ff = math.tointeger(tonumber(sizes:match('_f(%d+)') or 'x'))
    l.d_out = math.tointeger(tonumber(sizes:match('_o(%d+)') or 'x'))
    if kind == 'ffn' or kind == 'selfgate' then l.d_out = l.d_out or l.d_model end
  end
  if not l then return nil end
  l.dtype, l.isa = dtype, isa
  return l
end

local function is_size(v) return math.type(v) == 'integer' and v > 0 end

--- Whether all that encode needs is there, in names that exist.
local function is_whole(l)
  if not is_size(l.d_model) or (l.isa and not isas.by_name[l.isa]) then return false end
  if l.kind == 'mlp' then
    for _, layer in ipairs(l.widths) do
      local activation = activations.by_name[layer.activation]
      if not is_size(layer.width) or not activation
        or (layer.beta and not activation.parameter) then return false end
    end
    return true
  end
  if not is_size(l.d_out) or (l.kind == 'ffn' and not is_size(l.d_ff)) then return false end
  if l.kind == 'linear' then return true end
  local variant = activations.by_variant[l.variant]
  local activation = l.kind == 'selfgate' and activations.by_name[l.activation]
    or l.kind ~= 'selfgate' and variant and variant.activation
  return activation and (l.kind ~= 'glu' or variant.gated)
    and (not l.beta or activation.parameter)
end

--- The parts of a kernel's or a layer's name, or nil for anything that encode does not write.
--- decode(encode(k)) gives k back.
---@param name string
function M.decode(name)
  local l = parse(name)
  if not l or not is_whole(l) then return nil end
  local again = M.encode_layer(l)
  if l.isa then again = M.encode(again, l.isa) end
  return again == name and l or nil
end

local function described(activation, beta)
  return beta and ('%s with beta %.9g'):format(activation, beta) or activation
end

--- A name in English.
function M.describe(name)
  local l = M.decode(name)
  if not l then return nil end
  local parts = {}
  if l.kind == 'mlp' then
    local widths = { ('%d'):format(l.d_model) }
    for _, layer in ipairs(l.widths) do
      widths[#widths + 1] = ('%d %s'):format(layer.width, described(layer.activation, layer.beta))
    end
    parts[1] = 'MLP chain ' .. table.concat(widths, ' -> ')
  elseif l.kind == 'ffn' then
    parts[1] = ('FFN %s, %d -> %d -> %d'):format(described(l.variant, l.beta), l.d_model, l.d_ff,
      l.d_out)
  elseif l.kind == 'linear' then
    parts[1] = ('linear, %d -> %d'):format(l.d_model, l.d_out)
  elseif l.kind == 'glu' then
    parts[1] = ('GLU layer %s, %d -> %d'):format(described(l.variant, l.beta), l.d_model, l.d_out)
  else
    parts[1] = ('self-gated GLU %s, %d'):format(described(l.activation, l.beta), l.d_model)
  end
  parts[#parts + 1] = l.bias and 'with biases' or 'no bias'
  parts[#parts + 1] = l.dtype
  if l.isa then parts[#parts + 1] = 'for ' .. l.isa end
  return table.concat(parts, ', ')
end

return M
