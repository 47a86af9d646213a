--- Vector code: the words of every instruction set, and what the builder refuses.
local unit = require 'luaunit'
local numbers = require 'common.number'
local vector = require 'emit.vector'
local isas = require 'isa'
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local primitives = require 'activation.graph.primitives'
local support = require 'support'

--- The words that activations, weight formats, templates and emit/ use, with their operands.
local operands = {
  zero = 0, splat = 1, splat_at = 1, load = 1, loadu = 1, store = 2, storeu = 2, store_tail = 3,
  store_u32 = 2,
  add = 2, sub = 2, mul = 2, div = 2, fma = 3, fnma = 3, abs = 1, neg = 1, sqrt = 1, at_least = 2,
  at_most = 2, select_lt = 4, isplat = 1, bits = 1, from_bits = 1, iadd = 2, isub = 2, sar = 2,
  shl = 2, flip = 1, iand = 2, ior = 2, shr = 2, shr_by = 2, from_int = 1, load_u16 = 1,
  load_u8 = 1, load_u32 = 1, load_f16 = 1, load_f8 = 1,
  from_e2m1 = 2, from_iq4 = 2,
}

TestIsas = {}

function TestIsas.test_words()
  unit.assertTrue(#isas.names >= 4)
  for _, name in ipairs(isas.names) do
    local isa = isas.by_name[name]
    unit.assertEquals(isa.name, name)
    for word, count in pairs(operands) do
      local pattern = isa.words[word]
      unit.assertEquals(type(pattern), 'string', name .. ' ' .. word)
      local most, used = 0, {}
      for i in pattern:gmatch('%$(%d)') do
        most = math.max(most, tonumber(i))
        used[tonumber(i)] = true
      end
      unit.assertTrue(most <= count,
        ('%s %s has $%d of %d operands'):format(name, word, most, count))
      -- A tail of one lane needs no count; nothing else may ignore what it is given.
      for i = 1, count do
        if not (word == 'store_tail' and i == 3 and isa.lanes == 1) then
          unit.assertTrue(used[i] ~= nil, ('%s %s ignores $%d'):format(name, word, i))
        end
      end
      local arguments = {}
      for i = 1, count do arguments[i] = ('<%d>'):format(i) end
      local text = vector.word(isa, word, table.unpack(arguments))
      unit.assertNil(text:find('$', 1, true), text)
      for i = 1, #arguments do
        if used[i] then support.assert_has(text, arguments[i], name .. ' ' .. word) end
      end
      unit.assertEquals(select(2, text:gsub('[(]', '')), select(2, text:gsub('[)]', '')), text)
      if most > 0 then
        unit.assertErrorMsgContains('lacks argument', vector.word, isa, word)
      end
    end
    -- And no word that neither this list knows nor an arithmetic, which the instruction set has.
    local known = { high_nibbles = true } -- in place of a shift and an AND
    for arithmetic in pairs(isa.arithmetic) do
      for word in pairs(arithmetics.by_name[arithmetic].words) do
        known[word], known[word .. '_at'] = true, true -- the latter reads from memory
        unit.assertNotNil(isa.words[word] or isa.words[word .. '_at'], name .. ': ' .. word)
      end
    end
    for word in pairs(isa.words) do
      unit.assertTrue(operands[word] ~= nil or known[word] or false, name .. ': ' .. word)
    end
    unit.assertErrorMsgContains('isa ' .. name .. ' has no word "fmaa"', vector.word, isa, 'fmaa')
  end
end

--- The facts that plans rest on.
function TestIsas.test_facts()
  local known = {
    c = { 1, 66, false }, neon = { 4, 32, true }, avx2 = { 8, 16, true },
    avx512 = { 16, 32, true }, wasm = { 4, 32, false },
  }
  for _, name in ipairs(isas.names) do
    local isa = isas.by_name[name]
    if known[name] then
      unit.assertEquals({ isa.lanes, isa.files.vector, isa.fused }, known[name], name)
    end
    unit.assertEquals(16 % isa.lanes, 0, name)
    for _, field in ipairs {
      'title', 'arch', 'include', 'target', 'vec', 'ivec', 'helpers', 'store_tail',
      'turn', 'turn_in', 'turn_out', 'dots',
    } do
      unit.assertEquals(type(isa[field]), 'string', name .. ' ' .. field)
    end
  end
end

--- Templates, emit/ and weight formats use no word that is not in the list.
function TestIsas.test_used_words()
  local count = 0
  for _, folder in ipairs { 'generator/emit', 'generator/weights', 'templates' } do
    for path, text in pairs(support.snapshot(support.project .. '/' .. folder)) do
      for _, pattern in ipairs { "%f[%w_]word%('([%w_]+)'", "word%(isa, '([%w_]+)'" } do
        for word in text:gmatch(pattern) do
          unit.assertNotNil(operands[word], path .. ': ' .. word)
          count = count + 1
        end
      end
      -- Templates say them by their own names, too, and refuse any other name.
      for expression in text:gmatch('%${(.-)}') do
        for word in expression:gmatch('%f[%w_]([%a_][%w_]*)%(') do
          count = count + (operands[word] and 1 or 0)
        end
      end
    end
  end
  unit.assertTrue(count >= 20, tostring(count))
end

TestBuilder = {}

function TestBuilder:setUp()
  self.v = vector.builder(isas.by_name.avx2)
  self.x, self.y = self.v.argument('x'), self.v.argument('y')
end

--- Every way to hand a product to an addition.
function TestBuilder:test_sum_of_a_product()
  local x, y = self.x, self.y
  local disguises = {
    plain = function(v) return v.mul(x, y) end,
    square = function(v) return v.mul(x, x) end,
    named = function(v) return v.let('p', v.mul(x, y)) end,
    negated = function(v) return v.neg(v.mul(x, y)) end,
    absolute = function(v) return v.abs(v.mul(x, y)) end,
    at_least = function(v) return v.at_least(v.mul(x, y), v.const(0)) end,
    at_least_second = function(v) return v.at_least(v.const(0), v.mul(x, y)) end,
    at_most = function(v) return v.at_most(v.mul(x, y), x) end,
    at_most_second = function(v) return v.at_most(x, v.mul(x, y)) end,
    selected = function(v) return v.select_lt(x, y, v.mul(x, y), x) end,
    selected_else = function(v) return v.select_lt(x, y, x, v.mul(x, y)) end,
    divided = function(v) return v.div(v.mul(x, y), v.const(1)) end,
    twice_negated = function(v) return v.neg(v.neg(v.mul(x, y))) end,
    product_of_products = function(v) return v.mul(v.mul(x, y), v.mul(x, y)) end,
    deep = function(v)
      return v.let('a', v.abs(v.let('b', v.neg(v.select_lt(x, y, y, v.at_most(v.at_least(
        v.let('c', v.mul(x, y)), x), y))))))
    end,
  }
  for name, disguise in pairs(disguises) do
    for _, op in ipairs { 'add', 'sub' } do
      for side = 1, 2 do
        local v = self.v
        local product = disguise(v)
        local ok, problem = pcall(v[op], side == 1 and product or x, side == 1 and x or product)
        local what = ('%s of %s on side %d'):format(op, name, side)
        unit.assertFalse(ok, what)
        unit.assertStrContains(problem, op .. ' of a product')
      end
    end
    -- Where nothing can be fused, products are welcome.
    local v = self.v
    v.mul(disguise(v), x)
    v.fma(disguise(v), x, y)
    v.fnma(x, disguise(v), y)
    v.div(x, disguise(v))
    v.bits(disguise(v))
  end
end

function TestBuilder:test_sum_of_anything_else()
  local v, x, y = self.v, self.x, self.y
  for _, node in ipairs {
    x, v.const(2), v.add(x, y), v.sub(x, y), v.fma(x, y, x), v.fnma(x, y, x), v.div(x, y),
    v.neg(x), v.abs(x), v.at_least(x, y), v.at_most(x, y), v.select_lt(x, y, x, y),
    v.select_lt(v.const(1), y, x, y), v.let('s', v.add(x, y)), v.pow2(v.bits(x)),
    v.fma(v.mul(x, y), y, x),
  } do
    unit.assertEquals(v.add(node, y).kind, 'f')
    unit.assertEquals(v.sub(x, node).kind, 'f')
  end
end

--- Floats are floats and integers integers, in every operand of every word.
function TestBuilder:test_kinds()
  local v, x = self.v, self.x
  local n = v.bits(x)
  for op, count in pairs { add = 2, sub = 2, mul = 2, div = 2, fma = 3, fnma = 3, abs = 1, neg = 1,
    at_least = 2, at_most = 2, select_lt = 4, bits = 1 } do
    for wrong = 1, count do
      for what, bad in pairs { integer = n, number = 1.5, text = 'x', ['a table'] = {} } do
        local arguments = {}
        for i = 1, count do arguments[i] = i == wrong and bad or x end
        local ok, problem = pcall(v[op], table.unpack(arguments))
        unit.assertFalse(ok, op .. ' of ' .. what)
        unit.assertStrContains(problem, ('%s: operand %d must be a float vector'):format(op, wrong))
      end
    end
  end
  for op, count in pairs { iadd = 2, isub = 2, pow2 = 1 } do
    for wrong = 1, count do
      for what, bad in pairs { float = x, number = 1, constant = v.const(1) } do
        local arguments = {}
        for i = 1, count do arguments[i] = i == wrong and bad or n end
        local ok, problem = pcall(v[op], table.unpack(arguments))
        unit.assertFalse(ok, op .. ' of ' .. what)
        unit.assertStrContains(problem,
          ('%s: operand %d must be an integer vector'):format(op, wrong))
      end
    end
  end
  unit.assertErrorMsgContains('sar: operand 1 must be an integer', v.sar, x, 1)
  unit.assertErrorMsgContains('finish: operand 1 must be a float', v.finish, n)
  unit.assertErrorMsgContains('finish: operand 1 must be a float', v.finish, nil)
  for _, shift in ipairs { 0, 32, -1, 1.0, '1', x } do
    unit.assertErrorMsgContains('from 1 to 31', v.sar, n, shift)
  end
  unit.assertEquals(v.sar(n, 31).kind, 'i')
end

function TestBuilder:test_number_of_operands()
  local v, x = self.v, self.x
  local n = v.bits(x)
  for op, count in pairs { add = 2, sub = 2, mul = 2, div = 2, fma = 3, fnma = 3, abs = 1, neg = 1,
    at_least = 2, at_most = 2, select_lt = 4, bits = 1, iadd = 2, isub = 2, pow2 = 1 } do
    local operand = (op == 'iadd' or op == 'isub' or op == 'pow2') and n or x
    for given = 0, 5 do
      local arguments = {}
      for i = 1, given do arguments[i] = operand end
      local ok, problem = pcall(v[op], table.unpack(arguments))
      unit.assertEquals(ok, given == count, op)
      if not ok then
        unit.assertStrContains(problem,
          ('%s takes %d operands, not %d'):format(op, count, given))
      end
    end
  end
end

function TestBuilder:test_constants()
  local v = self.v
  for _, number in ipairs { 0.1, 1 / 3, 16777217, 1e39, -1e39, 1e-46, 1 + 0x1p-24, math.pi,
    math.huge, -math.huge, 0 / 0 } do
    unit.assertErrorMsgContains('constant', v.const, number)
  end
  for _, bad in ipairs { '1', {}, true } do
    unit.assertErrorMsgContains('a constant is a finite number', v.const, bad)
  end
  unit.assertError(v.const, nil)
  for number, text in pairs {
    [0.0] = '0.0f', [1] = '1.0f', [-2] = '-2.0f', [0.5] = '0.5f', [16777216] = '16777216.0f',
    [0x1p-149] = '1e-45f', [0x1.fffffep+127] = '3.4028235e+38f', [0x1p-40] = '9.094947e-13f',
    [0x1.715476p+0] = '1.442695f',
  } do
    unit.assertEquals(numbers.float_literal(number), text)
  end
  unit.assertEquals(numbers.float_literal(-0.0), '-0.0f')
  for _, bad in ipairs { 1.5, 2.0, '1', 1 << 31, -(1 << 31), 1 << 40 } do
    unit.assertErrorMsgContains('iconst takes an integer', v.iconst, bad)
  end
  unit.assertEquals(v.iconst(-5).kind, 'i')
end

--- The shortest text that reads back as the same float, of any float.
function TestBuilder.test_literals_read_back()
  math.randomseed(3)
  for _ = 1, 5000 do
    local number = string.unpack('<f', string.pack('<I4', math.random(0, 0xffffffff)))
    if number == number and math.abs(number) < math.huge then
      local text = numbers.float_literal(number)
      unit.assertStrMatches(text, '%-?%d[%d.e+-]*f')
      unit.assertNotNil(text:find('[.e]'), text) -- 1f is no C
      local back = tonumber(text:sub(1, -2))
      unit.assertEquals(string.pack('<f', back), string.pack('<f', number), text)
      unit.assertTrue(#text <= 16, text)
    end
  end
end

--- Names are as asked for, and never given twice.
function TestBuilder:test_names()
  local v, x = self.v, self.x
  local a = v.let('a', v.add(x, x))
  local b = v.let('a', v.add(x, a))
  local c = v.let('t_2', v.sub(x, x))
  local result = v.add(v.add(v.add(a, b), c), v.sub(v.add(x, x), v.add(x, x)))
  local text = v.finish(v.let('x', result))
  local seen = { x = true, y = true }
  for name in text:gmatch('const __m256 ([%w_]+) =') do
    unit.assertNil(seen[name], name .. ' in ' .. text)
    seen[name] = true
  end
  unit.assertStrContains(text, 'const __m256 a = _mm256_add_ps(x, x);')
  unit.assertStrContains(text, 'const __m256 a_2 = _mm256_add_ps(x, a);')
  unit.assertStrMatches(text, '.*\nreturn x_2;')
  -- Every name is there before it is used.
  local known = { x = true, y = true }
  for line in text:gmatch('[^\n]+') do
    local name, expression = line:match('^const __m256 ([%w_]+) = (.*);$')
    for word in (expression or line:match('^return (.*);$')):gmatch('%f[%w_][%a][%w_]*') do
      unit.assertTrue(known[word] or word:match('^_?mm256') ~= nil, word .. ' in ' .. line)
    end
    if name then known[name] = true end
  end
end

--- Constants with a name are declared once, in front of all statements, with a line of why.
function TestBuilder:test_constants()
  local v, x = self.v, self.x
  local a = v.let('a', v.at_most(x, v.constant('limit', 2.5, 'where it ends')))
  local b = v.let('b', v.at_least(a, v.constant('limit', -2.5, 'where it begins')))
  local again = v.constant('limit', 2.5, 'where it ends')
  local n = v.from_bits(v.iand(v.bits(b), v.iconstant('mask', 0xff, 'the lowest bits')))
  local c = v.coefficients('c', { 1.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125,
    0.00390625 }, 2, 'a curve')
  unit.assertEquals(#c, 8)
  local text = v.finish(v.fma(v.at_least(n, again), c[1], c[8]))
  local before = text:match '^(.-)\nconst __m256'
  unit.assertEquals(before, table.concat({
    'const float limit = 2.5f; /* where it ends */',
    'const float limit_2 = -2.5f; /* where it begins */',
    'const int32_t mask = 255; /* the lowest bits */',
    '/* a curve */',
    'const float c2 = 1.5f, c3 = 0.25f, c4 = 0.125f, c5 = 0.0625f, c6 = 0.03125f, c7 = 0.015625f,',
    '    c8 = 0.0078125f, c9 = 0.00390625f;',
  }, '\n'))
  unit.assertStrContains(text, '_mm256_set1_ps(limit)')
  unit.assertStrContains(text, '_mm256_set1_epi32(mask)')
  for _, bad in ipairs { 0.5, 1 << 40 } do
    unit.assertErrorMsgContains('iconstant takes an integer', v.iconstant, 'bad', bad, 'bad')
  end
  -- Two vectors in lockstep have the same.
  local pair = vector.pair_body(isas.by_name.avx2, activations.by_name.silu)
  unit.assertEquals(select(2, pair:gsub('const float magic =', '')), 1)
end

--- What people wrote has their names: no constant of many digits stands in a statement, and no
--- value is called t.
function TestBuilder.test_names_of_people()
  local count = 0
  local function check(a)
    for _, body in ipairs { vector.body(isas.by_name.avx2, a),
      a.gradient and vector.gradient_body(isas.by_name.avx2, a) or nil } do
      for line in body:gmatch '[^\n]+' do
        local is_statement = not line:find '^const float' and not line:find '^const int'
          and not line:find '^ ' and not line:find '^/'
        unit.assertNil(is_statement and (line:find '%d%.%d%d' or line:find '%(%-?%d%d%d+%)') or nil,
          line)
        unit.assertNil(is_statement and line:find '%f[%w_]t_%d+%f[^%w_]' or nil,
          ('%s: %s'):format(a.name, line))
        count = count + 1
      end
    end
  end
  for _, name in ipairs(primitives.names) do check(primitives.by_name[name]) end
  for _, name in ipairs { 'gelu', 'gelu_tanh', 'mish', 'quick_gelu', 'relu', 'relu2', 'sigmoid',
    'silu', 'swish', 'tanh' } do
    check(activations.by_name[name])
  end
  unit.assertTrue(count > 400, count)
end

--- All activations can be said in all instruction sets, with the same operations in the same order.
function TestBuilder.test_activations()
  for _, name in ipairs(activations.names) do
    local count
    for _, isa_name in ipairs(isas.names) do
      local isa = isas.by_name[isa_name]
      local text = vector.body(isa, activations.by_name[name])
      unit.assertStrMatches(text:match('[^\n]*$'), 'return .+;')
      unit.assertNil(text:find('$', 1, true), text)
      local statements = select(2, text:gsub(';\n', ''))
      unit.assertEquals(statements, count or statements, name .. ' for ' .. isa_name)
      count = statements
    end
  end
end
