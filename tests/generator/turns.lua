--- Tests that take turns: each comes round, and all are run where that is asked for.
local unit = require 'luaunit'
local support = require 'support'

local deal = dofile(support.root .. '/tests/support/deal.lua')
local turn = dofile(support.root .. '/tests/support/turn.lua')

TestTurns = {}

--- A folder with what says whose turn it is.
local function folder_of_turns()
  local folder = support.folder()
  support.sh('mkdir -p', folder .. '/tests/support', folder .. '/tests/scripts')
  for _, path in ipairs {
    'tests/support/turn.lua', 'tests/support/write.lua', 'tests/scripts/turns.lua',
    'tests/scripts/take_turn.sh',
  } do
    support.write(folder .. '/' .. path, support.read(support.root .. '/' .. path))
  end
  support.sh('chmod +x', folder .. '/tests/scripts/take_turn.sh')
  return folder
end

--- What test-full takes of these groups in a turn: as the summary reads it, and as ninja does.
local function taken(folder, number, ...)
  local result = support.run({ 'lua5.4', 'tests/scripts/turns.lua', 'test-full', 'dyndep', 'list',
    ... }, { dir = folder, env = { 'TURNS=' .. number } })
  support.assert_code(result, 0, 'turns.lua')
  local list = support.read(folder .. '/list'):gsub('\n$', '')
  unit.assertEquals(support.read(folder .. '/dyndep'),
    'ninja_dyndep_version = 1\nbuild test-full: dyndep | ' .. list .. '\n')
  return list
end

function TestTurns.test_all_come_round()
  local folder = folder_of_turns()
  local lists = {}
  for number = 0, 5 do
    lists[taken(folder, number, 'a/x | b', 'c | d e | f')] = true
  end
  unit.assertEquals(support.keys(lists), {
    'build/a/x.ok build/c.ok', 'build/a/x.ok build/d.ok build/e.ok', 'build/a/x.ok build/f.ok',
    'build/b.ok build/c.ok', 'build/b.ok build/d.ok build/e.ok', 'build/b.ok build/f.ok',
  })
  unit.assertEquals(taken(folder, 'all', 'a/x | b', 'c | d e | f'),
    'build/a/x.ok build/b.ok build/c.ok build/d.ok build/e.ok build/f.ok')
end

--- Parts of the generator's tests: the longest are in parts of their own, and each is in one part;
--- a name that comes again stays where it was.
function TestTurns.test_dealt()
  unit.assertEquals(deal({ 'a', 'b', 'c', 'd', 'a', 'e', 'f', 'b', 'g' }, 3),
    { a = 1, b = 2, c = 3, d = 3, e = 2, f = 1, g = 1 })
  unit.assertEquals(deal({ 'a', 'b' }, 6), { a = 1, b = 2 })
end

--- Each test is in one of the parts that ninja runs, whatever the parts are.
function TestTurns.test_parts_of_the_generator()
  local said = support.read(support.root .. '/tests/ninja/tests.ninja')
  local parts = {}
  for form, part, all in said:gmatch 'run = ([^\n]-)PART=(%d+)/(%d+) lua5%.4 tests/generator/run' do
    local seen = parts[form] or { count = 0, all = all }
    parts[form] = seen
    unit.assertEquals({ all, seen[part] }, { seen.all, nil }, 'PART=' .. part)
    seen[part], seen.count = true, seen.count + 1
  end
  unit.assertEquals(support.keys(parts), { '', 'FULL=1 ' })
  for _, form in ipairs(support.keys(parts)) do
    for part = 1, tonumber(parts[form].all) do
      unit.assertTrue(parts[form][tostring(part)], form .. part)
    end
    unit.assertEquals(parts[form].count, tonumber(parts[form].all), form)
  end
end

--- Who has more time than for a turn finds all parts, those whose turn it is first.
function TestTurns.test_ranks()
  local folder = folder_of_turns()
  local list = taken(folder, 4, 'a/x | b', 'c | d e | f')
  local by_rank, count = {}, 0
  for rank, names in support.read(folder .. '/list.ranks'):gmatch '(%d+) ([^\n]+)\n' do
    by_rank[rank] = by_rank[rank] and by_rank[rank] .. ' ' .. names or names
    count = count + 1
  end
  unit.assertEquals(count, 5)
  unit.assertEquals(by_rank['0'], list)
  unit.assertNotNil(by_rank['1'])
  unit.assertNotNil(by_rank['2'])
end

--- A test that nobody takes turns with, or that stands in two groups, is a slip.
function TestTurns.test_slips()
  local folder = folder_of_turns()
  for _, groups in ipairs { { 'a' }, { 'a | ' }, { 'a | b', 'b | c' }, {} } do
    unit.assertNotEquals(support.run({ 'lua5.4', 'tests/scripts/turns.lua', 't', 'dyndep', 'list',
      table.unpack(groups) }, { dir = folder, env = { 'TURNS=1' } }).code, 0,
      table.concat(groups, ', '))
  end
  local result = support.run({ 'lua5.4', 'tests/scripts/turns.lua', 't', 'dyndep', 'list',
    'a | b' }, { dir = folder, env = { 'TURNS=some' } })
  unit.assertNotEquals(result.code, 0)
  support.assert_has(result.err, 'TURNS is all or the number of a turn, not some')
