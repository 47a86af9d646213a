--- The files of runtime/ that travel with kernels.
local disk = require 'common.disk'
local prefixes = require 'common.prefix'
local sections = require 'common.sections'

local M = {
  core = { 'ffn.h', 'ffn.hpp', 'kernel.h', 'ffn.c', 'cpu.c', 'reference.c', 'selfcheck.c' },
  --- How a host lends its threads: the names of --threads.
  threads = { 'openmp', 'pthreadpool', 'pthreads', 'team' },
}

local adapters = {
  openmp = { 'parallel_openmp.h' },
  pthreadpool = { 'parallel_pthreadpool.h' },
  pthreads = { 'parallel_pthreads.h', 'tasks.h' },
  team = { 'parallel_team.h', 'tasks.h' },
}

--- The headers that adapters consist of, each once.
---@param names string[]
---@return string[]
function M.adapters(names)
  local list, seen = {}, {}
  for _, name in ipairs(names) do
    for _, file in ipairs(adapters[name]) do
      if not seen[file] then
        seen[file] = true
        list[#list + 1] = file
      end
    end
  end
  return list
end

--- The text of a file of the runtime, with the marks of its sections.
---@param root string
---@param file string
---@param prefix string|nil
local function marked(root, file, prefix)
  local text = disk.read(root .. 'runtime/' .. file)
    or error('runtime/' .. file .. ' cannot be read')
  return prefixes.text(text, prefix or prefixes.default)
end

--- A file of the runtime, whole.
---@param root string
---@param file string
function M.read(root, file) return sections.plain(marked(root, file), 'runtime/' .. file) end

--- A file of the runtime in a prefix, with its sections chosen.
---@param root string
---@param file string
---@param prefix string
---@param choice table<string, boolean|string> for sections.apply()
function M.chosen(root, file, prefix, choice)
  return sections.apply(marked(root, file, prefix), choice, 'runtime/' .. file)
end

--- One section of it.
function M.section(root, file, prefix, name)
  return sections.take(marked(root, file, prefix), name, 'runtime/' .. file)
end

return M
