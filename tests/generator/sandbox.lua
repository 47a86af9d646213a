--- The wall around a spec: what is in scope, what can be reached from there, and what a run does
--- with all that a spec may hand over.
local unit = require 'luaunit'
local support = require 'support'

local calls = require 'read.calls'
local fields = require 'read.fields'

local layer = "linear 'a' { d_model = 2, d_out = 2 } "

--- What reading a spec throws, as text; nil where it is read.
local function problem_of(text)
  local ok, problem = pcall(calls.of, 'spec.lua', text)
  if ok then return nil end
  return tostring(problem)
end

TestSandbox = {}

--- Nothing of Lua's own libraries has a name in there, and strings, the only values that come with
--- a library, have none of it.
function TestSandbox.test_names()
  local count = 0
  for _, name in ipairs(support.keys(_G)) do
    -- A spec has its own word of this name (below).
    if name:match('^[%a_][%w_]*$') and name ~= 'select' then
      count = count + 1
      support.assert_has(problem_of(('local x = %s '):format(name) .. layer) or 'it is read',
        ('unknown word "%s"'):format(name), name)
    end
  end
  unit.assertTrue(count > 30)
  unit.assertStrContains(problem_of("local x = select('#', 1, 2) " .. layer), 'spec.lua:1: ')
  for _, name in ipairs(support.keys(string)) do
    support.assert_has(problem_of(('local x = ("x").%s '):format(name) .. layer) or 'it is read',
      ('strings have no methods here ("%s")'):format(name), name)
    support.assert_has(problem_of(('local x = ("x"):%s(9) '):format(name) .. layer) or 'it is read',
      'strings have no methods here', name)
  end
  unit.assertEquals(('x'):rep(3), 'xxx')
end

--- One instruction that makes much is stopped before, or soon behind: a gigabyte would not fit.
function TestSandbox.test_large_texts()
  local folder = support.folder()
  for i, text in ipairs {
    'local s = "x" for i = 1, 40 do s = s .. s end ',
    'local s = "' .. ('x'):rep(200000) .. '" while true do s = s .. s .. s .. s end ',
    'local t, s = {}, "' .. ('x'):rep(100000) .. '" for i = 1, 1e6 do t[i] = s .. i end ',
    'local t = {} for i = 1, 1e6 do t["' .. ('x'):rep(1000) .. '" .. i] = i end ',
  } do
    support.write(folder .. '/spec.lua', text .. layer)
    local result = support.ffngen({ 'list', 'spec.lua' },
      { dir = folder, before = 'ulimit -v 100000;', seconds = 10 })
    support.assert_code(result, 4, 'text ' .. i)
    support.assert_has(result.err, 'spec.lua:1: it uses too much memory', 'text ' .. i)
  end
end

--- What others have left to be collected is not the spec's, and gives it no more room.
function TestSandbox.test_garbage()
  collectgarbage()
  collectgarbage('stop')
  for i = 1, 400000 do support.unused = { i, i } end -- some forty megabytes
  support.unused = nil
  unit.assertNil(problem_of(layer))
  unit.assertNil(problem_of('for i = 1, 90000 do local t = { i, i, i, i } end ' .. layer))
  for i = 1, 400000 do support.unused = { i, i } end
  support.unused = nil
  support.assert_has(problem_of('local t = {} for i = 1, 120000 do t[i] = { i } end ' .. layer)
    or 'it is read', 'it uses too much memory')
  unit.assertFalse(collectgarbage('isrunning'))
  collectgarbage('restart')
  unit.assertNil(problem_of(layer))
  unit.assertTrue(collectgarbage('isrunning'))
end

--- Functions and tables that a spec hands over, at every place, in short form each at every other:
--- none is called, and none is walked deeper than a layer goes.
function TestSandbox.test_what_is_handed_over()
  local folder, count = support.folder(), 0
  local function refused(text, what)
    count = count + 1
    if not support.full and count % 2 == 0 then return end
    support.write(folder .. '/spec.lua', text)
    local result = support.ffngen({ 'list', 'spec.lua' }, { dir = folder })
    support.assert_code(result, 4, what)
    support.assert_has(result.err, 'spec.lua:', what)
    support.assert_lacks(result.err, 'traceback', what)
  end
  local trap = 'local t = {} local function f() while true do end end t.t = t t[1] = t t[f] = f '
  for _, value in ipairs { 'f', 't', 'd_model', '{ t }', 'llama_d_ff(f)', 'llama_d_ff(t)' } do
    for _, kind in ipairs(fields.kinds) do
      refused(('%s%s(%s) { d_model = 2 }'):format(trap, kind, value), kind)
      refused(('%s%s "a" (%s)'):format(trap, kind, value), kind)
      for _, field in ipairs(fields.of[kind]) do
        refused(('%s%s "a" { %s = %s }'):format(trap, kind, field, value), kind .. ' ' .. field)
      end
    end
    refused(('%smlp "a" { d_model = 2, layers = { { 2, %s } } }'):format(trap, value), value)
    refused(('%smlp "a" { d_model = 2, layers = { { %s } } }'):format(trap, value), value)
    refused(trap .. layer:gsub(' }', (', build = { { isa = %s } } }'):format(value)), value)
  end
  refused(trap .. 'schema(f) ' .. layer, 'schema')
  refused(trap .. 'd_model.of = f ' .. layer, 'a field of a rule')
end

--- Layers are what takes time behind the wall.
function TestSandbox.test_many_layers()
  local many = 'for i = 1, %d do linear("a" .. i) { d_model = 2, d_out = i } end'
  unit.assertNil(problem_of(many:format(1000)))
  unit.assertEquals(problem_of(many:format(1001)),
    'spec.lua:1: too many layers: at most 1000 in a file')
end
