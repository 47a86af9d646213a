--- Texts that are damaged by chance, the same in every run; and what import owes them: it takes
--- them, or says what is wrong, in no time.
local unit = require 'luaunit'
local effort = require 'effort'
local problems = require 'common.problem'

local M = {}

--- Numbers by chance, of 1 to n: xorshift64*.
---@param seed integer
---@return fun(n: integer): integer
function M.chance(seed)
  local state = seed
  return function(n)
    state = state ~ state >> 12
    state = state ~ state << 25
    state = state ~ state >> 27
    return (state * 0x2545f4914f6cdd1d >> 33) % n + 1
  end
end

--- The text with another byte somewhere, and with some cut out.
function M.byte(text, random)
  local at = random(#text)
  return text:sub(1, at - 1) .. string.char(random(256) - 1) .. text:sub(at + 1)
end

function M.cut(text, random)
  local at = random(#text)
  return text:sub(1, at - 1) .. text:sub(at + random(20))
end

--- The text with another one in place of a match of a pattern, one of the first `most`.
---@param with fun(...: string): string  of its captures
function M.other(text, random, most, pattern, with)
  local wanted, count = random(most), 0
  return (text:gsub(pattern, function(...)
    count = count + 1
    return count == wanted and with(...) or nil
  end))
end

--- The text after so many damages at most.
---@param damages (fun(text: string, random: fun(n: integer): integer): string)[]
---@param most integer
function M.several(text, random, damages, most)
  for _ = 1, random(most) do
    if #text > 1 then text = damages[random(#damages)](text, random) end
  end
  return text
end

--- Whether work takes what it is given; what it refuses has its place, and either comes soon.
---@param what fun(): string  what it was given
---@return boolean
function M.is_taken(number, what, work, ...)
  local ok, thrown = pcall(effort.within, 10000, work, ...)
  if not ok and not (problems.is(thrown) and thrown.code == 4) then
    unit.fail(('number %d: %s\n%s'):format(number, tostring(thrown), what()))
  end
  return ok
end

--- Some of the damage is none, and most of it is some.
function M.assert_some(taken, count)
  unit.assertTrue(taken > count // 100 and taken < count // 2, ('%d taken'):format(taken))
end

return M
