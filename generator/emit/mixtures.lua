--- Mixtures of experts in C: moes.h has a constant for each, which tells moe_run.c its sizes, its
--- layers and its rule. The self-check has the same in words.
local lists = require 'common.list'
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

--- A rule and the layers by name, what a spec leaves out left out: "field value" each. The
--- self-check reads them, and nothing of moes.h, which they check.
---@param m Mixture
---@return string[]
function M.words(m)
  local r, words = m.rule, {}
  local function add(field, value) words[#words + 1] = ('%s %s'):format(field, value) end
  local function add_number(field, value)
    if value ~= 0 then add(field, ('%.9g'):format(value)) end
  end
  local function add_flag(field, is_so) if is_so then add(field, 'true') end end
  add('experts', r.experts)
  add('top_k', r.top_k)
  add('score', r.score)
  if r.correction ~= 'none' then add('correction', r.correction) end
  if r.split > 0 then
    add('split', r.split)
    add('take', r.take)
    add('by', r.by_two and 'two_largest' or 'largest')
  end
  add_flag('normalise', r.normalise)
  add_number('epsilon', r.epsilon)
  add_number('floor', r.floor)
  add_flag('expert_scale', r.expert_scale)
  add_number('scale', r.scale)
  if r.on_input then add('on', 'input') end
  add('expert', m.expert_layer)
  add('router', m.router_layer)
  if m.shared_layer then add('shared', m.shared_layer) end
  if m.shared == 'sigmoid' or m.shared == 'mean' then add('gate', m.shared) end
  return words
end

--- The words of a mixture as lines of string literals of C.
---@param m Mixture
---@return string
function M.literals(m)
  local words = M.words(m)
  for i = 1, #words - 1 do words[i] = words[i] .. ',' end
  local lines = texts.lines(words, 86)
  for i = 1, #lines - 1 do lines[i] = lines[i] .. ' ' end
  return table.concat(lists.map(lines, function(line) return ('    "%s"'):format(line) end), '\n')
end

--- The constants of mixtures.
---@param mixtures Mixture[]
---@param prefix string
function M.constants(mixtures, prefix)
  return table.concat(lists.map(mixtures, function(m) return constant_of(m, prefix) end), '\n')
end

--- The text of moes.h.
---@param mixtures Mixture[]
---@param begins string  its first comment, which is not closed
---@param prefix string
function M.header(mixtures, begins, prefix)
  return begins .. prefixes.text([[
 *
 * moes.h - the mixtures of experts of these specs, as ffn_moe_run() takes them. */
#ifndef FFN_MOES_H
#define FFN_MOES_H

#include "ffn_moe.h"

]], prefix) .. M.constants(mixtures, prefix) .. '\n#endif\n'
end

return M
