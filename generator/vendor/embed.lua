--- embed: a file of weights -> constants in C, for small layers: of numbers, which become what
--- pack() would make of them, or packed already.
local encoded_parts = require 'vendor.encoded_parts'
local environment = require 'emit.environment'
local lists = require 'common.list'
local numbers = require 'common.number'
local packed = require 'plan.packed'
local packed_parts = require 'vendor.packed_parts'
local packed_weights = require 'tensors.packed_weights'
local parts_of = require 'vendor.embedded_parts'
local problems = require 'common.problem'
local record = require 'common.record'
local wanted_tensors = require 'tensors.wanted_tensors'
local weight_map = require 'tensors.map'
local weights_file = require 'tensors.weights'

local M = {}

--- More than this as C text is slow to compile; such weights belong in a file.
local max_bytes = 1 << 20

---@class EmbeddedWeights
---@field spec string
---@field hash string    of what is packed, in C
---@field finite integer  1: no weight is Inf or NaN
---@field parameters string  in C
---@field parts table[]   arrays behind the header: name, type, count, and their values in C
---@field halves boolean  some are two numbers of 16 bits, in a macro
---@field bytes boolean   or four of 8

---@class WeightsRequest
---@field path string
---@field PREFIX string      of macros in C
---@field prefix string|nil
---@field map string|nil   a file
---@field order string|nil
---@field leave string[]|nil

--- Those of a file of numbers.
---@param request WeightsRequest
---@param plan Plan
---@return EmbeddedPart[]
---@return number[] parameters
local function encoded(request, plan)
  weights_file.check_name(request.path)
  for _, stage in ipairs(plan.layer.passes.forward) do
    if not stage.stream.format.embed then
      problems.bad_input('--weights', 'weights of %s are not made here of numbers: give the '
        .. 'model.ffn that ffn-pack wrote', stage.stream.format.name)
    end
  end
  local tensors = wanted_tensors.of_layer(plan.layer)
  local names = lists.map(tensors, function(tensor) return tensor.name end)
  return encoded_parts.of(plan, weights_file.read(request.path, tensors, {
    prefix = request.prefix, order = request.order, leave = request.leave or {},
    fixed = wanted_tensors.fixed_of(plan.layer),
    map = request.map and weight_map.read(request.map, names),
  }))
end

---@param request WeightsRequest
---@param spec Spec
---@param plan Plan any of the layer: all share one layout
---@return EmbeddedWeights
function M.weights(request, spec, plan)
  local pass, layer = plan.passes.forward, plan.layer
  if pass.packed_bytes > max_bytes then
    problems.bad_input('--weights', '%d bytes of packed weights are too many to write into the '
      .. 'code (most: %d): keep the weights in a file, and map or pack them at start',
      pass.packed_bytes, max_bytes)
  end
  local parts, parameters, finite
  if packed_weights.takes(request.path) then
    local own = packed_weights.read(request.path, packed.of(layer), request.prefix)
    parts, parameters, finite = packed_parts.of(pass, own.bytes), own.parameters, own.finite
  else
    parts, parameters = encoded(request, plan)
    finite = 1 -- readers refuse all other numbers
  end
  local used = {}
  parts = lists.map(parts, function(part)
    local values, macros = parts_of.constants(part, request.PREFIX)
    for _, word in ipairs(record.sorted_keys(macros)) do used[word] = true end
    return { name = part.name, type = part.type, count = #part.values, values = values }
  end)
  return record.strict('weights', {
    spec = spec.name, hash = environment.name_hash(layer.packed), finite = finite,
    parameters = #parameters > 0
      and table.concat(lists.map(parameters, numbers.float_literal), ', ') or '0.0f',
    parts = parts, halves = used.HALVES or false, bytes = used.BYTES or false,
  })
end

return M
