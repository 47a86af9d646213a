--- The table of small devices is what small.sh prints, and within the limits that it asserts.
local unit = require 'luaunit'
local support = require 'support'

TestSmall = {}

--- The rows of the table: machine, flags, aim, weights, and five numbers.
local function rows_of(page)
  local rows = {}
  local pattern = '\n| (%w[%w+-]*), `(%-O%w)` | (%a+) | ([%w_`]+) |([%d |]+)|%f[\n]'
  for machine, flags, aim, format, numbers in page:gmatch(pattern) do
    local row = { machine = machine, flags = flags, aim = aim, format = format }
    for number in numbers:gmatch '%d+' do row[#row + 1] = math.tointeger(number) end
    unit.assertEquals(#row, 5, machine)
    rows[#rows + 1] = row
  end
  return rows
end

function TestSmall.test_table()
  local page = support.read(support.root .. '/tests/platforms/README.md')
  local script = support.read(support.root .. '/tests/platforms/small.sh')
  for line in script:gmatch "\necho '(| [^\n]*|)'" do
    support.assert_has(page, line .. '\n', 'head')
  end
  local seen, floats = {}, {}
  for _, row in ipairs(rows_of(page)) do
    local what = ('%s %s %s %s'):format(row.machine, row.flags, row.aim, row.format)
    local text, ram, stack, instructions, plain = table.unpack(row)
    seen[row.machine] = (seen[row.machine] or 0) + 1
    support.assert_has(script, '\nrow ' .. row.machine .. ' ', what)
    if row.aim == 'size' then
      unit.assertTrue(text < (row.machine == 'Cortex-M0+' and 5120 or 4096), what)
      unit.assertTrue(instructions < plain or row.machine == 'Cortex-M0+', what)
    elseif row.aim == 'floats' then
      floats[row.machine .. row.flags .. row.format] = instructions
    elseif row.aim == 'bytes' then
      local most, is_small = floats[row.machine .. row.flags .. row.format],
        row.machine == 'Cortex-M4F' and row.format == '`i8`'
      unit.assertTrue(text < (is_small and 4501 or 6144), what)
      unit.assertTrue(instructions < most and (not is_small or 20 * instructions <= 9 * most), what)
    end
    unit.assertTrue(row.aim == 'speed' or ram < 1024 and stack < 1024, what)
  end
  unit.assertEquals(seen,
    { ['Cortex-M4F'] = 13, ['Cortex-M7F'] = 3, RV32IMFC = 13, ['Cortex-M0+'] = 6 })
end

--- The page of small devices says of three kinds of weights what the table does.
function TestSmall.test_devices()
  local page, of = support.read(support.root .. '/runtime/devices.md'), {}
  for _, row in ipairs(rows_of(support.read(support.root .. '/tests/platforms/README.md'))) do
    of[table.concat({ row.machine, row.flags, row.aim, row.format }, ' ')] = row
  end
  for said, kind in pairs {
    ['`f32`'] = 'size f32', ['`i8`'] = 'floats `i8`', ['`i8`, `dot_s8`'] = 'bytes `i8`',
  } do
    local m4, m0 = of['Cortex-M4F -Os ' .. kind], of['Cortex-M0+ -Os ' .. kind]
    local text, m4_tokens, m0_tokens = page:match('\n| ' .. said:gsub('%p', '%%%0')
      .. ' | (%d+) bytes | %d+ bytes | (%d+) | (%d+) |\n')
    unit.assertEquals({ math.tointeger(text), math.tointeger(m4_tokens),
      math.tointeger(m0_tokens) }, { m4[1], m4[4], m0[4] }, said)
  end
end

--- The table of CMSIS-NN has the head and the rows that cmsis_nn.sh prints, and the text says what
--- follows from them.
function TestSmall.test_cmsis_nn()
  local page = support.read(support.root .. '/tests/platforms/README.md')
  local script = support.read(support.root .. '/tests/platforms/cmsis_nn.sh')
  local head = script:match "\necho '(| layer, [^\n]*|)'\n"
  local lines, of = { head, '| --- | --- | --- | --- | --- |' }, {}
  for sizes in script:gmatch '\nrow %S+ (%d[%d ]+)' do
    for _, level in ipairs { '-O2', '-Os' } do
      local name = ('%s, `%s`'):format((sizes:gsub(' ', '-')), level)
      local numbers = page:match('\n| ' .. name:gsub('%p', '%%%0') .. ' | ([%d |]+) |\n') or name
      lines[#lines + 1] = ('| %s | %s |'):format(name, numbers)
      of[name] = { numbers:match '^%d+ | (%d+) | %d+ | (%d+)$' }
    end
  end
  unit.assertEquals(#lines, 8)
  support.assert_has(page, '\n\n' .. table.concat(lines, '\n') .. '\n\n', 'table')
  local large = of['256-256, `-O2`']
  support.assert_has(page, ('256-256 takes %.2f instructions in `dot_s8`, and %.2f in CMSIS-NN')
    :format(large[1] / 256 ^ 2, large[2] / 256 ^ 2), 'text')
end

--- A layer of few bytes, its weights in the code, is vendored without pack() and unpack().
function TestSmall.test_without_pack()
  local folder = support.folder()
  local function vendored(aim)
    support.write(folder .. '/a.lua', ("linear 'a' { d_model = 2, d_out = 1%s }"):format(aim))
    support.write(folder .. '/w.bin', ('\0'):rep(8))
    support.assert_code(support.ffngen({ 'vendor', 'a.lua', '--isa', 'c', '--single-file',
      '--prefix', 'my', '--weights', 'w.bin', '--out', 'out' }, { dir = folder }), 0, aim)
    -- A descriptor does not name what is left out.
    for _, flag in ipairs { '-DMY_NO_MAIN', '-UMY_NO_MAIN' } do
      support.assert_code(support.run({ 'cc', '-std=c11', '-Wall', '-Werror', '-fsyntax-only', flag,
        'my.c' }, { dir = folder .. '/out' }), 0, aim .. flag)
    end
    return support.read(folder .. '/out/my.c'), support.read(folder .. '/out/README.md')
  end
  local text, page = vendored ", optimise = 'size'"
  support.assert_has(text, '#define MY_NO_PACK\n', 'few bytes')
  support.assert_has(page, '; it also leaves out pack() and', 'few bytes')
  text, page = vendored ''
  support.assert_lacks(text, '#define MY_NO_PACK', 'speed')
  support.assert_has(page, '; `-DMY_NO_PACK` also leaves out pack() and', 'speed')
end

return TestSmall
