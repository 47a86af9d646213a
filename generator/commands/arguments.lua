--- What several commands take from the command line: options, and their values, judged.
local cpus = require 'cpu'
local isas = require 'isa'
local lists = require 'common.list'
local machine = require 'tune.machine'
local files = require 'write.files'
local message = require 'common.message'
local prefix_words = require 'common.prefix_words'
local problems = require 'common.problem'
local record = require 'common.record'
local runtime_files = require 'common.runtime_files'
local tuned = require 'tune.tuned'

local M = {}

--- A list of names with commas between, each of `choices`.
local function name_list(kind, choices)
  return function(text)
    local list, seen = {}, {}
    for name in (text .. ','):gmatch('([^,]*),') do
      if not lists.has(choices, name) then
        return nil, ('unknown %s "%s"%s'):format(kind, record.shown(name),
          record.suggest(name, choices))
      end
      if not seen[name] then list[#list + 1] = name end
      seen[name] = true
    end
    return list
  end
end

M.isas = name_list('isa', isas.names)
M.threads = name_list('adapter', runtime_files.threads)

local cpu_names = name_list('cpu', cpus.names)

--- Profiles of CPUs; the first serves every CPU that is none of the others.
local function profiles_of(text)
  local names, problem = cpu_names(text)
  if not names then return nil, problem end
  for i = 2, #names do
    if names[i] == cpus.names[1] then
      return nil, ('"%s" serves every CPU: put it first, or leave it out'):format(names[i])
    end
  end
  return lists.map(names, function(name) return cpus.by_name[name] end)
end

--- Their names, as they were given.
---@param profiles Profile[]
function M.names(profiles)
  return table.concat(lists.map(profiles, function(p) return p.name end), ',')
end

function M.folder(text)
  if text == '' then return nil, 'the name of the folder is empty: name a folder' end
  return text
end

--- The name of a CPU, which becomes that of a file.
local function cpu_name(text)
  if prefix_words.is_device(text) then
    return nil, ('"%s": a file on Windows cannot have this name: choose another'):format(text)
  end
  if machine.is_name(text) then return text end
  return nil, ('"%s" is not a name of a CPU: use letters, digits, dots, dashes and underscores')
    :format(
    record.shown(text))
end

--- Names of anything, with commas between.
function M.listed(text)
  local names = {}
  for name in (text .. ','):gmatch '([^,]*),' do
    if name == '' then return nil, 'the list has an empty name: write names with single commas '
      .. 'between' end
    names[#names + 1] = name
  end
  return lists.unique(names)
end

--- What every external name begins with, in C. What a target may be called in CMake or Meson and
--- nothing in C is told as it is written there.
function M.prefix(text)
  local prefix, problem = prefix_words.prefix(text)
  if prefix and prefix ~= text then
    message('--prefix: "%s" is written %s in names of C, of files and of targets', text, prefix)
  end
  return prefix, problem
end

--- An SPDX licence expression.
function M.license(text)
  local expects_name, depth = true, 0
  for token in text:gsub('[()]', ' %0 '):gmatch('%S+') do
    local is_operator = token == 'AND' or token == 'OR' or token == 'WITH'
    if token == '(' and expects_name then
      depth = depth + 1
    elseif token == ')' and not expects_name and depth > 0 then
      depth = depth - 1
    elseif is_operator ~= expects_name and (is_operator or token:match('^[%w][%w.+:-]*$')) then
      expects_name = not expects_name
    else
      depth = -1
      break
    end
  end
  if expects_name or depth ~= 0 or #text > 200 then
    return nil, ('"%s" is not a licence as SPDX writes it, such as 0BSD, Apache-2.0 or '
      .. 'LicenseRef-Acme'):format(
      record.shown(text))
  end
  return text
end

--- A number of bytes.
function M.bytes(text)
  local bytes = math.tointeger(tonumber(text))
  if not bytes or bytes < 1 then
    return nil, ('"%s" is not a number of bytes: give a whole number from 1 on')
      :format(record.shown(text))
  end
  return bytes
end

-- Options ----------------------------------------------------------------------------------------

--- Words of a list as help has them.
local function shown(words) return table.concat(words, ', ') end

---@param command table of argparse
function M.isa_option(command)
  command:option('--isa', ('Write these instruction sets only, with commas between: %s. Default: '
    .. 'all.'):format(shown(isas.names))):argname('LIST'):convert(M.isas)
end

---@param command table of argparse
function M.threads_option(command)
  command:option('--threads', ('Add these adapters, with commas between; an adapter lets threads '
    .. '(mpi: processes) share the work of a call: %s.'):format(shown(runtime_files.threads)))
    :argname('LIST'):convert(M.threads)
end

---@param command table of argparse
function M.file_option(command)
  command:flag('--file', 'Add ffn_file.h, which maps a file that ffn-pack wrote into memory.')
end

---@param command table of argparse
---@return table of argparse
function M.dry_run(command)
  return command:flag('--dry-run', 'Print what would be written. Write nothing.')
end

---@param command table of argparse
function M.json(command)
  command:flag('--json', 'Print JSON, for scripts.')
end

---@param command table of argparse
function M.cpu_option(command)
  command:option('--cpu', ('Give large layers the settings of these CPUs only, with commas '
    .. 'between: %s. Other CPUs use the settings of the first. Default: all.')
    :format(shown(cpus.names))):argname('LIST'):convert(profiles_of)
end

--- What a plan is told beside its spec. Records are used where they are asked for, never because
--- they are there.
---@param command table of argparse
function M.plan_options(command)
  command:option('--tuned', 'Use the settings in FILE, a record that `ffngen tune` wrote. `auto` '
    .. 'stands for the record of this CPU.'):argname('FILE')
  command:option('--tuned-for', 'With --tuned: the CPU that the record was measured on. Default: '
    .. 'this CPU.')
    :argname('CPU'):convert(cpu_name)
  M.cpu_option(command)
end

--- What a page says of specs, and of records.
M.spec_file = { 'SPEC', 'Input: Lua that describes layers. `ffngen spec` prints what a spec may '
  .. 'say.' }
M.record_file = { 'generator/tuned/CPU.lua', 'Input with `--tuned auto`: the record that `ffngen '
  .. 'tune` wrote for this CPU, in the folder of ffngen. `--tuned FILE` reads FILE instead.' }

--- The record that --tuned asks for, or nil.
---@return TunedRecord|nil
function M.measured(root, args)
  if args.tuned_for and not args.tuned then problems.usage('--tuned-for needs --tuned FILE') end
  return args.tuned and tuned.wanted(root, args.tuned, args.tuned_for)
end

--- The option of a command that writes some files to a folder, and the writing.
function M.out(command)
  command:option('--out', 'The folder to write to. Required.'):argname('DIR'):convert(M.folder)
end

--- What a file begins with, whatever its version: who made it is told by that.
local function begin_of(text) return (text:sub(1, 120):gsub('[%d.]', ''):sub(1, 60)) end

---@param verb string
---@param list File[]
---@return integer exit code
function M.write_out(verb, args, list)
  if not args.out then problems.usage('the option --out is missing: ffngen %s --out DIR', verb) end
  local text_of = {}
  for _, file in ipairs(list) do text_of[file.path] = file.text end
  files.write {
    folder = args.out, files = list, maker = verb,
    is_ours = function(name, head) return begin_of(head) == begin_of(text_of[name]) end,
  }
  return 0
end

return M
