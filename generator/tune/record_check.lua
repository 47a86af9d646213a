--- Checks of what a record of measurements holds: anyone may have edited it.
local candidates = require 'tune.candidates'
local cpus = require 'cpu'
local problems = require 'common.problem'
local record = require 'common.record'
local regimes = require 'tune.regimes'

local M = {}

local most_rounds, most_untried = 1 << 20, 1 << 20

--- What helps where a record is broken.
M.remedy = 'remove it, then measure here: ffngen tune my.lua'

--- A record's own fields, and those of what is in it.
M.schema = record.schema {
  schema = 'any', generator = 'any', cpu = 'string', kernels = 'table',
}
local kernel_schema = record.schema {
  name = 'string', code = 'string', compiler = 'string', choices = 'table', from = 'string',
  untried = 'integer', regimes = 'table',
}
local regime_schema = record.schema {
  name = { one_of = regimes.names }, cells = 'table', candidates = 'table',
}
local candidate_schema = record.schema {
  choices = 'table', verdict = { one_of = candidates.verdicts }, mean = 'number',
  rounds = 'integer', ratios = 'table',
}

local fields_of_choices = {}
for _, field in ipairs(candidates.fields) do
  fields_of_choices[field] = { 'integer', least = cpus.least[field] }
end
local choices_schema = record.schema(fields_of_choices)

--- What checks the values of a record: each takes a value and the text of its place.
function M.new(path)
  local function fail(place, message, ...)
    problems.bad_input(path, '%s %s; %s', place, message:format(...), M.remedy)
  end
  local check = { fail = fail }

  local function typed(v, wanted, place)
    if type(v) ~= wanted then fail(place, 'must be a %s, not a %s', wanted, type(v)) end
    return v
  end

  --- A table of exactly the fields of a schema.
  function check.fields(v, schema, place)
    return schema:fill(v, place, function(at, problem) fail(at .. ':', '%s', problem) end)
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
    check.fields(v, choices_schema, place)
    for _, field in ipairs(candidates.fields) do
      check.integer(v[field], ('%s.%s'):format(place, field), cpus.least[field],
        regimes.most_choice)
    end
    return candidates.choices(v)
  end
  return check
end

--- One regime.
local function regime(check, run, place)
  check.fields(run, regime_schema, place)
  check.list(run.cells, place .. '.cells', function(v, at)
    check.string(v, at, '^%d+ %l+ %d+$')
  end)
  check.list(run.candidates, place .. '.candidates', function(v, at)
    check.fields(v, candidate_schema, at)
    v.choices = check.choices(v.choices, at .. '.choices')
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
  check.fields(k, kernel_schema, place)
  check.string(k.name, place .. '.name', '^[%w_]+$')
  check.string(k.code, place .. '.code', '^%x+$')
  check.string(k.compiler, place .. '.compiler', '^[^%c]+$')
  check.string(k.from, place .. '.from', '^[%w_]+$')
  check.integer(k.untried, place .. '.untried', 0, most_untried)
  k.choices = check.choices(k.choices, place .. '.choices')
  check.list(k.regimes, place .. '.regimes', function(run, at) regime(check, run, at) end, true)
end

return M
