--- Curves -> a picture: measured by plot/samples.c, drawn by gnuplot.
local disk = require 'common.disk'
local emit = require 'emit.emit'
local isas = require 'isa'
local lists = require 'common.list'
local problems = require 'common.problem'
local shell = require 'common.shell'
local template = require 'emit.template'

local M = {}

--- What its description begins with.
M.made = 'ffngen plot '

--- The activations that curves show.
---@param curves Curve[]
---@return Activation[]
function M.shown(curves)
  return lists.unique(lists.map(curves, function(curve) return curve.activation end))
end

--- What gnuplot plots of a curve: rows of samples.c, and the largest of the errors in them.
---@param w Workshop
---@param curve Curve
---@param x table from, to
local function measured(w, curve, x)
  local name, rows, worst = curve.activation.name, {}, 0.0
  local words = { './samples', name }
  for _, value in ipairs { x.from, x.to, curve.up, table.unpack(curve.parameters) } do
    words[#words + 1] = ('%.17g'):format(value)
  end
  local ok = w:lines(table.concat(words, ' '), function(line)
    rows[#rows + 1] = line
    local ulp = tonumber(line:match('%S+$')) or math.huge -- NaN in place of a number
    worst = math.max(worst, ulp)
  end)
  if not ok then problems.failure('the program that measures %s failed', name) end
  return { title = curve.title, rows = table.concat(rows, '\n'), worst = worst }
end

--- From where to where errors are drawn, with room for what is written above them; whether by
--- their logarithms, since some are many times the others, as beside a zero of a function.
local function error_range(count, most)
  local room, least = 1.08 + 0.1 * count, 0.1
  if most > 50 then return ('%.9g:%.9g'):format(least, least * (most / least) ^ room), true end
  return ('0:%.9g'):format(most > 0 and room * most or 1), false
end

local function script(root, curves, x)
  local most = 0.0
  for _, c in ipairs(curves) do most = math.max(most, c.worst) end
  local errors, many_times = error_range(#curves, most)
  local function title(c) return c.title end
  local function worst(c) return c.worst == 0 and 'none' or ('at most %.2f'):format(c.worst) end
  return template.load(root, 'plot.gp.tpl') {
    ipairs = ipairs, curves = curves,
    from = ('%.17g'):format(x.from), to = ('%.17g'):format(x.to),
    panels = {
      { title = 'function', column = 2, left = '0.04', right = '0.32', key = title, y = '*:*' },
      {
        title = 'derivative', column = 3, left = '0.375', right = '0.655', y = '*:*',
        key = function() return '' end,
      },
      {
        title = 'measured error, ULP', column = 4, left = '0.71', right = '0.99', key = worst,
        y = errors, logarithmic = many_times,
      },
    },
  }
end

--- The text of an SVG file.
---@param w Workshop with the curves' activations in its lists
---@param curves Curve[]
---@param x table from, to
---@param about string what stands behind ffngen plot
---@return string
function M.of(w, curves, x, about)
  w:write('act_c.c', emit.activations(w.root, isas.by_name.c, M.shown(curves)))
  w:compile(('act_c.c %s %s -lm -o samples'):format(
    shell.quoted(w.runtime .. '/../generator/plot/samples.c'),
    shell.quoted(w.runtime .. '/reference.c')))
  local drawn = lists.map(curves, function(curve) return measured(w, curve, x) end)
  w:write('plot.gp', script(w.root, drawn, x))
  local said = {}
  local ok = w:lines('LC_ALL=C exec gnuplot -d plot.gp 2>&1', function(line)
    said[#said + 1] = line
  end)
  local text, found = (ok and disk.read(w.folder .. '/plot.svg') or ''):gsub('<desc>.-</desc>',
    function() return ('<desc>%s%s</desc>'):format(M.made, about) end, 1)
  if found == 0 then
    problems.failure('gnuplot made no picture:\n%s',
      table.concat(said, '\n', 1, math.min(#said, 20)))
  end
  return text
end

return M
