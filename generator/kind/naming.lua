--- Forms of words in kernels' names, both ways, that several kinds have.
local lists = require 'common.list'

local M = {}

---@class NameForm
---@field say fun(l: table, words: NameWords): string[]    the words of a layer
---@field read fun(text: string, words: NameWords): table[]  fields of each layer that a text may
--- say; '' is a text without a word

---@class NameWords  what kinds are handed for names
---@field known table  the vocabulary of activations
---@field said fun(name: string, parameters: any): string  an activation with its parameters
---@field readings fun(text: string, names: string[]): NamedActivation[]  all that a text may say

--- Nothing at all.
M.none = {
  say = function() return {} end,
  read = function(text) return text == '' and { {} } or {} end,
}

--- An activation or a variant.
---@param field string    what a layer calls it
---@param choices string  the list of a vocabulary that it is of
---@return NameForm
function M.applied(field, choices)
  return {
    say = function(l, words) return { words.said(l[field], l.parameters) } end,
    read = function(text, words)
      return lists.map(words.readings(text, words.known[choices]), function(reading)
        return { [field] = reading.name, parameters = reading.parameters }
      end)
    end,
  }
end

--- The size that a text of digits is, or nil.
---@param digits string|nil
---@return integer|nil
function M.size(digits)
  local size = math.tointeger(tonumber(digits or 'x'))
  return size and size > 0 and size or nil
end

local letters = { d_model = 'd', d_ff = 'f', d_out = 'o' }

--- Sizes, each behind its letter.
---@param fields string[]
---@param is_square boolean|nil  d_out is said where it is not d_model
---@return NameForm
function M.sizes(fields, is_square)
  local function is_said(l, field)
    return not (is_square and field == 'd_out' and l.d_out == l.d_model)
  end
  return {
    say = function(l)
      return lists.map(lists.filter(fields, function(field) return is_said(l, field) end),
        function(field) return ('%s%d'):format(letters[field], l[field]) end)
    end,
    read = function(text)
      local l, at = {}, 1
      for word in (text .. '_'):gmatch '([^_]*)_' do
        local field = fields[at]
        local size = field and M.size(word:match('^' .. letters[field] .. '(%d+)$'))
        if not size then return {} end
        l[field], at = size, at + 1
      end
      if is_square then l.d_out = l.d_out or l.d_model end
      for _, field in ipairs(fields) do
        if not l[field] then return {} end
      end
      return { l }
    end,
  }
end

return M
