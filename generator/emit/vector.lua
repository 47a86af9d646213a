--- Vector code in ISA words: an activation written once becomes C for any instruction set.
---
--- A builder `v` offers the words below; each returns a node and writes one C statement. The bits
--- of the result must not depend on a compiler's habit to fuse `a * b + c`, so a product must
--- never reach an addition: the builder refuses it, and fma() says it explicitly.
local number_text = require 'common.number'

local M = {}

--- The C text of a word: `$1`, `$2` are its arguments.
---@param isa table
---@param word string
function M.word(isa, word, ...)
  local pattern = isa.words[word]
  if not pattern then error(('isa %s has no word "%s"'):format(isa.name, word), 2) end
  local arguments = { ... }
  return (pattern:gsub('%$(%d)', function(i)
    return arguments[tonumber(i)] or error(('word %s lacks argument %s'):format(word, i))
  end))
end

local float_literal = number_text.float_literal
M.float_literal = float_literal

---@param isa table
---@return table v the builder; v.finish(node) gives the C expression of the result
function M.builder(isa)
  local v, statements, names = {}, {}, {}

  local function fresh(name)
    local unused, n = name, 1
    while names[unused] do
      n = n + 1
      unused = name .. '_' .. n
    end
    names[unused] = true
    return unused
  end

  --- Gives a node its C statement, late, so that let() can still name it.
  local function text(node)
    if not node.text then
      node.text = fresh('t')
      statements[node.at] = ('const %s %s = %s;')
        :format(node.kind == 'f' and isa.vec or isa.ivec, node.text, node.code)
    end
    return node.text
  end

  local function make(kind, op, ...)
    local arguments = {}
    for i = 1, select('#', ...) do
      local a = select(i, ...)
      arguments[i] = type(a) == 'table' and text(a) or tostring(a)
    end
    statements[#statements + 1] = ''
    return { kind = kind, op = op, at = #statements,
      code = M.word(isa, op, table.unpack(arguments)) }
  end

  --- Whether a node may be a bare product: mul itself, what only chooses among products, and a
  --- division, which a compiler drops where the divisor is 1.
  local passes = {
    neg = true, abs = true, at_least = true, at_most = true, select_lt = true, div = true,
  }
  local function mark(node, ...)
    node.product = node.op == 'mul'
    if passes[node.op] then
      for i = 1, select('#', ...) do
        node.product = node.product or (select(i, ...)).product or false
      end
    end
    return node
  end

  local function want(op, count, kind, ...)
    if select('#', ...) ~= count then
      error(('%s takes %d operands, not %d'):format(op, count, select('#', ...)), 3)
    end
    for i = 1, count do
      local node = select(i, ...)
      if type(node) ~= 'table' or node.kind ~= kind then
        error(('%s: operand %d must be a%s vector')
          :format(op, i, kind == 'f' and ' float' or 'n integer'), 3)
      end
      if (op == 'add' or op == 'sub') and node.product then
        error(('%s of a product: a compiler may fuse it; write fma or fnma'):format(op), 3)
      end
    end
  end

  local function float_word(op, count)
    v[op] = function(...)
      want(op, count, 'f', ...)
      return mark(make('f', op, ...), ...)
    end
  end
  for count, ops in ipairs {
    { 'abs', 'neg' }, { 'add', 'sub', 'mul', 'div', 'at_least', 'at_most' }, { 'fma', 'fnma' },
    { 'select_lt' },
  } do
    for _, op in ipairs(ops) do float_word(op, count) end
  end
  local function integer_word(op)
    v[op] = function(...)
      want(op, 2, 'i', ...)
      return make('i', op, ...)
    end
  end
  for _, op in ipairs { 'iadd', 'isub' } do integer_word(op) end

  function v.sar(a, shift)
    want('sar', 1, 'i', a)
    if math.type(shift) ~= 'integer' or shift < 1 or shift > 31 then
      error(('sar: the shift is an integer from 1 to 31, not %s'):format(tostring(shift)), 2)
    end
    return make('i', 'sar', a, shift)
  end

  function v.bits(...)
    want('bits', 1, 'f', ...)
    return make('i', 'bits', ...)
  end

  function v.pow2(...)
    want('pow2', 1, 'i', ...)
    return make('f', 'pow2', ...)
  end

  function v.const(number)
    return { kind = 'f', op = 'const', text = M.word(isa, 'splat', float_literal(number)) }
  end

  function v.iconst(number)
    if math.type(number) ~= 'integer' or number < -0x7fffffff or number > 0x7fffffff then
      error(('iconst takes an integer of 32 bits, not %s'):format(tostring(number)), 2)
    end
    return { kind = 'i', op = 'const', text = M.word(isa, 'isplat', ('%d'):format(number)) }
  end

  --- Names the temporary of a node in the C text.
  function v.let(name, node)
    if not node.text then
      node.text = fresh(name)
      statements[node.at] = ('const %s %s = %s;')
        :format(node.kind == 'f' and isa.vec or isa.ivec, node.text, node.code)
    end
    return node
  end

  --- A function argument.
  function v.argument(name)
    names[name] = 1
    return { kind = 'f', op = 'argument', text = name }
  end

  --- The statements so far, and the result's expression, as a function body.
  function v.finish(node)
    want('finish', 1, 'f', node)
    local body = {}
    for _, statement in ipairs(statements) do
      if statement ~= '' then body[#body + 1] = statement end
    end
    body[#body + 1] = ('return %s;'):format(node.text or node.code)
    return table.concat(body, '\n')
  end

  return v
end

--- The body of a C function `vec name(vec x[, vec beta])` for an activation.
---@param isa table
---@param activation table
function M.body(isa, activation)
  local v = M.builder(isa)
  local x = v.argument('x')
  local beta = activation.parameter and v.argument(activation.parameter) or nil
  return v.finish(activation.vector(v, x, beta))
end

return M
