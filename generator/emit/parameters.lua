--- Parameters of functions of C: records until they are printed, as a head has them and as a call.
local lists = require 'common.list'
local record = require 'common.record'
local texts = require 'common.text'

local M = {}

---@class FunctionParameter
---@field type string      with the blank or star before the name
---@field name string
---@field behind string    what stands behind the name: of a pointer to a function its parameters
---@field argument string  what stands for it at a call

---@param kind string
---@param name string
---@param argument string|nil  the same name, unless told
---@return FunctionParameter
function M.parameter(kind, name, argument)
  return record.strict('parameter', {
    type = kind, name = name, behind = '', argument = argument or name,
  })
end

--- As a head has them.
---@param list FunctionParameter[]
---@return string[]
function M.declared(list)
  return lists.map(list, function(p) return p.type .. p.name .. p.behind end)
end

--- As a call has them.
---@param list FunctionParameter[]
---@return string[]
function M.arguments(list) return lists.map(list, function(p) return p.argument end) end

--- A function of some types, as another one takes it.
---@param name string
---@param types string[]
---@return FunctionParameter
function M.pointer(name, types)
  return record.strict('parameter', {
    type = 'void (*const ', name = name, behind = (')(%s)'):format(table.concat(types, ', ')),
    argument = name,
  })
end

--- Names, as whoever has the same parameters hands them on; but one, where it is told.
---@param list FunctionParameter[]
---@param name string|nil   the one that is given otherwise
---@param given string|nil
---@return string
function M.handed_on(list, name, given)
  return table.concat(lists.map(list, function(p) return p.name == name and given or p.name end),
    ', ')
end

--- The rest of a function's head, in lines of its own.
---@param list FunctionParameter[]
---@return string
function M.head(list) return texts.wrap(texts.closed(M.declared(list), ') {'), 100, '    ') end

--- The call of a function, in lines of at most so many columns.
---@param name string
---@param arguments string[]
---@param columns integer
---@return string
function M.call(name, arguments, columns)
  local parts = texts.closed(arguments, ');')
  parts[1] = ('%s(%s'):format(name, parts[1])
  return table.concat(texts.lines(parts, columns), '\n    ')
end

return M
