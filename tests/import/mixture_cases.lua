--- What tests/import/mixtures.c is told of an imported model: a line on stdout for the layer that
--- is a mixture of experts and of which the model's class gave y; and FOLDER/rows.N.txt, x and y.
---
---   lua5.4 tests/import/mixture_cases.lua FOLDER NAME EXPECTED
---
--- FOLDER has host.json and model.ffn, EXPECTED is what tests/data/import/mixtures.py stored.
package.path = 'tests/support/?.lua;' .. package.path
local json = require 'dkjson'

local folder, name, expected = table.unpack(arg)

local function read(path)
  local handle = assert(io.open(path, 'rb'))
  local text = handle:read 'a'
  handle:close()
  return text
end

package.loaded.support = { read = read }
local values = require('origin_values').of(expected)
local write = dofile('tests/support/write.lua')

local function rows_text(what, rows)
  local lines = { ('%s %d %d'):format(what, #rows, #rows[1]) }
  for _, row in ipairs(rows) do
    local numbers = {}
    for i, number in ipairs(row) do numbers[i] = ('%.17g'):format(number) end
    lines[#lines + 1] = table.concat(numbers, ' ')
  end
  return table.concat(lines, '\n') .. '\n'
end

local count = 0
for _, one in ipairs(json.decode(read(folder .. '/host.json')).mixtures) do
  local x, y = values['x.' .. one.layer], values['y.' .. one.layer]
  if x then
    local path = ('%s/rows.%d.txt'):format(folder, one.layer)
    write(path, rows_text('x', x) .. rows_text('y', y))
    -- The only moe of its model has the model's name here.
    print(('%s %s/model.ffn %d %s %s'):format(one.moe == 'mixture' and name or one.moe, folder,
      one.layer, one.correction or '-', path))
    count = count + 1
  end
end
assert(count == 1, name .. ': one layer is watched')
