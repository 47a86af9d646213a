--- How a seeded defect names the function that it breaks and the text that it changes, and what is
--- said where it cannot be put in.
local unit = require 'luaunit'
local support = require 'support'

local place = dofile(support.root .. '/tests/mutants/place.lua')

TestMutantPlace = {}

--- A text with an edit made in it, or what is said.
local function edited(file, text, at, from, to)
  local mutated, problem = place.put_in({ file = file, at = at, from = from, to = to or '!' }, text)
  return mutated or problem
end

--- Where a text is edited, it is so from `head` on: every function has `x + 1` once.
local function assert_in(file, text, at, head)
  local mutated = edited(file, text, at, 'x + 1')
  local first = text:find(head, 1, true)
  local wanted = text:sub(1, first - 1) .. text:sub(first):gsub('x %+ 1', '!', 1)
  unit.assertEquals(mutated, wanted, at)
end

function TestMutantPlace.test_spaces()
  local forms = { 'a = b + c;', 'a  =b+c;', 'a =\n    b +\n    c;', 'a = b /* d */ + c;' }
  for _, text in ipairs(forms) do
    unit.assertEquals(edited('x.c', text, nil, 'a = b + c', 'd'), 'd;', text)
  end
  unit.assertEquals(edited('x.lua', 'return a --- b + c\n + b', nil, 'a + b', 'c'), 'return c')
  unit.assertEquals(edited('x.py', 'a = ( # b + c\n b)', nil, '(b)', 'c'), 'a = c')
  unit.assertEquals(edited('x.c', '#define A \\\n  b + \\\n  c', nil, 'b + c', 'd'),
    '#define A \\\n  d')
  unit.assertEquals(edited('x.sh', 'echo "a  b"', nil, '"a b"', 'c'), 'echo c')
end

--- Operators and words are whole.
function TestMutantPlace.test_tokens()
  for _, text in ipairs { 'a <= b', 'a << b', 'aa < b', 'a < bb', 'a ... b' } do
    unit.assertStrContains(edited('x.c', text, nil, 'a < b'), 'stands 0 times in x.c')
    unit.assertStrContains(edited('x.c', text, nil, 'a .. b'), 'stands 0 times in x.c')
  end
  unit.assertStrContains(edited('x.c', 'a <= b', nil, 'a <'), 'stands 0 times in x.c')
  unit.assertEquals(edited('x.c', 'a = 0x1p-12f;', nil, '0x1p-12f', '1'), 'a = 1;')
end

--- In quoted strings spaces count, in long brackets they do not.
function TestMutantPlace.test_strings()
  unit.assertEquals(edited('x.lua', "f('a + b', 'a+b')", nil, 'a + b', 'c'), "f('c', 'a+b')")
  unit.assertEquals(edited('x.lua', "f('a + b', 'a+b')", nil, 'a+b', 'c'), "f('a + b', 'c')")
  unit.assertEquals(edited('x.lua', "f('a ', 'a')", nil, "'a '", 'c'), "f(c, 'a')")
  unit.assertEquals(edited('x.c', 'f("a\\" + b", a + b)', nil, 'a + b', 'c'), 'f("a\\" + b", c)')
  unit.assertEquals(edited('x.lua', 'f [[\na\n  + b]]', nil, 'a + b', 'c'), 'f [[\nc]]')
  unit.assertEquals(edited('x.py', 'f("""\na\n  + b""")', nil, 'a + b', 'c'), 'f("""\nc""")')
  unit.assertEquals(edited('x.c', "#error it's\na + b", nil, 'a+b', 'c'), "#error it's\nc")
end

function TestMutantPlace.test_lua()
  local text = [==[
local x = x + 1
local function one(x) return x + 1 end
function M.two(x)
  if x then return end
  for _ in x do repeat while x do end until x end
  return map(function() return x + 1 end)
end
function Class:three(x)
  local function inner() return 'end' end -- end
  return x + 1, inner
end
local four = function() return x + 1 end
return { five = function() return x + 1 end, text = [[
static int six(void) {
  return x + 1;
}
]] }
]==]
  for at, head in pairs {
    one = 'function one', ['M.two'] = 'function M.two', ['Class:three'] = 'function Class',
    four = 'four =', five = 'five =', six = 'six(',
  } do assert_in('x.lua', text, at, head) end
  unit.assertEquals(edited('x.lua', text, 'inner', 'x'), 'there is no inner in x.lua')
  unit.assertEquals(edited('x.lua', text, nil, 'x + 1'), '"x + 1" stands 7 times in x.lua')
