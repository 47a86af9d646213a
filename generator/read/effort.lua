--- How much a spec may ask of whoever reads it, for all of its activations together: instructions
--- of its functions, counted inside of the limits (sandbox.lua), and steps of the graphs that are
--- made of them, an operation at one place each, in functions, derivatives and layers.
local problems = require 'common.problem'

local M = { max_instructions = 8000000, max_steps = 6000000 }

---@class Effort
---@field instructions integer  that are left
---@field take fun(steps: integer)  counts, and throws where too much was asked
---@field at fun(line: integer)     where the spec is now, for messages

---@param path string of the spec
---@return Effort
function M.new(path)
  local left, line = M.max_steps, 1
  return {
    instructions = M.max_instructions,
    at = function(now) line = now end,
    take = function(steps)
      left = left - steps
      if left < 0 then
        problems.bad_input(problems.place(path, line), 'up to here the activations of this file, '
          .. 'with their derivatives and in layers with fixed parameters, take too long to judge: '
          .. 'write shorter ones, or divide the layers among several files')
      end
    end,
  }
end

return M
