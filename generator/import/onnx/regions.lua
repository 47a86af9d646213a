--- What stands between products and a value that is a function of them: steps that nothing else
--- needs, or the first thing that does.
local labels = require 'import.onnx.labels'

local M = {}

local most_steps = 256

---@class Region
---@field value Value        what it ends with
---@field leaves Value[]     one stream, or two of the same x
---@field steps GraphStep[]  from the products to it, in the order in which they run
---@field gated Value|nil    what the product multiplies, where it is a function of that, too
---@field narrows GraphStep|nil the first that rounds: see rounding_steps.lua
---@field stuck integer|nil   index of the step that is not told element by element

--- Whether a value is what a product's node sums up.
local function is_root(value)
  return value.stream and value.step == value.stream.product.step
end

--- All steps back to products, and all values on the way.
local function gathered(value)
  local steps, values, seen, stack = {}, {}, {}, { value }
  local x = value.gated
  while #stack > 0 do
    local v = table.remove(stack)
    if not seen[v] then
      seen[v], values[#values + 1] = true, v
      if not is_root(v) and not seen[v.step] then
        if #steps == most_steps then return nil end
        seen[v.step], steps[#steps + 1] = true, v.step
        for _, taken in ipairs(v.step.ins) do
          if taken and taken ~= x and (taken.stream or taken.leaves) then
            stack[#stack + 1] = taken
          end
        end
      end
    end
  end
  table.sort(steps, function(a, b) return a.index < b.index end)
  return steps, values, seen
end

--- What needs a value on the way beside the steps, in words.
local function needed_by(v, seen)
  if v.is_output then return ('%s is an output of its graph'):format(labels.quoted(v.name)) end
  for _, use in ipairs(v.uses) do
    if not seen[use] then
      return ('%s, on the way, goes to %s, too'):format(labels.quoted(v.name), labels.step(use))
    end
  end
end

--- The steps that end with a value; or nil and why they are not a function of their own.
---@param value Value
---@return Region|nil
---@return string|nil why
function M.of(value)
  local leaves = value.stream and { value } or value.leaves
  if not leaves then return nil end
  local steps, values, seen = gathered(value)
  if not steps then
    return nil, ('more than %d nodes stand before %s'):format(most_steps, labels.quoted(value.name))
  end
  for _, v in ipairs(values) do
    local why = v ~= value and needed_by(v, seen)
    if why then return nil, why end
  end
  local narrows
  for _, step in ipairs(steps) do
    narrows = narrows or step.narrows and step
    for _, out in ipairs(step.outs) do
      local is_lost = out and not seen[out] and (#out.uses > 0 or out.is_output)
      if is_lost then
        return nil, ('%s, on the way, is needed elsewhere'):format(labels.quoted(out.name))
      end
    end
  end
  return { value = value, leaves = leaves, steps = steps, gated = value.gated,
    narrows = narrows }
end

return M
