--- A matrix of a module and its bias, of any module of a model: rows as they are, or as a scheme
--- has packed them.
local modules = require 'import.quantized.modules'
local numbers = require 'import.huggingface.numbers'
local record = require 'common.record'
local rows = require 'import.rows'

local M = {}

--- A tensor that is there, where it lies.
---@param r ModelReading
---@param key string
---@param wanted Wanted
function M.tensor(r, key, wanted)
  r.taken[key] = true
  return rows.of(r.model, key, wanted, r.reason)
end

--- Whether there is a bias that its config does not tell and that adds nothing: the first programs
--- that packed modules gave each of them one.
---@param r ModelReading
---@param module string
---@param key string   of the bias
---@param outputs integer
function M.is_nothing(r, module, key, outputs)
  if not (r.quantized and r.quantized.scheme and r.quantized.scheme.zero_bias
    and modules.is_packed(r, module) and record.equal(r.model.shapes[key], { outputs })
    and numbers.are_zero(r, key)) then
    return false
  end
  r.taken[key] = true
  return true
end

--- Where the bias of a matrix lies.
---@param w Wanted  of the matrix
function M.bias(r, key, w)
  return M.tensor(r, key, {
    outputs = w.outputs, inputs = false, in_out = false, whole = w.whole, from = w.from,
    step = w.step, experts = w.experts, expert = w.expert,
  })
end

return M
