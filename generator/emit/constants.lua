--- Words of the builder `v` for constants: those that say themselves, and those that have a name
--- and a line of why, which are declared in front of all statements.
local numbers = require 'common.number'
local texts = require 'common.text'

local M = {}

--- From here on an integer is a pattern of bits, which is said in hexadecimal digits.
local least_pattern = 1000

--- The text of an integer, which is one of 32 bits.
local function integer(word, x)
  if math.type(x) ~= 'integer' or x < -0x7fffffff or x > 0x7fffffff then
    error(('%s takes an integer of 32 bits, not %s'):format(word, tostring(x)), 3)
  end
  return (x < least_pattern and '%d' or x < 0x10000 and '0x%x' or '0x%08x'):format(x)
end

--- Adds the words to a builder.
---@param v table
---@param statements Statements
---@param word fun(name: string, argument: string|nil): string  of the instruction set
function M.add(v, statements, word)
  local function node(kind, text)
    return { kind = kind, op = 'const', text = word(kind == 'f' and 'splat' or 'isplat', text) }
  end

  --- Constants of one type with a line of why; each name and value once in a function.
  local function declared(kind, list, why)
    local parts, nodes, known = {}, {}, statements.declared
    for i, one in ipairs(list) do
      local key = ('%s = %s'):format(one.name, one.text)
      if not statements.inline and not known[key] then
        known[key] = statements:unused(one.name)
        parts[#parts + 1] = ('%s = %s'):format(known[key], one.text)
      end
      nodes[i] = node(kind, known[key] or one.text)
    end
    if #parts > 0 then
      parts = texts.closed(parts, ';')
      parts[1] = ('const %s %s'):format(kind == 'f' and 'float' or 'int32_t', parts[1])
      local lines = texts.lines(parts, 94)
      local beside = #lines == 1 and #lines[1] + #why + 7 <= 98
      table.insert(statements.constants, beside and ('%s /* %s */'):format(lines[1], why)
        or ('/* %s */\n%s'):format(why, table.concat(lines, '\n    ')))
    end
    return nodes
  end

  function v.const(x) return node('f', numbers.float_literal(x)) end

  --- What a sum begins with.
  function v.zero() return { kind = 'f', op = 'const', text = word 'zero' } end

  function v.iconst(x) return node('i', integer('iconst', x)) end

  --- Bits that are kept of an integer: a pattern, however small it is.
  function v.mask(x)
    integer('mask', x)
    return node('i', (x < 0x10000 and '0x%02x' or '0x%08x'):format(x))
  end

  --- A constant with a name.
  ---@param why string
  function v.constant(name, x, why)
    return declared('f', { { name = name, text = numbers.float_literal(x) } }, why)[1]
  end

  function v.iconstant(name, x, why)
    return declared('i', { { name = name, text = integer('iconstant', x) } }, why)[1]
  end

  --- Coefficients of a polynomial, from that of x^first on.
  ---@param c number[]
  ---@return Node[]
  function v.coefficients(name, c, first, why)
    local list = {}
    for i, x in ipairs(c) do
      list[i] = { name = ('%s%d'):format(name, first + i - 1), text = numbers.float_literal(x) }
    end
    return declared('f', list, why)
  end

  --- The declarations of those since the last ones that were taken.
  ---@return string[]
  function v.declarations()
    local list = statements.constants
    statements.constants = {}
    return list
  end
end

return M
