--- Mixtures of experts in C: moes.h has a constant for each, which tells moe_run.c its sizes, its
--- layers and its rule.
local numbers = require 'common.number'
local prefixes = require 'common.prefix'
local texts = require 'common.text'

local M = {}

local corrected = {
  none = 'FFN_MOE_NOT_CORRECTED', score = 'FFN_MOE_SCORE_CORRECTED',
  logit = 'FFN_MOE_LOGIT_CORRECTED',
}
local shared = {
  none = 'FFN_MOE_NONE_SHARED', one = 'FFN_MOE_SHARED', sigmoid = 'FFN_MOE_SHARED_SIGMOID',
  mean = 'FFN_MOE_SHARED_MEAN',
}

local function int(is_so) return is_so and '1' or '0' end

--- A number as a float: 0 is written as it is.
local function float(x) return x == 0 and '0' or numbers.float_literal(x) end

---@param r Rule
local function rule_of(r)
  return ('{%d, %d, FFN_MOE_%s, %s, NULL, %d, %d, %s, %s, %s, %s, NULL, %s, %s}'):format(r.experts,
    r.top_k, r.score:upper(), corrected[r.correction], r.split, r.take, int(r.by_two),
    int(r.normalise), float(r.epsilon), float(r.floor), float(r.scale), int(r.on_input))
end

--- Names of layers stay as they are: kernels tell the same under every prefix.
---@param m Mixture
local function constant_of(m, prefix)
  local function quoted(layer) return layer and ('"%s"'):format(layer) or 'NULL' end
  local tokens = {}
  local rule = prefixes.text(('%s, %s, %s'):format(rule_of(m.rule), int(m.rule.expert_scale),
    shared[m.shared]), prefix)
  local text = ('"%s", %d, %d, %s, %s, %s, %s};'):format(m.name, m.d_model, m.d_model, rule,
    quoted(m.expert_layer), quoted(m.shared_layer), quoted(m.router_layer))
  for token in text:gmatch('%S+') do tokens[#tokens + 1] = token end
  return ('static const %s_moe %s_moe_%s = {\n    %s\n'):format(prefix, prefix, m.name,
    table.concat(texts.lines(tokens, 96), '\n    '))
end

--- The text of moes.h.
---@param mixtures Mixture[]
---@param begins string  its first comment, which is not closed
---@param prefix string
function M.header(mixtures, begins, prefix)
  local parts = {}
  for i, m in ipairs(mixtures) do parts[i] = constant_of(m, prefix) end
  return begins .. prefixes.text([[
 *
 * moes.h - the mixtures of experts of these specs, as ffn_moe_run() takes them. */
#ifndef FFN_MOES_H
#define FFN_MOES_H

#include "ffn_moe.h"

]], prefix) .. table.concat(parts, '\n') .. '\n#endif\n'
end

return M
