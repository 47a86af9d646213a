--- Files that ffngen reads beside specs, and those that lie where it writes.
local mutants = require 'text_mutants'
local part = require 'part'

local kinds = {
  weights = require 'file_weights', record = require 'file_record', folder = require 'file_folder',
  graph = require 'file_graph',
  header = require 'file_header',
}
local names = { 'weights', 'weights', 'weights', 'record', 'folder', 'header' }

local M = {
  name = 'files',
  kilobytes = 512 * 1024, -- of memory, in all
  seconds = 40, -- until a case counts as endless
}

---@param random Random
---@param root string of the project
function M.make(random, root)
  local kind = random:pick(names)
  -- Graphs take the place of folders, so that all other cases are those that they were.
  if kind == 'folder' and random:chance(60) then kind = 'graph' end
  local case = kinds[kind].make(random, root)
  case.kind = kind
  return case
end

function M.show(case) return kinds[case.kind].show(case) end

---@param folder string is empty
---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  local problem, outcome = kinds[case.kind].check(case, folder, root)
  return problem, ('%s %s'):format(case.kind, outcome)
end

--- A case without one of its changes, or with a shorter text; what is right has to stay so.
function M.smaller(case)
  return coroutine.wrap(function()
    for i = 1, #(case.changes or {}) do
      coroutine.yield(part.with(case, 'changes', part.without(case.changes, i)))
    end
    if case.text and not case.valid then
      for text in mutants.shorter(case.text) do coroutine.yield(part.with(case, 'text', text)) end
    end
  end)
end

return M
