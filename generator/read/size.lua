--- Sizes: integers, or rules that wait for d_model, as `d_model * 8 // 3` in a spec.
local record = require 'common.record'

local M = { max = 1 << 20 }

local max_rule = 100 -- operations in a size rule

local size_meta = {}

--- A size that waits for d_model. `operations` bounds its evaluation: a rule that is doubled in a
--- loop would take forever.
local function size(rule, operations)
  return setmetatable({ rule = rule, operations = operations or 0 }, size_meta)
end

local function is_size(v) return getmetatable(v) == size_meta end
M.is = is_size

local function resolve(v, d_model)
  if is_size(v) then return v.rule(d_model) end
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
    local operations = 1 + (is_size(a) and a.operations or 0) + (is_size(b) and b.operations or 0)
    if operations > max_rule then error('a size rule of too many operations', 0) end
    return size(function(d_model)
      local x, y = resolve(a, d_model), resolve(b, d_model)
      if math.type(x) ~= 'integer' or math.type(y) ~= 'integer' then
        error(('a size rule works on integers only, not on a %s'):format(
          type_name(math.type(x) == 'integer' and y or x)), 0)
      end
      -- In floats first: they tell of an overflow, where integers wrap around.
      if math.abs(operate(x + 0.0, y + 0.0)) >= 2^53 then
        error(('a size rule goes beyond all sizes: %d and %d'):format(x, y), 0)
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

--- The Llama rule: multiple_of * ceil(int(8 d / 3) / multiple_of), with an optional multiplier
--- before the rounding (Llama 3). Its options are judged when d_model is known.
function M.llama_d_ff(options)
  return size(function(d_model)
    local function refuse(field, message, ...)
      error({ field = field, message = 'llama_d_ff: ' .. message:format(...) }, 0)
    end
    if type(options) ~= 'table' or is_size(options) then
      refuse(nil, 'takes a table: llama_d_ff { multiple_of = 256 }')
    end
    local known = { multiple_of = 256, ffn_dim_multiplier = 1 }
    for _, key in ipairs(record.sorted_keys(options)) do
      if not known[key] then
        refuse(key, 'unknown field "%s"%s', record.shown(key),
          record.suggest(tostring(key), record.sorted_keys(known)))
      end
      known[key] = options[key]
    end
    local multiple_of, multiplier = known.multiple_of, known.ffn_dim_multiplier
    if math.type(multiple_of) ~= 'integer' or multiple_of < 1 or multiple_of > M.max then
      refuse('multiple_of', 'multiple_of must be an integer from 1 to %d, not %s', M.max,
        record.shown(multiple_of))
    end
    if type(multiplier) ~= 'number' or not (multiplier > 0 and multiplier <= 1024) then
      refuse('ffn_dim_multiplier', 'ffn_dim_multiplier must be a number above 0, at most 1024, '
        .. 'not %s', record.shown(multiplier))
    end
    local hidden = math.floor(multiplier * (8 * d_model // 3))
    return (hidden + multiple_of - 1) // multiple_of * multiple_of
  end)
end

--- The d_model of a spec: the rule that every other starts from.
M.d_model = size(function(d_model) return d_model end)

return M
