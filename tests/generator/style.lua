--- The house rules that a look at the text can check.
local unit = require 'luaunit'
local support = require 'support'

TestStyle = {}

--- The Lua files of a folder of the repository itself.
local function sources(folder)
  local result = {}
  for path, text in pairs(support.snapshot(support.root .. '/' .. folder)) do
    if path:match('%.lua$') then result[folder .. '/' .. path] = text end
  end
  return result
end

--- Code without comments and strings: enough for a look at its words.
local function code_of(text)
  return (text:gsub('%-%-%[%[.-%]%]', ''):gsub('%-%-[^\n]*', ''):gsub("'[^'\n]*'", "''")
    :gsub('"[^"\n]*"', '""'))
end

--- Hash order never reaches an output: record.sorted_keys is the only walk over keys.
function TestStyle.test_no_hash_order()
  local files, found = 0, 0
  for path, text in pairs(sources('generator')) do
    files = files + 1
    for word in code_of(text):gmatch('%f[%w_.][%w_.]+') do
      if word == 'pairs' or word == 'next' or word == 'rawnext' then
        found = found + 1
        unit.assertEquals(path, 'generator/common/record.lua', word)
      end
    end
  end
  unit.assertTrue(files > 25)
  unit.assertEquals(found, 3) -- two of sorted_keys, one of count: the check sees what it looks for
end

--- No clock, no environment, no chance, no shell in the generator. Tuning and plots alone cannot do
--- without: they compile and measure. What that needs is in one file, which only they may use. And
--- a run that waits for another to end has to sleep.
function TestStyle.test_no_outside_world()
  local everywhere = { ['os.remove'] = true, ['os.rename'] = true, ['os.exit'] = true }
  local process = { ['os.time'] = true, ['os.getenv'] = true, ['io.popen'] = true }
  local waiting = { ['os.remove'] = true, ['os.execute'] = true }
  local count, users = 0, 0
  for path, text in pairs(sources('generator')) do
    local code = code_of(text)
    local here = path == 'generator/tune/process.lua' and process
      or path == 'generator/write/lock.lua' and waiting or everywhere
    for call in code:gmatch('%f[%w_.]%l+%.%l+') do
      if call:match('^os%.') or call == 'io.popen' then
        count = count + 1
        unit.assertTrue(here[call] or false, path .. ': ' .. call)
      end
    end
    unit.assertNil(code:find('math%.random'), path)
    if text:find("require 'tune.process'", 1, true) then
      users = users + 1
      unit.assertTrue(path == 'generator/commands/tune.lua'
        or path == 'generator/commands/plot.lua' or path:match('^generator/tune/') ~= nil, path)
    end
  end
  unit.assertTrue(count >= 8)
  unit.assertEquals(users, 4)
end

--- No test depends on how fast a machine is: work is counted (support/effort.lua). The runner tells
--- what tests take, and the fuzzer ends what hangs.
function TestStyle.test_no_clock_in_tests()
  local of_clock = {}
  for path, text in pairs(sources('tests')) do
    if not path:match '^tests/bench/' and code_of(text):find 'os%.clock' then
      of_clock[#of_clock + 1] = path
    end
  end
  table.sort(of_clock)
  unit.assertEquals(of_clock, { 'tests/fuzz/specs.lua', 'tests/generator/run.lua' })
end

function TestStyle.test_lines()
  for _, folder in ipairs { 'generator', 'tests/generator' } do
    for path, text in pairs(sources(folder)) do
      local number = 0
      for line in text:gmatch('([^\n]*)\n') do
        number = number + 1
        local what = ('%s:%d'):format(path, number)
        unit.assertTrue((utf8.len(line) or #line) <= 100, what .. ': longer than 100')
        unit.assertNil(line:find('[ \t\r]$'), what .. ': a space at the end')
        unit.assertNil(line:find('\t', 1, true), what .. ': a tabulator')
      end
      unit.assertEquals(text:sub(-1), '\n', path)
    end
  end
end

--- luacheck, where it is installed, with the rules of .luacheckrc, which the short form leaves to
--- lint; and the rules bite.
function TestStyle.test_luacheck()
  if not os.execute('command -v luacheck >/dev/null 2>&1') then unit.skip('no luacheck') end
  local result
  if support.full then
    result = support.run({ 'luacheck', '--no-color', 'generator', 'tests/generator' },
      { dir = support.root, seconds = 60 })
    unit.assertStrContains(result.out, '0 warnings / 0 errors', false, false)
    support.assert_code(result, 0, 'luacheck')
  end

  local folder = support.folder()
  support.sh('mkdir -p', folder .. '/generator/specs')
  support.sh('cp', support.root .. '/.luacheckrc', folder)
  for path, text in pairs {
    ['generator/a.lua'] = 'for k in pairs {} do print(k) end\n',
    ['generator/b.lua'] = 'print(next {})\n',
    ['generator/c.lua'] = 'local unused = 1\n',
    ['generator/d.lua'] = 'print("' .. ('x'):rep(100) .. '")\n',
    ['generator/e.lua'] = "ffn 'x' {}\n",
    ['generator/specs/f.lua'] = "print 'x'\n",
  } do
    support.write(folder .. '/' .. path, text)
    result = support.run({ 'luacheck', '--no-color', path }, { dir = folder })
    unit.assertNotEquals(result.code, 0, path .. ' passes')
    os.remove(folder .. '/' .. path)
  end
  support.write(folder .. '/generator/specs/g.lua',
    "schema(1)\nffn 'x' { d_ff = llama_d_ff { d_model } }\nmlp(linear, glu, selfgate)\n")
  result = support.run({ 'luacheck', '--no-color', 'generator' }, { dir = folder })
  support.assert_code(result, 0, 'the words of a spec')
end
