--- Checks of what a record of measurements holds: anyone may have edited it.
local candidates = require 'tune.candidates'
local list_of = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

local most_choice = 1 << 26

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

  --- One of a few names.
  function check.choice(v, place, choices)
    if list_of.has(choices, v) then return end
    fail(place, 'is "%s"%s', record.shown(v), record.suggest(typed(v, 'string', place), choices))
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

function M.run(check, run, place)
  check.fields(run, { 'cells', 'candidates' }, place)
  check.list(run.cells, place .. '.cells', function(v, at) check.string(v, at, '^%d+ %l+$') end)
  check.list(run.candidates, place .. '.candidates', function(v, at)
    check.fields(v, { 'choices', 'verdict', 'mean', 'ratios' }, at)
    v.choices = check.choices(v.choices, at .. '.choices')
    check.choice(v.verdict, at .. '.verdict', candidates.verdicts)
    check.ratio(v.mean, at .. '.mean')
    check.list(v.ratios, at .. '.ratios', check.ratio)
    if #v.ratios ~= #run.cells then
      check.fail(at .. '.ratios', 'has %d numbers for %d cells', #v.ratios, #run.cells)
    end
  end)
end

return M
