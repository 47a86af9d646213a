--- The naming grammar, written and read here alone: encode, decode, describe.
---
---   ffn_swiglu_d4096_f14336_f32_avx512          ffn_gelu_tanh_bias_d768_f3072_f32_c
---   ffn_swish_beta1p5_d24_f40_o8_f32            linear_bias_d10_o5_f32
---   glu_sigmoid_bias_d24_o40_f32                selfgate_silu_d24_f32
---   mlp_10_relu64_relu32_sigmoid1_bias_f32        ffn_relu_d24_f40_dropout0p25_hidden_f32
---
--- A number after a name that ends in a digit is set off by an x (relu2x64); in numbers p is the
--- point and m the minus. Without the instruction set it is the name of a layer.
local activations = require 'activation'
local isas = require 'isa'
local numbers = require 'common.number'
local weights = require 'weights'

local M = {}

local function encode_number(number)
  return (numbers.shortest(number):gsub('%.', 'p')
    :gsub('%-', 'm'):gsub('%+', ''))
end

local function decode_number(text)
  local number = tonumber((text:gsub('p', '.'):gsub('m', '-')))
  local single = number and numbers.to_f32(number)
  return single and math.abs(single) < math.huge and single or nil
end

--- A variant with its fixed parameters: swish_beta1p5, swiglu_beta1p5, xielu_alpha_p0p8_alpha_n0p4.
--- Run-time parameters add nothing.
local function encode_activation(name, parameters, names)
  if type(parameters) ~= 'table' then return name end
  for i, number in ipairs(parameters) do
    -- swiglu_beta says the name of its parameter itself.
    if i > 1 or not name:match('_' .. names[i] .. '$') then name = name .. '_' .. names[i] end
    name = name .. encode_number(number)
  end
  return name
end

--- The names of an activation's parameters.
local function parameters_of(known, name)
  local variant = known.by_variant[name]
  return variant and variant.activation.parameters or {}
end

