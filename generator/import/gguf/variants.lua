--- Which activation a rule's layers have: the model's own, or the form of it that llama.cpp
--- computes where a user asks for that one. Where models of one architecture differ, a user has to.
local activation_names = require 'import.activations'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- All that may be meant: { variant, activation }, the rule's own first.
---@param rule GgufRule
local function choices(rule)
  local gated = rule.gated ~= false
  local list = { { activation_names.variant(rule.activation, gated), rule.activation } }
  if rule.computed then
    list[#list + 1] = { activation_names.variant(rule.computed, gated), rule.computed }
  end
  if rule.plain then list[#list + 1] = { rule.plain, rule.activation } end
  return list
end

--- The activation of a rule's layers.
---@param path string
---@param rule GgufRule
---@param variant string|nil  what --variant says
---@return string
function M.activation(path, rule, variant)
  local list = choices(rule)
  local names = lists.map(list, function(choice) return choice[1] end)
  if not variant then
    if rule.unsure then
      problems.bad_input(path, 'general.architecture is "%s": %s; add --variant %s', rule.name,
        rule.unsure, table.concat(names, ' or '))
    end
    return rule.activation
  end
  for _, choice in ipairs(list) do
    if choice[1] == variant then return choice[2] end
  end
  problems.bad_input('--variant', '%s: layers of "%s" are %s', record.shown(variant), rule.name,
    table.concat(names, ' or '))
end

--- Layers are what --variant says, or it says something of another model.
function M.check(path, layers, variant)
  for _, layer in ipairs(variant and layers or {}) do
    if layer.kind == 'ffn' and layer.fields.variant ~= variant then
      problems.bad_input('--variant', '%s: %s of %s is %s, by its tensors', variant, layer.at,
        record.shown(path), layer.fields.variant)
    end
  end
end

return M
