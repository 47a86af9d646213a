--- What a kernel's own names begin with, and the prefix of everything else.
local M = {}

---@class Naming
---@field prefix string     of the runtime's names, such as ffn
---@field own string        of what a kernel keeps to itself; '' in a file of its own
---@field shared string     of what kernels of one instruction set share; '' in a file of its own
---@field external boolean  functions that are no inline ones are external, for another file
---@field remake string     the command that makes the file again; '' where another file tells it

--- A kernel in a file of its own.
---@param remake string
---@return Naming
function M.of_file(remake)
  return { prefix = 'ffn', own = '', shared = '', external = false, remake = remake }
end

--- Puts a kernel's names into an environment of templates.
---@param env table
---@param naming Naming
function M.set(env, naming)
  local upper = naming.own:upper()
  env.own, env.OWN = naming.own, upper
  --- What the enumerators of a stage begin with.
  env.NAME = function(s) return upper .. s.stage.name:upper() end
  --- What its functions begin with.
  env.fn = function(s) return naming.own .. s.stage.name end
  env.static = naming.external and '' or 'static '
  -- Marks of drafts, see marks.lua.
  env.head, env.about, env.more = '$head', '$about', '$more'
  env.noinline = naming.external and '' or naming.prefix:upper() .. '_NOINLINE '
end

return M
