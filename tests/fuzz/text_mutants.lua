--- Texts and bytes, changed at random: what fuzzers make of what is valid.
local M = {}

local notable = { '\0', '\xff', '\n', '\r', '"', "'", '\\', '-', '[[', ']]', '%', '\27', '\x7f' }

--- Ways to change bytes: each takes a text that is not empty.
local ways = {}

function ways.flip(random, text)
  local at = random:range(1, #text)
  local byte = text:byte(at) ~ (1 << random:below(8))
  return text:sub(1, at - 1) .. string.char(byte) .. text:sub(at + 1)
end

function ways.put(random, text)
  local at = random:range(0, #text)
  local what = random:chance(60) and random:pick(notable) or random:bytes(random:range(1, 4))
  return text:sub(1, at) .. what .. text:sub(at + 1)
end

function ways.overwrite(random, text)
  local at = random:range(1, #text)
  local what = random:bytes(random:range(1, 8))
  return text:sub(1, at - 1) .. what .. text:sub(at + #what)
end

function ways.delete(random, text)
  local at = random:range(1, #text)
  return text:sub(1, at - 1) .. text:sub(at + 1 + random:skewed(16))
end

function ways.double(random, text)
  local at = random:range(1, #text)
  local to = math.min(#text, at + random:skewed(64))
  return text:sub(1, to) .. text:sub(at, to) .. text:sub(to + 1)
end

function ways.cut(random, text) return text:sub(1, random:below(#text)) end

local names = { 'flip', 'put', 'overwrite', 'delete', 'double', 'flip', 'put', 'delete', 'cut' }

--- Some changes of bytes.
---@param random Random
---@param text string
---@param most integer changes
---@return string
function M.bytes(random, text, most)
  for _ = 1, random:range(1, most) do
    if text == '' then return text end
    text = ways[random:pick(names)](random, text)
  end
  return text
end

--- A text of Lua in words, white space among them.
---@return string[]
local function words_of(text)
  local words, at = {}, 1
  while at <= #text do
    local word = text:match('^[%w_.]+', at) or text:match('^%s+', at)
      or text:match('^"[^"\n]*"', at) or text:match("^'[^'\n]*'", at) or text:sub(at, at)
    words[#words + 1] = word
    at = at + #word
  end
  return words
end

--- Some changes of words: one goes, comes twice, changes places, or is another.
---@param random Random
---@param text string
---@param dictionary string[]
function M.words(random, text, dictionary, most)
  local words = words_of(text)
  for _ = 1, random:range(1, most) do
    if #words == 0 then break end
    local at, way = random:range(1, #words), random:below(5)
    if way == 0 then
      table.remove(words, at)
    elseif way == 1 then
      table.insert(words, at, words[random:range(1, #words)])
    elseif way == 2 then
      local other = random:range(1, #words)
      words[at], words[other] = words[other], words[at]
    elseif way == 3 then
      words[at] = random:pick(dictionary)
    else
      table.insert(words, at, ' ' .. random:pick(dictionary) .. ' ')
    end
  end
  return table.concat(words)
end

--- Texts with a part less, the largest part first.
---@param text string
---@return fun(): string|nil
function M.shorter(text)
  return coroutine.wrap(function()
    local lines = {}
    for line in text:gmatch('[^\n]*\n?') do lines[#lines + 1] = line ~= '' and line or nil end
    for i = 1, #lines > 1 and #lines or 0 do
      coroutine.yield(table.concat(lines, '', 1, i - 1) .. table.concat(lines, '', i + 1))
    end
    local size = #text // 2
    while size >= 1 do
      for at = 1, #text, size do
        coroutine.yield(text:sub(1, at - 1) .. text:sub(at + size))
      end
      size = size // 2
    end
  end)
end

return M
