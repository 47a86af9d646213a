--- `ffngen plot`: activations as a picture: function, derivative, and the error of their code.
local activations = require 'activation'
local curve = require 'plot.curve'
local exits = require 'commands.exits'
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

local M = { about = 'Draw activations: function, derivative, error.' }

M.purpose = {
  'plot draws one picture with three parts: the activations, their derivatives, and the errors of '
    .. 'their code.',
  'plot measures the errors. plot compiles the portable C code with the compiler that the variable '
    .. 'CC names, or else with cc, and compares the results with exact values in double at some '
    .. '20 000 floats. The code of each instruction set gives the same bits. gnuplot draws the '
    .. 'picture.',
}

M.examples = {
  { 'ffngen plot gelu relu', 'Draw two activations to gelu_relu.svg.' },
  { 'ffngen plot swish,beta=0.5 swish,beta=2 --range=-8:8 --out swish.svg',
    'Draw swish with two values of its parameter.' },
  { 'ffngen plot clamped_swiglu,up=3', 'Draw a function of gate and up, where up is 3.' },
  { 'ffngen plot mine silu --spec my.lua',
    "Draw an activation of your own: my.lua declares it with activation 'mine' (...)." },
}

M.files = {
  { 'FILE.svg', 'The picture. Its name is that of the activations, or that of --out.' },
  { '/tmp', 'A folder for the compiler, or in TMPDIR. plot removes it.' },
}

M.exits = { exits.success, exits.failure, exits.usage, exits.input, exits.stopped }

--- FROM:TO.
local function range(text)
  local first, last = text:match('^([^:]*):([^:]*)$')
  local from, to = curve.number(first or ''), curve.number(last or '')
  if from and to and from < to then return { from = from, to = to, text = text } end
  return nil, ('"%s" is not a range such as --range=-6:6'):format(record.shown(text))
end

function M.options(command)
  command:argument('activation', 'Names of activations. swish,beta=2 sets a parameter; a parameter '
    .. 'that you do not set is 1.')
    :args('+')
  command:option('--spec', 'A spec file that declares activations of your own.'):argname('FILE')
  command:option('--range', 'The range of x, written as --range=FROM:TO.'):argname('RANGE')
    :convert(range):default('-5:5')
  command:option('-o --out', 'The picture. Default for gelu and relu: gelu_relu.svg.')
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
    problems.failure('gnuplot is missing, and plot needs it: install it (Debian: gnuplot-nox)')
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
