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
  'runtime', 'integers', 'dot_s8', 'walk', 'pack', 'moe', 'templates', 'emit', 'plan', 'words',
  'import', 'products', 'models', 'verbs', 'python', 'tests',
}

local function command_of(test)
  return test and test:match '^Test' and 'tests/generator/run.lua -p ' .. test or test
end

--- The defects of each file, files in the order in which they are first met.
local files, of_file = {}, {}
for _, part in ipairs(parts) do
  for _, said in ipairs(dofile(('%s/list/%s.lua'):format(here, part))) do
    if not of_file[said.file] then files[#files + 1], of_file[said.file] = said.file, {} end
    local own = of_file[said.file]
    for _, defect in ipairs(said) do
      own[#own + 1] = {
        name = defect[1], file = said.file, at = defect.at, from = defect.from, to = defect.to,
        test = command_of(defect.test or said.test),
      }
    end
  end
end

local list = {}
for _, file in ipairs(files) do table.move(of_file[file], 1, #of_file[file], #list + 1, list) end
return list
