--- What a run prints on stdout. Output that is lost is a failure, on a full device as anywhere.
local problems = require 'common.problem'

local M = {}

local function check(ok, reason)
  if not ok then problems.lost('standard output: %s: what was printed is lost', reason) end
end

---@param ... string
function M.write(...) check(io.write(...)) end

--- A line.
---@param line string for string.format
function M.line(line, ...) M.write(line:format(...), '\n') end

--- What is still on its way.
function M.flush() check(io.stdout:flush()) end

return M
