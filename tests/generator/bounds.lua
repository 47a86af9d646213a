--- Running bounds of graphs with poles and roots: what a function gives in f32, and what it gives
--- in double for arguments with an error, lies within the bound and not below what is known of it.
--- Where a pole or the edge of a root is known not to be reached, there is a bound.
local unit = require 'luaunit'
local derive = require 'activation.graph.derive'
local forms = require 'activation.graph.forms'
local meaning = require 'activation.graph.meaning'
local support = require 'support'
local trace = require 'activation.graph.trace'

local w = trace.scope()

--- Functions that have a bound wherever their arguments are ordinary, and some that have none near
--- their poles.
local always = {
  function(x) return x / (w.abs(x) + 1e-12) * w.max(w.abs(x) - 0.5, 0) end,
  function(x) return w.sqrt(w.max(x, 0)) end,
  function(x) return w.sqrt(x * x + 1e-12) end,
  function(x) return x / w.sqrt(x * x + 1e-12) end,
  function(x) return x / (w.abs(x) + 1e-8) end,
  function(x) return w.sqrt(w.abs(x)) end,
  function(x) return x / w.sqrt(w.abs(x) + 1e-6) end,
  function(x) return w.sqrt(x ^ 6) + w.sqrt(0.5 * x * x) + w.sqrt(x * w.exp(x) * x) end,
  function(x) return x / (1e-7 + w.max(x, 0) + w.min(w.exp(x), x * x)) end,
  function(x) return x / w.max(w.abs(x), 1e-6) + w.log1p(w.abs(x) / (1e-5 + w.abs(x))) end,
  function(x) return w.sqrt(w.select(w.lt(x, 0.25), w.abs(x), w.sigmoid(x) * x ^ 4)) end,
  function(x) return w.sqrt(w.tanh(w.abs(x)) * w.erf(w.abs(x)) * (1 - w.erf(x))) end,
  function(x, p) return x / w.sqrt(x * x + p.e * p.e) end,
  function(gate, up) return gate / (w.abs(up - 1) + 1e-4) + w.sqrt(w.abs(gate - up)) end,
}
local sometimes = {
  function(x) return 1 / x end, function(x) return w.sqrt(x) end,
  function(x) return x / (x * w.abs(x) + 1e-3) end, function(x) return w.sqrt(x * x * x) end,
  function(x) return w.sqrt(-1e-3 * x * x + 0.01) end, function(x) return 1 / (1 - w.exp(x)) end,
  function(x) return w.sqrt(w.min(w.abs(x), x + 0.01)) end,
  function(x) return 1 / w.select(w.lt(x, 0.125), x, w.abs(x)) end,
  function(x) return 1 / w.select(w.lt(x, 1), 0.25 * w.abs(x), 1 + w.abs(x)) end,
  function(x) return w.log1p(x - 1) + w.sqrt(w.log1p(x)) + w.sqrt(w.tanh(x)) end,
}

--- Functions whose derivatives have a bound as well.
local smooth = {
  function(x) return w.sqrt(x * x + 1e-6) end, function(x) return x / w.sqrt(x * x + 1e-6) end,
  function(x) return x / (w.abs(x) + 1e-3) end,
  function(x, p) return x / w.sqrt(x * x + p.e * p.e) end,
}

local program = [[
#include "reference.h"
#include <stdio.h>
typedef double function(double, double, const float *);
typedef float single(float, float, const float *);
typedef triple bounded(triple, triple, const float *);
%s
static const struct { function *exact; single *computed; bounded *bound; int always; } rows[] = {
%s};
static unsigned long long state = 1;
static double next(void) { /* from -1 to 1 */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-52 - 1;
}
/* Of any size: places where functions bend are near 0 and 1. */
static double place(void) {
  const double size = ldexp(next(), (int)(20 * next()) - 18), far = 9 * next(), kind = next();
  return kind < 0 ? size : kind < 0.5 ? 1 + size : kind < 0.6 ? 0 : far;
}
int main(void) {
  static const double errors[] = {0, 1e-9, 1e-7, 1e-5, 1e-3};
  static const float e[] = {1e-3f};
  unsigned long wrong = 0, below = 0, unbounded = 0;
  for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++)
    for (int i = 0; i < 20000; i++) {
      const double d = errors[i %% 5], x = place(), up = i & 8 ? place() : x;
      const float near_x = (float)x, near_up = (float)up; /* what a kernel has of them */
      const double dx = fabs(near_x - x) + d, dup = fabs(near_up - up) + d;
      const triple t = rows[r].bound(triple_of(x, dx), triple_of(up, dup), e);
      const double v[] = {rows[r].computed(near_x, near_up, e),
          rows[r].exact(x + d * next(), up + d * next(), e), rows[r].exact(x - d, up + d, e)};
      unbounded += rows[r].always && !(t.d < INFINITY);
      for (int k = 0; k < 3; k++) {
        wrong += t.d < INFINITY && !(fabs(v[k] - t.v) <= t.d);
        below += v[k] < t.least - (k ? fabs(t.least) * 0x1p-50 : 0);
        if (t.d < INFINITY && !(fabs(v[k] - t.v) <= t.d))
          printf("function %%u(%%a, %%a): %%.17g, not %%.17g to %%g\n", r, x, up, v[k], t.v, t.d);
      }
    }
  printf("%%lu wrong, %%lu below, %%lu unbounded\n", wrong, below, unbounded);
  return 0;
}
]]

--- The same arithmetic in f32: an operation in double that is rounded to f32 is one of f32.
local function computed(text)
  return (text:gsub('%f[%w]double%f[%W]', 'float'))
end

TestBounds = {}

function TestBounds.test_sampled()
  local functions, rows = {}, {}
  local function add(graph, parameters, is_always)
    local name = 'f' .. #rows
    local value = meaning.value(name, graph, parameters)
    local single = computed(meaning.value('single_' .. name, graph, parameters))
    functions[#functions + 1] = value .. single .. meaning.triples('in_' .. name, graph, parameters)
    rows[#rows + 1] = ('  {%s, single_%s, in_%s, %d},\n'):format(name, name, name,
      is_always and 1 or 0)
  end
  for _, list in ipairs { always, sometimes } do
    for _, f in ipairs(list) do
      local traced = trace.graph(f, {})
      add(forms.kernel(traced.result), traced.parameters, list == always)
    end
  end
  for _, f in ipairs(smooth) do
    local traced = trace.graph(f, {})
    local by = derive.by(forms.kernel(traced.result), 'x')
    add(forms.kernel(by), traced.parameters, true)
  end
  local edge = trace.graph(function(x) return w.sqrt(w.max(x, 0)) end, {})
  add(forms.kernel(derive.by(forms.kernel(edge.result), 'x')), {}, false)
  local folder = support.folder()
  support.write(folder .. '/bounds.c', program:format(table.concat(functions),
    table.concat(rows)))
  local result = support.run({ 'sh', '-c', ("cc -std=c11 -O1 -ffp-contract=off -I '%s/runtime' "
    .. "-I '%s/generated' bounds.c -lm -o bounds && ./bounds"):format(support.root, support.root) },
    { dir = folder, seconds = 120 })
  support.assert_code(result, 0, 'bounds.c')
  unit.assertEquals(result.out:sub(-36), '0 wrong, 0 below, 0 unbounded\n', result.out:sub(1, 2000))
end
