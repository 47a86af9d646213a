--- Time per token against tokens, of the kernel, its peers and the machine's limit in the same
--- cells, as a gnuplot script on standard output: times.lua RESULTS.json OUT.svg | gnuplot
---
--- One thread; cold weights where the layer has them. A panel for each of these layers in the run.
package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local results = require 'results'

local panels = { 'mlp_10_64_32_1', 'notebook_swiglu', 'gpt2_124m' }

local colours = {
  '#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#bcbd22', '#17becf',
}

local function say(...) print((...):format(select(2, ...))) end

--- The cells of a layer, fewest tokens first.
local function cells_of(run, spec)
  local cells = {}
  for _, cell in ipairs(run.cells) do
    local hot = not cell.cold and results.twin(run, cell, { cold = true })
    if cell.spec == spec and cell.threads == 1 and not hot then cells[#cells + 1] = cell end
  end
  table.sort(cells, function(a, b) return a.tokens < b.tokens end)
  return cells
end

--- The names of peers in any of the cells, in order.
local function peers_of(cells)
  local names, seen = {}, {}
  for _, cell in ipairs(cells) do
    for _, subject in ipairs(cell.subjects) do
      if results.is_peer(subject) and not seen[subject.name] then
        seen[subject.name] = true
        names[#names + 1] = subject.name
      end
    end
  end
  return names
end

local function per_token(cell, seconds) return 1e6 * seconds / cell.tokens end

--- From a little below the least limit to a little above the slowest subject.
local function range_of(cells)
  local low, high = math.huge, 0
  for _, cell in ipairs(cells) do
    low = math.min(low, per_token(cell, results.limit_seconds(cell) or results.seconds(cell)))
    for _, subject in ipairs(cell.subjects) do
      high = math.max(high, per_token(cell, subject.seconds))
    end
  end
  return low / 1.5, high * 1.5
end

--- Microseconds per token, a line for each number of tokens: kernel, limit, peers.
local function block(name, cells, peers)
  say('$%s << EOD', name)
  for _, cell in ipairs(cells) do
    local function text(seconds)
      return seconds and ('%.5g'):format(per_token(cell, seconds)) or '?'
    end
    local line = { tostring(cell.tokens), text(results.seconds(cell)),
      text(results.limit_seconds(cell)) }
    for _, peer in ipairs(peers) do line[#line + 1] = text(results.seconds(cell, peer)) end
    print(table.concat(line, ' '))
  end
  print('EOD')
end

local function panel(name, spec, cells)
  local peers, plots = peers_of(cells), {}
  local low, high = range_of(cells)
  block(name, cells, peers)
  plots[1] = ('$%s using 1:3 with filledcurves y1=%g fc "gray90" title "limit"'):format(name, low)
  for i, peer in ipairs(peers) do
    plots[#plots + 1] = ('$%s using 1:%d with linespoints lc rgb "%s" pt 6 title "%s"'):format(
      name, i + 3, colours[(i - 1) % #colours + 1], (peer:gsub('_', ' ')))
  end
  plots[#plots + 1] = ('$%s using 1:2 with linespoints lc "black" pt 7 lw 2.5 title "ffngen"'
    ):format(name)
  say('set xrange [1:%d]; set yrange [%g:%g]', cells[#cells].tokens, low, high)
  say('set title "%s"', (spec:gsub('_', ' ')))
  print('plot ' .. table.concat(plots, ', \\\n  '))
end

local run = results.read(arg[1])
local shown = {}
for _, spec in ipairs(panels) do
  local cells = cells_of(run, spec)
  if #cells > 1 then shown[#shown + 1] = { spec = spec, cells = cells } end
end
if #shown == 0 then
  io.stderr:write(('times: %s has none of the layers %s at several numbers of tokens\n'):format(
    arg[1], table.concat(panels, ', ')))
  os.exit(1)
end
say('set terminal svg size %d,480 dynamic background "white"', 420 * #shown)
say('set output "%s"', arg[2])
print('set datafile missing "?"; set logscale xy; set key below; set format y "%g"')
print('set xlabel "tokens"; set ylabel "microseconds per token"')
print('set xtics (1, 4, 16, 64, 256, 1024) nomirror; set ytics nomirror; set border 3; set grid y')
say('set multiplot layout 1,%d title "%s, 1 thread"', #shown, run.machine.cpu:gsub('"', ''))
for i, one in ipairs(shown) do panel('times_' .. i, one.spec, one.cells) end
print('unset multiplot')
