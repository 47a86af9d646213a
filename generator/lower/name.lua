--- The naming grammar, written and read here alone: encode, decode.
---
---   ffn_swiglu_d4096_f14336_f32_avx512          ffn_gelu_tanh_bias_d768_f3072_f32_c
---   ffn_swish_beta1p5_d24_f40_o8_f32            linear_bias_d10_o5_f32
---   glu_sigmoid_bias_d24_o40_f32                selfgate_silu_d24_f32
---   mlp_10_relu64_relu32_sigmoid1_bias_f32        ffn_relu_d24_f40_dropout0p25_hidden_f32
---   mlp_10_relu64_identity1_f32_c_size            (portable C, written for few bytes)
---   linear_bias_d10_o5_f32_avx2_8tokens           (for calls of at most 8 tokens)
---
--- A number after a name that ends in a digit is set off by an x (relu2x64); in numbers p is the
--- point and m the minus. Without the instruction set it is the name of a layer; with a CPU behind
--- it (..._avx512_zen4) that of a descriptor for such CPUs.
local activations = require 'activation'
local cpus = require 'cpu'
local isas = require 'isa'
local list_of = require 'common.list'
local parts_of = require 'lower.name_parts'
local weights = require 'weights'

local M = {}

--- The name of a layer.
---@param l table kind, variant (ffn, glu) or activation (selfgate), parameters, bias, d_model,
--- d_ff, d_out, widths, dropout, dtype
---@param known table|nil the vocabulary of activations; nil: the project's
function M.encode_layer(l, known)
  known = known or activations
  local function encoded(name, parameters)
    return parts_of.encode_activation(name, parameters, parts_of.parameters_of(known, name))
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
  parts_of.append_dropout(parts, l.dropout)
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

--- Whether a kernel is written for few bytes: portable C alone is.
---@param optimise string|nil  of the layer
---@param isa string
function M.is_compact(optimise, isa) return optimise == 'size' and isa == 'c' end

--- The name of a kernel: a layer for an instruction set, and what it is written for.
---@param l table  of a layer: optimise, max_tokens, both of which may be nil
function M.encode(layer_name, isa, l)
  local name = layer_name .. '_' .. isa
  if M.is_compact(l.optimise, isa) then name = name .. '_size' end
  local most = l.max_tokens or 0
  if most > 0 then name = ('%s_%dtoken%s'):format(name, most, most > 1 and 's' or '') end
  return name
end

--- The name of a kernel's descriptor for the CPUs of a profile.
function M.for_cpu(kernel_name, profile_name)
  return kernel_name .. '_' .. profile_name
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
    if text then activation, parameters = parts_of.decode_activation(text, known, known.names) end
    if known.by_name[activation] or pending:match('%dx%d+$') then
      l.widths[#l.widths + 1] = { activation = activation, parameters = parameters,
        width = math.tointeger(tonumber(width)) }
      pending = nil
    end
  end
  if pending or #l.widths == 0 then return nil end
  return l
end

--- The body of a name, its weight format, and its instruction set and CPU if it has them.
local function split(name)
  for _, dtype in ipairs(weights.names) do
    local body, isa = name:match(('^(.+)_%s_(%%a%%w*)$'):format(dtype))
    if isas.by_name[isa] then return body, dtype, isa end
    local cpu
    body, isa, cpu = name:match(('^(.+)_%s_(%%a%%w*)_(%%a%%w*)$'):format(dtype))
    if isas.by_name[isa] then return body, dtype, isa, cpu end
    body = name:match(('^(.+)_%s$'):format(dtype)) -- of 32 hidden units, perhaps: _f32_f32
    if body then return body, dtype end
  end
end

--- A kernel's name without what it is written for, and that: its tokens at most, or nil; 'size', or
--- nil.
local function split_aims(name)
  local head, tokens, cpu = name:match('^(.+)_(%d+)tokens?(_%a%w*)$')
  if not head then head, tokens = name:match('^(.+)_(%d+)tokens?$') end
  if head then name = head .. (cpu or '') end
  local few = name:match('^(.+_c)_size$')
  return few or name, math.tointeger(tonumber(tokens or 'x')), few and 'size'
end

--- The parts of what looks like a name.
local function parse(name, known)
  local plain, max_tokens, optimise = split_aims(name)
  local body, dtype, isa, cpu = split(plain)
  if not body then return nil end
  local l, dropout
  body, dropout = parts_of.decode_dropout(body)
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
        parts_of.decode_activation(head, known, list)
    end
    l.d_model = math.tointeger(tonumber(sizes:match('^d(%d+)')))
    l.d_ff = math.tointeger(tonumber(sizes:match('_f(%d+)') or 'x'))
    l.d_out = math.tointeger(tonumber(sizes:match('_o(%d+)') or 'x'))
    if kind == 'ffn' or kind == 'selfgate' then l.d_out = l.d_out or l.d_model end
  end
  if not l then return nil end
  l.dtype, l.isa, l.cpu, l.dropout = dtype, isa, cpu, dropout
  l.optimise, l.max_tokens = optimise, max_tokens
  return l
end

local function is_size(v) return math.type(v) == 'integer' and v > 0 end

--- Whether dropout is where a layer may have it, in rates that drop something.
local function is_dropout(l)
  if not l.dropout then return true end
  local has_hidden = l.kind == 'ffn' or l.kind == 'mlp' and #l.widths > 1
  if l.dropout.hidden > 0 and not has_hidden then return false end
  for _, place in ipairs(parts_of.dropout_places) do
    local rate = l.dropout[place]
    if rate ~= 0 and not (rate >= 2.0^-32 and rate <= 1) then return false end
  end
  return true
end

--- Whether the CPUs of a profile have an instruction set.
---@param profile Profile
---@param isa string
function M.suits(profile, isa) return not profile.isas or list_of.has(profile.isas, isa) end

--- Whether kernels of an instruction set may have a descriptor for such CPUs.
local function is_cpu(cpu, isa)
  for i, profile in ipairs(cpus.all) do
    if profile.name == cpu then return i > 1 and M.suits(profile, isa) end
  end
  return false
end

--- Whether all that encode needs is there, in names that exist.
local function is_whole(l, known)
  if not is_dropout(l) then return false end
  local function is_plain(name) return known.by_name[name] and not known.by_name[name].both end
  if not is_size(l.d_model) or (l.isa and not isas.by_name[l.isa]) then return false end
  if l.cpu and not is_cpu(l.cpu, l.isa) then return false end
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
  if l.isa then again = M.encode(again, l.isa, l) end
  if l.cpu then again = M.for_cpu(again, l.cpu) end
  return again == name and l or nil
end

return M
