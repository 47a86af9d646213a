--- What a run of the benchmark comes to, as a table for the terminal: summary.lua RESULTS.json
package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local models = require 'models'
local regimes = require 'regimes'
local results = require 'results'

local head = { 'regime', 'worst', 'surely', 'geomean', 'worst at', 'cells' }

local function pad(text, width) return text .. (' '):rep(width - #text) end

local function terminal(run)
  local rows, widths = { head }, {}
  for _, r in ipairs(regimes.rows(run)) do
    rows[#rows + 1] = { r.about, r.worst, r.sure, r.mean, r.where, r.cells }
  end
  for _, row in ipairs(rows) do
    for i, text in ipairs(row) do widths[i] = math.max(widths[i] or 0, #text) end
  end
  for _, row in ipairs(rows) do
    local line = {}
    for i, text in ipairs(row) do line[i] = pad(text, widths[i]) end
    print((table.concat(line, '  '):gsub('%s+$', '')))
  end
  for _, r in ipairs(models.rows(run)) do
    print(('%s: %s of a plain read, %s times one mapping'):format(r.about, r.read, r.ratio))
  end
  print(('%d of %d cells are undecided: the machine moved more than the result'):format(
    run.undecided, #run.cells))
end

if #arg ~= 1 then
  io.stderr:write('usage: summary.lua RESULTS.json\n')
  os.exit(2)
end
local ok, problem = pcall(function() terminal(results.read(arg[1])) end)
if not ok then
  io.stderr:write('summary: ', tostring(problem), '\n')
  os.exit(1)
end
