--- Activations in C: static inline functions over vectors.
local describe = require 'emit.describe'
local derive = require 'activation.graph.derive'
local environment = require 'emit.environment'
local lists = require 'common.list'
local texts = require 'common.text'
local vector = require 'emit.vector'

local M = {}

--- A static inline function over vectors, with its comment.
---@param inputs string[]    vectors beside the activation's parameters
---@param pointers string[]  where further results go
local function inline_text(isa, prefix, a, own_name, about, inputs, pointers, body)
  local names = lists.append({}, inputs)
  for _, name in ipairs(a.parameters) do names[#names + 1] = vector.parameter_name(name) end
  local arguments = lists.map(names, function(name)
    return ('const %s %s'):format(isa.vec, name)
  end)
  for _, name in ipairs(pointers) do
    arguments[#arguments + 1] = ('%s *%s'):format(isa.vec, name)
  end
  local head = ('%s_INLINE %s %s('):format(prefix:upper(), isa.vec, own_name)
  local text = table.concat(arguments, ', ')
  if #head + #text > 97 then
    for i = 1, #arguments - 1 do arguments[i] = arguments[i] .. ',' end
    text = '\n    ' .. table.concat(texts.lines(arguments, 93), '\n    ')
  end
  about = ('%s %s.'):format(about,
    isa.lanes > 1 and ('In each of %d lanes'):format(isa.lanes) or 'Of one float')
  return ('/* %s */\n%s%s) {\n  %s\n}\n'):format(
    environment.commented(about), head, text, texts.rejoined(body, '\n  '))
end

--- The vectors that an activation takes, by their names in C.
local function inputs_of(a, suffix) return { 'x' .. suffix, a.both and 'up' .. suffix or nil } end

--- The function of an activation.
function M.value(isa, prefix, a, own_name)
  local about = ('%s; %s. %s.'):format(a.about, describe.contract(a), a.source)
  return inline_text(isa, prefix, a, own_name, about, inputs_of(a, ''), {}, vector.body(isa, a))
end

--- The function of an activation of two vectors in lockstep: it returns the first, and the second
--- goes where a pointer says.
function M.pair(isa, prefix, a, own_name)
  local about = ('%s of two vectors in lockstep; %s. %s.'):format(a.about, describe.contract(a),
    a.source)
  return inline_text(isa, prefix, a, own_name, about,
    lists.append(inputs_of(a, '_a'), inputs_of(a, '_b')), { 'second' }, vector.pair_body(isa, a))
end

--- The function of an activation and its derivatives, which go where pointers say.
function M.gradient(isa, prefix, a, own_name)
  local about = ('%s, and its slope, %s.'):format(a.about, describe.slope_contract(a))
  local names = derive.variables(a.both, a.parameters)
  if #names > 1 then
    about = ('%s And its derivatives by %s.'):format(about, table.concat(names, ', ', 2))
  end
  return inline_text(isa, prefix, a, own_name, about, inputs_of(a, ''),
    lists.map(names, vector.derivative_name), vector.gradient_body(isa, a))
end

return M
