--- `ffngen plot`: activations as a picture: function, derivative, and the error of their code.
local activations = require 'activation'
local curve = require 'plot.curve'
local files = require 'write.files'
local lists = require 'common.list'
local manifest = require 'emit.manifest'
local message = require 'common.message'
local picture = require 'plot.picture'
local problems = require 'common.problem'
local process = require 'tune.process'
local record = require 'common.record'
local spec = require 'read.spec'
local workshop = require 'tune.workshop'

local M = { about = 'Draw activations: function, derivative, measured error.' }

function M.notes()
  return [[
The error is measured: the portable C, whose bits are those of every instruction set, is compiled
(by CC, or cc) and compared with its meaning in double, at some 20 000 floats. gnuplot draws.]]
end

M.examples = [[
  ffngen plot gelu relu
  ffngen plot swish,beta=0.5 swish,beta=2 --range=-8:8 --out swish.svg
  ffngen plot clamped_swiglu,up=3          a function of gate and up, for one up
  ffngen plot mine silu --spec my.lua      my.lua: activation 'mine' (function(x) return ... end)]]

--- FROM:TO.
local function range(text)
  local first, last = text:match('^([^:]*):([^:]*)$')
  local from, to = curve.number(first or ''), curve.number(last or '')
  if from and to and from < to then return { from = from, to = to, text = text } end
  return nil, ('"%s" is no range such as --range=-6:6'):format(record.shown(text))
end

function M.options(command)
  command:argument('activation', 'Names; parameters are 1, or as in swish,beta=2.'):args('+')
  command:option('--spec', 'A spec file that declares more activations.'):argname('FILE')
  command:option('--range', 'Of x: --range=FROM:TO.'):argname('RANGE')
    :convert(range):default('-5:5')
  command:option('-o --out', 'The picture (default: gelu_relu.svg for gelu and relu).')
    :argname('FILE')
end

--- The file to write: named by the activations where none is asked for.
local function path_of(args)
  return args.out or table.concat(args.activation, '_'):gsub('[^%w_.-]+', '_') .. '.svg'
end

local escapes = { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;' }

--- What makes the picture again, for its description.
local function about_of(args)
  local words = { table.unpack(args.activation) }
  if args.spec then lists.append(words, { '--spec', record.shown(args.spec:match('[^/]*$')) }) end
  words[#words + 1] = '--range=' .. args.range.text
  return (table.concat(words, ' '):gsub('[&<>]', escapes))
end

--- The picture's text, or nil where Ctrl-C has stopped it.
local function drawn(root, args, curves)
  local folder, remove = process.folder()
  local ok, result = pcall(function()
    local used = lists.append(manifest.activations {}, picture.shown(curves))
    local w = workshop.new(root, folder, lists.unique(used))
    return picture.of(w, curves, args.range, about_of(args))
  end)
  remove()
  if ok then return result end
  if not process.is_interrupt(result) then error(result, 0) end
end

function M.run(root, args)
  local known = args.spec and spec.activations(args.spec) or activations
  local curves = lists.map(lists.unique(args.activation), function(text)
    return curve.of(text, known)
  end)
  local path = path_of(args)
  if not process.first_line('command -v gnuplot') then
    problems.failure('there is no gnuplot, which draws: install it (Debian: gnuplot-nox)')
  end
  local text = drawn(root, args, curves)
  if not text then
    message('stopped: nothing was written')
    return 130
  end
  local folder, name = path:match('^(.*)/([^/]+)$')
  files.write {
    folder = folder or '.', files = { { path = name or path, text = text } }, maker = 'plot',
    is_ours = function(_, head) return head:find('<desc>' .. picture.made, 1, true) ~= nil end,
  }
  message('%s written', path)
  return 0
end

return M
