--- The page on vendoring: its options are those of the verb, and what it says of a folder is so.
local cpus = require 'cpu'
local isas = require 'isa'
local lists = require 'common.list'
local page_tables = require 'page_tables'
local support = require 'support'
local unit = require 'luaunit'
local weights = require 'weights'

TestVendorPage = {}

local page = support.read(support.root .. '/generator/vendor/README.md')
local line = page:gsub('%s+', ' ')

--- The table of options has each option of the verb once, and no other.
function TestVendorPage.test_options()
  local options = {}
  for _, row in ipairs(page_tables.rows(page, 'option | what the option does |')) do
    for option in row[1]:gmatch '`%-%-([%l-]+)[^`]*`' do options[#options + 1] = option end
  end
  page_tables.assert_options('vendor', options)
end

--- The words of --isa and --cpu, in their order.
function TestVendorPage.test_words()
  for option, names in pairs { isa = isas.names, cpu = cpus.names } do
    local told = ('`%s`'):format(table.concat(names, '`, `')):gsub('`c`', '%0 (portable C)')
    for _, row in ipairs(page_tables.rows(page, 'option | what the option does |')) do
      if row[1] == ('`--%s LIST`'):format(option) then
        support.assert_has(row[2], 'only, of ' .. told .. ':', option)
        told = nil
      end
    end
    unit.assertNil(told, option)
  end
end

--- Options that are refused together, as the page says.
function TestVendorPage.test_refused()
  local function refuse(...)
    support.assert_code(support.ffngen { 'vendor', support.root .. '/generator/specs/lessons.lua',
      '--isa', 'c', '--out', 'folder', '--dry-run', ... }, 2, table.concat({ ... }, ' '))
  end
  for _, layout in ipairs { '--single-file', '--header-only' } do
    refuse(layout, '--threads', 'mpi')
    refuse(layout, '--max-tu-bytes', '100000')
  end
  support.assert_has(line, 'Not with `--threads mpi` or `--max-tu-bytes` (exit code 2)', 'layouts')
  refuse('--header-only', '--flat')
  support.assert_has(line, 'Not with `--flat`, `--threads mpi` or `--max-tu-bytes` (exit code 2)',
    'one header')
  refuse('--freestanding', '--cpp')
  refuse('--freestanding', '--file')
  support.assert_has(line, 'Not with `--cpp` or `--file` (exit code 2)', 'no libc')
end

--- Formats that weights in the code may have.
function TestVendorPage.test_formats()
  local names = lists.filter(weights.names, function(name) return weights.by_name[name].embed end)
  local told = {}
  local rows = page_tables.rows(page, 'FILE | formats that the spec may state | constants |')
  unit.assertEquals({ rows[1][1]:match '`([^`]*)`', rows[1][2] }, { 'model.ffn', 'all' })
  for name in rows[2][2]:gmatch '`([%w_]+)`' do told[#told + 1] = name end
  unit.assertEquals(told, names)
  -- And those that no function takes as floats.
  local blocks = lists.filter(weights.names, function(name)
    return not weights.by_name[name].pack
  end)
  support.assert_has(line, ('takes only as bytes of a GGUF file: `%s` |'):format(
    table.concat(blocks, '`, `')), 'formats')
  local folder = support.folder()
  support.write(folder .. '/wide.lua', "linear 'wide' { d_model = 512, d_out = 520 }\n")
  local result = support.ffngen {
    'vendor', folder .. '/wide.lua', '--isa', 'c', '--prefix', 'wide', '--out', folder .. '/out',
    '--weights', folder .. '/wide.bin',
  }
  support.assert_has(line, 'at most 1 MiB of packed weights', 'a limit')
  support.assert_has(result.err, ('(most: %d)'):format(1 << 20), 'a limit')
end

--- Words that the page says to be no prefixes, and why.
function TestVendorPage.test_prefixes()
  for word, why in pairs {
    string = 'a header of this name', time = 'a header of this name', aux = 'Windows has a device',
    test = 'build systems have a target', rt = 'would stand before the system',
    linux = 'is no name for a namespace',
  } do
    support.assert_has(line, ('`%s`'):format(word), 'a prefix')
    local result = support.ffngen {
      'vendor', support.root .. '/generator/specs/lessons.lua', '--prefix', word, '--cpp',
      '--out', 'folder', '--dry-run',
    }
    support.assert_code(result, 2, word)
    support.assert_has(result.err, why, word)
  end
end

--- What a second run does to each kind of file.
function TestVendorPage.test_second_run()
  local folder = support.folder()
  support.write(folder .. '/tiny.lua', page:match "\ncat >tiny%.lua <<'END'\n(.-\n)END\n")
  local function vendor(...)
    return support.ffngen({ 'vendor', folder .. '/tiny.lua', '--isa', 'c', '--prefix', 'tiny',
      '--out', folder .. '/out', ... })
  end
  local function has(name) return support.exists(folder .. '/out/' .. name) end
  support.assert_code(vendor('--no-dispatch'), 0, 'first')
  support.write(folder .. '/out/mine.c', 'int mine;\n')
  unit.assertTrue(has 'tiny_reference.c')
  support.assert_code(vendor('--no-dispatch', '--no-selfcheck', '--check'), 3, 'other files')
  support.assert_code(vendor('--no-dispatch', '--no-selfcheck'), 0, 'second')
  unit.assertFalse(has 'tiny_reference.c')
  unit.assertTrue(has 'mine.c')
  support.assert_code(vendor('--no-dispatch', '--no-selfcheck', '--check'), 0, 'the same')
  support.write(folder .. '/out/tiny_selfcheck.c', 'int mine;\n')
  support.assert_code(vendor('--no-dispatch'), 1, 'a file of mine')
  unit.assertFalse(has 'tiny_reference.c')
end
