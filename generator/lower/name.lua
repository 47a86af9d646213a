--- The naming grammar, written and read here alone: encode, decode.
---
---   ffn_swiglu_d4096_f14336_f32_avx512          ffn_gelu_tanh_bias_d768_f3072_f32_c
---   ffn_swish_beta1p5_d24_f40_o8_f32            linear_bias_d10_o5_f32
---   glu_sigmoid_bias_d24_o40_f32                selfgate_silu_d24_f32
---   mlp_10_relu64_relu32_sigmoid1_bias_f32        ffn_relu_d24_f40_dropout0p25_hidden_f32
---   linear_d512_to_k128_q512_v128_f32           (several outputs of one x, in order)
---   mlp_10_relu64_identity1_f32_c_size            (portable C, written for few bytes)
---   linear_bias_d10_o5_f32_avx2_8tokens           (for calls of at most 8 tokens)
---
--- A number after a name that ends in a digit is set off by an x (relu2x64), after one that ends in
--- such an x by another one; in numbers p is the point and m the minus. Behind the sizes stand the
--- format of the weights, or where stages differ that of each in order, and in the same way the
--- arithmetic, where it is not the rule throughout. Without the instruction set it is the name of a
--- layer; with a CPU behind it (..._avx512_zen4) that of a descriptor for such CPUs.
local activations = require 'activation'
local guesses = require 'lower.name_guesses'
local kinds = require 'kind'
local lists = require 'common.list'
local parts_of = require 'lower.name_parts'

local M = {}

--- The name of a layer.
---@param l table kind, bias, dropout, and what its kind says of a Spec; formats and arithmetics: of
--- each stage, or one of all
---@param known table|nil the vocabulary of activations; nil: the project's
function M.encode_layer(l, known)
  local kind, words = kinds.by_name[l.kind], parts_of.words(known or activations)
  local parts = lists.append({ l.kind }, kind.front.say(l, words))
  if l.bias then parts[#parts + 1] = 'bias' end
  lists.append(parts, kind.back.say(l, words))
  parts_of.append_dropout(parts, l.dropout)
  lists.append(parts, parts_of.words_of(parts_of.of_stages(l.formats)))
  lists.append(parts, parts_of.arithmetics_of(l.arithmetics))
  return table.concat(parts, '_')
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

--- The name of what tells the several outputs of a descriptor's layer.
function M.for_outputs(descriptor_name) return descriptor_name .. '_outputs' end

--- All layers and kernels that a name says: one, of a name that is well made, and none for anything
--- that encode does not write.
---@param name string
---@param known table|nil the vocabulary of activations; nil: the project's
---@return table[]
function M.readings(name, known)
  known = known or activations
  return lists.filter(guesses.of(name, known), function(l)
    local again = M.encode_layer(l, known)
    if l.isa then again = M.encode(again, l.isa, l) end
    if l.cpu then again = M.for_cpu(again, l.cpu) end
    return again == name
  end)
end

--- The parts of a kernel's or a layer's name, or nil for what says nothing, or several things.
--- decode(encode(k)) gives k back.
---@param name string
---@param known table|nil the vocabulary of activations; nil: the project's
function M.decode(name, known)
  local readings = M.readings(name, known)
  return #readings == 1 and readings[1] or nil
end

return M
