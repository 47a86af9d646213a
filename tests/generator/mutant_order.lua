--- Which seeded defects a run tries, and on which layers.
local unit = require 'luaunit'
local support = require 'support'

local folder = support.root .. '/tests/mutants'
local layers = dofile(folder .. '/layers.lua')
local order = dofile(folder .. '/order.lua')

TestMutantOrder = {}

local function defects_of(...)
  local list = {}
  for i, file in ipairs { ... } do list[i] = { name = tostring(i), file = file } end
  return list
end

local function names_of(list)
  local names = {}
  for i, defect in ipairs(list) do names[i] = defect.name end
  return table.concat(names, ' ')
end

--- What the change touched and what the wheel has, in turns: the last commit's first; and those
--- whose test it touched.
function TestMutantOrder.test_order()
  local defects = defects_of('a', 'b', 'a', 'c', 'b', 'd')
  defects[6].test = 'tests/x.sh -p some'
  local wheel = { 4, 3, 2, 1, 6, 5 }
  local function ordered(ages) return names_of(order.of(defects, wheel, ages)) end
  unit.assertEquals(ordered {}, '4 3 2 1 6 5')
  unit.assertEquals(ordered { b = 2 }, '2 4 5 3 1 6')
  unit.assertEquals(ordered { b = 2, a = 1 }, '3 4 1 2 5 6')
  unit.assertEquals(ordered { ['tests/x.sh'] = 0 }, '6 4 3 2 1 5')
end

--- How far a run has come on the wheel, whatever else it tried.
function TestMutantOrder.test_reach()
  local defects = defects_of('a', 'b', 'c')
  local wheel = { 2, 3, 1 }
  local function reach(...)
    local is_tried = {}
    for _, i in ipairs { ... } do is_tried[defects[i]] = true end
    return order.of_wheel(defects, wheel, is_tried)
  end
  unit.assertEquals({ reach(), reach(1), reach(2), reach(2, 1), reach(2, 3), reach(1, 2, 3) },
    { 0, 0, 1, 1, 2, 3 })
end

--- A run that was ended goes on: what it tried is left out and counted; a line cut short is not
--- there. Another commit's results are refused.
function TestMutantOrder.test_tried()
  local tried = dofile(folder .. '/tried.lua')
  local defects = defects_of('a', 'b', 'c', 'd')
  local kept_nowhere = tried.open(nil)
  kept_nowhere:add 'killed\t1\t\n'
  unit.assertEquals(names_of(kept_nowhere:left_of(defects)), '1 2 3 4')
  local path = support.temp .. '/tried'
  local first = tried.open(path, 'abc')
  unit.assertEquals(names_of(first:left_of(defects)), '1 2 3 4')
  first:add 'killed\t3\tTestX.test_y\n'
  first:add 'survived\t1\t\n'
  first:add 'killed\t4\tTest'
  local second = tried.open(path, 'abc')
  unit.assertEquals(names_of(second:left_of(defects)), '2 4')
  unit.assertEquals(second:text_of(defects), 'survived\t1\t\nkilled\t3\tTestX.test_y\n')
  second:add 'killed\t2\t\n'
  unit.assertEquals(names_of(tried.open(path, 'abc'):left_of(defects)), '4')
  unit.assertErrorMsgContains('not of this commit', tried.open, path, 'ab')
end

--- What says nothing but what it lacks was not tried; a set that the CPU lacks meets no test that
--- runs kernels.
function TestMutantOrder.test_lacks()
  local lack_of = dofile(folder .. '/script.lua').lack_of
  unit.assertEquals(lack_of 'no emcc: skipped\n', 'no emcc')
  unit.assertEquals(lack_of 'no tiles: skipped\nno VNNI: skipped\n', 'no VNNI')
  unit.assertNil(lack_of 'no tiles: skipped\n3 passed\n')
  unit.assertNil(lack_of '3 passed\nno tiles: skipped\n')
  unit.assertNil(lack_of '')
  local lacked_by = dofile(folder .. '/suite.lua').lacked_by
  local function lacked(file, test)
    return lacked_by({ file = file, test = test }, { 'avx_vnni', 'neon' })
  end
  unit.assertEquals(lacked('generator/isa/avx_vnni.lua', 'tests/scripts/dot_s8.sh'), 'avx_vnni')
  unit.assertNil(lacked('generator/isa/avx2.lua', 'tests/scripts/dot_s8.sh'))
  unit.assertNil(lacked('generator/isa/init.lua', 'tests/scripts/dot_s8.sh'))
  unit.assertNil(lacked('generator/isa/avx_vnni.lua', 'tests/generator/run.lua -p TestX'))
end

--- Shares are all of them, each once.
function TestMutantOrder.test_shares()
  local defects = defects_of('a', 'b', 'c', 'd', 'e', 'f', 'g')
  for shares = 1, 9 do
    local all = {}
    for i = 1, shares do
      for _, defect in ipairs(order.share(defects, ('%d/%d'):format(i, shares))) do
        all[#all + 1] = defect
      end
    end
    unit.assertEquals(names_of(all), '1 2 3 4 5 6 7')
  end
  for _, text in ipairs { '0/8', '9/8', '3', 'some', '1/0', '-1/2' } do
    unit.assertErrorMsgContains('MUTANTS is all or a share such as 3/8, not ' .. text, order.share,
      defects, text)
  end
end

--- Few layers are a spec, of those that are named and of no other.
function TestMutantOrder.test_few_layers()
  local text = support.read(folder .. '/specs.lua')
  local few, all = layers.part_of(text, layers.few), {}
  for name in text:gmatch "\n%l+ '([%w_]+)'" do all[name] = true end
  local names = {}
  for name in ('\n' .. few):gmatch "\n%l+ '([%w_]+)'" do names[name] = true end
  unit.assertEquals(names, layers.few)
  unit.assertTrue(#support.keys(all) > #support.keys(names))
  unit.assertNotNil(load(few))
  unit.assertEquals(layers.part_of(text, all), text)
  unit.assertNil(layers.part_of(text, {}):find "\n%l+ '")
end
