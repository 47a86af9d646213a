--- What runtime/moe_scores.h is: the functions of a router's scores, which the graphs of
--- activations give in portable C.
---
---     lua5.4 tests/support/moe_scores.lua >runtime/moe_scores.h
---
--- from the project's folder makes the file again.
if not package.loaded.support then
  package.path = 'generator/?.lua;generator/?/init.lua;' .. package.path
end
local activation_text = require 'emit.activation'
local activations = require 'activation'
local isas = require 'isa'
local prefixes = require 'common.prefix'
local texts = require 'common.text'

local M = {}

local head = [[
/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe_scores.h - functions of one logit, as the graphs of activations have them: the bits of
 * kernels. tests/support/moe_scores.lua makes this file. A part of moe.c, which stands in it where
 * kernels are generated. */
#ifndef FFN_MOE_SCORES_H
#define FFN_MOE_SCORES_H

#include "kernel.h"
/*@ end */

FFN_EXACT_BEGIN

/* clang-format off */
]]

local foot = [[
/* clang-format on */

FFN_EXACT_END

/*@ foot */
#endif
/*@ end */
]]

--- The text of the file.
function M.text()
  local isa, functions = prefixes.isa(isas.by_name.c, 'ffn'), {}
  for i, name in ipairs { 'exp', 'sigmoid', 'softplus' } do
    local a = activations.by_name[name] or require('activation.' .. name)
    functions[i] = activation_text.value(isa, 'ffn', a, 'ffn_moe_' .. name)
  end
  return head .. texts.fold(table.concat(functions, '\n'), 100) .. foot
end

if not package.loaded.support then io.stdout:write(M.text()) end

return M
