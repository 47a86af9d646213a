--- Names of the file in messages.
local numbers = require 'files.numbers'
local record = require 'common.record'

local M = {}

--- A name of the file.
function M.quoted(name) return ('"%s"'):format(record.shown(name, 120)) end

--- Sizes.
function M.sizes(dims) return numbers.shape_text(dims) end

--- A step.
function M.step(step) return ('%s %s'):format(step.op, M.quoted(step.at)) end

return M
