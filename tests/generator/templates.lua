--- Templates: what goes in comes out, what cannot go in is an error at the template's own line.
local unit = require 'luaunit'
local effort = require 'effort'
local environment = require 'emit.environment'
local isas = require 'isa'
local record = require 'common.record'
local support = require 'support'
local template = require 'emit.template'
local template_inputs = require 'emit.template_inputs'

TestTemplates = {}

local function render(text, env) return template.compile(text, 'some/file.c.tpl')(env or {}) end

function TestTemplates.test_text()
  for _, text in ipairs {
    'a\n', 'a\nb\n', '\n', '\n\na\n', '  indented\t"quoted" \\ \\n %d %s $ } { $x\n',
    'x = y % z;\n', 'a\\\nb\n', "it's [[long]] ]==]\n", '\0\1\200\255\n', 'no ${"newline"}\n',
  } do
    unit.assertEquals(render(text), (text:gsub('%${"newline"}', 'newline')))
  end
  unit.assertEquals(render('no end'), 'no end\n')
  unit.assertEquals(render(''), '\n')
end

function TestTemplates.test_values()
  local env = { n = 42, big = 1 << 53, minus = -7, s = 'text', t = { u = { v = 'deep' } },
    f = function(a, b) return a .. b end }
  unit.assertEquals(render('${n} ${big} ${minus}\n', env), '42 9007199254740992 -7\n')
  unit.assertEquals(render('<${s}>${t.u.v};\n', env), '<text>deep;\n')
  unit.assertEquals(render('${f(s, "{}")}${f("a", "b")} x\n', env), 'text{}ab x\n')
  unit.assertEquals(render('${n // 5 * 2}, ${n << 1}\n', env), '16, 84\n')
  unit.assertEquals(render('${n > 3 and "big" or "small"}\n', env), 'big\n')
  unit.assertEquals(render('${("%05d"):format(n)}\n', env), '00042\n')
  -- A value is not read again.
  unit.assertEquals(render('${a} x\n', { a = '${b}%' }), '${b}% x\n')
  unit.assertEquals(render('${a}\n', { a = '% for ${b}' }), '% for ${b}\n')
end

function TestTemplates.test_code()
  unit.assertEquals(render('% for i = 1, 3 do\n  a[${i}];\n% end\nend\n'),
    '  a[1];\n  a[2];\n  a[3];\nend\n')
  unit.assertEquals(render('% for _, w in ipairs(list) do\n% if w ~= "b" then\n${w},\n% end\n'
    .. '% end\n', { list = { 'a', 'b', 'c' } }), 'a,\nc,\n')
  unit.assertEquals(render('  % local x = math.max(n, 3)\n${x}\n', { n = 2 }), '3\n')
end

--- A line of one value takes the value's lines at its own indentation.
function TestTemplates.test_indentation()
  unit.assertEquals(render('{\n    ${body}\n}\n', { body = 'a;\n  b;\n\nc;' }),
    '{\n    a;\n      b;\n\n    c;\n}\n')
  unit.assertEquals(render('{\n  ${body}\n}\n', { body = 'a;\n' }), '{\n  a;\n}\n')
  unit.assertEquals(render('\t${body}\n', { body = 'a\nb' }), '\ta\n\tb\n')
  unit.assertEquals(render('${body}\n', { body = 'a\nb' }), 'a\nb\n')
  unit.assertEquals(render('  ${n}\n', { n = 5 }), '  5\n')
  -- With anything else on the line it is pasted as it is.
  unit.assertEquals(render('  ${body};\n', { body = 'a\nb' }), '  a\nb;\n')
end

--- Such a line vanishes with an empty value; a line with more on it stays.
function TestTemplates.test_empty_values()
  unit.assertEquals(render('a\n  ${body}\nb\n', { body = '' }), 'a\nb\n')
  unit.assertEquals(render('a\n${body}\n', { body = '' }), 'a\n')
  unit.assertEquals(render('a\n${body} \nb\n', { body = '' }), 'a\n \nb\n')
  unit.assertEquals(render('a${body}b\n', { body = '' }), 'ab\n')
  unit.assertEquals(render('${a}${b}\n', { a = '', b = '' }), '\n')
