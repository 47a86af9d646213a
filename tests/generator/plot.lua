--- `ffngen plot`: the picture, its curves, and what stands in the way of one. Curves are read back
--- from the SVG, as gnuplot's versions differ in its bytes.
local unit = require 'luaunit'
local support = require 'support'

TestPlot = {}

local places_of_panels = { { 0.04, 0.32 }, { 0.375, 0.655 }, { 0.71, 0.99 } }

--- The points of every curve, in pixels: those of the first panel, of the second, of the third. A
--- sample of its line, for the key, comes before them.
local function curves_of(svg)
  local curves = {}
  for path in svg:gmatch("<path[^>]* d='([^']*)'") do
    local points = {}
    for x, y in path:gmatch('(%-?[%d.]+),(%-?[%d.]+)') do
      points[#points + 1] = { x = tonumber(x), y = tonumber(y) }
    end
    if #points > 200 then curves[#curves + 1] = points end
  end
  return curves
end

--- What is written in a picture, word by word.
local function words_of(svg)
  local words = {}
  for word in svg:gmatch('<text>%s*(.-)%s*</text>') do words[#words + 1] = word end
  return words
end

local function plot(folder, ...)
  local result = support.ffngen({ 'plot', ... }, { dir = folder })
  support.assert_code(result, 0, 'plot')
  unit.assertEquals(result.out, '')
  return result
end

--- The y of a curve at an x of its panel, in pixels.
local function height(points, panel, x)
  local left, right = table.unpack(places_of_panels[panel])
  local at = 960 * (left + (right - left) * (x + 5) / 10)
  local best
  for _, p in ipairs(points) do
    if not best or math.abs(p.x - at) < math.abs(best.x - at) then best = p end
  end
  unit.assertTrue(math.abs(best.x - at) < 1, 'no point near')
  return best.y
end

--- How far a point is from the nearest of a list.
local function distance(p, list)
  local least = math.huge
  for _, q in ipairs(list) do
    least = math.min(least, math.max(math.abs(p.x - q.x), math.abs(p.y - q.y)))
  end
  return least
end

--- Whether README shows this picture.
local function assert_shown(svg)
  local path = support.read(support.root .. '/README.md'):match('%]%((%S+%.svg)%)')
  local shown = support.read(support.root .. '/' .. path)
  local what = path .. ': make it again by ' .. shown:match('<desc>(.-)</desc>')
  unit.assertEquals(shown:match('<desc>.-</desc>'), svg:match('<desc>.-</desc>'), what)
  unit.assertEquals(words_of(shown), words_of(svg), what)
  local old, new = curves_of(shown), curves_of(svg)
  unit.assertEquals(#old, #new, what)
  for i, curve in ipairs(new) do
    for _, both in ipairs { { curve, old[i] }, { old[i], curve } } do
      for _, p in ipairs(both[1]) do unit.assertTrue(distance(p, both[2]) < 1, what) end
    end
  end
end

--- The notebook's picture: files, XML, and curves that are the functions.
function TestPlot.test_gelu_and_relu()
  local folder = support.folder()
  local result = plot(folder, 'gelu', 'relu')
  unit.assertEquals(result.err, 'ffngen: gelu_relu.svg written\n')
  unit.assertEquals(support.keys(support.snapshot(folder)), { 'gelu_relu.svg' })
  local path = folder .. '/gelu_relu.svg'
  support.sh('python3 -c "import sys, xml.dom.minidom as d; d.parse(sys.argv[1])"', path)
  local svg = support.read(path)
  support.assert_has(svg, '<desc>ffngen plot gelu relu --range=-5:5</desc>', 'desc')
  local curves = curves_of(svg)
  unit.assertEquals(#curves, 6)
  -- relu and its derivative say where 0, 1 and 5 are.
  local relu, step = curves[2], curves[4]
  local zero, five = height(relu, 1, -2), height(relu, 1, 5)
  unit.assertTrue(zero - five > 100)
  for x, y in pairs { [-5] = 0, [-1] = -0.158655, [0] = 0, [1] = 0.841345, [3] = 2.99595 } do
    unit.assertAlmostEquals((height(curves[1], 1, x) - zero) / (five - zero) * 5, y, 0.03)
  end
  zero = height(step, 2, -2)
  local one = height(step, 2, 2)
  for x, y in pairs { [-5] = 0, [-1] = -0.083315, [0] = 0.5, [1] = 1.083315, [5] = 1 } do
    unit.assertAlmostEquals((height(curves[3], 2, x) - zero) / (one - zero), y, 0.01)
  end
  -- relu is exact; gelu is measured, and keeps its promise.
  local bottom = height(curves[6], 3, 0)
  for _, p in ipairs(curves[6]) do unit.assertTrue(p.y == bottom or p.y < bottom - 100) end
  local words = table.concat(words_of(svg), '|')
  local worst = tonumber(words:match('|at most ([%d.]+)|none|'))
  local activations = require 'activation'
  unit.assertTrue(worst > 1 and worst <= activations.by_name.gelu.contract.ulp)
  for _, word in ipairs { 'gelu', 'relu', 'function', 'derivative', 'measured error, ULP' } do
    support.assert_has('|' .. words .. '|', '|' .. word .. '|', 'words')
  end
  assert_shown(svg)
  -- Again, elsewhere, for another user: the same bytes.
  local other = support.folder()
  support.write(other .. '/.gnuplot', 'set terminal dumb\nexit\n')
  local again = support.ffngen({ 'plot', 'gelu', 'relu' },
    { dir = other, env = { 'HOME=' .. other, 'LC_ALL=de_DE.UTF-8', 'GNUTERM=png' } })
  support.assert_code(again, 0, 'again')
  unit.assertTrue(support.read(other .. '/gelu_relu.svg') == svg, 'other bytes elsewhere')
end

--- Activations of a spec, which needs no layer; parameters; functions of both branches; an error
--- that is known.
function TestPlot.test_of_a_spec()
  local folder = support.folder()
  support.write(folder .. '/my.lua', [[
activation 'coarse' (function(x) return (x + 1) - 1 end)
activation 'two' (function(gate, up, p) return gate * up + p.shift * max(gate, 0) end)
]])
  plot(folder, 'coarse', 'two,up=3,shift=-2', 'swish,beta=0.5', 'two', 'coarse', '--spec', 'my.lua',
    '--range=0.5:0.999', '--out', 'new/own.svg')
  local svg = support.read(folder .. '/new/own.svg')
  unit.assertEquals(#curves_of(svg), 12)
  local words = table.concat(words_of(svg), '|')
  -- x + 1 is rounded to multiples of 2^-23, half of which is one unit of x below 1.
  for _, part in ipairs {
    '|coarse|two, shift = -2, up = 3|swish, beta = 0.5|two, shift = 1, up = 1|', '|at most 1.00|',
  } do
    support.assert_has(words, part, 'words')
  end
  support.assert_has(svg, '<desc>ffngen plot coarse two,up=3,shift=-2 swish,beta=0.5 two coarse '
    .. '--spec my.lua --range=0.5:0.999</desc>', 'desc')
end

--- Each mistake with its remedy, before anything is compiled.
function TestPlot.test_refusals()
  local folder = support.folder()
  support.write(folder .. '/bad.lua', "activation 'a' (function(x) return 1 end)")
  for _, case in ipairs {
    { 2, {}, 'activation' },
    { 2, { 'gleu' }, 'unknown activation "gleu" (did you mean "gelu"?)' },
    { 2, { '' }, 'unknown activation ""' },
    { 2, { 'gelu', 'swish,bta=1' }, 'swish has no parameter "bta" (did you mean "beta"?)' },
    { 2, { 'relu,beta=1' }, 'relu has no parameter "beta": it has none' },
    { 2, { 'swish,beta=many' }, 'swish: "beta=many" is not PARAMETER=NUMBER, as in swish,beta=2' },
    { 2, { 'swish,' }, 'swish: "" is not PARAMETER=NUMBER' },
    { 2, { 'swish,beta=1e39' }, 'is not PARAMETER=NUMBER' },
    { 2, { 'gelu', '--range=5' }, '"5" is not a range such as --range=-6:6' },
    { 2, { 'gelu', '--range=2:2' }, 'is not a range' },
    { 2, { 'gelu', '--range=0:1e39' }, 'is not a range' },
    { 2, { 'gelu', '--range', '-2:2' }, 'see ffngen plot --help' },
    { 4, { 'a', '--spec', 'bad.lua' }, 'bad.lua:1: activation "a": its result does not depend' },
    { 4, { 'a', '--spec', 'none.lua' }, 'none.lua: cannot be read' },
  } do
    local code, arguments, part = table.unpack(case)
    local what = 'ffngen plot ' .. table.concat(arguments, ' ')
    local result = support.ffngen({ 'plot', table.unpack(arguments) }, { dir = folder })
    support.assert_code(result, code, what)
    support.assert_has(result.err, part, what)
    support.assert_lacks(result.err, 'traceback', what)
    unit.assertEquals(support.keys(support.snapshot(folder)), { 'bad.lua' }, what)
  end
end

--- A world without a compiler or gnuplot, files that are somebody's, Ctrl-C.
function TestPlot.test_what_is_in_the_way()
  local folder = support.folder()
  local function refused(part, options, ...)
    local before = support.snapshot(folder)
    options.dir = folder
    local result = support.ffngen({ 'plot', 'relu', ... }, options)
    support.assert_code(result, 1, part)
    support.assert_has(result.err, part, part)
    support.assert_has(result.err, 'nothing was written', part)
    support.assert_lacks(result.err, 'traceback', part)
    support.assert_same(support.snapshot(folder), before, part)
  end
  local tools = support.folder()
  for tool in ('sh lua5.4 dirname readlink mktemp rm cat timeout'):gmatch('%S+') do
    support.sh('ln -s', support.capture('command -v ' .. tool), tools .. '/' .. tool)
  end
  refused('gnuplot is missing, and plot needs it: install it', { env = { 'PATH=' .. tools } })
  refused('set CC to choose another', { env = { 'CC=/no/such/cc' } })
  support.write(tools .. '/gnuplot', '#!/bin/sh\necho it cannot draw\nexit 1\n')
  support.sh('chmod +x', tools .. '/gnuplot')
  refused('gnuplot made no picture:\nit cannot draw', { before = 'PATH=' .. support.quote(tools)
    .. ':$PATH' })
  support.write(tools .. '/stopped', 'kill -INT $$\n')
  local stopped = support.ffngen({ 'plot', 'relu' }, {
    dir = folder, env = { 'CC=sh ' .. support.quote(tools .. '/stopped') },
  })
  support.assert_code(stopped, 130, 'Ctrl-C')
  unit.assertEquals(stopped.err, 'ffngen: stopped: nothing was written\n')
  unit.assertEquals(support.snapshot(folder), {})
  support.write(folder .. '/relu.svg', '<svg>mine</svg>')
  refused('relu.svg: ffngen plot did not make this file, and does not', {})
  support.write(folder .. '/file', '')
  refused('file', {}, '-o', 'file/relu.svg')
end
