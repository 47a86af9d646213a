--- How layers in slices are predicted to scale: the model's arithmetic, what it refuses, and the
--- table of the page.
local unit = require 'luaunit'
local support = require 'support'

TestScale = {}

local function scale(...)
  return support.run { 'lua5.4', support.root .. '/tests/bench/scale.lua', ... }
end

--- A layer of four units and two, on a network of 1 GB/s and 10 us.
local small = { '--of', '64,128', '--bandwidth', '1', '--latency', '10', '--copy', '1' }

local function small_scale(...)
  local words = table.move(small, 1, #small, 1, {})
  for _, word in ipairs { ... } do words[#words + 1] = word end
  return scale(table.unpack(words))
end

--- By hand. One node: 3 us and 2 * 128 floats copied. Two: half of it; 1.5 * 192 floats copied;
--- a message and 64 floats, a message and 32. On 256 a node with columns has one unit of either
--- stage, of four and of two, and an exchange has eight messages.
function TestScale.test_by_hand()
  local result = small_scale('--layer', 'tiny=64,128', '--kernel', '1=3e-6')
  support.assert_code(result, 0, 'tiny')
  support.assert_has(result.out, '\n| 1 | 4.02 µs | 0 µs | 0 | 3 µs | 0 |\n'
    .. '| 2 | 23 µs | 20.4 µs | 384 | 21.8 µs | 256 |\n', 'one node and two')
  support.assert_has(result.out, '\n| 256 | 163 µs | 161 µs | 765 | 161 µs | 510 |\n', 'most nodes')
  support.assert_has(result.out, '\nPays up to 1: 2 nodes are 0.17 times as fast.\n'
    .. 'Waits: 2 a token, 1 where sums are split.\n', 'what it comes to')
end

--- A layer of four times as many weights takes as much longer; where exchanges take nearly no time,
--- nodes pay as long as there are units.
function TestScale.test_other_layer()
  local result = scale('--of', '8192,8192', '--kernel', '256=1', '--bandwidth', '1e8', '--latency',
    '1e-6', '--copy', '1e8', '--layer', 'large=16384,16384')
  support.assert_code(result, 0, 'large')
  support.assert_has(result.out, '\n| 1 | 15.6 ms | 0 µs | 0 | 15.6 ms | 0 |\n', 'one node')
  support.assert_has(result.out, '\n| 256 | 61 µs | ', 'most nodes')
  support.assert_has(result.out, '\nPays up to 256.\nWaits: 0.0078 a token, 0.0039 ', 'all pay')
end

--- 512 tokens are two blocks of 256. On five nodes 128 KiB go round in a ring of four messages, 64
--- KiB take three: 2.46 us a token.
function TestScale.test_held()
  local result = small_scale('--kernel', '512=1e-3', '--held', '5,512=1.05e-3')
  support.assert_code(result, 0, 'near')
  unit.assertEquals(result.out,
    '64 -> 128, 512 at once on 5 nodes: 2.05 µs a token, predicted 2.46 µs: +20.0 %\n')
  result = small_scale('--kernel', '512=1e-3', '--held', '5,512=1.04e-3', '--held', '5,512=1.2e-3')
  support.assert_code(result, 1, 'far')
  support.assert_has(result.out, ': +21.1 %\n', 'far')
  support.assert_has(result.out, ': +5.0 %\n', 'all are told')
end

function TestScale.test_refusals()
  support.assert_has(scale('--help').out, 'usage: scale.lua ', 'help')
  for told, words in pairs {
    ['--of is missing'] = { '--kernel', '1=1' },
    ['--latency is missing'] = { '--of', '8,8', '--kernel', '1=1', '--bandwidth', '1' },
    ['unknown option --off'] = { '--off', '8,8' },
    ['--of 8: not as --help says'] = { '--of', '8' },
    ['--of : not as --help says'] = { '--of' },
    ['--kernel 1: not as --help says'] = { '--kernel', '1' },
    ['--kernel 1=soon: soon is no number'] = { '--kernel', '1=soon' },
    ['--of 0,8: 0 is no number'] = { '--of', '0,8' },
    ['--latency 0: 0 is no number'] = { '--latency', '0' },
    ['--latency -1: -1 is no number'] = { '--latency', '-1' },
    ['--bandwidth nan: nan is no number'] = { '--bandwidth', 'nan' },
    ['--bandwidth 1e400: 1e400 is no number'] = { '--bandwidth', '1e400' },
    ['--layer 70b=8,8: not as --help says'] = { '--layer', '70b=8,8' },
  } do
    local result = scale(table.unpack(words))
    support.assert_code(result, 2, told)
    support.assert_has(result.err, 'scale: ' .. told, told)
    unit.assertEquals(result.out, '')
  end
  local result = small_scale('--kernel', '1=1', '--held', '2,3=1')
  support.assert_code(result, 2, 'no such kernel')
  support.assert_has(result.err, 'no --kernel of 3 tokens', 'no such kernel')
end

--- The page has what the command on it prints.
function TestScale.test_page()
  local text = support.read(support.root .. '/tests/bench/README.md')
  local command = text:match('\n(lua5%.4 "$FFNGEN"/tests/bench/scale%.lua [^`]+)\n```\n')
  unit.assertNotNil(command, 'no such command')
  local words = {}
  for word in command:gsub('\\\n', ' '):gmatch('%S+') do words[#words + 1] = word end
  local result = scale(table.unpack(words, 3))
  support.assert_code(result, 0, command)
  support.assert_has(text, result.out, 'tests/bench/README.md')
end
