--- Sections of text that the runtime's files mark for those who copy them, and lines that fold.
local unit = require 'luaunit'
local support = require 'support'
local sections = require 'common.sections'
local texts = require 'common.text'

local layers = [[
ffn 'block' { about = 'A block', variant = 'swiglu', d_model = 24, d_ff = 40 }
mlp 'head' {
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
}
]]

TestSections = {}

local marked = [[
/*@ head */
/* A file. */
/*@ end */

one
/*@ list */
#include "list.inc"
  /*@ end */
/*@ part */

two
/*@ inner */
three
/*@ end */
/*@ end */

four
/*@ part */
five
/*@ end */
]]

function TestSections.test_apply()
  local function chosen(choice) return sections.apply(marked, choice, 'x.c') end
  unit.assertEquals(chosen { head = true, list = true, part = true, inner = true },
    '/* A file. */\n\none\n#include "list.inc"\n\ntwo\nthree\n\nfour\nfive\n')
  unit.assertEquals(chosen { head = false, list = 'a,\nb,\n', part = true, inner = false },
    'one\na,\nb,\n\ntwo\n\nfour\nfive\n')
  -- What is left out leaves no gap, and what is replaced is not asked about inside.
  unit.assertEquals(chosen { head = '', list = false, part = false, inner = 'never\n' },
    'one\n\nfour\n')
  unit.assertEquals(chosen { head = false, list = false, part = 'more\n', inner = true },
    'one\nmore\n\nfour\nmore\n')
end

function TestSections.test_take_and_plain()
  unit.assertEquals(sections.take(marked, 'part', 'x.c'), '\ntwo\nthree\nfive\n')
  unit.assertEquals(sections.take(marked, 'inner', 'x.c'), 'three\n')
  unit.assertEquals(sections.plain(marked, 'x.c'),
    '/* A file. */\n\none\n#include "list.inc"\n\ntwo\nthree\n\nfour\nfive\n')
end

--- What a choice says nothing of stays with its marks, where whoever reads on decides it.
function TestSections.test_left()
  unit.assertEquals(sections.apply(marked, { head = false, list = true, part = true }, 'x.c', true),
    'one\n#include "list.inc"\n\ntwo\n/*@ inner */\nthree\n/*@ end */\n\nfour\nfive\n')
  unit.assertEquals(sections.apply(marked, { head = false, list = '', part = false }, 'x.c', true),
    'one\n\nfour\n')
end

function TestSections.test_errors()
  local all = { head = true, list = true, part = true, inner = true }
  local function with(key, value)
    local choice = {}
    for k, v in pairs(all) do choice[k] = v end
    choice[key] = value
    return choice
  end
  local function fails(message, text, choice)
    unit.assertErrorMsgEquals(message, sections.apply, text, choice, 'x.c')
  end
  fails('x.c:9: unknown section "part" (choose from: head, inner, list)', marked,
    with('part', nil))
  fails('x.c:9: unknown section "part" (did you mean "parts"?)', marked,
    { head = true, list = true, parts = true, inner = true })
  fails('x.c has no section "other"', marked, with('other', false))
  fails('x.c:1: section "a" has no end', '/*@ a */\n', { a = true })
  fails('x.c:2: an end without its section', 'one\n/*@ end */\n', {})
  unit.assertErrorMsgContains('x.c has no section "other"', sections.take, marked, 'other', 'x.c')
end

--- Line by line: empty lines are one, and none at the begin.
local function plain_by_lines(text)
  local out = {}
  for line in text:gmatch '([^\n]*)\n' do
    local is_mark = line:match '^%s*/%*@ [%w_]+ %*/$' or line:match '^ %*@ [%w_]+$'
    if not is_mark and (line ~= '' or (#out > 0 and out[#out] ~= '')) then out[#out + 1] = line end
  end
  return #out > 0 and table.concat(out, '\n') .. '\n' or ''
end

--- Empty lines at the begins and ends of sections, marks inside of comments, what looks like a mark
--- and is none, a text that no line break ends.
function TestSections.test_empty_lines()
  local pieces = {
    '\n', '\n', '\n', 'one\n', '  two\n', '/*@ a */\nthree\n\n/*@ end */\n',
    '\n  /*@ b */\n\n  /*@ end */\n', '/*\n *@ c\n * four\n *@ end\n */\n', 'x *@ d\n',
    'y /*@ e */ z\n', ' *@\n',
  }
  local state = 1
  for _ = 1, 500 do
    local text = {}
    for i = 1, 12 do
      state = state * 1103515245 + 12345 & 0x7fffffff
      text[i] = pieces[(state >> 16) % #pieces + 1]
    end
    local whole = table.concat(text) .. (state & 64 == 0 and 'no line' or '')
    unit.assertEquals(sections.plain(whole, 'x.c'), plain_by_lines(whole), whole)
  end
end

--- The marks of runtime/ are well formed, and stand in no file that is written.
function TestSections.test_runtime()
  local found = 0
  for path, text in pairs(support.snapshot(support.project .. '/runtime')) do
    if path:match('%.[ch]p*$') then
      found = found + select(2, text:gsub('/%*@ end %*/', ''))
      support.assert_lacks(sections.plain(text, path), '/*@', path)
      support.assert_lacks(sections.plain(text, path), '\n\n\n', path)
    end
  end
  unit.assertTrue(found > 30)
  local folder = support.user_folder(layers)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--isa', 'c' },
    { dir = folder }), 0, 'generate')
  for path, text in pairs(support.snapshot(folder .. '/out')) do
    support.assert_lacks(text, '/*@', path)
  end
end

--- Lines that longer names made too long are broken where C reads well.
function TestSections.test_fold()
  unit.assertEquals(texts.fold([[
  int a = function(one, two);
  a = b ? one_more : another;
  function(one, two, three, four, five);
  sum = a + bbbbbbbbbbbbbb + cccccccccccccccc + dddddd;
#define LONG_AS_IT_IS 1234567
#define A_MACRO(one) \
  function(one, two, three, four), \
  five
  puts("a text may not be broken");
]], 25), [[
  int a = function(one,
      two);
  a = b ? one_more
      : another;
  function(one, two,
      three, four, five);
  sum = a +
      bbbbbbbbbbbbbb +
      cccccccccccccccc +
      dddddd;
#define LONG_AS_IT_IS 1234567
#define A_MACRO(one) \
  function(one, two, \
      three, four), \
  five
  puts("a text may not be broken");
]])
end
