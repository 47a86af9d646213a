--- Records of measurements: written by `ffngen tune`, one file for each CPU; read by generation
--- when it is told to, and refused where they were made for something else.
local candidates = require 'tune.candidates'
local choice_names = require 'plan.choices'
local cpu = require 'tune.machine'
local disk = require 'common.disk'
local list_of = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'
local sandbox = require 'read.sandbox'
local text_of = require 'common.text'
local version = require 'common.version'

local M = {}

local schema = 1
local max_file = 16 << 20
local most_choice = 1 << 26

--- How a record is had, and how one that is broken.
local remedy = 'measure here: ffngen tune my.lua'
local remedy_for_broken = 'remove it, then ' .. remedy

---@class TunedRun
---@field cells string[]        "64 cold": tokens, and where the weights came from
---@field candidates Judged[]

---@class TunedKernel
---@field name string
---@field compiler string
---@field choices Choices       what to use
---@field sweep TunedRun        one choice at a time
---@field final TunedRun|nil    the winners of the sweep again, where there were any

---@class TunedRecord
---@field cpu string
---@field kernels TunedKernel[]
---@field by_name table<string, Choices>

function M.path(root, cpu_name) return ('%sgenerator/tuned/%s.lua'):format(root, cpu_name) end

-- Reading ----------------------------------------------------------------------------------------

--- What checks the values of a record: each takes a value and its place in words.
local function checks(path)
  local function fail(place, message, ...)
    problems.bad_input(path, '%s%s; %s', place == '' and '' or place .. ' ',
      message:format(...), remedy_for_broken)
  end
  local check = { fail = fail }

  local function typed(v, wanted, place)
    if type(v) ~= wanted then fail(place, 'must be a %s, not a %s', wanted, type(v)) end
    return v
  end

  --- A table of exactly these fields, but for one that may be missing.
  function check.fields(v, known, place, optional)
    typed(v, 'table', place)
    local set = {}
    for _, field in ipairs(known) do
      set[field] = true
      if v[field] == nil then fail(place, 'has no field "%s"', field) end
    end
    for _, key in ipairs(record.sorted_keys(v)) do
      if not set[key] and key ~= optional then
        fail(place, 'has an unknown field "%s"%s', record.shown(key),
          record.suggest(tostring(key), known))
      end
    end
    return v
  end

  --- A list, each item checked.
  function check.list(v, place, item)
    for i, key in ipairs(record.sorted_keys(typed(v, 'table', place))) do
      if key ~= i then fail(place, 'is a list without "%s"', record.shown(key)) end
    end
    if #v == 0 then fail(place, 'is empty') end
    for i, value in ipairs(v) do item(value, ('%s[%d]'):format(place, i)) end
    return v
  end

  function check.string(v, place, pattern)
    if not typed(v, 'string', place):match(pattern) then
      fail(place, 'is "%s", which it cannot be', record.shown(v))
    end
    return v
  end

  --- One of a few words.
  function check.word(v, place, words)
    if list_of.has(words, v) then return end
    fail(place, 'is "%s"%s', record.shown(v), record.suggest(typed(v, 'string', place), words))
  end

  function check.ratio(v, place)
    if typed(v, 'number', place) ~= v or v <= 0 or v == math.huge then
      fail(place, 'must be above 0')
    end
    return v
  end

  function check.choices(v, place)
    for _, field in ipairs(candidates.fields) do
      local value = check.fields(v, candidates.fields, place)[field]
      if math.type(value) ~= 'integer' or value < 1 or value > most_choice then
        fail(('%s.%s'):format(place, field), 'must be an integer from 1 to %d', most_choice)
      end
    end
    return candidates.choices(v)
  end
  return check
end

