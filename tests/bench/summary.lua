--- What a run of the benchmark comes to: summary.lua RESULTS.json [SHORT.md FULL.md]
---
--- Without pages the regimes as a table for the terminal. With them, Markdown in place of what
--- stands there between the two lines <!-- results --> and <!-- /results -->: all regimes and
--- layers in the second page, the essential ones in the first.
package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local regimes = require 'regimes'
local results = require 'results'

local head = { 'regime', 'worst', 'geomean', 'worst at', 'cells' }

local function pad(text, width) return text .. (' '):rep(width - #text) end

local function terminal(run)
  local rows = regimes.rows(run)
  table.insert(rows, 1, head)
  local widths = { 0, 0, 0, 0, 0 }
  for _, row in ipairs(rows) do
    for i, text in ipairs(row) do widths[i] = math.max(widths[i], #text) end
  end
  for _, row in ipairs(rows) do
    local line = {}
    for i, text in ipairs(row) do line[i] = pad(text, widths[i]) end
    print((table.concat(line, '  '):gsub('%s+$', '')))
  end
  if run.noisy then
    print(('NOISY RUN: the peak changed by %.1f %% meanwhile'):format(100 * run.drift))
  end
end

local function machine_line(run)
  return ('%s, %d cores, %s.'):format(run.machine.cpu, run.machine.cores,
    run.noisy and 'a NOISY run' or 'a quiet run')
end

local function machine_lines(run)
  local names = {}
  for _, peer in ipairs(run.peers) do
    if peer.version then
      names[#names + 1] = peer.name .. ' ' .. (peer.version:match('%d+%.[%d.]+%d') or '')
    end
  end
  local lines = { machine_line(run), ('Beside: %s.'):format(table.concat(names, ', ')), '' }
  for _, roof in ipairs(run.roofs) do
    lines[#lines + 1] = ('- %d thread%s: AVX-512 %.0f and AVX2 %.0f GFLOP/s; L2 %.0f, L3 %.0f, '
      .. 'DRAM %.1f GB/s'):format(roof.threads, roof.threads == 1 and '' or 's',
      1e-9 * (roof.peak.avx512 or 0), 1e-9 * (roof.peak.avx2 or 0), 1e-9 * roof.read.L2.speed,
      1e-9 * roof.read.L3.speed, 1e-9 * roof.read.DRAM.speed)
  end
  lines[#lines + 1] = ''
  return lines
end

local function row(lines, texts) lines[#lines + 1] = '| ' .. table.concat(texts, ' | ') .. ' |' end

local function regime_table(lines, run)
  row(lines, { 'regime', 'worst', 'geomean' })
  row(lines, { '---', '---', '---' })
  for _, r in ipairs(regimes.rows(run)) do
    if r[2] ~= '-' then row(lines, { r[1], r[2], r[3] }) end -- what the run measured
  end
  lines[#lines + 1] = ''
end

--- The regimes that say most, one in a line.
local function regime_list(lines, run)
  for _, r in ipairs(regimes.rows(run, true)) do
    if r[2] ~= '-' then
      lines[#lines + 1] = ('- %s: %s at worst, geomean %s'):format(r[1], r[2], r[3])
    end
  end
end

local shown_tokens = { 1, 16, 256 }

--- One thread; cold weights where the layer has them.
local function layer_cell(run, spec, tokens)
  local probe = { spec = spec, tokens = tokens, threads = 1 }
  return results.twin(run, probe, { cold = true }) or results.twin(run, probe, { cold = false })
end

local function layer_text(cell)
  if not cell then return '-' end
  local name, ratio = results.best_peer(cell)
  local time = results.seconds(cell)
  local text = time < 1e-3 and ('%.3g µs'):format(1e6 * time) or ('%.3g ms'):format(1e3 * time)
  return name and ('%s, %.2f × %s'):format(text, ratio, name) or text
end

---@param without table<string, boolean> specs to leave out
local function layer_table(lines, run, without)
  local seen = {}
  row(lines, { '1 thread: time, speed over the best library', '1 token', '16', '256' })
  row(lines, { '---', '---', '---', '---' })
  for _, cell in ipairs(run.cells) do
    if not seen[cell.spec] and not without[cell.spec] then
      seen[cell.spec] = true
      local texts = { cell.spec }
      for i, tokens in ipairs(shown_tokens) do
        texts[i + 1] = layer_text(layer_cell(run, cell.spec, tokens))
      end
      row(lines, texts)
    end
  end
end

local function text_of(lines) return table.concat(lines, '\n') .. '\n' end

local function full_text(run)
  local lines = machine_lines(run)
  regime_table(lines, run)
  layer_table(lines, run, {})
  return text_of(lines)
end

--- A layer that is there to compare another with says nothing of its own.
local function short_text(run)
  local lines = { machine_line(run), '' }
  layer_table(lines, run, { even_sizes = true })
  lines[#lines + 1] = ''
  regime_list(lines, run)
  return text_of(lines)
end

local open, close = '<!-- results -->\n', '<!-- /results -->'

local function into(path, text)
  local file = assert(io.open(path))
  local old = file:read('a')
  file:close()
  local _, first = old:find(open, 1, true)
  local last = first and old:find(close, first, true)
  if not last then
    error(('%s has no lines %s and %s to put the results between'):format(path,
      open:gsub('\n', ''), close), 0)
  end
  file = assert(io.open(path, 'w'))
  file:write(old:sub(1, first), text, old:sub(last))
  file:close()
end

if #arg ~= 1 and #arg ~= 3 then
  io.stderr:write('usage: summary.lua RESULTS.json [SHORT.md FULL.md]\n')
  os.exit(2)
end
local ok, problem = pcall(function()
  local run = results.read(arg[1])
  if #arg == 1 then return terminal(run) end
  into(arg[2], short_text(run))
  into(arg[3], full_text(run))
end)
if not ok then
  io.stderr:write('summary: ', tostring(problem), '\n')
  os.exit(1)
end
