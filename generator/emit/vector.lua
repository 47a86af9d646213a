--- Vector code in ISA words: an activation written once becomes C for any instruction set.
---
--- A builder `v` offers the words below; each returns a node and writes one C statement. The bits
--- of the result must not depend on a compiler's habit to fuse `a * b + c`, so a product must
--- never reach an addition: the builder refuses it, and fma() says it explicitly. Nor must a minus
--- reach a sum: gcc, and clang for AArch64, make one with a fused multiply-add, whose terms change
--- their signs, and where they cancel it is the other zero. So neg() of a sum changes a bit of an
--- integer, the word `flip`.
local constants = require 'emit.constants'
local derive = require 'activation.graph.derive'
local gaps = require 'emit.gaps'
local lists = require 'common.list'
local reading = require 'emit.reading'
local texts = require 'common.text'

local M = {}

--- Words, cut at their arguments `$1`, `$2`.
local cut_words = {}

--- The C text of a word: `$1`, `$2` are its arguments.
---@param isa table
---@param word string
function M.word(isa, word, ...)
  local pattern = isa.words[word]
  if not pattern then error(('isa %s has no word "%s"'):format(isa.name, word), 2) end
  cut_words[pattern] = cut_words[pattern] or gaps.cut(pattern, '%$(%d)')
  local arguments = { ... }
  return gaps.filled(cut_words[pattern], function(i)
    return arguments[tonumber(i)] or error(('word %s lacks argument %s'):format(word, i))
  end)
end

---@class Node
---@field kind string       f: a vector of floats, i: of 32-bit integers
---@field op string
---@field at integer|nil    of its statement
---@field id integer|nil    of its value: the same of the same word with the same operands
---@field code string|nil   its expression in C
---@field text string|nil   the name of its temporary, or a constant
---@field product boolean|nil a bare product may reach it
---@field fused boolean|nil  a fused multiply-add may reach it
---@field sum boolean|nil    that or an addition may

--- Float words by their number of operands; integer words of two operands, and of one and a shift.
local float_words = {
  { 'abs', 'neg', 'sqrt' }, { 'add', 'sub', 'mul', 'div', 'at_least', 'at_most' },
  { 'fma', 'fnma' }, { 'select_lt' },
}
local integer_words = { 'iadd', 'isub', 'iand', 'ior' }
local shifts = { 'sar', 'shl', 'shr' }

--- What lets a bare product through: mul itself, what only chooses among products, and a division,
--- which a compiler drops where the divisor is 1.
local passes = {
  neg = true, abs = true, at_least = true, at_most = true, select_lt = true, div = true,
}

local function is_product(op, operands)
  local product = op == 'mul'
  for _, operand in ipairs(passes[op] and operands or {}) do
    product = product or operand.product or false
  end
  return product
end

local fused_sums = { fma = true, fnma = true }
local sums = { add = true, sub = true, fma = true, fnma = true }

--- Whether one of some sums may reach a node, which says so in a field: a compiler drops a factor
--- or divisor of 1.
local function is_reached(op, operands, from, field)
  local reached = from[op] or false
  for i, operand in ipairs((passes[op] or op == 'mul') and operands or {}) do
    local kept = op == 'div' and (i == 2 or operands[2].at)
    reached = reached or not kept and operand[field] or false
  end
  return reached
end

--- Complains of operands that a word does not take. Errors are the caller's caller's.
local function want(op, count, kind, operands)
  if operands.n ~= count then
    error(('%s takes %d operands, not %d'):format(op, count, operands.n), 4)
  end
  for i = 1, count do
    local node = operands[i]
    if type(node) ~= 'table' or node.kind ~= kind then
      error(('%s: operand %d must be a%s vector')
        :format(op, i, kind == 'f' and ' float' or 'n integer'), 4)
    end
    if (op == 'add' or op == 'sub') and node.product then
      error(('%s of a product: a compiler may fuse it; write fma or fnma'):format(op), 4)
    end
  end
end

--- An assignment of at most 100 columns inside of a function.
local function assignment(what, code)
  return texts.fold(('%s = %s;'):format(what, code), 98)
end

local function declaration(vec, name, code)
  return assignment(('const %s %s'):format(vec, name), code)
end

--- The statements of a function under construction.
---@class Statements
local Statements = {}
Statements.__index = Statements

--- A name that is not taken.
function Statements:unused(name)
  local unused, n = name, self.last[name] or 1
  while self.names[unused] do
    n = n + 1
    unused = name .. '_' .. n
  end
  self.names[unused], self.last[name] = true, n
  return unused
end

