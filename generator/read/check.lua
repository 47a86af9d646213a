--- Checks of values in the table that a layer of a spec was given. Each error has the line of the
--- value, what is wrong with it, and the nearest that would be right.
local f32_range = require 'activation.graph.f32_range'
local lists = require 'common.list'
local numbers = require 'common.number'
local outputs = require 'read.outputs'
local problems = require 'common.problem'
local record = require 'common.record'
local size = require 'read.size'

local M = {}

--- "an integer", "a table".
---@param kind string
local function with_article(kind) return (kind == 'integer' and 'an ' or 'a ') .. kind end

---@class Check
---@field source SpecSource
---@field given table  what the user wrote
local Check = {}
Check.__index = Check

---@return Check
function M.new(source, given) return setmetatable({ source = source, given = given }, Check) end

--- A path is where a value stands in the table, from the outside in; {} is the table itself.
function Check:fail(path, message, ...)
  local source = self.source
  problems.bad_input(source:at(path), '%s "%s": %s', source.kind, source.name,
    message:format(...))
end

local function inside(path, key)
  local longer = { table.unpack(path) }
  longer[#longer + 1] = key
  return longer
end

--- Whether a value is a table that the user wrote: a rule for sizes is none.
function Check.is_table(v) return type(v) == 'table' and not size.is(v) end

--- What a value is, for messages: "an integer".
function Check.described(v) return with_article(size.type_name(v)) end

--- Nothing but the fields `known`.
function Check:fields(path, t, known, prefix)
  for _, key in ipairs(record.sorted_keys(t)) do
    local found = lists.has(known, key)
    if not found and type(key) == 'string' then
      self:fail(inside(path, key), '%sunknown field "%s"%s', prefix, record.shown(key),
        record.suggest(key, known))
    elseif not found then
      self:fail(inside(path, key), '%sa value without a field name (%s); fields are: %s', prefix,
        record.shown(type(key) == 'number' and t[key] or key), table.concat(known, ', '))
    end
  end
end

--- A list: positions 1 to n and nothing else.
---@param form string an example
---@param most integer items
function Check:list(path, t, form, most)
  local field = path[#path]
  if not self.is_table(t) then
    self:fail(path, '%s must be a list such as %s, not %s', field, form, self.described(t))
  end
  local keys = record.sorted_keys(t)
  if #keys == 0 then self:fail(path, '%s is empty; it is a list such as %s', field, form) end
  for i, key in ipairs(keys) do
    if key ~= i and math.type(key) == 'integer' then
      self:fail(inside(path, i), '%s has a gap: item %d is missing', field, i)
    elseif key ~= i then
      self:fail(inside(path, key), '%s is a list such as %s, without the field "%s"', field, form,
        record.shown(key))
    end
  end
  if #keys > most then self:fail(path, '%s has %d items; at most %d', field, #keys, most) end
end

--- An integer in the range of sizes.
---@param field string for the message
---@return integer v
function Check:size(field, v, path)
  if size.type_name(v) == 'float' then
    self:fail(path, '%s must be an integer, not the float %s (divide with //)', field, tostring(v))
  elseif size.type_name(v) ~= 'integer' then
    self:fail(path, '%s must be an integer, not %s', field, self.described(v))
  elseif v < 1 then
    self:fail(path, '%s must be at least 1, not %d', field, v)
  elseif v > size.max then
    self:fail(path, '%s = %d is beyond the largest size, %d', field, v, size.max)
  end
  return v
end

--- A size: a number, or a rule that waits for d_model.
---@param field string for the message
---@param d_model integer|nil
---@return integer
function Check:resolved(field, v, path, d_model)
  if size.is(v) and d_model then
    local resolved, problem = size.of(v, d_model)
    if problem then
      if type(problem) ~= 'table' then self:fail(path, '%s: %s', field, problem) end
      self:fail(inside(path, problem.field), '%s: llama_d_ff: %s', field, problem.sentence())
    end
    v = resolved
  end
  return self:size(field, v, path)
end

--- A size of the table.
---@param d_model integer|nil
---@return integer
function Check:get_size(field, d_model)
  local v = self.given[field]
  if v == nil then self:fail({}, 'field "%s" is missing', field) end
  return self:resolved(field, v, { field }, d_model)
end

--- The several outputs that d_out names, in order; nil where it is a size.
---@return NamedOutput[]|nil
function Check:outputs(d_model)
  return outputs.are(self.given.d_out) and outputs.of(self, d_model) or nil
end

--- A field of a type.
function Check:get(field, wanted, default)
  local v = self.given[field]
  if v == nil then return default end
  if type(v) ~= wanted then
    self:fail({ field }, '%s must be a %s, not %s', field, wanted, self.described(v))
  end
  return v
end

--- A field that is one of some names.
function Check:get_choice(field, choices)
  local v = self:get(field, 'string')
  if v == nil then
    self:fail({}, 'field "%s" is missing (choose from: %s)', field, table.concat(choices, ', '))
  end
  if not lists.has(choices, v) then
    self:fail({ field }, 'unknown %s "%s"%s', field, record.shown(v), record.suggest(v, choices))
  end
  return v
end

--- A fixed parameter.
function Check:parameter(name, v, path)
  if type(v) ~= 'number' then
    self:fail(path, '%s must be a number or "runtime", not %s', name, type(v) == 'string'
      and '"' .. record.shown(v) .. '"' or 'a ' .. size.type_name(v))
  end
  local lost = numbers.lost(v)
  -- The size of the least integer is no integer.
  if not (v >= -1e6 and v <= 1e6) or v == 0 or lost then
    self:fail(path, '%s = %s: a fixed %s is a finite number other than 0, at most 1e6%s', name,
      numbers.shown(v), name, lost and '; this one ' .. lost or '')
  end
  return numbers.to_f32(v)
end

--- Parameters with which an activation is no number in f32 are refused.
---@param values number[]|string fixed ones, or 'runtime'
---@return number[]|string
function Check:carried(activation, values, path)
  if values == 'runtime' then
    local problem = f32_range.problem_of(activation, nil, false, self.source.effort.take)
    if problem then
      self:fail(path, '%s: %s. Fix its parameters where others are meant, scale what goes into it, '
        .. 'or keep it in range with min and max', activation.name, problem)
    end
    return values
  end
  local problem = f32_range.problem_of(activation, values, false, self.source.effort.take)
  if problem then
    self:fail(path, '%s with these parameters: %s. Take others', activation.name, problem)
  end
  return values
end

--- The parameters of an activation: all fixed, or 'runtime', or nil where it has none. They are
--- given as parameters = { ... }; beta, where that is the only one, as beta = ...
---@param given table with the fields beta and parameters
---@param path (string|integer)[] of that table
---@return number[]|string|nil
function Check:parameters(given, activation, path)
  local names, beta, list = activation.parameters, given.beta, given.parameters
  if beta ~= nil and (#names ~= 1 or names[1] ~= 'beta') then
    self:fail(inside(path, 'beta'), '%s has no beta%s', activation.name, #names == 0 and ''
      or (': write parameters = { %s = number }'):format(table.concat(names, ' = number, ')))
  end
  if list ~= nil and #names == 0 then
    self:fail(inside(path, 'parameters'), '%s has no parameters', activation.name)
  end
  if #names == 0 then return nil end
  if beta ~= nil and list ~= nil then
    self:fail(inside(path, 'parameters'), 'beta and parameters say the same: give one of them')
  end
  if list == nil or list == 'runtime' then
    if beta == nil or beta == 'runtime' then return self:carried(activation, 'runtime', path) end
    local at = inside(path, 'beta')
    return self:carried(activation, { self:parameter('beta', beta, at) }, at)
  end
  local at = inside(path, 'parameters')
  if not self.is_table(list) then
    self:fail(at, 'parameters must be a table such as { %s = 1.5 } or "runtime", not %s', names[1],
      self.described(list))
  end
  self:fields(at, list, names, 'parameters: ')
  local values = {}
  for i, name in ipairs(names) do
    if list[name] == nil then
      self:fail(at, 'parameters: %s is missing: fix all of them, or none', name)
    end
    values[i] = self:parameter(name, list[name], inside(at, name))
  end
  return self:carried(activation, values, at)
end

return M