end

--- Lines of a list come round, too.
function TestTurns.test_lines()
  local folder = folder_of_turns()
  local function lines(number)
    local result = support.run({
      'sh', '-c', "printf '%s\\n' a b c d e | tests/scripts/take_turn.sh 3",
    }, { dir = folder, env = { 'TURNS=' .. number } })
    support.assert_code(result, 0, 'take_turn.sh')
    return result.out
  end
  unit.assertEquals({ lines(0), lines(1), lines(2) }, { 'c\n', 'b\ne\n', 'a\nd\n' })
  unit.assertEquals(lines 'all', 'a\nb\nc\nd\ne\n')
end

--- What git says of a history, by what it is asked.
local function history(answers)
  return function(arguments) return answers[arguments:match '^%S+'] end
end

--- The number of the commit where it is known; where not, what stands in for it.
function TestTurns.test_number()
  local whole = { ['rev-parse'] = 'false', ['rev-list'] = '630', log = '1800000000' }
  unit.assertEquals({ turn.count(history(whole)) }, { 630, 'commit' })
  local shallow = { ['rev-parse'] = 'true', ['rev-list'] = '1', log = '1800000000' }
  unit.assertEquals({ turn.count(history(shallow)) }, { 6000000, 'date' })
  unit.assertEquals({ turn.count(history {}) }, { 0, 'none' })
end

--- A real clone that is shallow, and one of a branch.
function TestTurns.test_clones()
  local folder = folder_of_turns()
  support.sh([[sh -c 'cd "$1" && git init -q . && git add . &&
    export GIT_COMMITTER_DATE=1800000000 GIT_AUTHOR_DATE=1800000000 &&
    i=0 && while [ $i -lt 70 ]; do
      git -c user.name=a -c user.email=a@example commit -q --allow-empty -m $i || exit
      i=$((i + 1))
    done && git clone -q --depth 3 "file://$1" "$1/shallow" && git clone -q "$1" "$1/whole"
    ' sh]], folder)
  local function number(clone)
    local result = support.run({ 'lua5.4', 'tests/support/turn.lua' }, { dir = folder .. clone })
    support.assert_code(result, 0, clone)
    return tonumber(result.out)
  end
  unit.assertEquals(number '', 1)
  unit.assertEquals(number '/whole', 1)
  unit.assertEquals(number '/shallow', 1800000000 // 300 // turn.stretch)
end

--- However many commits a change brings, up to a stretch: no part is passed over, and all have had
--- their turn when they make `parts` stretches.
function TestTurns.test_no_turn_is_passed_over()
  for parts = 2, 17 do
    for step = 1, turn.stretch do
      local seen, count = {}, 0
      for number = 1000, 1000 + parts * turn.stretch, step do
        local part = turn.order(parts, number)[1]
        if not seen[part] then seen[part], count = true, count + 1 end
      end
      unit.assertEquals(count, parts, ('%d parts, %d commits a change'):format(parts, step))
    end
  end
end

--- Those whose turn it is not have no fixed place behind it.
function TestTurns.test_others_in_any_order()
  local second = {}
  for number = 1, turn.stretch - 1 do
    local order = turn.order(5, number)
    unit.assertEquals(order[1], 0)
    table.sort(order)
    unit.assertEquals(order, { 0, 1, 2, 3, 4 })
    second[turn.order(5, number)[2]] = true
  end
  unit.assertEquals(support.keys(second), { 1, 2, 3, 4 })
end

--- Items on the wheel: a run that reaches back to the last one leaves none out, whatever changes
--- bring; so after a round all were met. A run that reaches less far may leave some out.
function TestTurns.test_wheel()
  local around = turn.round * turn.stretch
  local function missed(items, taken_of, changes)
    local seen, number = {}, 5000
    local until_then, i = number + around, 0
    while number < until_then do
      i = i + 1
      number = number + changes[i % #changes + 1]
      local wheel = turn.wheel(items, number)
      for n = 1, taken_of do seen[wheel[n]] = true end
    end
    return items - #support.keys(seen)
  end
  for _, changes in ipairs { { 1 }, { 7, 64, 13 }, { 64 }, { 50, 60 }, { 63, 1 }, { 10, 64, 64 } }
  do
    for _, items in ipairs { 9, 40, 564 } do
      -- As many as stand on a stretch, and one that it begins with.
      unit.assertEquals(missed(items, items // turn.round + 1, changes), 0,
        ('%d items, changes of %s commits'):format(items, table.concat(changes, ', ')))
    end
  end
  unit.assertTrue(missed(564, 20, { 64 }) > 0)
  unit.assertTrue(missed(564, 57, { 128 }) > 0)
  unit.assertEquals(missed(564, 114, { 128 }), 0)
  unit.assertEquals({ turn.reach(57, 570), turn.reach(570, 570), turn.reach(0, 0) },
    { 64, 640, 640 })
end
