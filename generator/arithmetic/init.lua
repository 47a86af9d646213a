--- What is multiplied and how it is summed, by name. One file each, and a name in this list.
local arithmetic = require 'arithmetic.arithmetic'
local lists = require 'common.list'

--- In the order of their enumerators in C: append only. The first is the rule, of which names of
--- kernels say nothing.
local names = { 'fma_f32', 'dot_s8', 'dot_s8_static' }

--- What a spec may say as its arithmetic, and of an arithmetic as its operand_scales; the first is
--- the rule.
local M = { names = {}, by_name = {}, words = {}, scales = { 'dynamic', 'static' } }

for i, name in ipairs(names) do
  M.names[i] = name
  M.by_name[name] = arithmetic.record(name, require('arithmetic.' .. name))
end

M.words = lists.unique(lists.map(M.names, function(name) return M.by_name[name].word end))

--- The name of the arithmetic that a spec says so; nil: there is none.
---@param word string
---@param scales string
---@return string|nil
function M.said(word, scales)
  return lists.filter(M.names, function(name)
    return M.by_name[name].word == word and M.by_name[name].scales == scales
  end)[1]
end

return M