--- Gives a node its C statement, late, so that let() can still name it.
function Statements:name(node, name)
  if not node.text then
    if node.at <= self.taken then error(node.op .. ': its statements are taken already', 4) end
    node.text = self:unused(name) .. self.suffix
    self.made[node.id].named = true
    self[node.at] = declaration(node.kind == 'f' and self.isa.vec or self.isa.ivec, node.text,
      node.code)
  end
  return node.text
end

---@return Node
function Statements:make(kind, op, operands)
  local arguments, key = {}, { op }
  for i, a in ipairs(operands) do
    key[i + 1] = type(a) == 'table' and (a.id or a.text) or tostring(a)
    arguments[i] = type(a) == 'table' and (self.inline and (a.text or a.code) or self:name(a, 't'))
      or tostring(a)
  end
  self[#self + 1], self.used[op] = '', true
  local value = table.concat(key, ' ')
  if not self.ids[value] then
    self.made[#self.made + 1] = { op = op, named = false }
    self.ids[value] = #self.made
  end
  return { kind = kind, op = op, at = #self, id = self.ids[value],
    code = M.word(self.isa, op, table.unpack(arguments)) }
end

--- Words of floats and of integers.
local function add_words(v, statements)
  for count, ops in ipairs(float_words) do
    for _, op in ipairs(ops) do
      v[op] = function(...)
        local operands = table.pack(...)
        want(op, count, 'f', operands)
        local sign = op == 'neg' and operands[1].sum
        local node = statements:make('f', sign and 'flip' or op, operands)
        node.product = is_product(op, operands)
        node.fused = is_reached(op, operands, fused_sums, 'fused')
        node.sum = is_reached(op, operands, sums, 'sum')
        return node
      end
    end
  end
  for _, op in ipairs(integer_words) do
    v[op] = function(...)
      local operands = table.pack(...)
      want(op, 2, 'i', operands)
      return statements:make('i', op, operands)
    end
  end
  for _, op in ipairs(shifts) do
    v[op] = function(a, shift)
      want(op, 1, 'i', table.pack(a))
      if math.type(shift) ~= 'integer' or shift < 1 or shift > 31 then
        error(('%s: the shift is an integer from 1 to 31, not %s'):format(op, tostring(shift)), 2)
      end
      return statements:make('i', op, { a, shift })
    end
  end
end

--- Words between floats and integers.
local function add_conversions(v, statements)
  function v.bits(...)
    want('bits', 1, 'f', table.pack(...))
    return statements:make('i', 'bits', { ... })
  end

  function v.from_bits(...)
    want('from_bits', 1, 'i', table.pack(...))
    return statements:make('f', 'from_bits', { ... })
  end

  --- The upper four bits of each byte of a lane.
  function v.high_nibbles(...)
    want('high_nibbles', 1, 'i', table.pack(...))
    if statements.isa.words.high_nibbles then
      return statements:make('i', 'high_nibbles', { ... })
    end
    return v.iand(v.shr((...), 4), v.iconst(0x0f0f0f0f))
  end

  --- 2^n for -126 <= n <= 127.
  function v.pow2(...)
    want('pow2', 1, 'i', table.pack(...))
    local biased = v.let('biased', v.iadd((...), v.iconstant('exponent_of_1', 127,
      'in the bits of 1, above 23 of its mantissa')))
    return v.from_bits(v.let('exponent', v.shl(biased, 23)))
  end
end

--- The minus of fnma() goes to the factor that comes first, unless it is fused itself.
local function place_minus(v)
  local fnma = v.fnma
  function v.fnma(...)
    local a, b, c = ...
    want('fnma', 3, 'f', table.pack(...))
    if not a.fused then return fnma(a, b, c) end
    if not b.fused then return fnma(b, a, c) end
    return v.fma(v.neg(a), b, c)
  end
end

--- A word of an arithmetic: what it gives, a kind, and takes, one of each argument. An argument may
--- be a function that gives it: nothing calls that where the text of the word does not take it.
local function add_further_words(v, statements)
  ---@param name string
  ---@param said ArithmeticWord
  function v.add_word(name, said, called)
    called = called or name
    v[name] = function(...)
      local operands = { ... }
      for i, kind in ipairs(said.takes) do
        if type(operands[i]) == 'function' then
          operands[i] = statements.isa.arguments[called][i] and operands[i]()
            or { kind = kind, text = '' }
        end
        want(name, 1, kind, table.pack(operands[i]))
      end
      return statements:make(said.gives, called, operands)
    end
  end
end

---@param isa table
---@param suffix string|nil  of every name
---@param inline boolean|nil  no statements: a node is an expression as often as it is used
---@param outer table<string, boolean>|nil  names that stand around, which none hides
---@return table v the builder; v.finish(node) gives the C expression of the result
function M.builder(isa, suffix, inline, outer)
  local statements = setmetatable({
    isa = isa, names = setmetatable({}, { __index = outer }), last = {}, suffix = suffix or '',
    inline = inline or false, taken = 0, used = {}, ids = {}, made = {}, constants = {},
    declared = {},
  }, Statements)
  local v = {}
  add_words(v, statements)
  place_minus(v)
  add_conversions(v, statements)
  constants.add(v, statements, function(...) return M.word(isa, ...) end)
  reading.add(v, statements, want)
  add_further_words(v, statements)

  --- Names the temporary of a node in the C text, where there are any.
  function v.let(name, node)
    if not statements.inline then statements:name(node, name) end
    return node
  end

  --- A function argument.
  function v.argument(name)
    statements.names[name] = true
    return { kind = 'f', op = 'argument', text = name }
  end

  --- A builder of what stands in a scope inside of this one's, with names of its own.
  function v.inner() return M.builder(isa, suffix, inline, statements.names) end

  --- The statements since the last ones that were taken: those that follow may stand in a scope
  --- inside of theirs. Nodes that are still needed have names by then.
  ---@return string[]
  function v.take()
    local taken = v.declarations()
    for i = statements.taken + 1, #statements do
      if statements[i] ~= '' then taken[#taken + 1] = statements[i] end
    end
    statements.taken = #statements
    return taken
  end

  --- The statements so far, and the result's expression.
  function v.statements(node)
    want('finish', 1, 'f', table.pack(node))
    return v.take(), node.text or node.code
  end

  --- The words that were used: some want a function (word_helpers).
  ---@return table<string, boolean>
  function v.words() return statements.used end

  --- The word of each value, of several that are the same once, and whether it has a name: others
  --- are in no statement.
  ---@return { op: string, named: boolean }[]
  function v.made() return statements.made end

  --- The same as a function body; further results go where arguments point: { name of the pointer,
  --- node } each.
  function v.finish(node, further)
    local body, result = v.statements(node)
    for _, more in ipairs(further or {}) do
      want('finish', 1, 'f', table.pack(more[2]))
      body[#body + 1] = assignment('*' .. more[1], more[2].text or more[2].code)
    end
    body[#body + 1] = ('return %s;'):format(result)
    return table.concat(body, '\n')
  end

  return v
end

--- The C name of a parameter.
function M.parameter_name(name) return 'p_' .. name end

--- Where a derivative goes in C: by x, up or a parameter.
function M.derivative_name(name) return 'by_' .. name end

--- A builder, and the arguments of an activation in it.
local function arguments_of(isa, activation, suffix)
  local v, parameters = M.builder(isa, suffix), {}
  local x = v.argument('x' .. (suffix or ''))
  local up = activation.both and v.argument('up' .. (suffix or '')) or nil
  for _, name in ipairs(activation.parameters) do
    parameters[name] = v.argument(M.parameter_name(name))
  end
  return v, x, up, parameters
end

--- The body of a C function `vec name(vec x[, vec up][, vec p_beta ...])` for an activation.
---@param isa table
---@param activation table
function M.body(isa, activation)
  local v, x, up, parameters = arguments_of(isa, activation)
  return v.finish((activation.vector(v, x, up, parameters)))
end

--- The body of `vec name(vec x_a[, vec up_a], vec x_b[, vec up_b][, vec p_beta ...], vec *second)`:
--- the activation of two vectors, statement by statement. One vector's statements wait for each
--- other for longer than a core looks ahead for those of the next.
---@param isa table
---@param activation table
function M.pair_body(isa, activation)
  local bodies, results = {}, {}
  local lines
  for i, suffix in ipairs { '_a', '_b' } do
    local v, x, up, parameters = arguments_of(isa, activation, suffix)
    local result = activation.vector(v, x, up, parameters)
    lines = v.declarations() -- both have the same
    bodies[i], results[i] = v.statements(result)
  end
  for i, statement in ipairs(bodies[1]) do lists.append(lines, { statement, bodies[2][i] }) end
  lines[#lines + 1] = assignment('*second', results[2])
  lines[#lines + 1] = ('return %s;'):format(results[1])
  return table.concat(lines, '\n')
end

--- The body of `vec name(..., vec *by_x[, vec *by_up][, vec *by_beta ...])`: the activation, and
--- its derivatives.
---@param isa table
---@param activation table
function M.gradient_body(isa, activation)
  local v, x, up, parameters = arguments_of(isa, activation)
  local names, further = derive.variables(activation.both, activation.parameters), {}
  for _, name in ipairs(names) do v.argument(M.derivative_name(name)) end
  local value, by = activation.gradient(v, x, up, parameters)
  for i, name in ipairs(names) do further[i] = { M.derivative_name(name), by[name] } end
  return v.finish(value, further)
end

return M
