--- Plots of a run as a gnuplot script on standard output: plot.lua RESULTS.json FOLDER | gnuplot
---   FOLDER/roofline.svg  flop per byte of weights against GFLOP/s, under the measured roofs
---   FOLDER/speedup.svg   speed over the best library, per layer and number of tokens
package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local results = require 'results'

local run = results.read(arg[1])
local folder = arg[2]

local function say(...) print((...):format(select(2, ...))) end

--- A block of data from the cells that `point` takes.
local function block(name, point)
  say('$%s << EOD', name)
  for _, cell in ipairs(run.cells) do
    local line = point(cell)
    if line then print(line) end
  end
  print('EOD')
end

local function best_isa(roof)
  local best
  for _, isa in ipairs { 'c', 'neon', 'avx2', 'avx512' } do
    best = roof.peak[isa] and isa or best
  end
  return best
end

local function roofline()
  local plots, colour = {}, 0
  for _, roof in ipairs(run.roofs) do
    local isa, n = best_isa(roof), roof.threads
    colour = colour + 1
    for _, level in ipairs { 'L2', 'L3', 'DRAM' } do
      if isa then
        plots[#plots + 1] = ('min(%g * x, %g) lc %d dt %d title "%s and %s, %d thread%s"'):format(
          1e-9 * roof.read[level].speed, 1e-9 * roof.peak[isa], colour,
          level == 'DRAM' and 1 or level == 'L3' and 2 or 3, isa, level, n, n == 1 and '' or 's')
      end
    end
    for _, cold in ipairs { false, true } do
      local name = ('points_%d_%s'):format(n, cold and 'cold' or 'hot')
      block(name, function(cell)
        return cell.threads == n and cell.cold == cold and ('%g %g'):format(
          cell.flop / cell.bytes, 1e-9 * cell.flop / results.seconds(cell))
      end)
      plots[#plots + 1] = ('$%s with points lc %d pt %d title "%d thread%s, %s weights"'):format(
        name, colour, cold and 7 or 6, n, n == 1 and '' or 's', cold and 'cold' or 'hot')
    end
  end
  say('set output "%s/roofline.svg"', folder)
  print('set logscale xy; set key bottom right; min(a, b) = a < b ? a : b')
  print('set xlabel "flop per byte of weights"; set ylabel "GFLOP/s"; set xrange [0.25:1024]')
  print('plot ' .. table.concat(plots, ', \\\n  '))
  print('unset logscale; reset')
end

--- The geometric mean over threads and states of the caches.
local function speedup()
  local tokens, seen, specs, ratios = {}, {}, {}, {}
  for _, cell in ipairs(run.cells) do
    local _, ratio = results.best_peer(cell)
    if ratio then
      if not ratios[cell.spec] then
        ratios[cell.spec] = {}
        specs[#specs + 1] = cell.spec
      end
      local of = ratios[cell.spec]
      if not seen[cell.tokens] then
        seen[cell.tokens] = true
        tokens[#tokens + 1] = cell.tokens
      end
      of[cell.tokens] = of[cell.tokens] or {}
      table.insert(of[cell.tokens], ratio)
    end
  end
  if #specs == 0 then return end
  local plots = {}
  print('$speedup << EOD')
  for _, spec in ipairs(specs) do
    local line = { ('"%s"'):format(spec:gsub('_', ' ')) }
    for i = 1, #tokens do
      local of = ratios[spec][tokens[i]]
      line[i + 1] = of and ('%.4g'):format(results.geomean(of)) or '?'
    end
    print(table.concat(line, ' '))
  end
  print('EOD')
  for i = 1, #tokens do
    plots[i] = ('$speedup using %d:xtic(1) title "%d token%s"'):format(i + 1, tokens[i],
      tokens[i] == 1 and '' or 's')
  end
  plots[#plots + 1] = '1 with lines lc "black" notitle'
  say('set output "%s/speedup.svg"', folder)
  print('set style data histograms; set style fill solid 0.8; set xtics rotate by -40')
  print('set ylabel "speed over the best library"; set yrange [0:*]; set key top right')
  print('plot ' .. table.concat(plots, ', \\\n  '))
end

print('set terminal svg size 1000,650 dynamic background "white"')
print('set samples 1000; set datafile missing "?"')
roofline()
speedup()
