--- The pages: what they quote stands there, what they name exists. Their commands are run by
--- tests/scripts/pages.sh.
local unit = require 'luaunit'
local lfs = require 'lfs'
local page_tables = require 'page_tables'
local runtime_files = require 'common.runtime_files'
local support = require 'support'

TestPages = {}

--- Every page of the project: path -> text.
local function pages()
  local list = { ['README.md'] = support.read(support.root .. '/README.md') }
  for _, folder in ipairs { 'generator', 'runtime', 'tests' } do
    for path, text in pairs(support.snapshot(support.root .. '/' .. folder)) do
      if path:match('%.md$') then list[folder .. '/' .. path] = text end
    end
  end
  return list
end

--- What stands in ``` fences: { info, lines } each; and the text without them.
local function blocks_of(text)
  local list, rest, open = {}, {}, nil
  for line in text:gmatch('([^\n]*)\n') do
    local info = line:match('^```(.*)$')
    if info and open then
      open = nil
    elseif info then
      open = { info = info, lines = {} }
      list[#list + 1] = open
    elseif open then
      open.lines[#open.lines + 1] = line
    else
      rest[#rest + 1] = line
    end
  end
  unit.assertNil(open, 'a block without its end')
  return list, table.concat(rest, '\n') .. '\n'
end

--- A path as seen from a page's folder, without its dots.
local function from(page, path)
  local folder = page:match('^(.*/)') or ''
  local whole, count = folder .. path
  repeat whole, count = whole:gsub('[^/.]+/%.%./', '', 1) until count == 0
  return (whole:gsub('/$', ''))
end

--- What the headers' comments show is called with as many arguments as it takes.
function TestPages.test_calls_in_headers()
  local function count(list) return select(2, list:gsub(',', ',')) + 1 end
  local headers, takes, calls = support.snapshot(support.root .. '/runtime'), {}, 0
  local function take(file, before, name, call)
    takes[call] = count(headers[file]:match(before .. name .. '%)?(%b())'))
  end
  take('ffn.h', 'typedef struct ffn_kernel {.-%(%*', 'pack', 'k->pack')
  take('ffn.h', 'inline void ', 'ffn_run', 'ffn_run')
  take('ffn.h', 'inline void ', 'ffn_run_to', 'ffn_run_to')
  take('ffn_train.h', 'inline void ', 'ffn_run_train', 'ffn_run_train')
  take('ffn_train.h', 'inline void ', 'ffn_grad', 'ffn_grad')
  take('ffn.h', '\nsize_t ', 'ffn_work_bytes', 'ffn_work_bytes')
  take('parallel_team.h', 'inline void ', 'ffn_team_run', 'ffn_team_run')
  for path, text in pairs(headers) do
    for line in text:gmatch('\n %*     ([^\n]*)') do
      for name, list in line:gmatch('([%w_>-]+)(%b())') do
        local given = list:gsub('%b{}', '')
        if takes[name] then
          calls = calls + 1
          unit.assertEquals(count(given), takes[name], path .. ': ' .. line)
        end
      end
    end
  end
  unit.assertTrue(calls >= 10, 'no calls in comments')
end

--- No page has lines that a terminal breaks. Tables may have such lines, but not README's.
function TestPages.test_lines()
  for path, text in pairs(pages()) do
    local blocks, rest = blocks_of(text)
    for line in rest:gmatch('[^\n]+') do
      local wide = path ~= 'README.md' and line:find '^ *|' ~= nil
      unit.assertTrue(wide or utf8.len(line) <= 100, path .. ': ' .. line)
    end
    for _, block in ipairs(blocks) do
      for _, line in ipairs(block.lines) do
        unit.assertTrue(utf8.len(line) <= 100, path .. ': ' .. line)
      end
    end
  end
end

--- Pages are short enough to be read: README is a screen. CHANGES.md grows with each release, and
--- the benchmark's page with each CPU.
function TestPages.test_lengths()
  local most = {
    ['README.md'] = 70, ['generator/README.md'] = 300,
    ['generator/CHANGES.md'] = math.huge, ['tests/bench/README.md'] = math.huge,
  }
  for path, text in pairs(pages()) do
    local lines = select(2, text:gsub('\n', ''))
    local limit = most[path] or 250
    unit.assertTrue(lines <= limit, ('%s has %d lines; at most %g'):format(path, lines, limit))
    most[path] = nil
  end
  unit.assertEquals(support.keys(most), {})
end

--- Links lead somewhere, and to every page leads one.
function TestPages.test_links()
  local all, reached, count = pages(), { ['README.md'] = true }, 0
  for page, text in pairs(all) do
    local _, rest = blocks_of(text)
    for target in rest:gmatch('%]%(([^)]*)%)') do
      local path = from(page, target)
      unit.assertTrue(support.exists(support.root .. '/' .. path), page .. ': ' .. target)
      reached[path] = true
      count = count + 1
    end
  end
  unit.assertTrue(count > 20)
  for page in pairs(all) do
    unit.assertTrue(reached[page] or false, 'no page has a link to ' .. page)
  end
end

--- Every page's commands are run by a test.
function TestPages.test_commands_are_run()
  local edges = support.read(support.root .. '/tests/ninja/tests.ninja')
    .. support.read(support.root .. '/tests/ninja/vendor.ninja')
  for page in pairs(pages()) do
    unit.assertTrue(edges:find('%f[^%s]' .. page:gsub('%.', '%%.') .. '%f[%s]') ~= nil,
      'tests/ninja/tests.ninja has no ' .. page)
  end
end

--- Python on the package's page is a file that a command runs, or that a file imports.
function TestPages.test_python_is_run()
  local page = 'generator/package/python/README.md'
  local text, count = pages()[page], 0
  for _, block in ipairs((blocks_of(text))) do
    local file = block.info:match('^python *(.*)$')
    if file then
      local module = file:match('^([a-z_]+)%.py$')
      unit.assertNotNil(module, page .. ': a block of Python without the name of a file')
      local run = text:find('\nenv/bin/python ' .. file .. '\n', 1, true)
        or text:find('\nfrom ' .. module .. ' import ', 1, true)
      unit.assertTrue(run ~= nil, file .. ' is not run')
      count = count + 1
    end
  end
  unit.assertTrue(count >= 4)
end

--- The page of the package for Python names every format, and among those of blocks, which floats
--- are quantised to.
function TestPages.test_formats_of_python()
  local text = pages()['generator/package/python/README.md']
  local weights, of_floats = require 'weights', {}
  for _, name in ipairs(weights.names) do
    local format = weights.by_name[name]
    local source = format.source
    if source and source.number == 'u8' and source.scale == 0 then
      of_floats[#of_floats + 1] = format.pack and ("`'%s'`"):format(name) or nil
    elseif source and not name:match '^u4g' then
      unit.assertStrContains(text, ("`'%s'`"):format(name))
    end
  end
  unit.assertStrContains(text, ("\n| %s (floats are quantised), and GGUF's other formats (floats "
    .. 'are refused) |'):format(table.concat(of_floats, ', ')))
end

--- Files and folders of this project in code: `read/fields.lua` and the like.
function TestPages.test_paths()
  local count = 0
  for page, text in pairs(pages()) do
    local _, rest = blocks_of(text)
    for path in rest:gmatch('`([%w_./-]+/[%w_./-]*)`') do
      local own = from(page, path)
      -- What an example or ninja makes, and patterns of names.
      local made = path:match('^%.?%./?') or path:match('^build/') or path:match('^/')
        or path:match('%u%u')
      if not made then
        count = count + 1
        unit.assertTrue(support.exists(support.root .. '/' .. own)
          or support.exists(support.root .. '/' .. path), page .. ': no ' .. path)
      end
    end
  end
  unit.assertTrue(count > 30)
end

--- The page on the runtime's files has each of them, and no other.
function TestPages.test_files_of_the_runtime()
  local folder, there, told = support.root .. '/runtime', {}, {}
  for name in lfs.dir(folder) do
    local is_shown = name:match '%.[hc]$' or name:match '%.hpp$'
      or not name:match '%.' and lfs.attributes(folder .. '/' .. name, 'mode') == 'directory'
    if is_shown then there[name] = true end
  end
  for _, row in ipairs(page_tables.rows(pages()['runtime/files.md'], 'file | what it is |')) do
    for name in row[1]:gsub('%(.-%)', ''):gmatch '[%w_.]+' do
      unit.assertNil(told[name], 'twice: ' .. name)
      told[name] = true
    end
  end
  told['moes.h'] = nil -- which is made for each folder of kernels
  unit.assertEquals(support.keys(told), support.keys(there))
end

--- The page says which files of the runtime are copied into which file, and no other one is.
function TestPages.test_copied_files_of_the_runtime()
  local page, told, parts = pages()['runtime/files.md'], {}, {}
  for _, row in ipairs(page_tables.rows(page,
    'file in the folder of the kernels | has the text of |')) do
    for name in row[1]:gmatch '`([%w_.]+)`' do told[name] = row[2] end
    for part in row[2]:gmatch '[%w_.]+' do parts[part] = true end
  end
  local folder = support.root .. '/runtime'
  for name in lfs.dir(folder) do
    if name:match '%.[ch]$' and not parts[name] then
      local text, copied = support.read(folder .. '/' .. name), {}
      local whole = runtime_files.read(support.root .. '/', name)
      for part in text:gmatch '\n#include "([%w_]+%.h)"' do
        copied[part] = not whole:find('\n#include "' .. part .. '"', 1, true) or nil
      end
      unit.assertEquals(told[name] or '', table.concat(support.keys(copied), ', '), name)
    end
  end
  unit.assertTrue(#support.keys(told) > 5)
end

--- Asserts that lines stand in a text in this order: those between two `...` without a gap.
local function assert_quoted(lines, text, where)
  local at, passage = 1, {}
  local function look()
    local wanted = '\n' .. table.concat(passage, '\n') .. '\n'
    local first, last = ('\n' .. text):find(wanted, at, true)
    unit.assertNotNil(first, ('%s: no such lines any more:%s'):format(where, wanted))
    at, passage = last, {}
  end
  for _, line in ipairs(lines) do
    if line ~= '...' then
      passage[#passage + 1] = line
    elseif #passage > 0 then
      look()
    end
  end
  if #passage > 0 then look() end
end

--- A block ```c folder/file.c quotes that file, and ```text ffngen ... what the command prints.
function TestPages.test_quotations()
  local files, commands = 0, 0
  for page, text in pairs(pages()) do
    for _, block in ipairs((blocks_of(text))) do
      local path = block.info:match('^%l+ (%S+/%S+)$')
      local command = block.info:match('^text ffngen (.*)$')
      if path then
        files = files + 1
        assert_quoted(block.lines, support.read(support.root .. '/' .. path), page)
      elseif command then
        commands = commands + 1
        local words = {}
        for word in command:gmatch('%S+') do words[#words + 1] = word end
        local result = support.ffngen(words)
        support.assert_code(result, 0, command)
        assert_quoted(block.lines, result.out, page .. ': ffngen ' .. command)
      end
    end
  end
  unit.assertTrue(files >= 2 and commands >= 2)
end

--- Verbs and options that the pages name.
function TestPages.test_words_of_the_command_line()
  -- Of every verb, of ./setup.sh, of ffngen itself, and of LuaRocks.
  local help, count = {}, 0
  local known = { support.read(support.root .. '/setup.sh'), '--version', '--help', '--deps-mode' }
  for _, verb in ipairs((require 'commands').names) do
    help[verb] = support.ffngen({ verb, '--help' }).out
    known[#known + 1] = help[verb]
  end
  local any = table.concat(known, '\n')
  for page, text in pairs(pages()) do
    for words in text:gmatch('%f[%w]ffngen ([%l-][^\n`)]*)') do
      local verb = words:match('^%l+')
      if verb and help[verb] then
        count = count + 1
        for option in words:gsub('%s#.*', ''):gmatch('%f[%S]%-%-%l[%l-]*') do
          unit.assertTrue(help[verb]:find(option, 1, true) ~= nil,
            ('%s: ffngen %s has no %s'):format(page, verb, option))
        end
      end
    end
    for option in text:gmatch('`(%-%-%l[%l-]*)') do
      count = count + 1
      unit.assertTrue(any:find(option, 1, true) ~= nil, page .. ': ' .. option)
    end
  end
  unit.assertTrue(count > 30)
end

--- CHANGES.md has a section for each ABI, the newest first; its table has the headers' numbers.
function TestPages.test_changes()
  local text, abi = support.read(support.root .. '/generator/CHANGES.md'), nil
  local version = require 'common.version'
  for row in text:gmatch '\n## ABI (%d+), %l[%l ]+\n\n[%-%u]' do
    unit.assertEquals(tonumber(row), abi and abi - 1 or version.abi)
    abi = tonumber(row)
  end
  unit.assertEquals(abi, 1)
  for name, file in pairs {
    FFN_ABI = 'ffn.h', FFN_LAYOUT = 'ffn.h', FFN_FILE_VERSION = 'ffn_file.h',
  } do
    local number = support.read(support.root .. '/runtime/' .. file)
      :match('#define ' .. name .. ' (%d+)')
    support.assert_has(text, ('\n| `%s`, %s | `runtime/%s` |'):format(name, number, file), name)
  end
end
