--- Macros of lines: where they say that lines of a group lie, and that kernels read by them.
local unit = require 'luaunit'
local support = require 'support'
local groups = require 'weights.group'
local line_macros = require 'emit.line_macros'
local lists = require 'common.list'
local weights = require 'weights'

TestLineMacros = {}

--- The formats that have levels.
local function with_levels()
  return lists.filter(lists.map(weights.names, function(name) return weights.by_name[name] end),
    function(format) return #format.levels > 0 end)
end

--- The bytes from w to the n-th line of a plane, by a macro's text.
local function bytes_of(body, members, indices)
  local expression = body:gsub('%(const [%w_]+ %*%)', ''):gsub('%((%w+)%)', function(name)
    return tostring(name == 'w' and 0 or name == 'n' and members or indices[name])
  end)
  return assert(load('return ' .. expression))()
end

--- The indices of the n-th group or step of a part, one for each level.
local function indices_of(placed, depth, n)
  local indices = {}
  for d = depth, 2, -1 do
    indices['i' .. d], n = n % placed.parts[d].count, n // placed.parts[d].count
  end
  return indices
end

function TestLineMacros.test_places()
  local count = 0
  for _, format in ipairs(with_levels()) do
    local placed = groups.place(format)
    local planes = groups.planes(placed)
    local text = line_macros.text('FFN', format):gsub('\\\n', '')
    for depth, part in ipairs(placed.parts) do
      local many = 1
      for d = 2, depth do many = many * placed.parts[d].count end
      for _, line in ipairs(part.lines) do
        local name = ('FFN_%s_%s'):format(format.name:upper(), line.line.plane:upper())
        local body = text:match('#define ' .. name .. '%b() +([^\n]+)')
        for n = 0, many - 1 do
          for members = 1, 2 do
            unit.assertEquals(bytes_of(body, members, indices_of(placed, depth, n)),
              members * planes[line.line.plane].at(n), ('%s, line %d'):format(name, n))
            count = count + 1
          end
        end
      end
    end
  end
  unit.assertTrue(count > 500, count)
end

--- Every macro of a kernel is read, and no place of a line is a number: neither in tiles, nor where
--- weights are decoded for many rows.
function TestLineMacros.test_kernels()
  local folder, kernels = support.folder(), 0
  support.write(folder .. '/my.lua', table.concat(lists.map(with_levels(), function(format)
    return ("linear '%s' { d_model = 512, d_out = 96, weights = '%s', "
      .. "build = { { isa = { 'avx2' } } } }\n"):format(format.name, format.name)
  end)))
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out' }, { dir = folder })
  support.assert_code(result, 0, 'generate')
  local files = support.snapshot(folder .. '/out')
  for _, path in ipairs(support.keys(files)) do
    local text = path:find '^linear_d.*%.c$' and files[path] or ''
    for name in text:gmatch '#define (FFN_[%u%d_]+)%(w, n' do
      unit.assertStrContains(text:gsub('#define [^(]+', ''), name .. '(')
    end
    unit.assertNil(text:find '%f[%w_]w %+ [%d ]+[^;]-%* i2', path)
    kernels = kernels + (text ~= '' and 1 or 0)
  end
  unit.assertEquals(kernels, #with_levels())
end
