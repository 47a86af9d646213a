--- A record of measurements as Lua text.
local candidates = require 'tune.candidates'
local lists = require 'common.list'
local texts = require 'common.text'
local version = require 'common.version'

local M = {}

--- A field whose value is a table of these items, on as many lines as they need.
---@param indent integer columns
local function field_text(indent, field, items)
  local parts = lists.map(items, function(item) return item .. ',' end)
  local lines = texts.lines(parts, 100 - indent - #field - #' = {  }')
  local margin = (' '):rep(indent)
  if #lines == 1 then return ('%s%s = { %s },'):format(margin, field, lines[1]:sub(1, -2)) end
  local inner = '\n' .. margin .. '  '
  return ('%s%s = {%s%s\n%s},'):format(margin, field, inner, table.concat(lines, inner), margin)
end

local function choices_text(indent, choices)
  local items = {}
  for i, field in ipairs(candidates.fields) do
    items[i] = ('%s = %d'):format(field, choices[field])
  end
  return field_text(indent, 'choices', items)
end

---@param run TunedRegime
local function run_text(run)
  local lines, cells = {}, {}
  local function add(text, ...) lines[#lines + 1] = text:format(...) end
  for i, cell in ipairs(run.cells) do cells[i] = ("'%s'"):format(cell) end
  add('        {')
  add("          name = '%s',", run.name)
  add('%s', field_text(10, 'cells', cells))
  add('          candidates = {')
  for _, c in ipairs(run.candidates) do
    local ratios = {}
    for i, ratio in ipairs(c.ratios) do ratios[i] = ('%.3f'):format(ratio) end
    add('            {')
    add("              verdict = '%s', mean = %.3f, rounds = %d,", c.verdict, c.mean, c.rounds)
    add('%s', choices_text(14, c.choices))
    add('%s', field_text(14, 'ratios', ratios))
    add('            },')
  end
  add('          },')
  add('        },')
  return table.concat(lines, '\n')
end

--- A record as Lua text. The same record is the same text.
---@param r TunedRecord
---@return string
function M.of(r)
  local lines = {
    '-- Made by ffngen tune. Used by: ffngen generate my.lua --out DIR --tuned FILE',
    "-- Ratios are times by those of the plan's own choices (`from` says whose), one for each",
    '-- cell: tokens, where the weights came from, memory (cold) or cache (hot), and threads.',
    '-- Rounds are of the last stage that a candidate was in. The control is the default again.',
    'return {',
    ('  schema = %d,'):format(version.tuned),
    ("  generator = '%s',"):format(version.generator),
    ("  cpu = '%s',"):format(r.cpu),
    '  kernels = {',
  }
  local function add(text, ...) lines[#lines + 1] = text:format(...) end
  for _, k in ipairs(r.kernels) do
    add('    {')
    add("      name = '%s',", k.name)
    add("      code = '%s',", k.code)
    add('      compiler = %q,', k.compiler)
    add('%s', choices_text(6, k.choices))
    add("      from = '%s', untried = %d,", k.from, k.untried)
    add('      regimes = {')
    for _, run in ipairs(k.regimes) do add('%s', run_text(run)) end
    add('      },')
    add('    },')
  end
  add('  },')
  add('}')
  return table.concat(lines, '\n') .. '\n'
end

return M
