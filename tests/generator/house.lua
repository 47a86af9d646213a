--- The house plan, as far as a look at the text can check it: who imports whom, how long functions
--- are, that a vocabulary's folder holds its entries alone, and that nobody writes fields which
--- nobody reads.
local unit = require 'luaunit'
local support = require 'support'

TestHouse = {}

--- The Lua files of the generator, without specs, which are data.
local function modules()
  local result = {}
  for path, text in pairs(support.snapshot(support.root .. '/generator')) do
    if path:match('%.lua$') and not path:match('^specs/') then
      result[path] = text
    end
  end
  return result
end

--- The text with the insides of comments and strings blanked, its line breaks kept.
local function code_of(text)
  local out, at = {}, 1
  local function blank(to)
    out[#out + 1] = (text:sub(at, to):gsub('[^\n]', ' '))
    at = to + 1
  end
  while at <= #text do
    local _, long = text:find('^%-?%-?%[(=*)%[.-%]%1%]', at)
    local _, line = text:find('^%-%-[^\n]*', at)
    local quote = text:match('^["\']', at)
    if long then
      blank(long)
    elseif line then
      blank(line)
    elseif quote then
      local to = at
      repeat
        to = text:find('[\\' .. quote .. ']', to + 1)
        local escaped = text:sub(to, to) == '\\'
        if escaped then to = to + 1 end
      until not escaped
      blank(to)
    else
      local _, to = text:find('^[%-%[]?[^%-%["\']*', at)
      out[#out + 1] = text:sub(at, to)
      at = to + 1
    end
  end
  return table.concat(out)
end

-- Arrows -----------------------------------------------------------------------------------------

--- The table of generator/README.md: folder -> set of folders that it may import.
local function allowed_imports()
  local text = support.read(support.root .. '/generator/README.md')
  local rows = text:match('\n| folder | may import |\n|[-| ]+|\n(.-)\n\n')
  unit.assertNotNil(rows, 'the table of imports')
  local groups, result = {}, {}
  local function words(cell)
    local list = {}
    for word in cell:gmatch('`([%w_.]+)/?`') do list[#list + 1] = word end
    return list
  end
  for folders, imports, remark in (rows .. '\n'):gmatch('| ([^|]*) | ([^|]*) |([^\n]*)\n') do
    unit.assertEquals(remark, '')
    local names, set = words(folders), {}
    for _, word in ipairs(words(imports)) do set[word] = true end
    -- "the vocabularies" and the like are rows above.
    for phrase, list in pairs(groups) do
      if imports:find(phrase, 1, true) then
        for _, word in ipairs(list) do set[word] = true end
      end
    end
    groups[folders:match('^(the %l+)') or folders] = names
    for _, name in ipairs(names) do
      unit.assertNil(result[name], name)
      set[name] = true
      result[name] = set
    end
    if imports:find('everything', 1, true) then
      for _, name in ipairs(names) do result[name] = 'everything' end
    end
  end
  return result
end

local installed = { argparse = true, dkjson = true, lfs = true }

--- Who imports what: { from, to, path }, modules that are installed left out.
local function imports()
  local list = {}
  for path, text in pairs(modules()) do
    for name in text:gmatch("require%s*%(?%s*['\"]([%w_.]+)['\"]") do
      if not installed[name] then
        list[#list + 1] = { from = path:match('^[^/]+'), to = name:match('^[^.]+'), path = path }
      end
    end
    -- No import that this look would overlook.
    local seen = select(2, text:gsub("require%s*%(?%s*['\"][%w_.]+['\"]", ''))
    local all = select(2, code_of(text):gsub('%f[%w_]require%f[^%w_]', ''))
    unit.assertEquals(all, seen, path .. ': an import by another name')
  end
  return list
end

function TestHouse.test_arrows()
  local allowed, count = allowed_imports(), 0
  for _, i in ipairs(imports()) do
    count = count + 1
    local may = allowed[i.from]
    unit.assertNotNil(may, ('%s: generator/README.md does not tell what %s may import'):format(
      i.path, i.from))
    unit.assertTrue(may == 'everything' or may[i.to] or false,
      ('%s imports %s: %s may not'):format(i.path, i.to, i.from))
  end
  unit.assertTrue(count > 150)
end

--- The table itself: stages in a row, no arrow back, and nothing below imports what is above.
function TestHouse.test_table_of_arrows()
  local allowed = allowed_imports()
  local row = { 'read', 'lower', 'plan', 'emit', 'write' }
  for i, stage in ipairs(row) do
    for j = i + 1, #row do unit.assertNil(allowed[stage][row[j]], stage .. ' -> ' .. row[j]) end
    for _, above in ipairs {
      'commands', 'vendor', 'tune', 'package', 'pipeline.lua', 'main.lua',
    } do
      unit.assertNil(allowed[stage][above], stage .. ' -> ' .. above)
    end
  end
  unit.assertEquals(support.keys(allowed.common), { 'common' })
  unit.assertEquals(allowed.commands, 'everything')
  -- Every folder has a row, and every row a folder.
  local folders = { ['main.lua'] = true, ['pipeline.lua'] = true }
  for path in pairs(modules()) do folders[path:match('^[^/]+')] = true end
  unit.assertEquals(support.keys(allowed), support.keys(folders))
end

-- Functions --------------------------------------------------------------------------------------

--- The lines of every function of a text: { first, last } each.
local function functions_of(text)
  local list, open, number = {}, {}, 1
  for word, breaks in code_of(text):gmatch('([%a_][%w_]*)([^%a_]*)') do
    -- `then` and `do` of if, for and while: the word that opens is counted, not these.
    if word == 'function' or word == 'if' or word == 'do' or word == 'repeat' then
      open[#open + 1] = { word = word, line = number }
    elseif word == 'end' or word == 'until' then
      local block = table.remove(open)
      if block.word == 'function' then list[#list + 1] = { block.line, number } end
    end
    number = number + select(2, breaks:gsub('\n', ''))
  end
  unit.assertEquals(#open, 0, 'blocks')
  return list
end

function TestHouse.test_functions_are_short()
  local most, count = 80, 0
  for path, text in pairs(modules()) do
    local before = select(2, code_of(text):match('^[^%a_]*'):gsub('\n', ''))
    for _, lines in ipairs(functions_of(text)) do
      count = count + 1
      local length = lines[2] - lines[1] + 1
      unit.assertTrue(length <= most, ('%s:%d: a function of %d lines; at most %d'):format(path,
        lines[1] + before, length, most))
    end
  end
  unit.assertTrue(count > 300)
  -- The check sees what it looks for.
  local found = functions_of('local function f()\n  if x then\n    return [[ end ]]\n  end\nend\n')
  unit.assertEquals(found, { { 1, 5 } })
end

-- Vocabularies -----------------------------------------------------------------------------------

local vocabularies = { 'activation', 'isa', 'weights', 'cpu' }

--- Everything that may read a field: generator without the lists, templates, the tests of kernels.
local function readers()
  local texts = {}
  for path, text in pairs(modules()) do
    if not path:match('/init%.lua$') then texts[#texts + 1] = code_of(text) end
  end
  for _, text in pairs(support.snapshot(support.root .. '/templates')) do
    texts[#texts + 1] = text
  end
  return table.concat(texts, '\n')
end

--- A field that a vocabulary's files give and nothing reads is dead, or a promise nobody keeps.
function TestHouse.test_fields_are_read()
  local text, count = readers(), 0
  for _, folder in ipairs(vocabularies) do
    local fields, list = {}, require(folder)
    for _, name in ipairs(list.names) do
      local path = ('%s/generator/%s/%s.lua'):format(support.project, folder, name)
      for field in pairs(dofile(path)) do fields[field] = true end
    end
    for _, field in ipairs(support.keys(fields)) do
      count = count + 1
      unit.assertNotNil(text:find('[%w_%])]%.' .. field .. '%f[^%w_]'),
        ('generator/%s: nothing reads the field %s'):format(folder, field))
    end
  end
  unit.assertTrue(count > 30)
end

--- A file in the folder of a list is a name of the list, and the other way round.
function TestHouse.test_names_and_files()
  local others = {
    activation = { exp = true, vmath = true },
    commands = { arguments = true, project = true }, isa = { x86 = true },
  }
  for _, folder in ipairs { 'activation', 'isa', 'weights', 'cpu', 'commands' } do
    local listed, files = {}, {}
    for _, name in ipairs(require(folder).names) do listed[name] = true end
    for path in pairs(modules()) do
      local name = path:match('^' .. folder .. '/([%w_]+)%.lua$')
      if name and name ~= 'init' and not (others[folder] or {})[name] then files[name] = true end
    end
    unit.assertEquals(support.keys(listed), support.keys(files), folder)
  end
end