--- The fixed parameters that stand behind a name, or nil.
local function decode_parameters(text, name, names)
  local parameters, at = {}, #name + 1
  for i, parameter in ipairs(names) do
    local says_it = i == 1 and name:match('_' .. parameter .. '$')
    local head = says_it and '' or '_' .. parameter
    if text:sub(at, at + #head - 1) ~= head then return nil end
    local number = text:match('^m?%d[%dpem]*', at + #head)
    parameters[i] = number and number:match('%d$') and decode_number(number)
    if not parameters[i] then return nil end
    at = at + #head + #number
  end
  return at > #text and parameters or nil
end

--- A variant or an activation, and its fixed parameters where a text has them.
---@param list string[] names to choose from
local function decode_activation(text, known, list)
  for _, name in ipairs(list) do
    local names = parameters_of(known, name)
    if #names > 0 and text:sub(1, #name) == name and #text > #name then
      local parameters = decode_parameters(text, name, names)
      if parameters then return name, parameters end
    end
  end
  return text
end

--- Where dropout may be, in the order of names.
local dropout_places = { 'hidden', 'output' }

--- A rate for each place that has one. Its end is a word, which no width of an mlp is.
local function append_dropout(parts, dropout)
  for _, place in ipairs(dropout_places) do
    local rate = dropout and dropout[place] or 0
    if rate > 0 then parts[#parts + 1] = ('dropout%s_%s'):format(encode_number(rate), place) end
  end
end

--- A name without its dropout, and that: a rate for each place, or nil.
local function decode_dropout(body)
  local dropout = { hidden = 0.0, output = 0.0 }
  for i = #dropout_places, 1, -1 do
    local place = dropout_places[i]
    local rest, rate = body:match(('^(.+)_dropout(%%d[%%dpem]*)_%s$'):format(place))
    rate = rate and decode_number(rate)
    if rate then body, dropout[place] = rest, rate end
  end
  return body, dropout.hidden + dropout.output > 0 and dropout or nil
end

--- The name of a layer.
---@param l table kind, variant (ffn, glu) or activation (selfgate), parameters, bias, d_model,
--- d_ff, d_out, widths, dropout, dtype
---@param known table|nil the vocabulary of activations; nil: the project's
function M.encode_layer(l, known)
  known = known or activations
  local function encoded(name, parameters)
    return encode_activation(name, parameters, parameters_of(known, name))
  end
  local parts = { l.kind }
  if l.kind == 'mlp' then
    parts[#parts + 1] = ('%d'):format(l.d_model)
    for _, layer in ipairs(l.widths) do
      local activation = encoded(layer.activation, layer.parameters)
      local times = activation:match('%d$') and 'x' or ''
      parts[#parts + 1] = ('%s%s%d'):format(activation, times, layer.width)
    end
  elseif l.kind ~= 'linear' then
    parts[#parts + 1] = encoded(l.variant or l.activation, l.parameters)
  end
  if l.bias then parts[#parts + 1] = 'bias' end
  if l.kind ~= 'mlp' then parts[#parts + 1] = ('d%d'):format(l.d_model) end
  if l.kind == 'ffn' then parts[#parts + 1] = ('f%d'):format(l.d_ff) end
  if l.kind == 'linear' or l.kind == 'glu' or (l.kind == 'ffn' and l.d_out ~= l.d_model) then
    parts[#parts + 1] = ('o%d'):format(l.d_out)
  end
  append_dropout(parts, l.dropout)
  parts[#parts + 1] = l.dtype
  return table.concat(parts, '_')
end

local max_layer_name = 200 -- with instruction set and suffixes still a file name of 255 bytes

--- The name of a spec's layer in a weight format. One that no file could bear is refused.
---@param spec Spec
---@param dtype string
function M.of_spec(spec, dtype)
  local text = M.encode_layer({
    kind = spec.kind, variant = spec.variant, activation = spec.activation,
    parameters = spec.parameters, bias = spec.bias, d_model = spec.d_model, d_ff = spec.d_ff,
    d_out = spec.d_out, widths = spec.widths, dropout = spec.dropout, dtype = dtype,
  }, spec.activations)
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

--- What stands before the sizes of a name, and these, which end it.
local function sizes_of(text)
  for _, sizes in ipairs { 'd%d+_f%d+_o%d+', 'd%d+_f%d+', 'd%d+_o%d+', 'd%d+' } do
    local alone = text:match('^' .. sizes .. '$')
    if alone then return '', alone end
    local head, found = text:match('^(.+)_(' .. sizes .. ')$')
    if head then return head, found end
  end
end

local function decode_mlp(body, known)
  local d_model, rest = body:match('^mlp_(%d+)_(.+)$')
  if not d_model then return nil end
  local l = { kind = 'mlp', d_model = math.tointeger(tonumber(d_model)), widths = {}, bias = false }
  if rest:match('_bias$') then l.bias, rest = true, rest:sub(1, -6) end
  local pending
  for token in rest:gmatch('[^_]+') do
    pending = pending and pending .. '_' .. token or token
    local text, width = pending:match('^(.-%d)x(%d+)$')
    if not text then text, width = pending:match('^(.-)(%d+)$') end
    local activation, parameters
    if text then activation, parameters = decode_activation(text, known, known.names) end
    if known.by_name[activation] or pending:match('%dx%d+$') then
      l.widths[#l.widths + 1] = { activation = activation, parameters = parameters,
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
    if isas.by_name[isa] then return body, dtype, isa end
    body = name:match(('^(.+)_%s$'):format(dtype)) -- of 32 hidden units, perhaps: _f32_f32
    if body then return body, dtype end
  end
end

--- The parts of what looks like a name.
local function parse(name, known)
  local body, dtype, isa = split(name)
  if not body then return nil end
  local l, dropout
  body, dropout = decode_dropout(body)
  if body:match('^mlp_') then
    l = decode_mlp(body, known)
  else
    local kind, rest = body:match('^(%a+)_(.+)$')
    if not kind then return nil end
    local head, sizes = sizes_of(rest)
    if not head or not (kind == 'ffn' or kind == 'glu' or kind == 'selfgate'
      or kind == 'linear') then
      return nil
    end
    l = { kind = kind, bias = false }
    if head == 'bias' or head:match('_bias$') then
      l.bias, head = true, head:gsub('_?bias$', '')
    end
    if head ~= '' then
      local list = kind == 'selfgate' and known.names or known.variant_names
      l[kind == 'selfgate' and 'activation' or 'variant'], l.parameters =
        decode_activation(head, known, list)
    end
    l.d_model = math.tointeger(tonumber(sizes:match('^d(%d+)')))
    l.d_ff = math.tointeger(tonumber(sizes:match('_f(%d+)') or 'x'))
    l.d_out = math.tointeger(tonumber(sizes:match('_o(%d+)') or 'x'))
    if kind == 'ffn' or kind == 'selfgate' then l.d_out = l.d_out or l.d_model end
  end
  if not l then return nil end
  l.dtype, l.isa, l.dropout = dtype, isa, dropout
  return l
end

local function is_size(v) return math.type(v) == 'integer' and v > 0 end

--- Whether dropout is where a layer may have it, in rates that drop something.
local function is_dropout(l)
  if not l.dropout then return true end
  local has_hidden = l.kind == 'ffn' or l.kind == 'mlp' and #l.widths > 1
  if l.dropout.hidden > 0 and not has_hidden then return false end
  for _, place in ipairs(dropout_places) do
    local rate = l.dropout[place]
    if rate ~= 0 and not (rate >= 2.0^-32 and rate <= 1) then return false end
  end
  return true
end

--- Whether all that encode needs is there, in names that exist.
local function is_whole(l, known)
  if not is_dropout(l) then return false end
  local function is_plain(name) return known.by_name[name] and not known.by_name[name].both end
  if not is_size(l.d_model) or (l.isa and not isas.by_name[l.isa]) then return false end
  if l.kind == 'mlp' then
    for _, layer in ipairs(l.widths) do
      if not is_size(layer.width) or not is_plain(layer.activation) then return false end
    end
    return true
  end
  if not is_size(l.d_out) or (l.kind == 'ffn' and not is_size(l.d_ff)) then return false end
  if l.kind == 'linear' then return true end
  if l.kind == 'selfgate' then return is_plain(l.activation) end
  local variant = known.by_variant[l.variant]
  return variant and (l.kind ~= 'glu' or variant.gated)
end

--- The parts of a kernel's or a layer's name, or nil for anything that encode does not write.
--- decode(encode(k)) gives k back.
---@param name string
---@param known table|nil the vocabulary of activations; nil: the project's
function M.decode(name, known)
  known = known or activations
  local l = parse(name, known)
  if not l or not is_whole(l, known) then return nil end
  local again = M.encode_layer(l, known)
  if l.isa then again = M.encode(again, l.isa) end
  return again == name and l or nil
end

--- An activation with its fixed parameters, in English.
local function described(known, name, parameters)
  local parts = {}
  for i, parameter in ipairs(parameters and parameters_of(known, name) or {}) do
    parts[i] = ('%s %.9g'):format(parameter, parameters[i])
  end
  return #parts > 0 and ('%s with %s'):format(name, table.concat(parts, ' and ')) or name
end

--- A name in English.
---@param name string
---@param known table|nil the vocabulary of activations; nil: the project's
function M.describe(name, known)
  known = known or activations
  local l = M.decode(name, known)
  if not l then return nil end
  local parts = {}
  local own = l.variant or l.activation
  local activation = own and described(known, own, l.parameters)
  if l.kind == 'mlp' then
    local widths = { ('%d'):format(l.d_model) }
    for _, layer in ipairs(l.widths) do
      widths[#widths + 1] = ('%d %s'):format(layer.width,
        described(known, layer.activation, layer.parameters))
    end
    parts[1] = 'MLP chain ' .. table.concat(widths, ' -> ')
  elseif l.kind == 'ffn' then
    parts[1] = ('FFN %s, %d -> %d -> %d'):format(activation, l.d_model, l.d_ff, l.d_out)
  elseif l.kind == 'linear' then
    parts[1] = ('linear, %d -> %d'):format(l.d_model, l.d_out)
  elseif l.kind == 'glu' then
    parts[1] = ('GLU layer %s, %d -> %d'):format(activation, l.d_model, l.d_out)
  else
    parts[1] = ('self-gated GLU %s, %d'):format(activation, l.d_model)
  end
  parts[#parts + 1] = l.bias and 'with biases' or 'no bias'
  for _, place in ipairs(l.dropout and dropout_places or {}) do
    if l.dropout[place] > 0 then
      parts[#parts + 1] = ('dropout %s of its %s'):format(numbers.shortest(l.dropout[place]), place)
    end
  end
  parts[#parts + 1] = l.dtype
  if l.isa then parts[#parts + 1] = 'for ' .. l.isa end
  return table.concat(parts, ', ')
end

return M
