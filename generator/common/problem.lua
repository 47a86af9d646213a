--- Every error that is not a defect of ours: what is wrong, where, and what helps. It ends a run
--- before anything is written; main.lua alone prints it and makes the exit code of it.
local record = require 'common.record'

local M = {}

---@class Problem
---@field text string   one sentence, fit for a terminal; it begins with the place
---@field code integer  exit code
---@field is_lost boolean  output was: who knows what was written

local most_text = 1000 -- bytes: a stranger's text stands in it

local problem_meta = { __tostring = function(p) return p.text end }

local function throw(code, text, is_lost)
  error(setmetatable({ text = text, code = code, is_lost = is_lost or false }, problem_meta), 0)
end

--- A place in a file.
---@param file string
---@param line integer|nil
function M.place(file, line) return line and ('%s:%d'):format(file, line) or file end

--- The user's input is wrong.
---@param place string|nil a file with its line, or an option; nil where the message tells it
---@param message string for string.format; ends in what helps
function M.bad_input(place, message, ...)
  local text = select('#', ...) > 0 and message:format(...) or message
  throw(4, record.shown(place and place .. ': ' .. text or text, most_text))
end

--- The command line is wrong.
function M.usage(message, ...) throw(2, message:format(...)) end

--- The world is in the way: a file that cannot be written, a compiler that fails.
function M.failure(message, ...) throw(1, message:format(...)) end

--- What was printed did not arrive.
function M.lost(message, ...) throw(1, message:format(...), true) end

--- Whether something that was thrown is such an error.
---@return boolean
function M.is(thrown) return getmetatable(thrown) == problem_meta end

return M
