--- Seeded defects: the tests must notice every one. Those of a part of the project are a file in
--- list/, where those of a file are neighbours:
---
---   { file = 'runtime/x.c', test = 'TestX',
---     { 'drops the last row', at = 'ffn_x', from = 'row < rows', to = 'row + 1 < rows' },
---   },
---
--- In the function `at` the text `to` takes the place of `from`, which is as short as may be while
--- it stands there once: place.lua says how texts are compared, functions.lua how functions are
--- named. Without `at` it stands once in the file. `test` is what must notice, all defects of the
--- file or this one: a script, or as `Test...` a test of the generator. Without it the suite must.
local here = debug.getinfo(1, 'S').source:match '^@(.*)/[^/]*$' or '.'

--- In the order in which they are tried.
local parts = {
  'runtime', 'integers', 'dot_s8', 'walk', 'pack', 'templates', 'emit', 'plan', 'words', 'import',
  'verbs', 'python', 'tests',
}

local function command_of(test)
  return test and test:match '^Test' and 'tests/generator/run.lua -p ' .. test or test
end

local list = {}
for _, part in ipairs(parts) do
  for _, of_file in ipairs(dofile(('%s/list/%s.lua'):format(here, part))) do
    for _, own in ipairs(of_file) do
      list[#list + 1] = {
        name = own[1], file = of_file.file, at = own.at, from = own.from, to = own.to,
        test = command_of(own.test or of_file.test),
      }
    end
  end
end
return list
