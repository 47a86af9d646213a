--- Successive halving, with a clock that the test turns: a measurement of some candidates takes
--- time in proportion to rounds, and each has a true time and noise that many rounds take away.
local unit = require 'luaunit'
local candidates = require 'tune.candidates'
local halving = require 'tune.halving'

TestHalving = {}

--- Arms 2 and up have these true times, at one cell; the plan's own has 1. A round of one of them
--- takes a second, and preparing a measurement two.
local function world(times, budget, noise)
  local w = { clock = 0, stages = {} }
  function w.left() return budget - w.clock end
  function w.measure(alive, time, stage)
    local arms, m = #alive + 2, { ratios = {}, surely = {}, rounds = 0 }
    m.rounds = math.floor((time.wanted - 2) / arms)
    if m.rounds < 3 and 2 + 3 * arms <= time.most then m.rounds = 3 end
    w.stages[stage] = { alive = { table.unpack(alive) }, rounds = m.rounds }
    if m.rounds < 3 then
      w.clock = w.clock + 2
      return nil
    end
    w.clock = w.clock + 2 + m.rounds * arms
    local function measured(true_time)
      return { true_time * math.exp(noise * (2 * math.random() - 1) / math.sqrt(m.rounds)) }
    end
    for _, arm in ipairs(alive) do
      m.ratios[arm] = measured(times[arm - 1])
      m.surely[arm] = { m.ratios[arm][1] - 0.001 }
    end
    m.control = measured(1)
    return m
  end
  function w.search()
    local alive = {}
    for i in ipairs(times) do alive[i] = i + 1 end
    return halving.search(alive, w.left, w.measure, candidates.score)
  end
  --- What is taken of it: a candidate, or 1, the plan's own choices.
  function w.taken()
    local found = w.search()
    local best = found.best and found.found[found.best]
    if best then unit.assertEquals(best.surely[1], best.ratios[1] - 0.001) end
    return best and candidates.wins(best.ratios, best.surely, found.control.ratios) and found.best
      or 1
  end
  return w
end

local many = { 1.3, 1.02, 0.97, 1, 0.85, 1.1, 0.99, 1.5, 0.9, 2 }

function TestHalving.test_stages()
  unit.assertEquals(halving.stages(8), { 8, 4, 2, 1 })
  unit.assertEquals(halving.stages(5), { 5, 3, 2, 1 })
  unit.assertEquals(halving.stages(1), { 1 })
  unit.assertEquals(halving.stages(0), {})
  unit.assertEquals(halving.share(1), 1)
  unit.assertAlmostEquals(halving.share(2), 4 / (4 + 2 * 3), 1e-9)
end

function TestHalving.test_best_is_found()
  local w = world(many, 1000, 0)
  local found = w.search()
  unit.assertEquals(found.best, 6)
  local sizes = {}
  for i, stage in ipairs(w.stages) do sizes[i] = #stage.alive end
  unit.assertEquals(sizes, { 10, 5, 3, 2, 1 })
  unit.assertEquals(w.stages[4].alive, { 6, 10 })
  -- Of every candidate its last measurement is kept.
  for arm = 2, #many + 1 do
    unit.assertAlmostEquals(found.found[arm].ratios[1], many[arm - 1], 1e-9)
  end
  unit.assertTrue(found.found[6].rounds > found.found[4].rounds)
end

--- Noise of 5 % in one round: right in nearly all of 200 runs, within a hundredth in all.
function TestHalving.test_noise()
  math.randomseed(3)
  local right = 0
  for _ = 1, 200 do
    local best = world(many, 1000, 0.05).search().best
    right = right + (best == 6 and 1 or 0)
    unit.assertTrue(best == 6 or best == 10, tostring(best))
  end
  unit.assertTrue(right >= 195, tostring(right))
end

--- Each stage has about twice the rounds of the one before.
function TestHalving.test_rounds_double()
  local w = world(many, 10000, 0)
  w.search()
  for i = 2, #w.stages do
    unit.assertAlmostEquals(w.stages[i].rounds / w.stages[i - 1].rounds, 2, 0.1)
  end
end

--- Whatever the budget: it is kept but for preparing a measurement that finds no time.
function TestHalving.test_budget()
  for budget = 0, 400, 7 do
    local w = world(many, budget, 0)
    local found = w.search()
    unit.assertTrue(w.clock <= budget + 2, ('%d of %d'):format(w.clock, budget))
    if budget < 30 then
      unit.assertNil(found.best)
      unit.assertNil(found.control)
    end
    if budget >= 100 then
      unit.assertEquals(found.best, 6)
      unit.assertTrue(w.clock > budget * 0.8, 'time is used')
    end
  end
end

--- Where rounds are dear, the first stage leaves half of the time; the later ones may take it all.
function TestHalving.test_first_stage_leaves_half()
  local w, most = world(many, 100, 0), {}
  local measure = w.measure
  w.measure = function(alive, time, stage)
    most[stage] = time.most / w.left()
    return measure(alive, time, stage)
  end
  unit.assertEquals(w.search().best, 6)
  unit.assertEquals({ most[1], most[2], most[3] }, { 0.5, 1, 1 })
end

--- Time that is out leaves who was ahead: nothing where nothing was measured.
function TestHalving.test_cut_short()
  local w = world(many, 1000, 0)
  local measure = w.measure
  w.measure = function(alive, time, stage)
    return stage < 3 and measure(alive, time, stage) or nil
  end
  local found = w.search()
  unit.assertEquals(found.best, 6)
  unit.assertEquals(found.found[6].rounds, w.stages[2].rounds)
end

--- Equals and near equals of the plan's own choices change nothing, whatever the noise.
function TestHalving.test_ties_keep_the_plans_own()
  math.randomseed(5)
  unit.assertEquals(world({ 1, 1, 1, 1 }, 1000, 0).taken(), 1)
  unit.assertEquals(world({ 0.985, 1.01 }, 1000, 0).taken(), 1)
  unit.assertEquals(world({ 0.97, 1.01 }, 1000, 0).taken(), 2)
  for _ = 1, 100 do
    unit.assertEquals(world({ 1, 1, 1, 1, 1, 1, 1 }, 1000, 0.05).taken(), 1)
  end
  -- The first of equals, so that the same measurements say the same.
  unit.assertEquals(world({ 0.9, 0.9, 0.9 }, 1000, 0).taken(), 2)
end

function TestHalving.test_nobody()
  local w = world({}, 100, 0)
  unit.assertNil(w.search().best)
  unit.assertEquals(w.clock, 0)
end
