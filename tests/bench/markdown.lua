--- What runs of the benchmark come to, as Markdown.
local models = require 'models'
local regimes = require 'regimes'
local results = require 'results'
local texts = require 'common.text'

local M = {}

local function machine_line(run)
  return ('%s, %d cores, %s; %d of %d cells undecided (~).'):format(run.machine.cpu,
    run.machine.cores, run.date, run.undecided, #run.cells)
end

local function roof_lines(lines, run)
  for _, roof in ipairs(run.roofs) do
    local peaks = {}
    for _, isa in ipairs { { 'avx512', 'AVX-512' }, { 'avx2', 'AVX2' } } do
      local peak = roof.peak[isa[1]]
      if peak then peaks[#peaks + 1] = ('%s %.0f'):format(isa[2], 1e-9 * peak) end
    end
    lines[#lines + 1] = ('- %d thread%s: %s GFLOP/s; L2 %.0f, L3 %.0f, DRAM %.1f GB/s'):format(
      roof.threads, roof.threads == 1 and '' or 's', table.concat(peaks, ' and '),
      1e-9 * roof.read.L2.speed, 1e-9 * roof.read.L3.speed, 1e-9 * roof.read.DRAM.speed)
  end
end

--- The libraries that took part, in lines that a terminal does not break.
local function peer_text(run)
  local parts = { 'Beside:' }
  for _, peer in ipairs(run.peers) do
    if peer.version then
      parts[#parts + 1] = peer.name .. ' ' .. (peer.version:match('%d+%.[%d.]+%d') or '') .. ','
    end
  end
  return (texts.wrap(parts, 100):gsub(',$', '.'))
end

local function row(lines, cells) lines[#lines + 1] = '| ' .. table.concat(cells, ' | ') .. ' |' end

local function head(lines, cells)
  row(lines, cells)
  local dashes = {}
  for i = 1, #cells do dashes[i] = '---' end
  row(lines, dashes)
end

--- The worst cell of a regime, as measured, and what surely none is worse than.
local function worst_text(regime)
  if regime.sure == '-' then return regime.worst end
  return ('%s (%s surely)'):format(regime.worst, (regime.sure:gsub(' %%', '')))
end

--- All regimes, a column for each run: worst and geometric mean.
local function regime_table(lines, runs)
  local columns, names = {}, { 'regime: worst, geomean' }
  for i, run in ipairs(runs) do
    columns[i] = regimes.rows(run)
    names[i + 1] = ('%s, %d cores'):format(run.machine.cpu, run.machine.cores)
  end
  head(lines, names)
  for r, first in ipairs(columns[1]) do
    local cells, measured = { first.about }, false
    for i, column in ipairs(columns) do
      local regime = column[r]
      local has = regime.worst ~= '-'
      cells[i + 1] = has and worst_text(regime) .. ', ' .. regime.mean or '-'
      measured = measured or has
    end
    if measured then row(lines, cells) end
  end
end

--- Models' layers, however they are held.
local function model_table(lines, run)
  local rows = models.rows(run)
  if #rows == 0 then return end
  lines[#lines + 1] = ''
  head(lines, { 'all layers in turn, one token, cold', 'of a plain read', 'over one mapping' })
  for _, r in ipairs(rows) do row(lines, { r.about, r.read, r.ratio }) end
end

--- The numbers of tokens of a run, ascending.
local function tokens_of(run)
  local seen, list = {}, {}
  for _, cell in ipairs(run.cells) do
    if not seen[cell.tokens] then
      seen[cell.tokens] = true
      list[#list + 1] = cell.tokens
    end
  end
  table.sort(list)
  return list
end

--- One thread; cold weights where the layer has them.
local function layer_cell(run, spec, tokens)
  local probe = { spec = spec, tokens = tokens, threads = 1 }
  return results.twin(run, probe, { cold = true }) or results.twin(run, probe, { cold = false })
end

local function time_text(seconds)
  return seconds < 1e-3 and ('%.3g µs'):format(1e6 * seconds)
    or seconds < 0.9995 and ('%.3g ms'):format(1e3 * seconds) or ('%.3g s'):format(seconds)
end

--- The time of a call, the speed over the best library, and whether that is undecided.
---@param names boolean  whether the library is named
local function layer_text(cell, names)
  if not cell then return '-' end
  local name, ratio = results.best_peer(cell)
  local text = time_text(results.seconds(cell))
  if name then text = ('%s, %.2f ×%s'):format(text, ratio, names and ' ' .. name or '') end
  return cell.undecided and text .. ' ~' or text
end

---@class bench.Columns of a table of layers
---@field title string     of the first one
---@field tokens integer[] one for each
---@field names boolean    whether libraries are named
---@field specs? table<string, boolean> the layers; all of the run where absent

---@param columns bench.Columns
local function layer_table(lines, run, columns)
  local seen, names = {}, { columns.title }
  for i, count in ipairs(columns.tokens) do
    names[i + 1] = i == 1 and ('%d token%s'):format(count, count == 1 and '' or 's')
      or tostring(count)
  end
  head(lines, names)
  for _, cell in ipairs(run.cells) do
    if not seen[cell.spec] and (not columns.specs or columns.specs[cell.spec]) then
      seen[cell.spec] = true
      local cells = { cell.spec }
      for i, count in ipairs(columns.tokens) do
        cells[i + 1] = layer_text(layer_cell(run, cell.spec, count), columns.names)
      end
      row(lines, cells)
    end
  end
end

local function text_of(lines) return table.concat(lines, '\n') .. '\n' end

--- All of all runs, one beside the other.
---@param runs table[] of results.read, each with `name`, of its files
---@return string
function M.full(runs)
  local lines = {}
  regime_table(lines, runs)
  for _, run in ipairs(runs) do
    lines[#lines + 1] = '\n' .. machine_line(run)
    lines[#lines + 1] = peer_text(run)
    lines[#lines + 1] = ('[JSON](results/%s.json)\n'):format(run.name)
    roof_lines(lines, run)
    lines[#lines + 1] = ''
    layer_table(lines, run, { title = '1 thread: time, speed over the best library',
      tokens = tokens_of(run), names = true })
    model_table(lines, run)
    lines[#lines + 1] = ('\n![Time per token against tokens](results/%s.svg)'):format(run.name)
  end
  return text_of(lines)
end

--- A layer of each size that says something of its own, in few columns: a line has at most 100.
local essential = {
  title = 'layer', tokens = { 1, 16, 256 }, names = false,
  specs = { mlp_10_64_32_1 = true, notebook_swiglu = true, gpt2_124m = true },
}

--- The essential of one run.
---@return string
function M.short(run)
  local lines = {
    'Time of a call on 1 thread; ×: speed over the fastest [other '
      .. 'library](tests/bench/README.md).',
    ('%s, %s. `~`: the difference is within the noise of the machine.\n'):format(run.machine.cpu,
      run.date),
  }
  layer_table(lines, run, essential)
  return text_of(lines)
end

return M
