--- Names of the file in messages.
local record = require 'common.record'

local M = {}

--- A name of the file.
function M.quoted(name) return ('"%s"'):format(record.shown(name, 120)) end

--- A step.
function M.step(step) return ('%s %s'):format(step.op, M.quoted(step.at)) end

return M
