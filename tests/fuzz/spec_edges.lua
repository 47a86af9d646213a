--- What a spec may try: each entry makes a piece of a spec file. None of them may do more than end
--- in an error that has a place.
local M = {}

--- Numbers where arithmetic and sizes end.
M.numbers = {
  '0', '-1', '1', '-0.0', '0.5', '1e308 * 10', '0/0', '1 << 63', '0x7fffffffffffffff', '2^53',
  '1048576', '1048577', '1e15', '1 // 0', '-1 % 0', '3.0', '0x.8p1', '9007199254740993',
}

--- Values of other kinds.
M.values = {
  'nil', 'true', 'false', '""', '"relu"', '"\\0"', '{}', '{ {} }', '{ 1, 2, nil, 4 }',
  '{ [1.5] = 1 }', '{ [true] = 1 }', '{ [{}] = 1 }', '{ [2^53] = 1 }', 'function() end', 'ffn',
  'd_model', 'd_model * 2', 'd_model // 0', 'd_model - 1 << 20', 'd_model / 2', 'd_model .. "x"',
  '-d_model', '#d_model', 'd_model.rule', 'd_model ^ 2', 'd_model * 0.5', 'd_model * d_model',
  'llama_d_ff', 'llama_d_ff()', 'llama_d_ff {}', 'llama_d_ff { multiple_of = 0 }',
  'llama_d_ff { ffn_dim_multiplier = 0/0 }', 'llama_d_ff { multiple_of = d_model }',
  '"\\u{202e}\\u{ffff}"', '"*/"', '"%s%n%99d"', '"runtime"', '{ { 3, "relu" }, { 1 } }',
  '{ { dtype = "f32", isa = { "c" } } }', '{ { isa = { "c", "c", "avx2" } } }', '...',
}

--- Names of layers.
M.names = {
  '""', '"x"', '"int"', '"a b"', '"../x"', '"\\0"', '"%d"', '"é"', '"ffn"', '"main"', '"_"', '"1"',
  '"CON"', '("x")', '"a" .. "b"', '{}', 'nil', 'ffn', '12', 'd_model', '...',
}

--- Statements that may go on for ever, or as long as they are let: tried now and then.
M.endless = {
  'while true do end', 'repeat until false', '::a:: goto a', 'for i = 1, math.huge do end',
  'for i = 1, 1e18 do end', 'local s = "x" while true do s = s .. s end',
  'local s = "xxxxxxxx" for i = 1, %d do s = s .. s end',
  'local t = {} for i = 1, %d do t[i] = { i } end', 'local function f() return f() end f()',
  'local function f() f() end f()', 'local function f(...) return f(1, ...) end f()',
  'for i = 1, %d do linear("l" .. i) { d_model = i, d_out = 1 } end',
  'for i = 1, %d do linear("x" .. i) end',
}

--- Statements that want much at once, or reach for what is not there.
M.statements = {
  'local s = ("x"):rep(%d)', 'local s = string.rep("x", %d)', 'local s = string.format("%%%dd", 1)',
  'local s = ("%%99999s"):format("x")', 'local s = ("a"):rep(99):find(("a*"):rep(99) .. "b")',
  'local t = {} t[%d] = 1', 'local t = {} t.t = t linear "loop" (t)',
  'local function f(n) return { n and f(n - 1) } end linear "deep" (f(%d))',
  'coroutine.wrap(function() while true do end end)()', 'coroutine.yield()', 'error({})',
  'error(nil)', 'setmetatable({}, { __index = error })', 'getmetatable("").__index = nil',
  'rawset(_ENV, 1, 1)', '_ENV = nil linear "x" {}', '_ENV = {} linear "x" {}',
  'local _ENV = { linear = linear } linear "x" { d_model = 1, d_out = 1 }', '_ENV[nil] = 1',
  'local x = _ENV[nil]', 'x = 1', '_G.x = 1', 'd_model = 3', 'd_model.rule = function() end',
  'd_model.of = 1', 'd_model[1] = d_model', 'ffn.x = 1', 'local x = d_model < 3',
  'local x = d_model == d_model', 'd_model()', 'os.exit(0)', 'io.write("x")', 'print(1)',
  'require "os"', 'load("x")()', 'dofile "/etc/passwd"', 'debug.sethook()', 'collectgarbage()',
  'schema(1)', 'schema(0)', 'schema(2)', 'schema(1.5)', 'schema "1"', 'schema()', 'schema(1 << 62)',
  'ffn', 'ffn()', 'ffn ""', 'ffn(ffn)', 'ffn "x" "y"', 'ffn(nil)(nil)', 'linear "x" {} {}',
  'linear "x" { d_model = 1, d_out = 1 } { d_model = 2, d_out = 2 }', 'return linear "x"',
  'return linear "x" { d_model = 1, d_out = 1 }', 'do return end', 'goto nowhere', 'break',
  'local l = linear "late" for i = 1, 3 do l { d_model = i, d_out = i } end',
  'local t = { d_model = 2, d_out = 2 } linear "one" (t) t.d_out = {} linear "two" (t)',
  'local a <close> = nil', 'local a <const> = 1 a = 2', 'local a <close> = {}',
  'local t = {} for i = 1, 300 do t = { t, [i] = t } end mlp "m" { d_model = 2, layers = t }',
  'local r = d_model for i = 1, %d do r = r + r end linear "r" { d_model = 2, d_out = r }',
  'local r = d_model for i = 1, %d do r = r * 1 end linear "r" { d_model = 2, d_out = r }',
}

--- Numbers for those that count: few, many, too many.
M.counts = { 0, 1, 3, 20, 40, 200, 3000, 50000, 10000000, 1 << 31, 1 << 62 }

--- Pieces of text that begin or end a file, or stand anywhere.
M.marks = {
  '\xef\xbb\xbf', '\xef\xbb\xbf\xef\xbb\xbf', '\xff\xfe', '\0', '\27Lua', '#!/usr/bin/lua\n', '#x',
  '\r\n', '\r', '\v', '\xc2\xa0', '\xe2\x80\xae', '--[[', '--[==[ ]]', '[[', '"', "'", '-- x',
  '\n--', ';', ';;;', '}', ')', ']]', 'end',
}

--- Nested without end: what opens, what closes.
local nests = {
  { '{', '}' }, { '(', ')' }, { 'do ', ' end ' }, { '-', '' }, { 'not ', '' }, { '#', '' },
  { 'f{', '}' }, { 'function() return ', ' end' }, { 'if true then ', ' end ' }, { '1 ..', '' },
  { 'x[', ']' }, { '2^', '' },
}

---@param random Random
---@return string
function M.nested(random)
  local nest, depth = random:pick(nests), random:pick { 10, 150, 190, 210, 4000, 20000 }
  local inside = nest[1]:rep(depth) .. '1' .. nest[2]:rep(depth)
  return random:chance(50) and 'local x = ' .. inside
    or ('linear "n" { d_model = 1, d_out = %s }'):format(inside)
end

--- More of something than Lua has room for.
---@param random Random
---@return string
function M.many(random)
  local count, parts = random:pick { 100, 199, 201, 256, 3000 }, {}
  local way = random:below(4)
  for i = 1, count do
    parts[i] = way == 0 and ('local a%d = %d'):format(i, i)
      or way == 1 and ('linear "a%d" { d_model = %d, d_out = 1 }'):format(i, i)
      or way == 2 and ('x%d = %d,'):format(i, i) or ('local function f%d() end'):format(i)
  end
  local text = table.concat(parts, '\n')
  return way == 2 and 'local t = {' .. text .. '}' or text
end

return M
