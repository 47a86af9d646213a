--- Writes what the runs of a folder come to into two pages, between their lines
--- <!-- results --> and <!-- /results -->: tables.lua FOLDER SHORT.md FULL.md [RESULTS.json]
---
--- RESULTS.json, of the last run, is first put into the folder, in place of an older one of the
--- same CPU, without what no page and no picture is made of. The second page shows all runs, the
--- first one the newest.
local here = arg[0]:gsub('[^/]*$', '')
package.path = ('%s?.lua;%s../../generator/?.lua;%s'):format(here, here, package.path)
local lfs = require 'lfs'
local markdown = require 'markdown'
local results = require 'results'

local open, close = '<!-- results -->\n', '<!-- /results -->'

local function read(path)
  local file = assert(io.open(path))
  local text = file:read('a')
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, 'w'))
  assert(file:write(text))
  assert(file:close())
end

--- A CPU's name as a file's: intel_xeon_processor
local function name_of(run)
  local name = run.machine.cpu:lower():gsub('%((%w+)%)', ''):gsub('%W+', '_')
  return (name:gsub('^_', ''):gsub('_$', ''))
end

--- Numbers of a cell, and of a library in one, which are for whoever looks at a run.
local unread = {
  'hidden', 'outputs', 'copies', 'moved', 'repeated', 'spread', 'rounds', 'calls', 'error',
}

--- The text of a run without these.
local function thin(text)
  for _, field in ipairs(unread) do
    local form = ('"%s":%%s*[%%w.+-]+'):format(field)
    text = text:gsub(form .. ',%s*', ''):gsub(',%s*' .. form, '')
  end
  return text
end

local function keep(folder, path)
  if not lfs.attributes(folder) then assert(lfs.mkdir(folder)) end
  write(('%s/%s.json'):format(folder, name_of(results.read(path))), thin(read(path)))
end

--- All runs by name, and the newest of them: of one day, the last by name.
local function runs_of(folder)
  local names, runs, newest = {}, {}, nil
  for entry in lfs.dir(folder) do names[#names + 1] = entry:match('^(.*)%.json$') end
  table.sort(names)
  for i, name in ipairs(names) do
    runs[i] = results.read(('%s/%s.json'):format(folder, name))
    runs[i].name = name
    if not newest or runs[i].date >= newest.date then newest = runs[i] end
  end
  if not newest then error(folder .. ' holds no runs: see ninja bench', 0) end
  return runs, newest
end

local function into(path, text)
  local old = read(path)
  local _, first = old:find(open, 1, true)
  local last = first and old:find(close, first, true)
  if not last then
    error(('%s has no lines %s and %s to put the results between'):format(path,
      open:gsub('\n', ''), close), 0)
  end
  write(path, old:sub(1, first) .. text .. old:sub(last))
end

if #arg < 3 or #arg > 4 then
  io.stderr:write('usage: tables.lua FOLDER SHORT.md FULL.md [RESULTS.json]\n')
  os.exit(2)
end
local ok, problem = pcall(function()
  if arg[4] then keep(arg[1], arg[4]) end
  local runs, newest = runs_of(arg[1])
  into(arg[2], markdown.short(newest))
  into(arg[3], markdown.full(runs))
end)
if not ok then
  io.stderr:write('tables: ', tostring(problem), '\n')
  os.exit(1)
end