end

--- Whatever is wrong on line 3 is told with file and line.
function TestTemplates.test_errors()
  local env = {
    none = { x = 1 }, float = 0.5, whole = 2.0, list = {}, yes = true, fn = print, x = 1,
    strict = record.strict('layer', { name = 'n' }),
  }
  local count = 0
  for _, form in ipairs { '%s', '  %s', 'int a = %s;', '%s %s', '\t%s' } do
    for _, case in ipairs {
      { '${none.y}', 'must be a string or an integer, not nil' },
      { '${float}', 'must be a string or an integer, not float (0.5)' },
      { '${whole}', 'must be a string or an integer, not float (2.0)' },
      { '${x / 1}', 'not float (1.0)' },
      { '${list}', 'must be a string or an integer, not table' },
      { '${yes}', 'not boolean (true)' },
      { '${fn}', 'not function' },
      { '${nil}', 'not nil' },
      { '${unknown}', 'unknown name "unknown"' },
      { '${os}', 'unknown name "os"' },
      { '${string}', 'unknown name "string"' },
      { '${pairs(list)}', 'unknown name "pairs"' },
      { '${none.y.z}', "attempt to index a nil value (field 'y')" },
      { '${x + none}', 'attempt to perform arithmetic' },
      { '${strict.nam}', 'layer has no field "nam" (did you mean "name"?)' },
      { '${x +}', 'unexpected symbol' },
      { '${}', '' },
      { '${x', '"${" without its "}"' },
      { '${f({1}', '"${" without its "}"' },
    } do
      local line = form:gsub('%%s', (case[1]:gsub('%%', '%%%%')))
      local text = ('first\n%% local unused = 1\n%s\nlast\n'):format(line)
      local ok, problem = pcall(render, text, env)
      unit.assertFalse(ok, line)
      unit.assertStrContains(problem, case[2])
      unit.assertEquals(problem:match('^[^:]+:%d+:'), 'some/file.c.tpl:3:', line .. ': ' .. problem)
      count = count + 1
    end
  end
  unit.assertTrue(count > 80)
end

function TestTemplates.test_errors_in_code()
  for code, part in pairs {
    ['% for i = 1, 2 do'] = "'end' expected", ['% if x then'] = "'end' expected",
    ['% end'] = 'expected', ['% x = 1'] = 'not local',
    ['% for i = 1, unknown do\n% end'] = 'unknown name "unknown"',
    ['% local a = {}; a.b.c = 1'] = 'index a nil value', ['% ???'] = 'unexpected symbol',
  } do
    local ok, problem = pcall(render, 'first\n' .. code .. '\nlast\n', { x = 1 })
    unit.assertFalse(ok, code)
    unit.assertStrContains(problem, part)
    unit.assertStrMatches(problem, 'some/file%.c%.tpl:%d:.*')
    if not part:find("'end'", 1, true) then
      unit.assertEquals(problem:match(':(%d+):'), '2', problem)
    end
  end
end

--- One template with several environments, and an environment whose reading has effects.
function TestTemplates.test_compiled_once()
  local f = template.compile('${a}-${b}\n', 'f')
  unit.assertEquals(f { a = 1, b = 2 }, '1-2\n')
  unit.assertEquals(f { a = 'x', b = 'y' }, 'x-y\n')
  unit.assertError(f, { a = 1 })
  unit.assertEquals(f { a = 3, b = 4 }, '3-4\n')
end

TestTakes = {}

