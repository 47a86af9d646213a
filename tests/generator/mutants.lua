--- The seeded defects of tests/mutants/list.lua can be put in: whoever edits a place sees it here
--- and not in the run that takes an hour.
local unit = require 'luaunit'
local support = require 'support'
local template = require 'emit.template'

local place = dofile(support.root .. '/tests/mutants/place.lua')

TestMutants = {}

--- Which files have the function that a defect's own file does not have.
local function homes_of(name)
  local homes = {}
  for _, folder in ipairs { 'generator', 'runtime', 'templates', 'tests/mutants' } do
    local files = support.snapshot(support.root .. '/' .. folder)
    for _, path in ipairs(support.keys(files)) do
      if place.has(path, files[path], name) then homes[#homes + 1] = folder .. '/' .. path end
    end
  end
  return #homes > 0 and '; there is one in ' .. table.concat(homes, ', ') or ''
end

--- What keeps a file from being loaded: a defect that any run meets at once says nothing of tests.
---@return string|nil
local function load_problem(file, text)
  if file:match '%.lua$' then return select(2, load(text, '@' .. file)) end
  if not file:match '%.tpl$' then return end
  local ok, problem = pcall(template.compile, text, file)
  return not ok and problem or nil
end

--- A run of none of the generator's tests passes, whatever a defect does.
function TestMutants.test_each_has_its_test()
  local is_there, lost = {}, {}
  for _, defect in ipairs(dofile(support.root .. '/tests/mutants/list.lua')) do
    local pattern = defect.test and defect.test:match '^tests/generator/run%.lua %-p (%S+)$'
    if pattern and is_there[pattern] == nil then
      is_there[pattern] = false
      for _, name in ipairs(support.all_tests) do
        is_there[pattern] = is_there[pattern] or name:find(pattern) ~= nil
      end
    end
    if pattern and not is_there[pattern] then lost[#lost + 1] = defect.name .. ': ' .. pattern end
  end
  unit.assertEquals(table.concat(lost, '\n'), '')
end

function TestMutants.test_each_has_its_place()
  local list, texts, names = dofile(support.root .. '/tests/mutants/list.lua'), {}, {}
  local broken = {}
  unit.assertTrue(#list > 50)
  for _, defect in ipairs(list) do
    local name, file = defect.name, defect.file
    unit.assertNil(names[name], name .. ': two of a name')
    names[name] = true
    texts[file] = texts[file] or support.read(support.root .. '/' .. file)
    local mutated, problem = place.put_in(defect, texts[file])
    if problem and problem:find '^there is no' then problem = problem .. homes_of(defect.at) end
    if mutated == texts[file] then problem = 'it changes nothing' end
    problem = problem or load_problem(file, mutated)
    if problem then broken[#broken + 1] = ('%s: %s'):format(name, problem) end
    local test = defect.test and defect.test:match('^%S+')
    unit.assertTrue(not test or support.exists(support.root .. '/' .. test), name)
  end
  unit.assertEquals(table.concat(broken, '\n'), '')
end

--- A part that list.lua does not name would never be tried.
function TestMutants.test_each_part_is_named()
  local text = support.read(support.root .. '/tests/mutants/list.lua'):match 'local parts = (%b{})'
  local named = {}
  for part in text:gmatch "'([%w_]+)'" do named[part .. '.lua'] = true end
  unit.assertTrue(named['runtime.lua'])
  for _, path in ipairs(support.keys(support.snapshot(support.root .. '/tests/mutants/list'))) do
    unit.assertTrue(named[path] ~= nil, path)
  end
end
