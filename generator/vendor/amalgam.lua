--- Joins files into one: local includes are put in place, once each, and what a file keeps to
--- itself takes a prefix, so that nothing meets its namesake of another file.
local c_text = require 'vendor.c_text'

local M = {}

--- Gives what a text keeps to itself a prefix.
---@param text string
---@param prefix string such as ffn_
function M.own(text, prefix)
  local own = {}
  for _, word in ipairs(c_text.internal_names(text)) do
    own[word] = not word:find('^ffn_') and prefix .. word or nil
  end
  return c_text.rename(text, function(word) return own[word] end)
end

--- A file as a section: without its licence line, which the joined file has once, and without
--- its include guard.
local function as_section(text)
  return (text:gsub('^/%* SPDX%-License%-Identifier:[^\n]*\n %*\n %* ', '/* ')
    :gsub('#ifndef (FFN_[%u_]+_H)\n#define %1\n(.*)\n#endif\n$', '%2'))
end

--- One text of several. A local include is replaced by its file where it comes first, if `inside`
--- has it, and else stays.
---@param texts string[]
---@param inside table<string, string>  file name -> text; the empty text for what is there already
function M.join(texts, inside)
  local seen = {}
  local function resolve(text)
    return (as_section(text):gsub('#include "([^"\n]+)"\n', function(file)
      local body = inside[file]
      if not body then
        if seen[file] then return '' end
        seen[file] = true
        return nil
      end
      if seen[file] then return '' end
      seen[file] = true
      return resolve(body)
    end))
  end
  local out = {}
  for i, text in ipairs(texts) do out[i] = resolve(text) end
  return table.concat(out, '\n')
end

--- The text without what it keeps to itself and does not use.
---@param text string
function M.pruned(text)
  local items, words = c_text.items(text), {}
  for i, item in ipairs(items) do
    words[i] = {}
    -- That a macro is defined does not use a function of its name.
    for _, piece in ipairs(c_text.pieces((item.text:gsub('#define [%w_]+', '#define')))) do
      if piece.kind == 'word' then words[i][piece.text] = true end
    end
  end
  local function is_used(item)
    for _, own in ipairs(item.names) do
      for i, other in ipairs(items) do
        if other ~= item and words[i] and words[i][own] then return true end
      end
    end
    return #item.names == 0
  end
  local again = true
  while again do
    again = false
    for i, item in ipairs(items) do
      if words[i] and item.internal and not is_used(item) then words[i], again = false, true end
    end
  end
  local out = {}
  for i, item in ipairs(items) do out[#out + 1] = words[i] and item.text or nil end
  return (table.concat(out):gsub('\n\n\n+', '\n\n'))
end

--- The one place of a text where `find` stands, replaced.
---@param text string
---@param find string a pattern
---@param put string
function M.replaced(text, find, put)
  local from, to = text:find(find)
  assert(from and not text:find(find, to + 1), 'not once in its text: ' .. find)
  return text:sub(1, from - 1) .. put .. text:sub(to + 1)
end

return M
