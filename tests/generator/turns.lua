--- Tests that take turns: each comes round, and all are run where that is asked for.
local unit = require 'luaunit'
local support = require 'support'

TestTurns = {}

--- A folder with what says whose turn it is.
local function folder_of_turns()
  local folder = support.folder()
  support.sh('mkdir -p', folder .. '/tests/support', folder .. '/tests/scripts')
  for _, path in ipairs {
    'tests/support/turn.lua', 'tests/support/write.lua', 'tests/scripts/turns.lua',
  } do
    support.write(folder .. '/' .. path, support.read(support.root .. '/' .. path))
  end
  return folder
end

--- What test-full takes of these groups in a turn: as the summary reads it, and as ninja does.
---@param env string[]
local function taken(folder, turn, env, ...)
  support.write(folder .. '/tests/turn', turn .. '\n')
  local result = support.run({ 'lua5.4', 'tests/scripts/turns.lua', 'test-full', 'dyndep', 'list',
    ... }, { dir = folder, env = env })
  support.assert_code(result, 0, 'turns.lua')
  local list = support.read(folder .. '/list'):gsub('\n$', '')
  unit.assertEquals(support.read(folder .. '/dyndep'),
    'ninja_dyndep_version = 1\nbuild test-full: dyndep | ' .. list .. '\n')
  return list
end

function TestTurns.test_all_come_round()
  local folder = folder_of_turns()
  local lists = {}
  for turn = 0, 5 do
    lists[taken(folder, turn, {}, 'a/x | b', 'c | d e | f')] = true
  end
  unit.assertEquals(support.keys(lists), {
    'build/a/x.ok build/c.ok', 'build/a/x.ok build/d.ok build/e.ok', 'build/a/x.ok build/f.ok',
    'build/b.ok build/c.ok', 'build/b.ok build/d.ok build/e.ok', 'build/b.ok build/f.ok',
  })
  unit.assertEquals(taken(folder, 1, { 'TURNS=all' }, 'a/x | b', 'c | d e | f'),
    'build/a/x.ok build/b.ok build/c.ok build/d.ok build/e.ok build/f.ok')
end

--- A test that nobody takes turns with, or that stands in two groups, is a slip.
function TestTurns.test_slips()
  local folder = folder_of_turns()
  support.write(folder .. '/tests/turn', '1\n')
  for _, groups in ipairs { { 'a' }, { 'a | ' }, { 'a | b', 'b | c' }, {} } do
    unit.assertNotEquals(support.run({ 'lua5.4', 'tests/scripts/turns.lua', 't', 'dyndep', 'list',
      table.unpack(groups) }, { dir = folder }).code, 0, table.concat(groups, ', '))
  end
end
