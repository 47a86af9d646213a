--- The files of runtime/ that travel with kernels.
local disk = require 'common.disk'
local lists = require 'common.list'
local prefixes = require 'common.prefix'
local sections = require 'common.sections'

local M = {
  core = { 'ffn.h', 'ffn.hpp', 'ffn_arrange.h', 'kernel.h', 'ffn.c', 'registry.c', 'cpu.c',
    'reference.h', 'reference.c', 'reference_s8.c', 'selfcheck.c' },
  --- What goes with them where layers are trained.
  training = { 'ffn_train.h', 'ffn_train.hpp', 'dropout.h', 'train_walk.h', 'train.c', 'dropout.c',
    'reference_grad.c', 'selfcheck_train.h' },
  --- What maps packed weights from a file.
  file = { 'ffn_file.h', 'ffn_file.c' },
  --- What runs mixtures of experts; the same for C++; and what checks them, a part of the
  --- self-check.
  moe = { 'ffn_moe.h', 'moe.c', 'moe_run.c' }, moe_cpp = 'ffn_moe.hpp',
  moe_check = 'selfcheck_moe.h',
  --- How a host lends its threads, and its processes: the names of --threads.
  threads = { 'mpi', 'openmp', 'pthreadpool', 'pthreads', 'team' },
}

local adapters = {
  mpi = { 'parallel_mpi.h', 'ffn_slice.h', 'slice.c' },
  openmp = { 'parallel_openmp.h' },
  pthreadpool = { 'parallel_pthreadpool.h' },
  pthreads = { 'parallel_pthreads.h', 'tasks.h' },
  team = { 'parallel_team.h', 'tasks.h' },
}

--- The files that adapters consist of, each once.
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

--- Whether a file is compiled, or included.
---@param file string
function M.is_source(file) return file:match('%.c$') ~= nil end

local license = '/* SPDX-License-Identifier: 0BSD OR MIT-0\n *\n'

--- What goes with training, files or mixtures.
local optional = { M.moe_check, M.moe_cpp }
for _, files in ipairs { M.training, M.file, M.moe } do lists.append(optional, files) end

--- Whether a file is one that `generate` copied from here, of any version: by its name, and by the
--- line that all begin with. What vendor makes of them says so in the second line.
---@param name string
---@param head string the first bytes
---@return boolean
function M.is_copy(name, head)
  if head:sub(1, #license) ~= license then return false end
  return lists.has(M.core, name) or lists.has(optional, name)
    or lists.has(M.adapters(M.threads), name)
end

--- Whether it is a source that goes with training, files or mixtures: without these it is in the
--- way.
function M.is_optional(name, head) return lists.has(optional, name) and M.is_copy(name, head) end

--- Headers that travel as a part of the file that includes them: a kernel includes one.
local parts = {
  'exact.h', 'file_rows.h', 'memory_spans.h', 'mode.h', 'moe_call.h', 'moe_jobs.h',
  'moe_phases.h', 'moe_scores.h', 'moe_taken.h', 'packed.h', 'walk.h', 'wide_sums.h', 'xxh64.h',
}

local function text_of(root, file)
  return disk.read(root .. 'runtime/' .. file)
    or error('runtime/' .. file .. ' cannot be read')
end

--- A part without its head and its foot.
local function body_of(root, part)
  return text_of(root, part):match('^/%*@ head %*/\n.-/%*@ end %*/\n(.*)/%*@ foot %*/\n')
    or error('runtime/' .. part .. ' has no head, or no foot')
end

--- A part in a prefix, without the marks of its sections, and which files beside it it includes.
---@param root string
---@param file string
---@param prefix string
---@return string
---@return string[]
function M.body(root, file, prefix)
  local included = {}
  for name in text_of(root, file):gmatch('\n#include "([^"/]+)"') do
    included[#included + 1] = name
  end
  return sections.plain(prefixes.text(body_of(root, file), prefix), 'runtime/' .. file), included
end

--- A text with the decoders that it includes, which encode nothing there. They have names of their
--- own: a reference in the same file has decoders, too.
local function with_decoders(root, text)
  local own = text:gsub('\n#include "(decoders/[^"\n]+)"%f[\n]', function(part)
    return '\n' .. body_of(root, part):gsub('/%*@ encoder %*/\n.-/%*@ end %*/\n', '')
  end)
  return (own:gsub('ffn_decode_', 'ffn_file_decode_'))
end

--- The text of a file of the runtime, with the marks of its sections.
---@param root string
---@param file string
---@param prefix string|nil
local function marked(root, file, prefix)
  local text = text_of(root, file)
  for _, part in ipairs(parts) do
    local from, to = text:find(('\n#include "%s"\n'):format(part), 1, true)
    if from then text = text:sub(1, from) .. body_of(root, part) .. text:sub(to) end
  end
  if text:find('\n#include "decoders/', 1, true) then text = with_decoders(root, text) end
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
---@param leave boolean|nil  as there
function M.chosen(root, file, prefix, choice, leave)
  return sections.apply(marked(root, file, prefix), choice, 'runtime/' .. file, leave)
end

--- A file as a part of another one: without its licence and its name, and without what it includes
--- of the runtime, which stands in front.
---@param text string  of the file
---@return string
function M.part(text)
  local own = text:gsub('^/%* SPDX[^\n]*\n %*\n %* [%w_]+%.[ch] %- (%l)', function(first)
    return '/* ' .. first:upper()
  end)
  return (own:gsub('%f[#]#include "[^"\n]+"\n', ''))
end

--- What the self-check has where layers are trained, and where they are mixed: nothing of training
--- where FFN_NO_TRAIN is defined.
---@param training string|false  its part for trained layers
---@param mixtures string|false  its part for mixtures of experts, in the prefix
---@param prefix string
---@return table choice of its sections
function M.further_checks(training, mixtures, prefix)
  local function guarded(text)
    return training and prefixes.text(('#ifndef FFN_NO_TRAIN\n%s#endif\n'):format(text), prefix)
  end
  return {
    training = guarded(training),
    training_call = guarded '      check_trainings(&l, cpu, &passed, &failed);\n',
    mixtures = mixtures, mixtures_call = mixtures and '  check_mixtures(cpu, &passed, &failed);\n',
  }
end

--- The self-check of a folder that `generate` writes.
---@param root string
---@param trained boolean
---@param mixed boolean
function M.selfcheck(root, trained, mixed)
  local choice = M.further_checks(trained and '#include "selfcheck_train.h"\n',
    mixed and ('#include "%s"\n'):format(M.moe_check), prefixes.default)
  choice.head, choice.blocks = true, true
  choice.batches, choice.zeros, choice.integers, choice.tiles = true, true, true, true
  return M.chosen(root, 'selfcheck.c', prefixes.default, choice)
end

--- One section of a file, without what a choice drops of it.
function M.section(root, file, prefix, name, choice)
  return sections.take(marked(root, file, prefix), name, 'runtime/' .. file, choice)
end

return M
