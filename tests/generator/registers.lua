--- The registers that a plan counts for an activation, against its text: what is alive between a
--- statement of C and the last that names it.
local unit = require 'luaunit'
local activations = require 'activation'
local isas = require 'isa'
local registers = require 'activation.graph.registers'
local vector = require 'emit.vector'

TestRegisters = {}

--- The most values alive at once in a body, and a constant; casts stay in their register.
---@param body string
---@param parameters string[] their names in C: they are kept for the next vector
local function most_alive(body, parameters, both)
  local known, values, step = {}, {}, 0
  local function begin(name)
    known[name] = { from = step, to = step }
    values[#values + 1] = known[name]
  end
  begin('x')
  if both then begin('up') end
  for _, name in ipairs(parameters) do begin(name) end
  for statement in body:gsub('\n%s+', ' '):gmatch('[^;]+;') do
    local name, code = statement:match('const __m512i? ([%w_]+) = (.*)')
    code = code or statement
    if not code:match('^_mm512_cast') then step = step + 1 end
    for word in code:gmatch('[%a_][%w_]*') do
      if known[word] then known[word].to = step end
    end
    if name then begin(name) end
  end
  for _, name in ipairs(parameters) do known[name].to = step end
  local most = 0
  for at = 1, step do
    local alive = 1
    for _, value in ipairs(values) do
      alive = alive + (value.from < at and at <= value.to and 1 or 0)
    end
    most = math.max(most, alive)
  end
  return most
end

--- Never fewer than the text keeps; at most one more, where what is cast lives on beside it.
function TestRegisters.test_of_text()
  local count = 0
  for _, name in ipairs(activations.names) do
    local a = activations.by_name[name]
    if name ~= 'identity' then
      local names = {}
      for i, parameter in ipairs(a.parameters) do names[i] = 'p_' .. parameter end
      local most = most_alive(vector.body(isas.by_name.avx512, a), names, a.both)
      unit.assertTrue(most >= 2, name)
      local counted = registers.of(a)
      unit.assertTrue(counted == most or counted == most + 1,
        ('%s: %d counted, %d alive'):format(name, counted, most))
      count = count + 1
    end
  end
  unit.assertTrue(count > 20)
end
