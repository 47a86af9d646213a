--- How many vectors are alive at once in an activation's code, as it is written down: what its
--- registers are counted by. Constants come from memory, one at a time.
local M = {}

--- A builder that writes nothing: it notes which statement reads which values.
local function recorder()
  local values, statement = {}, 0
  local function value(kind)
    local made = { kind = kind, from = statement, to = statement }
    if kind == 'value' then values[#values + 1] = made end
    return made
  end
  local v = {
    const = function() return value 'constant' end, iconst = function() return value 'constant' end,
    argument = function() return value 'value' end, let = function(_, x) return x end,
  }
  --- Any other word is a statement.
  setmetatable(v, { __index = function(_, word)
    return function(...)
      statement = statement + 1
      for _, operand in ipairs { ... } do
        if type(operand) == 'table' then operand.to = statement end
      end
      -- A cast stays in its register.
      if word == 'bits' or word == 'from_bits' then statement = statement - 1 end
      return value 'value'
    end
  end })
  return v, values, function() return statement end
end

---@param activation Activation
---@return integer
function M.of(activation)
  local v, values, last = recorder()
  local x, up, parameters = v.argument(), activation.both and v.argument() or nil, {}
  for _, name in ipairs(activation.parameters) do parameters[name] = v.argument() end
  local result = activation.vector(v, x, up, parameters)
  -- Parameters are kept for the next vector, the result for whoever asked.
  for _, name in ipairs(activation.parameters) do parameters[name].to = last() end
  result.to = last() + 1
  local most = 0
  for statement = 1, last() do
    local alive = 1 -- a constant
    for _, one in ipairs(values) do
      if one.from < statement and statement <= one.to then alive = alive + 1 end
    end
    most = math.max(most, alive)
  end
  return most
end

return M
