--- Activations in C: static inline functions over vectors.
local describe = require 'emit.describe'
local environment = require 'emit.environment'
local vector = require 'emit.vector'

local M = {}

--- A static inline function over vectors, with its comment.
local function inline_text(isa, prefix, a, own_name, about, more, body)
  local arguments = ('const %s x'):format(isa.vec)
  if a.parameter then arguments = ('%s, const %s %s'):format(arguments, isa.vec, a.parameter) end
  local head = ('%s_INLINE %s %s('):format(prefix:upper(), isa.vec, own_name)
  if #head + #arguments + #more > 97 then head = head .. '\n    ' end
  return ('/* %s */\n%s%s%s) {\n  %s\n}\n'):format(
    (environment.wrapped(about, 94):gsub('\n', '\n * ')), head, arguments, more,
    (body:gsub('\n', '\n  ')))
end

--- The function of an activation.
function M.value(isa, prefix, a, own_name)
  local about = ('%s; %s. %s.'):format(a.about, describe.contract(a), a.source)
  return inline_text(isa, prefix, a, own_name, about, '', vector.body(isa, a))
end

--- The function of an activation and its slope.
function M.gradient(isa, prefix, a, own_name)
  local about = ('%s, and its slope, %s.'):format(a.about, describe.slope_contract(a))
  local more = (', %s *slope'):format(isa.vec)
  if a.parameter then
    about = ('%s And turn, its derivative by %s.'):format(about, a.parameter)
    more = ('%s, %s *turn'):format(more, isa.vec)
  end
  return inline_text(isa, prefix, a, own_name, about, more, vector.gradient_body(isa, a))
end

return M
