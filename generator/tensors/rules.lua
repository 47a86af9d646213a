--- The rules of names.json by which a tensor beside a layer is judged. The first one decides all of
--- whose facts hold; facts are found by functions of who asks, when a rule asks for them.
local weight_names = require 'tensors.names'

local M = {}

--- Facts are words: of those behind a ! the opposite holds. In `why` a fact's value stands in place
--- of its name in braces.
---@class TensorRule
---@field if string[]        facts
---@field why string|nil     the tensor has no place in the layer; nil: it is none of it, or known
---@field mend string|nil    a fact, or one of the remedies: what helps

--- What is known of a tensor, by the name of a fact; false where it does not hold.
---@param find table<string, fun(key: string, facts: table): any>
---@param key string
---@return table<string, any>
local function facts_of(find, key)
  return setmetatable({}, { __index = function(facts, name)
    local found = find[name]
    facts[name] = found and found(key, facts) or weight_names.data.remedies[name] or false
    return rawget(facts, name)
  end })
end

local function holds(rule, facts)
  for _, name in ipairs(rule['if']) do
    local opposite = name:match '^!(.*)'
    local is_so = facts[opposite or name] and true or false
    if is_so == (opposite ~= nil) then return false end
  end
  return true
end

--- What is said of a tensor, and what helps.
---@param rules TensorRule[]
---@param find table<string, fun(key: string, facts: table): any>
---@param key string
---@return string|nil why
---@return string|nil remedy
function M.said(rules, find, key)
  local facts = facts_of(find, key)
  for _, rule in ipairs(rules) do
    if holds(rule, facts) then
      local why = rule.why and rule.why:gsub('{([%l_]+)}', function(name)
        return tostring(facts[name])
      end)
      return why, rule.mend and facts[rule.mend] or nil
    end
  end
end

return M
