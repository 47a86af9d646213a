--- What lies around the layer of a block in llama.cpp: its own names of norms, of which a family's
--- rule says what each is and on which side of the residual.
local lists = require 'common.list'

local M = {}

---@class RuleAround
---@field place string
---@field what string
---@field tensor string|false   a stem in the block: blk.N.STEM.weight
---@field other string|false    another name of it
---@field is_optional boolean  text tells of blocks that have none
---@field is_silent boolean    of blocks that have none there is nothing to tell
---@field text string

--- One of them, by { place, what, stem, text }; other, is_optional and is_silent have their names.
---@return RuleAround
function M.one(given)
  return {
    place = given[1], what = given[2], tensor = given[3], text = given[4] or '',
    other = given.other or false, is_optional = given.is_optional or false,
    is_silent = given.is_silent or false,
  }
end

--- Those of a list; without one of a family whose blocks have them where most have.
---@param family FamilyRule
---@param given table[]|string|nil  the stem of the norm in front, where that is another; that of
---  attention: both take the same
---@return RuleAround[]
function M.of(family, given)
  if type(given) == 'table' then return lists.map(given, M.one) end
  local rules, list = family.stacks[1].around or family.around, {}
  local before = lists.filter(rules, function(a) return a.place == 'before' end)[1]
  local after = lists.filter(rules, function(a) return a.place == 'after' end)
  local function is_norm(a) return a ~= nil and a.what:find 'Norm$' ~= nil end
  if is_norm(after[2]) then -- behind the residual
    list = { { 'before', after[2].what, 'attn_output_norm', 'of attention and its residual' },
      { 'after', after[2].what, 'layer_output_norm', 'behind the residual' } }
  elseif before and before.tensor then
    list[1] = { 'before', before.what, given or 'ffn_norm', given == 'attn_norm'
      and 'attention takes the same, and both are added to the residual' or nil }
  elseif before then
    list[1] = { 'before', before.what, false, 'without numbers of its own' }
  end
  if is_norm(after[1]) then
    list[#list + 1] = { 'after', after[1].what, 'post_ffw_norm', 'before the residual is added' }
  end
  return lists.map(list, M.one)
end

return M
