--- What of the runtime's texts a vendored folder has: that which something in it calls.
local unit = require 'luaunit'
local sections = require 'common.sections'
local support = require 'support'
local called = require 'vendor.called'

TestCalled = {}

--- What callers leave of one text.
local function left(text, ...) return called.of({ text }, { ... })[1] end

local chain = [[
/* ---- First ---- */

/* A comment that says three() calls nothing. */
static int one(void) { return 1; }

/* What stands behind calls back. */
static int two(
    int x) {
  return x ? ONE + one() : 2;
}

/* ---- Second ---- */

/* Of both. */
#define ONE 1
#define TWO(x) \
  two(x)

static int three(void) { return TWO(3); }
]]

--- In the order that they have, whichever names which, with the comments of what is there alone.
function TestCalled.test_order()
  unit.assertEquals(left(chain), '')
  unit.assertEquals(left(chain, '/* three() */ one_of_them(); at->one2; puts("two")'), '')
  unit.assertEquals(left(chain, 'one()'), '/* ---- First ---- */\n\n/* A comment that says three() '
    .. 'calls nothing. */\nstatic int one(void) { return 1; }\n')
  unit.assertEquals(left(chain, 'two(1)'), (chain:gsub('#define TWO.*', '')))
  unit.assertEquals(left(chain, 'ONE'),
    '/* ---- Second ---- */\n\n/* Of both. */\n#define ONE 1\n')
end

--- A macro calls what it says, in all of its lines, and before it is defined.
function TestCalled.test_macros()
  unit.assertEquals(left(chain, 'three()'), chain)
  unit.assertEquals(left(chain, 'TWO(4)'), (chain:gsub('\nstatic int three.*', '')))
end

local records = [[
typedef int ffn_call(int x);

typedef struct ffn_calls {
  ffn_call *first;
  ffn_call *second;
} ffn_calls;

static int one(int x) { return x; }

static int two(int x) { return x; }

static int three(int x) { return x; }

static const ffn_calls calls = {
    one,
    .second = two,
};

static void assign(ffn_calls *to) { to->second = three; }

static int through(const ffn_calls *by) { return by->first(1); }
]]

--- A record brings its type and the functions that it names; what assigns to a member those that it
--- assigns; who calls a member alone neither.
function TestCalled.test_records()
  local function names(...)
    local found = {}
    for name in left(records, ...):gmatch '\nstatic [^(=]-([%w_]+) ?[(=]' do
      found[#found + 1] = name
    end
    return table.concat(found, ' ')
  end
  unit.assertEquals(names 'run(&calls)', 'one two calls')
  unit.assertEquals(names 'assign(&mine)', 'three assign')
  unit.assertEquals(names 'through(other)', 'through')
  unit.assertEquals(names('through(&calls)', 'assign(mine)'),
    'one two three calls assign through')
  unit.assertEquals(left(records, 'ffn_calls x;'),
    (records:gsub('\nstatic.*', '')))
end

local regions = [[
#ifndef GUARD_H
#define GUARD_H

#include <float.h>
#if FLT_RADIX != 2
#error "another radix"
#endif

FFN_BEGIN

#if defined(__linux__)
#include <sys/mman.h>
#define HUGE ADVICE
#endif
#if defined(HUGE)
#include "huge.h"
#endif

#ifndef NO_PACK
/* Packs. */
static int pack(void) { return 1; }

enum { SMALL = 1, LARGE };
#else
#define pack() 0
#endif

#if defined(__GNUC__)
#define word(x) __builtin_word(x)
#else
static int word(int x) { return slow_word(x); }
#endif

static int slow_word(int x) { return x; }
#undef word

#define FFN_BEGIN start

FFN_END
#endif
]]

--- A name brings its definitions in all branches; a branch what else stands in it; a condition that
--- nothing is defined under what it asks for.
function TestCalled.test_conditions()
  local head = regions:match '^(.-\nFFN_BEGIN\n\n)'
  local foot = '#define FFN_BEGIN start\n\nFFN_END\n#endif\n'
  local function assert_left(caller, inside)
    unit.assertEquals(left(regions, caller), head .. inside .. foot)
  end
  assert_left('other()', '')
  assert_left('HUGE', regions:match '#if defined%(__linux.-huge.h"\n#endif\n\n')
  assert_left('pack()', regions:match('#ifndef NO_PACK.-#endif\n\n')
    :gsub('\nenum[^\n]*\n', ''))
  assert_left('LARGE', '#ifndef NO_PACK\nenum { SMALL = 1, LARGE };\n#else\n#endif\n\n')
  assert_left('word(1)', regions:match '#if defined%(__GNUC__%).-#undef word\n\n')
end

--- What stands between a mark and its end is there with the definition of that name; what stands
--- between #ifdef NAME and #endif calls something where NAME is there.
function TestCalled.test_marks()
  local text = [[
static int one(void) {
  int x = 1;
  /*@ two */
  x = three();
  /*@ end */
  return x;
}

static int two(void) { return 2; }
static int three(void) { return 3; }
]]
  local short = 'static int one(void) {\n  int x = 1;\n  return x;\n}\n'
  unit.assertEquals(left(text, 'one()'), short)
  unit.assertEquals(left(text, 'one()', '#ifdef two\nthree();\n#endif\n'), short)
  unit.assertEquals(left(text, 'one()', 'two()'),
    (text:gsub('  /%*@[^\n]*\n', '')))
  unit.assertEquals(left(text, '#ifdef two\nthree();\n#endif\ntwo();'),
    'static int two(void) { return 2; }\nstatic int three(void) { return 3; }\n')
  unit.assertEquals(left(text, '#ifdef other\ntwo();\n#endif\n'),
    'static int two(void) { return 2; }\n')
  unit.assertErrorMsgEquals('section "four" is not chosen, and nothing of this name is defined',
    left, (text:gsub('@ two', '@ four')), 'one()')
  unit.assertErrorMsgContains('a section that is not chosen', left,
    '/*@ two */\nint x;\n/*@ end */\n')
end

--- Several texts are one, and stay apart.
function TestCalled.test_texts()
  unit.assertEquals(called.of({ 'int a(void) { return b(); }\n', 'int c;\nint b(void);\n' },
    { 'a()' }), { 'int a(void) { return b(); }\n', 'int b(void);\n' })
end

--- The runtime, which is called as a whole, comes out as it went in.
function TestCalled.test_runtime()
  for _, file in ipairs {
    'kernel.h', 'walk.h', 'packed.h', 'wide_sums.h', 'memory_spans.h', 'mode.h',
  } do
    local text = sections.plain(support.read(('%s/runtime/%s'):format(support.project, file)), file)
    unit.assertTrue(left(text, text) == text, file)
  end
end
