--- The seeded defects of tests/mutants/list.lua can be put in: whoever edits a place sees it here
--- and not in the run that takes an hour.
local unit = require 'luaunit'
local support = require 'support'

TestMutants = {}

--- Where a text stands in another, plainly.
local function count_of(text, part)
  local count, at = 0, text:find(part, 1, true)
  while at do
    count, at = count + 1, text:find(part, at + 1, true)
  end
  return count
end

function TestMutants.test_each_has_its_place()
  local list, texts, names = dofile(support.root .. '/tests/mutants/list.lua'), {}, {}
  unit.assertTrue(#list > 50)
  for _, defect in ipairs(list) do
    local name, file = defect.name, defect.file
    unit.assertNil(names[name], name .. ': two of a name')
    names[name] = true
    texts[file] = texts[file] or support.read(support.root .. '/' .. file)
    unit.assertEquals(count_of(texts[file], defect.find), 1,
      ('%s: "%s" in %s'):format(name, defect.find, file))
    unit.assertTrue(type(defect.put) == 'string' and defect.put ~= defect.find, name)
    local test = defect.test and defect.test:match('^%S+')
    unit.assertTrue(not test or support.exists(support.root .. '/' .. test), name)
  end
end
