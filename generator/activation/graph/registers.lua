--- How many vectors are alive at once in an activation's code, as it is written down: what its
--- registers are counted by. Constants come from memory, one at a time.
local derive = require 'activation.graph.derive'
local lists = require 'common.list'

local M = {}

--- A builder that writes nothing: it notes which statement reads which values.
local function recorder()
  local values, statement = {}, 0
  local function value(kind)
    local made = { kind = kind, from = statement, to = statement }
    if kind == 'value' then values[#values + 1] = made end
    return made
  end
  local function constant() return value 'constant' end
  local v = {
    const = constant, iconst = constant, constant = constant, iconstant = constant,
    coefficients = function(_, c) return lists.map(c, constant) end,
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

--- The most that are alive in the code that `make` writes, and its statements.
---@param activation Activation
---@param make fun(v: table, x: any, up: any, parameters: table<string, any>): any, table|nil
---@return integer most
---@return integer statements
local function most_alive(activation, make)
  local v, values, last = recorder()
  local x, up, parameters = v.argument(), activation.both and v.argument() or nil, {}
  for _, name in ipairs(activation.parameters) do parameters[name] = v.argument() end
  local result, by = make(v, x, up, parameters)
  -- Parameters are kept for the next vector, the results for whoever asked.
  for _, name in ipairs(activation.parameters) do parameters[name].to = last() end
  result.to = last() + 1
  for _, name in ipairs(by and derive.variables(activation.both, activation.parameters) or {}) do
    by[name].to = last() + 1
  end
  -- A value is alive in the statements behind its own, up to its last reader.
  local change = {}
  for _, one in ipairs(values) do
    change[one.from + 1] = (change[one.from + 1] or 0) + 1
    change[one.to + 1] = (change[one.to + 1] or 0) - 1
  end
  local alive, most = 1, 0 -- a constant
  for statement = 1, last() do
    alive = alive + (change[statement] or 0)
    most = math.max(most, alive)
  end
  return most, last()
end

--- Of an activation.
---@param activation Activation
function M.of(activation)
  return (most_alive(activation, function(...) return (activation.vector(...)) end))
end

--- The statements of an activation, one after the other.
---@param activation Activation
function M.statements(activation)
  return (select(2, most_alive(activation, function(...) return (activation.vector(...)) end)))
end

--- Of an activation and its derivatives.
---@param activation Activation
function M.of_gradient(activation) return (most_alive(activation, activation.gradient)) end

return M
