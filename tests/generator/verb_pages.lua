--- The page of each verb: its parts, its options beside those that the code reads, and the man page
--- beside --help.
local argparse = require 'argparse'
local unit = require 'luaunit'
local commands = require 'commands'
local exits = require 'commands.exits'
local lists = require 'common.list'
local support = require 'support'

TestVerbPages = {}

---@return Page
local function page_of(verb)
  local command = argparse(verb):add_help(false)
  commands.by_name[verb].options(command)
  return commands.page(verb, command)
end

local function source_of(path) return support.read(support.project .. '/generator/' .. path) end

--- A sentence that a reader finds complete.
local function assert_sentence(text, what)
  unit.assertNotNil(text:find '^%S.*[%.%)]$', ('%s: "%s" is no sentence'):format(what, text))
end

--- Purpose, examples, options, files, exit codes; each with its meaning.
function TestVerbPages.test_five_parts()
  for _, verb in ipairs(commands.names) do
    local page, command = page_of(verb), 'ffngen ' .. verb
    assert_sentence(page.about, verb)
    for _, paragraph in ipairs(page.purpose) do assert_sentence(paragraph, verb) end
    for _, part in ipairs { 'purpose', 'examples', 'files', 'exits' } do
      unit.assertTrue(#page[part] > 0, ('%s has no %s'):format(command, part))
    end
    for _, part in ipairs { 'arguments', 'options', 'examples', 'files', 'exits' } do
      for _, item in ipairs(page[part]) do
        assert_sentence(item.meaning, ('%s: %s'):format(verb, item.name))
      end
    end
    for _, example in ipairs(page.examples) do
      unit.assertEquals(example.name:match '^ffngen %l+', command)
    end
    local help = support.ffngen({ verb, '--help' }).out
    local from = 1
    for _, title in ipairs { 'Usage', 'Examples', 'Options', 'Files', 'Exit codes' } do
      from = help:find('%f[%w]' .. title .. ':', from)
      unit.assertNotNil(from, ('%s --help has no "%s:" at its place'):format(command, title))
    end
    for line in help:gmatch '[^\n]+' do unit.assertTrue(#line <= 100, line) end
  end
end

-- Options ----------------------------------------------------------------------------------------

--- A default that argparse fills in stands behind the meaning.
function TestVerbPages.test_defaults()
  for verb, text in pairs {
    vendor = 'letters. Default: ffn.\n', plot = 'FROM:TO. Default: -5:5.\n',
  } do
    support.assert_has(support.ffngen({ verb, '--help' }).out, text, verb)
  end
end

--- The names of arguments and options, as the code has them.
---@param page Page
local function names_of(page)
  local names = lists.map(page.arguments, function(item) return item.name:match('%u+'):lower() end)
  for _, item in ipairs(page.options) do
    names[#names + 1] = item.name:match('%-%-([%l-]+)'):gsub('-', '_')
  end
  table.sort(names)
  return names
end

--- The text of a function of commands/arguments.lua.
local function shared_function(name)
  return source_of('commands/arguments.lua'):match('\nfunction M%.' .. name .. '(%b().-)\nend\n')
    or ''
end

--- Who reads what a command line gave, besides the verb's file.
local read_elsewhere = { vendor = { 'vendor/remake.lua' } }

--- What the code of a verb reads of its command line: `args.NAME`, or a name that stands in a list
--- by which it asks, `args[name]`.
---@param known string[]  the names of its page
local function names_read(verb, known)
  local text = source_of(('commands/%s.lua'):format(verb))
  for _, path in ipairs(read_elsewhere[verb] or {}) do text = text .. source_of(path) end
  for name in text:gmatch 'arguments%.([%l_]+)%([^()\n]*%f[%w]args%f[^%w]' do
    text = text .. shared_function(name)
  end
  local is_read = {}
  for name in text:gmatch '%f[%w]args%.([%l_]+)' do is_read[name] = true end
  for _, name in ipairs(text:find('args[', 1, true) and known or {}) do
    if text:find("'" .. name .. "'", 1, true) then is_read[name] = true end
  end
  return support.keys(is_read)
end

function TestVerbPages.test_options_are_those_that_the_code_reads()
  local count = 0
  for _, verb in ipairs(commands.names) do
    local known = names_of(page_of(verb))
    unit.assertEquals(names_read(verb, known), known, verb)
    count = count + #known
  end
  unit.assertTrue(count > 50)
end

-- Exit codes -------------------------------------------------------------------------------------

--- Which codes the words of a verb's file lead to; the usual ones any verb has.
local leads_to = { [3] = 'differences%.tell', [130] = '%f[%d]130%f[%D]' }

function TestVerbPages.test_exit_codes()
  local usual = {}
  for _, exit in ipairs(exits.all) do usual[exit[1]] = true end
  for _, verb in ipairs(commands.names) do
    local has, last = {}, -1
    for _, item in ipairs(page_of(verb).exits) do
      local code = math.tointeger(tonumber(item.name))
      unit.assertTrue(usual[code] and code > last, ('%s: exit code %s'):format(verb, item.name))
      has[code], last = true, code
    end
    unit.assertTrue(has[0] and has[1] and has[2], verb)
    local source = source_of(('commands/%s.lua'):format(verb))
    for code, word in pairs(leads_to) do
      unit.assertEquals(has[code] or false, source:find(word) ~= nil, ('%s: %d'):format(verb, code))
    end
    local reads = source:find('pipeline.read', 1, true) or source:find('pipeline.run', 1, true)
      or source:find('bad_input', 1, true) or source:find('spec.activations', 1, true)
    unit.assertEquals(has[4] or false, reads ~= nil, verb .. ': 4')
  end
end

-- The man page -----------------------------------------------------------------------------------

--- A text without line breaks, quotes and the marks of scdoc.
local function flat(text) return (text:gsub('[\\*`]', ''):gsub('%s+', ' ')) end

--- Every item of the page stands in --help and in the man page, which man reads without a warning.
function TestVerbPages.test_man_pages()
  local folder = support.folder()
  local made = support.ffngen({ 'packaging', '--out', 'p' }, { dir = folder })
  support.assert_code(made, 0, 'packaging')
  local has_scdoc = support.run({ 'sh', '-c', 'command -v scdoc' }).code == 0
  local has_groff = support.run({ 'sh', '-c', 'command -v groff' }).code == 0
  local function assert_read(name)
    if not has_scdoc then return end
    local page = support.run({ 'sh', '-c', ('scdoc <p/%s.scd >p/%s'):format(name, name) },
      { dir = folder })
    support.assert_code(page, 0, name)
    if not has_groff then return end
    local read = support.run({ 'groff', '-man', '-ww', '-Tutf8', '-z', 'p/' .. name },
      { dir = folder })
    support.assert_code(read, 0, name)
    unit.assertEquals(read.err, '', name)
  end
  for _, verb in ipairs(commands.names) do
    local page, name = page_of(verb), ('ffngen-%s.1'):format(verb)
    local source = flat(support.read(('%s/p/%s.scd'):format(folder, name)))
    local help = flat(support.ffngen({ verb, '--help' }).out)
    local function assert_both(text)
      support.assert_has(source, flat(text), name)
      support.assert_has(help, flat(text), verb .. ' --help')
    end
    for _, paragraph in ipairs(page.purpose) do assert_both(paragraph) end
    assert_both '-h, --help Print this page.'
    for _, part in ipairs { 'arguments', 'options', 'files', 'exits' } do
      for _, item in ipairs(page[part]) do
        local value = item.value == '' and '' or ' _' .. item.value .. '_'
        support.assert_has(source, flat(item.name .. value .. ' ' .. item.meaning), name)
        assert_both(item.meaning)
      end
    end
    for _, example in ipairs(page.examples) do
      support.assert_has(source, example.meaning:gsub('[\\*`]', '') .. ' $ ' .. example.name, name)
      assert_both(example.meaning)
    end
    for _, own in ipairs(page.tables) do assert_both(table.concat(own.lines, ' ')) end
    assert_read(name)
  end
  assert_read 'ffngen.1'
end