end

function TestMutantPlace.test_c()
  local text = [[
int one(int);
#define TWO(x) \
  (x + 1)
static int one(int x) { return x + 1; }
static const int table[] = {f(x + 1)};
static const int *three(
    int a, int x) {
#if A
  if (one(a)) {
#else
  if (a) {
#endif
    x;
  }
  return x + 1;
}
class four {
public:
  int five(int x) const noexcept {
    return x + 1;
  }
  four &six(int x) { return x + 1; }
};
]]
  for at, head in pairs {
    one = 'int one(int x)', TWO = '#define', three = 'int *three', five = 'int five', six = 'six(',
  } do assert_in('x.hpp', text, at, head) end
  for _, name in ipairs { 'if', 'table', 'four', 'f', 'A' } do
    unit.assertEquals(edited('x.hpp', text, name, 'x'), ('there is no %s in x.hpp'):format(name))
  end
end

function TestMutantPlace.test_templates()
  local text = [[
%% takes: head, fn, s
static void ${fn}_one${s.behind}(
    int x) {
% if s.rows > 1 then -- {
  if (x // 2) {
% else
  if (x) { ${s.x + 1}
% end
  }
}

${s.text('{')}
${s.static}${head} {
  x + 1;
}
% if x + 1 then
#define ${N}_TWO x + 1
% end
]]
  for at, head in pairs {
    ['${fn}_one${s.behind}'] = 'static', ['${head}'] = '${head}', ['${N}_TWO'] = '#define',
  } do assert_in('x.c.tpl', text, at, head) end
  unit.assertEquals(edited('x.tpl', 'a ${b // c} d', nil, 'c} d', 'c}'), 'a ${b // c}')
  unit.assertEquals(edited('x.tpl', text, nil, 'if x + 1', 'if false'),
    (text:gsub('%% if x %+ 1', '%% if false')))
end

function TestMutantPlace.test_python()
  local text = [[
def one(x):
    """ One
x + 2"""
    def inner():
        return x + 1
    return inner
class Two(one):
    x = x + 1
    @property
    def three(self):

        return x + 1
def three(x): return x + 1
]]
  for at, head in pairs {
    one = 'def one', ['Two.three'] = 'def three(self', three = 'def three(x',
  } do assert_in('x.py', text, at, head) end
  unit.assertEquals(edited('x.py', text, 'inner', 'x'), 'there is no inner in x.py')
end

--- What is said where there is no function, or none or several places. Of two functions of a name
--- one may have the text.
function TestMutantPlace.test_mistakes()
  local text = 'void f(void) { a(1); }\nvoid f(int b) { a(2); c(); }\n'
  local function said(at, from) return edited('x.c', text, at, from) end
  unit.assertEquals(said('g', 'a'), 'there is no g in x.c')
  unit.assertEquals(said('f', 'a(3)'), '"a(3)" stands 0 times in f of x.c')
  unit.assertEquals(said('f', 'a('), '"a(" stands 2 times in f of x.c')
  unit.assertEquals(said('f', 'a(2)'), (text:gsub('a%(2%)', '!')))
  unit.assertEquals(said('f', 'a(1)'), (text:gsub('a%(1%)', '!')))
  unit.assertEquals(said('f', ' \n'), 'there is nothing in its edit')
  unit.assertEquals(edited('x.sh', 'f() { a; }', 'f', 'a'), 'there is no f in x.sh')
  unit.assertTrue(place.has('x.c', text, 'f'))
  unit.assertFalse(place.has('x.c', text, 'a'))
end

--- Each defect has a name, what it breaks and what notices it, in the order of the list's parts.
function TestMutantPlace.test_list()
  local list = dofile(support.root .. '/tests/mutants/list.lua')
  local files, last = {}, nil
  for _, defect in ipairs(list) do
    unit.assertTrue(defect.name and defect.from and defect.to and true, defect.name or defect.file)
    if defect.file ~= last then
      unit.assertNil(files[defect.file], defect.file .. ' is in two places of the list')
      last, files[defect.file] = defect.file, true
    end
    unit.assertTrue(not defect.test or defect.test:find '^tests/%S' ~= nil, defect.name)
  end
end
