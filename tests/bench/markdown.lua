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

local function picture(folder, run)
  return ('![Time per token against tokens](%s/%s.svg)'):format(folder, run.name)
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

--- The regimes that say most, one in a line.
local function regime_list(lines, run)
  for _, r in ipairs(regimes.rows(run, true)) do
    if r.worst ~= '-' then
      lines[#lines + 1] = ('- %s: %s at worst, geomean %s'):format(r.about, worst_text(r), r.mean)
    end
  end
  local costs = regimes.costs(run)
  if #costs > 0 then
    lines[#lines + 1] = '- activations, prefill, time over the same layer with a cheap one: '
      .. table.concat(costs, ', ')
  end
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

local function layer_text(cell)
  if not cell then return '-' end
  local name, ratio = results.best_peer(cell)
  local time = results.seconds(cell)
  local text = time < 1e-3 and ('%.3g µs'):format(1e6 * time)
    or time < 0.9995 and ('%.3g ms'):format(1e3 * time) or ('%.3g s'):format(time)
  if name then text = ('%s, %.2f × %s'):format(text, ratio, name) end
  return cell.undecided and text .. ' ~' or text
end

---@param shown table<string, boolean>|nil specs; all of them, if nil
local function layer_table(lines, run, shown)
  local seen, tokens = {}, tokens_of(run)
  local names = { '1 thread: time, speed over the best library' }
  for i, count in ipairs(tokens) do
    names[i + 1] = i == 1 and ('%d token%s'):format(count, count == 1 and '' or 's')
      or tostring(count)
  end
  head(lines, names)
  for _, cell in ipairs(run.cells) do
    if not seen[cell.spec] and (not shown or shown[cell.spec]) then
      seen[cell.spec] = true
      local cells = { cell.spec }
      for i, count in ipairs(tokens) do
        cells[i + 1] = layer_text(layer_cell(run, cell.spec, count))
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
    layer_table(lines, run)
    model_table(lines, run)
    lines[#lines + 1] = '\n' .. picture('results', run)
  end
  return text_of(lines)
end

--- A layer of each size that says something of its own.
local essential = {
  mlp_10_64_32_1 = true, small_gelu = true, notebook_swiglu = true, gpt2_124m = true,
}

--- The essential of one run.
---@return string
function M.short(run)
  local lines = { machine_line(run), picture('tests/bench/results', run), '' }
  layer_table(lines, run, essential)
  lines[#lines + 1] = ''
  regime_list(lines, run)
  return text_of(lines)
end

return M
