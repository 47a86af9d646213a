--- Checks of what a record of measurements holds: anyone may have edited it.
local candidates = require 'tune.candidates'
local cpus = require 'cpu'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'
local regimes = require 'tune.regimes'

local M = {}

local most_rounds, most_untried = 1 << 20, 1 << 20

--- What helps where a record is broken.
M.remedy = 'remove it, then measure here: ffngen tune my.lua'

--- What checks the values of a record: each takes a value and the text of its place.
function M.new(path)
  local function fail(place, message, ...)
    problems.bad_input(path, '%s%s; %s', place == '' and '' or place .. ' ',
      message:format(...), M.remedy)
  end
  local check = { fail = fail }

  local function typed(v, wanted, place)
    if type(v) ~= wanted then fail(place, 'must be a %s, not a %s', wanted, type(v)) end
    return v
  end

  --- A table of exactly these fields.
  function check.fields(v, known, place)
    typed(v, 'table', place)
    local set = {}
    for _, field in ipairs(known) do
      set[field] = true
      if v[field] == nil then fail(place, 'has no field "%s"', field) end
    end
    for _, key in ipairs(record.sorted_keys(v)) do
      if not set[key] then
        fail(place, 'has an unknown field "%s"%s', record.shown(key),
          record.suggest(tostring(key), known))
      end
    end
    return v
  end

  --- A list, each item checked.
  ---@param may_be_empty boolean|nil
  function check.list(v, place, item, may_be_empty)
    for i, key in ipairs(record.sorted_keys(typed(v, 'table', place))) do
      if key ~= i then fail(place, 'is a list without "%s"', record.shown(key)) end
    end
    if #v == 0 and not may_be_empty then fail(place, 'is empty') end
    for i, value in ipairs(v) do item(value, ('%s[%d]'):format(place, i)) end
    return v
  end

  function check.string(v, place, pattern)
    if not typed(v, 'string', place):match(pattern) then
      fail(place, 'is "%s", which it cannot be', record.shown(v))
    end
    return v
  end

  --- One of a few names.
  function check.choice(v, place, choices)
    if lists.has(choices, v) then return end
    fail(place, 'is "%s"%s', record.shown(v), record.suggest(typed(v, 'string', place), choices))
  end

  function check.ratio(v, place)
    if typed(v, 'number', place) ~= v or v <= 0 or v == math.huge then
      fail(place, 'must be above 0')
    end
    return v
  end

  function check.integer(v, place, least, most)
    if math.type(v) ~= 'integer' or v < least or v > most then
      fail(place, 'must be an integer from %d to %d', least, most)
    end
  end

  function check.choices(v, place)
    for _, field in ipairs(candidates.fields) do
      local value = check.fields(v, candidates.fields, place)[field]
      check.integer(value, ('%s.%s'):format(place, field), cpus.least[field], regimes.most_choice)
    end
    return candidates.choices(v)
  end
  return check
end

--- One regime.
local function regime(check, run, place)
  check.fields(run, { 'name', 'cells', 'candidates' }, place)
  check.choice(run.name, place .. '.name', regimes.names)
  check.list(run.cells, place .. '.cells', function(v, at)
    check.string(v, at, '^%d+ %l+ %d+$')
  end)
  check.list(run.candidates, place .. '.candidates', function(v, at)
    check.fields(v, { 'choices', 'verdict', 'mean', 'rounds', 'ratios' }, at)
    v.choices = check.choices(v.choices, at .. '.choices')
    check.choice(v.verdict, at .. '.verdict', candidates.verdicts)
    check.ratio(v.mean, at .. '.mean')
    check.integer(v.rounds, at .. '.rounds', 1, most_rounds)
    check.list(v.ratios, at .. '.ratios', check.ratio)
    if #v.ratios ~= #run.cells then
      check.fail(at .. '.ratios', 'has %d numbers for %d cells', #v.ratios, #run.cells)
    end
  end)
end

--- A kernel's, but for its choices.
function M.kernel(check, k, place)
  check.fields(k, { 'name', 'code', 'compiler', 'choices', 'from', 'untried', 'regimes' }, place)
  check.string(k.name, place .. '.name', '^[%w_]+$')
  check.string(k.code, place .. '.code', '^%x+$')
  check.string(k.compiler, place .. '.compiler', '^[^%c]+$')
  check.string(k.from, place .. '.from', '^[%w_]+$')
  check.integer(k.untried, place .. '.untried', 0, most_untried)
  k.choices = check.choices(k.choices, place .. '.choices')
  check.list(k.regimes, place .. '.regimes', function(run, at) regime(check, run, at) end, true)
end

return M
