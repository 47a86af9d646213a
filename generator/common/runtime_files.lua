--- The files of runtime/ that travel with kernels.
local disk = require 'common.disk'

local M = {
  core = { 'ffn.h', 'ffn.hpp', 'kernel.h', 'ffn.c', 'cpu.c', 'reference.c', 'selfcheck.c' },
  --- How a host lends its threads: words of --threads.
  threads = { 'openmp', 'pthreadpool', 'pthreads', 'team' },
}

local adapters = {
  openmp = { 'parallel_openmp.h' },
  pthreadpool = { 'parallel_pthreadpool.h' },
  pthreads = { 'parallel_pthreads.h', 'tasks.h' },
  team = { 'parallel_team.h', 'tasks.h' },
}

--- The headers that adapters consist of, each once.
---@param words string[]
---@return string[]
function M.adapters(words)
  local list, seen = {}, {}
  for _, word in ipairs(words) do
    for _, file in ipairs(adapters[word]) do
      if not seen[file] then
        seen[file] = true
        list[#list + 1] = file
      end
    end
  end
  return list
end

---@param root string
---@param file string
function M.read(root, file)
  return disk.read(root .. 'runtime/' .. file)
    or error('runtime/' .. file .. ' cannot be read')
end

return M
