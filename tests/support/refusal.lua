--- Calls that refuse what they are given: with a problem, not an error of Lua, of exit code 4.
local unit = require 'luaunit'
local problems = require 'common.problem'

local M = {}

--- What a call gives, or the text of its refusal; and whether it gives anything.
---@return any
---@return boolean ok
function M.outcome(call, ...)
  local ok, result = pcall(call, ...)
  if ok then return result, true end
  unit.assertTrue(problems.is(result), tostring(result))
  unit.assertEquals(result.code, 4)
  return result.text, false
end

--- The text of a refusal.
---@param what string  that a test names it by
---@return string
function M.of(what, call, ...)
  local text, ok = M.outcome(call, ...)
  unit.assertFalse(ok, what)
  return text
end

return M
