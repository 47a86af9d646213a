--- What the user leaves out of a file of weights: names of tensors, or of modules with all in them.
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- Whether a tensor is left out. Every name must be one of the file's.
---@param file TensorFile
---@param names string[]
---@param option string|nil  that gave them, for messages
---@return fun(key: string): boolean
function M.test(file, names, option)
  for _, name in ipairs(names) do
    local found = false
    for _, keys in ipairs { file.keys, file.elsewhere } do
      for _, key in ipairs(keys) do found = found or paths.is_of(key, name) end
    end
    if not found then
      problems.bad_input(option or '--weights-leave', '%s has no "%s", neither as a tensor nor as '
        .. 'a module: write whole names, as the file has them%s', record.shown(file.path),
        record.shown(name),
        #file.keys > 0 and ', such as "' .. record.shown(file.keys[1], 80) .. '"' or '')
    end
  end
  return function(key)
    for _, name in ipairs(names) do
      if paths.is_of(key, name) then return true end
    end
    return false
  end
end

--- Refuses to leave out what a layer takes.
---@param keys string[]    the names of its tensors
---@param names string[]
---@param option string    that gave them
---@param told fun(i: integer, name: string): string  what one of its tensors is
function M.check(keys, names, option, told)
  for _, name in ipairs(names) do
    for i, key in ipairs(keys) do
      if paths.is_of(key, name) then
        problems.bad_input(option, '"%s" is %s', record.shown(name), told(i, name))
      end
    end
  end
end

--- The same of the layers of a model.
---@param keys string[]
---@param names string[]
function M.check_model(keys, names)
  M.check(keys, names, '--leave', function(i)
    return ('a layer\'s own: "%s"'):format(record.shown(keys[i], 80))
  end)
end

return M