--- What a template takes is what it is handed; what it was not handed is the kernel's.
function TestTakes.test_values()
  local f = template.compile('%% takes: a, list\n% for i, x in ipairs(list) do\n${a}${x}${i}\n'
    .. '% end\n', 'f')
  unit.assertEquals(f({ a = 'n', list = { 'x', 'y' } }), 'nx1\nny2\n')
  unit.assertEquals(f({ list = { 'x' } }, { a = 'kernel', other = 'unseen' }), 'kernelx1\n')
  unit.assertEquals(f({ a = 'own', list = { 'x' } }, { a = 'kernel' }), 'ownx1\n')
  -- Something false is something.
  local g = template.compile('%% takes: is\n${is and "yes" or "no"}\n', 'g')
  unit.assertEquals(g({ is = false }, { is = true }), 'no\n')
  for given, part in pairs {
    [{ a = 'x' }] = 'f:1: takes "list" and is not given it',
    [{ a = 'x', list = {}, more = 1 }] = 'f:1: is given "more", which it does not take',
  } do
    local ok, problem = pcall(f, given)
    unit.assertFalse(ok)
    unit.assertStrContains(problem, part)
  end
end

--- Words of instruction sets are there without being named.
function TestTakes.test_words()
  local f = template.compile('%% takes: x\n${add(x, splat("1"))}\n', 'f')
  local kernel = environment.of_isa(isas.by_name.c, 'ffn')
  unit.assertEquals(f({ x = 'x' }, kernel), '(x + 1)\n')
end

--- Names that Lua declares, fields, keys and text are no names that are read.
function TestTakes.test_what_is_read()
  for _, text in ipairs {
    'a b c ${x.a} ${x.b:rep(2)}\n',
    "% local a, b = x, { c = 1, ['d'] = 2 }\n${a}${b.c}\n",
    '% for i = 1, 2 do\n% local y = i\n${x}${y}\n% end\n',
    '% local function f(n, ...) return n .. x end\n${f("m")}\n',
    '% -- a comment that says y\n${x} ${"y"} ${[[z]]} ${"a".."b"}\n',
    '% goto over\n% ::over::\n${x}\n',
    '% local function f() return function() return x end end\n${f()()}\n',
    '% if math.type(x) == "integer" then\n${x}\n% end\n',
  } do
    template.compile('%% takes: x\n' .. text, 'f')
  end
  -- More names than a function of Lua can keep.
  local said = {}
  for i = 1, 300 do said[i] = 'w' .. i end
  template.compile(('%%%% takes: w1, w150, w300\n${"%s"}${w1}${w150}${w300}\n'):format(
    table.concat(said, ' ')), 'f')
end

--- A first line that says other than what is read.
function TestTakes.test_errors()
  local thirteen = {}
  for i = 1, 13 do thirteen[i] = 'n' .. i end
  for text, part in pairs {
    ['%% takes: x, y\n${x}\n'] = 'takes "y" and does not read it',
    ['%% takes: x, y\ny ${x.y} ${"y"}\n'] = 'takes "y" and does not read it',
    ['%% takes: x, y\n% local y = x\n${y}\n'] = 'takes "y" and does not read it',
    ['%% takes: x\n${x}${y}\n'] = 'does not take "y", which is read below',
    ['%% takes: x\n% if x then\n% local y = 1\n% end\n${y}\n'] = 'does not take "y", which',
    ['%% takes: x\n% y = x\n'] = 'does not take "y", which is read below',
    ['%% takes: x\n${x}${string.rep("a", 2)}\n'] = 'does not take "string"',
    ['%% takes: x, fma\n${x}${fma}\n'] = 'takes "fma", which every template has',
    ['%% takes: x, ipairs\n${x}\n'] = 'takes "ipairs", which every template has',
    ['%% takes: x, x\n${x}\n'] = 'takes a name twice',
    ['%% takes: ' .. table.concat(thirteen, ', ') .. '\n'] = 'takes 13 names, 12 are the most',
    ['%% takes: x,y\n${x}\n'] = 'a first line is "%% takes: "',
    ['%% takes:\n'] = 'a first line is "%% takes: "',
    ['%% takes x\n${x}\n'] = 'a first line is "%% takes: "',
    ['%% takes: x \n${x}\n'] = 'a first line is "%% takes: "',
  } do
    local ok, problem = pcall(template.compile, text, 'some/file.c.tpl')
    unit.assertFalse(ok, text)
    unit.assertStrContains(problem, 'some/file.c.tpl:1: ' .. part)
  end
  -- None of them is set; errors of code are told at their lines.
  for text, part in pairs {
    ['%% takes: x\n\n% x = 2\n'] = "f:3: attempt to assign to const variable 'x'",
    ['%% takes: x\n\n${x +}\n'] = 'f:3: unexpected symbol',
  } do
    local ok, problem = pcall(template.compile, text, 'f')
    unit.assertFalse(ok, text)
    unit.assertStrContains(problem, part)
  end
  local ok, problem = pcall(template.compile('%% takes: x\n\n${x.y}\n', 'f'), { x = {} })
  unit.assertFalse(ok)
  unit.assertStrContains(problem, 'f:3: a template value must be')
