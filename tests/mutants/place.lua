--- Where a seeded defect goes: its edit `from` in the function `at` of its file, or anywhere in the
--- file where it names no function. The edit is compared token by token (tokens.lua) and must stand
--- there once. Functions of one name are looked at together.
local here = debug.getinfo(1, 'S').source:match '^@(.*)/[^/]*$' or '.'
local functions, tokens = dofile(here .. '/functions.lua'), dofile(here .. '/tokens.lua')

local M = {}

--- The tokens of a file and its functions. The file that was asked for last is kept, as defects of
--- a file are neighbours.
local kept = {}
local function parsed(path, text)
  if kept.path ~= path or kept.text ~= text then
    local language = path:match '%.(%w+)$'
    local all = tokens.of(text, language)
    kept = { path = path, text = text, tokens = all, functions = functions.of(all, language) }
  end
  return kept
end

--- The first token of each function of a name, and the last.
local function named(file, name)
  local ranges = {}
  for _, own in ipairs(file.functions) do
    if own.name == name then ranges[#ranges + 1] = own end
  end
  return ranges
end

local function stands_at(all, i, edit)
  for k, wanted in ipairs(edit) do
    local token = all[i + k - 1]
    if token.text ~= wanted.text then return false end
    if k > 1 and token.counts and token.gap ~= wanted.gap then return false end
  end
  return true
end

--- The bytes of a text that a defect takes the place of, or what is wrong.
---@param defect table
---@param text string  of its file
---@return integer|nil first, integer|string last
function M.find(defect, text)
  local file, edit, where = parsed(defect.file, text), tokens.of(defect.from), defect.file
  if #edit == 0 then return nil, 'there is nothing in its edit' end
  local ranges = { { first = 1, last = #file.tokens } }
  if defect.at then
    ranges = named(file, defect.at)
    if #ranges == 0 then return nil, ('there is no %s in %s'):format(defect.at, where) end
    where = defect.at .. ' of ' .. where
  end
  local places = {}
  for _, range in ipairs(ranges) do
    for i = range.first, range.last - #edit + 1 do
      if stands_at(file.tokens, i, edit) then places[#places + 1] = i end
    end
  end
  if #places ~= 1 then
    return nil, ('"%s" stands %d times in %s'):format(defect.from, #places, where)
  end
  return file.tokens[places[1]].first, file.tokens[places[1] + #edit - 1].last
end

--- The text with a defect in it, or what is wrong.
---@return string|nil mutated, string|nil problem
function M.put_in(defect, text)
  local first, last = M.find(defect, text)
  if not first then return nil, last end
  return text:sub(1, first - 1) .. defect.to .. text:sub(last + 1)
end

--- Whether a file has a function of this name.
function M.has(path, text, name) return #named(parsed(path, text), name) > 0 end

return M
