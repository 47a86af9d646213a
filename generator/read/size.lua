--- Sizes: integers, or rules that wait for d_model, as `d_model * 8 // 3` in a spec.
local record = require 'common.record'
local sandbox = require 'read.sandbox'

local M = { max = 1 << 20 }

local max_rule = 100 -- operations in a size rule

local size_meta = { __metatable = false }

function size_meta.__index() error('a size rule has no fields', 0) end
function size_meta.__newindex() error('a size rule has no fields', 0) end

--- What each size rule is: kept here, since a spec can set the fields of a table that it holds.
---@type table<table, { of: fun(d_model: integer): integer, operations: integer }>
local rules = setmetatable({}, { __mode = 'k' })

--- A size that waits for d_model. `operations` bounds its evaluation: a rule that is doubled in a
--- loop would take forever.
local function size(rule, operations)
  local waiting = setmetatable({}, size_meta)
  rules[waiting] = { of = rule, operations = operations or 0 }
  return waiting
end

local function is_size(v) return rules[v] ~= nil end
M.is = is_size

local function resolve(v, d_model)
  if is_size(v) then return rules[v].of(d_model) end
  return v
end

--- The name of a value's type, for messages.
local function type_name(v)
  if is_size(v) then return 'size rule' end
  return math.type(v) or type(v)
end

M.type_name = type_name

local function size_operation(event, operate)
  size_meta[event] = function(a, b)
    local operations = 1 + (is_size(a) and rules[a].operations or 0)
      + (is_size(b) and rules[b].operations or 0)
    if operations > max_rule then error('a size rule of too many operations', 0) end
    return size(function(d_model)
      local x, y = resolve(a, d_model), resolve(b, d_model)
      local wrong = type_name(x) ~= 'integer' and type_name(x) or type_name(y)
      if wrong ~= 'integer' then
        error(string.format('a size rule works on integers only, not on %s',
          wrong == 'nil' and 'nil' or 'a ' .. wrong), 0)
      end
      -- In floats first: they tell of an overflow, where integers wrap around.
      if math.abs(operate(x + 0.0, y + 0.0)) >= 2^53 then
        error(string.format('a size rule goes beyond all sizes: %d and %d', x, y), 0)
      end
      return operate(x, y)
    end, operations)
  end
end
size_operation('__add', function(x, y) return x + y end)
size_operation('__sub', function(x, y) return x - y end)
size_operation('__mul', function(x, y) return x * y end)
size_operation('__idiv', function(x, y)
  if y == 0 then error('a size rule divides by zero', 0) end
  return x // y
end)
size_meta.__div = function() error('a size is an integer: divide with //, not /', 0) end

for _, event in ipairs { '__mod', '__pow', '__unm', '__band', '__bor', '__bxor', '__shl', '__shr',
  '__bnot', '__concat', '__len', '__lt', '__le', '__call' } do
  size_meta[event] = function()
    error('a size rule is made with +, -, * and // alone: d_model is not known yet', 0)
  end
end

--- The Llama rule: multiple_of * ceil(int(8 d / 3) / multiple_of), with an optional multiplier
--- before the rounding (Llama 3). Its options are judged when d_model is known.
local function llama_d_ff(options)
  return size(function(d_model)
    -- Strings have no methods where rules run: the sentence is made behind the limits.
    local function refuse(field, sentence)
      error({ field = field, sentence = sentence }, 0)
    end
    if type(options) ~= 'table' or is_size(options) then
      refuse(nil, function() return 'takes a table: llama_d_ff { multiple_of = 256 }' end)
    end
    local known = { multiple_of = 256, ffn_dim_multiplier = 1 }
    for _, key in ipairs(record.sorted_keys(options)) do
      if not known[key] then
        refuse(key, function()
          return ('unknown field "%s"%s'):format(record.shown(key),
            record.suggest(record.shown(key), record.sorted_keys(known)))
        end)
      end
      known[key] = options[key]
    end
    local multiple_of, multiplier = known.multiple_of, known.ffn_dim_multiplier
    if math.type(multiple_of) ~= 'integer' or multiple_of < 1 or multiple_of > M.max then
      refuse('multiple_of', function()
        return ('multiple_of must be an integer from 1 to %d, not %s'):format(M.max,
          record.shown(multiple_of))
      end)
    end
    if type(multiplier) ~= 'number' or not (multiplier > 0 and multiplier <= 1024) then
      refuse('ffn_dim_multiplier', function()
        return ('ffn_dim_multiplier must be a number above 0, at most 1024, not %s'):format(
          record.shown(multiplier))
      end)
    end
    local hidden = math.floor(multiplier * (8 * d_model // 3))
    return (hidden + multiple_of - 1) // multiple_of * multiple_of
  end)
end

--- What makes sizes in a spec, new for each file. d_model is the rule that every other starts from.
function M.scope()
  return { llama_d_ff = llama_d_ff, d_model = size(function(d_model) return d_model end) }
end

--- The number that a rule comes to, or what was thrown: under the limits of a spec, whose tables it
--- looks at.
---@return integer|nil
---@return any problem
function M.of(v, d_model)
  local number
  local problem = sandbox.run(function() number = resolve(v, d_model) end)
  return number, problem
end

return M