local function check_run(check, run, place)
  check.fields(run, { 'cells', 'candidates' }, place)
  check.list(run.cells, place .. '.cells', function(v, at) check.string(v, at, '^%d+ %l+$') end)
  check.list(run.candidates, place .. '.candidates', function(v, at)
    check.fields(v, { 'choices', 'verdict', 'mean', 'ratios' }, at)
    v.choices = check.choices(v.choices, at .. '.choices')
    check.word(v.verdict, at .. '.verdict', candidates.verdicts)
    check.ratio(v.mean, at .. '.mean')
    check.list(v.ratios, at .. '.ratios', check.ratio)
    if #v.ratios ~= #run.cells then
      check.fail(at .. '.ratios', 'has %d numbers for %d cells', #v.ratios, #run.cells)
    end
  end)
end

--- The value of a record's text: data, whatever else it tries to be.
local function value_of(path)
  local text = disk.read(path)
  if not text then
    problems.bad_input(path, 'there is no record; %s', remedy)
  elseif #text > max_file then
    problems.bad_input(path, 'has more than %d bytes: that is no record', max_file)
  end
  local chunk, problem = load(text, sandbox.chunk_name, 't', {})
  local value, line
  if chunk then problem, line = sandbox.run(function() value = chunk() end) end
  if problem then
    local at, message = tostring(problem):match('^%(spec%):(%d+): (.*)$')
    problems.bad_input(problems.place(path, math.tointeger(tonumber(at)) or line or 1), '%s; %s',
      message or tostring(problem), remedy_for_broken)
  elseif type(value) ~= 'table' then
    problems.bad_input(path, 'returns no table, so it is no record; %s', remedy_for_broken)
  end
  return value
end

--- Whether a record is of this version of ffngen, whatever else is in it.
function M.is_current(path)
  local r = value_of(path)
  return r.schema == schema and r.generator == version.generator
end

--- Reads a record, whatever it was made for.
---@param path string
---@return TunedRecord
function M.read(path)
  local check, r = checks(path), value_of(path)
  -- Before its fields are looked at: another version may have others.
  if r.schema ~= schema or r.generator ~= version.generator then
    problems.bad_input(path, 'made by ffngen %s, this is %s: what was measured is not what this '
      .. 'version writes; %s', record.shown(r.generator), version.generator, remedy)
  end
  check.fields(r, { 'schema', 'generator', 'cpu', 'kernels' }, 'the record')
  check.string(r.cpu, 'cpu', '^[%w_.-]+$')
  local by_name = {}
  check.list(r.kernels, 'kernels', function(k, place)
    check.fields(k, { 'name', 'compiler', 'choices', 'sweep' }, place, 'final')
    check.string(k.name, place .. '.name', '^[%w_]+$')
    check.string(k.compiler, place .. '.compiler', '^[^%c]+$')
    if by_name[k.name] then check.fail(place, 'is %s once more', k.name) end
    k.choices = check.choices(k.choices, place .. '.choices')
    by_name[k.name] = k.choices
    check_run(check, k.sweep, place .. '.sweep')
    if k.final then check_run(check, k.final, place .. '.final') end
  end)
  return { cpu = r.cpu, kernels = r.kernels, by_name = by_name }
end

--- The record that generation was told to use.
---@param root string the project's folder
---@param word string a file, or 'auto' for the project's own record of the CPU
---@param cpu_name string|nil the CPU to generate for; nil is this machine's
---@return TunedRecord
function M.wanted(root, word, cpu_name)
  local wanted = cpu_name or cpu.here()
  if not wanted then
    problems.bad_input('--tuned', 'this system does not tell its CPU; name it with --tuned-for CPU')
  end
  local path = word == 'auto' and M.path(root, wanted) or word
  local r = M.read(path)
  if r.cpu ~= wanted then
    problems.bad_input(path, 'measured on %s, %s is %s: what is best there need not be here; %s, '
      .. 'or generate for that CPU: --tuned-for %s', r.cpu,
      cpu_name and 'the CPU asked for' or 'this CPU', wanted, remedy, r.cpu)
  end
  return r
end

--- What of a record some plans took, in one line.
---@param r TunedRecord
---@param plans Plan[]
function M.summary(r, plans)
  local known, changed = 0, 0
  for _, p in ipairs(plans) do
    if p.tuned_for then known = known + 1 end
    if p.tuned_for and #choice_names.changes(p.choices, p.profile.choices) > 0 then
      changed = changed + 1
    end
  end
  return ('%d of %d kernels were measured on %s, %d with another plan for it'):format(known, #plans,
    r.cpu, changed)
end

-- Writing ----------------------------------------------------------------------------------------

--- A field whose value is a table of these items, on as many lines as they need.
---@param indent integer columns
local function field_text(indent, field, items)
  local parts = list_of.map(items, function(item) return item .. ',' end)
  local lines = text_of.lines(parts, 100 - indent - #field - #' = {  }')
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

local function run_text(field, run)
  local lines, cells = {}, {}
  local function add(text, ...) lines[#lines + 1] = text:format(...) end
  for i, cell in ipairs(run.cells) do cells[i] = ("'%s'"):format(cell) end
  add('      %s = {', field)
  add('%s', field_text(8, 'cells', cells))
  add('        candidates = {')
  for _, c in ipairs(run.candidates) do
    local ratios = {}
    for i, ratio in ipairs(c.ratios) do ratios[i] = ('%.3f'):format(ratio) end
    add('          {')
    add("            verdict = '%s', mean = %.3f,", c.verdict, c.mean)
    add('%s', choices_text(12, c.choices))
    add('%s', field_text(12, 'ratios', ratios))
    add('          },')
  end
  add('        },')
  add('      },')
  return table.concat(lines, '\n')
end

--- A record as Lua text. The same record is the same text.
---@param r TunedRecord
---@return string
function M.text(r)
  local lines = {
    '-- Made by ffngen tune. Used by: ffngen generate my.lua --out DIR --tuned FILE',
    "-- Ratios are times by those of the plan's own choices, one for each cell: tokens, and where",
    '-- the weights came from, memory (cold) or cache (hot). The control is the default once more.',
    'return {',
    ('  schema = %d,'):format(schema),
    ("  generator = '%s',"):format(version.generator),
    ("  cpu = '%s',"):format(r.cpu),
    '  kernels = {',
  }
  local function add(text, ...) lines[#lines + 1] = text:format(...) end
  for _, k in ipairs(r.kernels) do
    add('    {')
    add("      name = '%s',", k.name)
    add('      compiler = %q,', k.compiler)
    add('%s', choices_text(6, k.choices))
    add('%s', run_text('sweep', k.sweep))
    if k.final then add('%s', run_text('final', k.final)) end
    add('    },')
  end
  add('  },')
  add('}')
  return table.concat(lines, '\n') .. '\n'
end

--- Old measurements and new ones, sorted by name. A new one takes the place of an old one.
---@param old TunedKernel[]
---@param new TunedKernel[]
---@return TunedKernel[]
function M.merged(old, new)
  local result, taken = {}, {}
  for _, list in ipairs { new, old } do
    for _, k in ipairs(list) do
      if not taken[k.name] then
        taken[k.name] = true
        result[#result + 1] = k
      end
    end
  end
  table.sort(result, function(a, b) return a.name < b.name end)
  return result
end

return M
