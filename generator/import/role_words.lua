--- What an option says of all matrices in one word, or of each role: "dot_s8",
--- "up=dot_s8,down=fma_f32". up is gate's too, as both are one stage. Matrices of products have a
--- word in place of a role: q, k, v, o, head, qkv. A router's word is its own alone: the choice of
--- experts is made of floats.
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = { roles = { 'up', 'down', 'q', 'k', 'v', 'o', 'head', 'qkv' } }

---@class RoleWord
---@field role string|false  false: of all matrices
---@field word string
---@field text string        as it was written

---@class RoleWords
---@field option string      --arithmetic, for messages
---@field items RoleWord[]

--- One part of a list, or nil and what is wrong.
---@param part string
---@param one string  what a word is
---@param choices string[]
---@return RoleWord|nil
---@return string|nil problem
local function item_of(part, one, choices)
  local role, word = part:match '^([^=]*)=(.*)$'
  if role == 'gate' then
    return nil, '"gate" has the word of "up", as both are one stage: write up='
      .. record.shown(word)
  end
  if role == 'router' and one == 'arithmetic' then
    return nil, 'the router of experts sums floats: leave out "router="'
  end
  local roles = one == 'arithmetic' and M.roles or lists.append({ 'router' }, M.roles)
  if role and not lists.has(roles, role) then
    return nil, ('unknown role "%s"%s'):format(record.shown(role), record.suggest(role, roles))
  end
  word = word or part
  if not lists.has(choices, word) then
    return nil, ('unknown %s "%s"%s'):format(one, record.shown(word),
      record.suggest(word, choices))
  end
  return { role = role or false, word = word, text = part }
end

--- What makes words of the value of an option.
---@param option string
---@param one string  what a word is: arithmetic
---@param choices string[]
---@return fun(text: string): RoleWords|nil, string|nil
function M.reader(option, one, choices)
  return function(text)
    local items, seen = {}, {}
    for part in (text .. ','):gmatch '([^,]*),' do
      local item, problem = item_of(part, one, choices)
      if not item then return nil, problem end
      if seen[item.role] or item.role == false and #items > 0 or seen[false] then
        return nil, ('"%s" says two words of the same matrices: write one word for all, or one '
          .. 'for each of up, down, q, k, v, o, head'):format(record.shown(text))
      end
      seen[item.role], items[#items + 1] = true, record.strict('role word', item)
    end
    return record.strict('role words', { option = option, items = items })
  end
end

--- A matrix in messages.
---@param m Matrix
---@return string
function M.name(m)
  return m.word or m.role == 'chain' and ('matrix %d'):format(m.at + 1) or m.role
end

--- Whether an item is about a matrix.
---@param item RoleWord
---@param m Matrix
function M.is_about(item, m)
  if m.word == 'router' then return item.role == 'router' end
  return not item.role or item.role == (m.word or m.role) or item.role == 'up' and m.role == 'gate'
end

--- The word of a matrix; nil where nothing is said of it.
---@param words RoleWords|nil
---@param m Matrix
---@return string|nil
function M.of(words, m)
  for _, item in ipairs(words and words.items or {}) do
    if M.is_about(item, m) then return item.word end
  end
end

--- A role that no layer of the model has is a mistake.
---@param path string
---@param words RoleWords|nil
---@param layers FoundLayer[]
function M.expect_there(path, words, layers)
  for _, item in ipairs(words and words.items or {}) do
    local is_there = false
    for _, layer in ipairs(layers) do
      for _, m in ipairs(layer.matrices) do is_there = is_there or M.is_about(item, m) end
    end
    if not is_there then
      problems.bad_input(path, '%s %s: no layer has a matrix %s: write one word for all matrices, '
        .. '%s %s', words.option, item.text, item.role, words.option, item.word)
    end
  end
end

return M
