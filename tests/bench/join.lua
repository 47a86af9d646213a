--- One run of the benchmark out of several, of other layers on the same machine beside the same
--- peers: join.lua RUN.json ... >RESULTS.json
package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local results = require 'results'

---@class bench.Parts of a run's text; cells are the lines between
---@field head string
---@field cells string
---@field same table<string, string> what all runs have to share

---@param path string
---@return bench.Parts
local function parts_of(path)
  local file = assert(io.open(path))
  local text = file:read('a')
  file:close()
  local head, cells = text:match('^(.*"cells": %[)(.*)%],\n"undecided"')
  if not head then error(path .. ' is not as bench --json writes', 0) end
  return {
    head = head, cells = cells,
    same = { machine = head:match '"machine": (%b{})', peers = head:match '"peers": (%b[])' },
  }
end

local function join(paths)
  local first, cells, undecided, failed, wrong = nil, {}, 0, 0, 0
  for _, path in ipairs(paths) do
    local run, parts = results.read(path), parts_of(path)
    first = first or parts
    for _, field in ipairs { 'machine', 'peers' } do
      if parts.same[field] ~= first.same[field] then
        error(('%s has other %s than %s: measure both anew'):format(path, field, paths[1]), 0)
      end
    end
    if #run.cells > 0 then cells[#cells + 1] = parts.cells end
    undecided, wrong = undecided + run.undecided, wrong + run.wrong
    failed = failed + (run.failed or 0)
  end
  return ('%s%s],\n"undecided": %d, "failed": %d, "wrong": %d}\n'):format(first.head,
    table.concat(cells, ','), undecided, failed, wrong)
end

if #arg < 1 then
  io.stderr:write('usage: join.lua RUN.json ... >RESULTS.json\n')
  os.exit(2)
end
local ok, problem = pcall(function() assert(io.write(join(arg))) end)
if not ok then
  io.stderr:write('join: ', tostring(problem), '\n')
  os.exit(1)
end