end

--- All templates of kernels say what they take.
function TestTakes.test_kernels()
  for path, text in pairs(support.snapshot(support.project .. '/templates/kernel')) do
    local names = template_inputs.of(text, path)
    unit.assertNotNil(names, path .. ' does not say what it takes')
    unit.assertTrue(#names <= template_inputs.most, path)
  end
end

--- Nor is one filled in that does not.
function TestTakes.test_kernels_without()
  local folder = support.folder()
  support.sh('mkdir -p', folder .. '/templates/kernel')
  for _, path in ipairs { 'kernel/own.tpl', 'own.tpl' } do
    support.write(('%s/templates/%s'):format(folder, path), '${x}\n')
  end
  unit.assertEquals(template.load(folder .. '/', 'own.tpl') { x = 1 }, '1\n')
  local ok, problem = pcall(template.load, folder .. '/', 'kernel/own.tpl')
  unit.assertFalse(ok)
  unit.assertStrContains(problem, 'templates/kernel/own.tpl:1: a template of kernels begins with')
end

--- Files of emit/ that set a metatable: words of instruction sets, what templates of folders are
--- given, planes of a format, names that are marks, lines of a step. None joins them.
local with_metatables = { 'decoding', 'environment', 'marks', 'step_values', 'template', 'vector' }

function TestTakes.test_metatables()
  local found = {}
  for path, text in pairs(support.snapshot(support.project .. '/generator/emit')) do
    if text:find('setmetatable', 1, true) then found[#found + 1] = path:match('^[%w_]+') end
  end
  table.sort(found)
  unit.assertEquals(found, with_metatables)
end

TestRecord = {}

function TestRecord.test_strict()
  local r = record.strict('plan', { a = 1, no = false })
  unit.assertEquals(r.a, 1)
  unit.assertFalse(r.no)
  unit.assertErrorMsgContains('plan has no field "b" (choose from: a, no)',
    function() return r.b end)
  unit.assertErrorMsgContains('plan has no field "columns" (choose from: a, no)',
    function() return r.columns end)
  unit.assertErrorMsgContains('row has no field "columns" (choose from: 1)',
    function() return record.strict('row', { 5 }).columns end)
  unit.assertErrorMsgContains('plan: field "c" is set twice or too late', function() r.c = 1 end)
  r.a = 2
  unit.assertEquals(r.a, 2)
end

--- What a table leaves out, and what it must not say.
function TestRecord.test_schema()
  local schema = record.schema {
    name = 'string', size = { 'integer', 2, least = 1 }, list = { 'table', {} },
    call = { 'function', false }, form = { 'any', 'a', one_of = { 'a', 'b' } },
    step = { one_of = { 1, 2 } }, whole = { 'any', true },
  }
  local given = { name = 'x', step = 2, whole = false }
  local read = schema:read(given, 'here')
  unit.assertEquals(read, {
    name = 'x', size = 2, list = {}, call = false, form = 'a', step = 2, whole = false,
  })
  unit.assertEquals(given, { name = 'x', step = 2, whole = false })
  read.more = 1
  unit.assertFalse(rawequal(read.list, schema:read(given, 'here').list))
  unit.assertTrue(rawequal(schema:fill(given, 'here'), given))
  unit.assertEquals(given.size, 2)
  for _, case in ipairs {
    { 'naem', 'x', 'unknown field "naem" (did you mean "name"?)' },
    { 'name', nil, 'the field "name" is missing' }, { 'name', 1, 'name must be a string' },
    { 'size', 0, 'size must be an integer of at least 1' },
    { 'size', 1.0, 'size must be an integer of at least 1' },
    { 'size', 'x', 'size must be an integer of at least 1' },
    { 'call', true, 'call must be a function' }, { 'list', false, 'list must be a table' },
    { 'form', 'c', 'unknown form "c" (choose from: a, b)' },
    { 'form', 1, 'form must be one of a, b' }, { 'step', 3, 'step must be one of 1, 2' },
    { 'step', false, 'step must be one of 1, 2' }, { 7, 1, 'unknown field "7"' },
  } do
    local wrong = { name = 'x', step = 1 }
    wrong[case[1]] = case[2]
    local ok, said = pcall(schema.read, schema, wrong, 'here')
    unit.assertFalse(ok, case[3])
    unit.assertStrContains(said, 'here: ' .. case[3])
  end
  unit.assertErrorMsgContains('here: must be a table, not x', schema.read, schema, 'x', 'here')
  local function fail(place, problem) error(place .. '! ' .. problem, 0) end
  unit.assertErrorMsgContains('here! the field', schema.fill, schema, {}, 'here', fail)
end

function TestRecord.test_sorted_keys()
  unit.assertEquals(record.sorted_keys {}, {})
  unit.assertEquals(record.sorted_keys { b = 1, a = 2, [10] = 3, [9] = 4, [-1.5] = 5 },
    { -1.5, 9, 10, 'a', 'b' })
  unit.assertEquals(record.sorted_keys { [true] = 1, [false] = 2, x = 3, [1] = 4 },
    { false, true, 1, 'x' })
  unit.assertEquals(#record.sorted_keys { [{}] = 1, [{}] = 2, [print] = 3, [error] = 4, a = 5 }, 5)
  local many = {}
  for i = 1, 1000 do many['k' .. i * 7919 % 1000] = true end
  local keys = record.sorted_keys(many)
  unit.assertEquals(#keys, 1000)
  for i = 2, #keys do unit.assertTrue(keys[i - 1] < keys[i]) end
end

function TestRecord.test_suggest()
  local words = { 'd_model', 'd_ff', 'variant', 'bias' }
  unit.assertEquals(record.suggest('d_modle', words), ' (did you mean "d_model"?)')
  unit.assertEquals(record.suggest('D_FF', words), ' (did you mean "d_ff"?)')
  unit.assertEquals(record.suggest('varian', words), ' (did you mean "variant"?)')
  unit.assertEquals(record.suggest('temperature', words),
    ' (choose from: d_model, d_ff, variant, bias)')
  -- The first of equals, so that it does not depend on anything.
  unit.assertEquals(record.suggest('cat', { 'bat', 'rat' }), ' (did you mean "bat"?)')
  effort.within(1000, record.suggest, ('x'):rep(1 << 22), words)
end

function TestRecord.test_shown()
  unit.assertEquals(record.shown('plain'), 'plain')
  unit.assertEquals(record.shown('größe'), 'größe')
  unit.assertEquals(record.shown('a\nb\0\27[1m\127'), 'a\\10b\\0\\27[1m\\127')
  unit.assertEquals(record.shown('\xff\xfe'), '\\255\\254')
  unit.assertEquals(record.shown(('x'):rep(100)), ('x'):rep(60) .. '...')
  unit.assertEquals(record.shown(('x'):rep(60)), ('x'):rep(60))
  unit.assertNotNil(utf8.len(record.shown(('ü'):rep(100), 61)))
  unit.assertEquals(record.shown(12), '12')
  unit.assertEquals(record.shown(true), 'true')
  unit.assertEquals(record.shown({}), 'a table')
  unit.assertEquals(record.shown(print), 'a function')
  unit.assertEquals(record.shown(nil), 'a nil')
end
