--- The command that makes a vendored folder again, as its README shows it: it runs in that folder.
local lists = require 'common.list'
local relative_path = require 'common.relative_path'
local shell = require 'common.shell'

local M = {}

--- A file as the folder calls it: one of ffngen's own from there, others by the way to them. What
--- has no way in common with the folder has only its last name: it is to be brought there.
---@param root string ffngen's folder
---@param folder string
---@param brought string[]  last names of such files are added
local function place_of(root, folder, path, brought)
  local own = relative_path.from(root, path)
  if own and own:match('^generator/') then return '$FFNGEN/' .. own end
  local way = relative_path.from(folder, path)
  if way then return way end
  brought[#brought + 1] = path:match('[^/]+$')
  return brought[#brought]
end

---@class Remake
---@field command string
---@field where string  where it runs, up to a colon

---@param root string ffngen's folder
---@param args table of the command line
---@param default_license string
---@param measured TunedRecord|nil
---@return Remake
function M.of(root, args, default_license, measured)
  local brought = {}
  local function place(path) return place_of(root, args.out, path, brought) end
  local command = shell.remake('vendor', lists.map(args.spec, place), {
    { '--layer', args.layer },
    { '--isa', args.isa and table.concat(args.isa, ',') },
    { '--cpu', args.cpu and table.concat(
      lists.map(args.cpu, function(p) return p.name end), ',') },
    { '--tuned', measured and (args.tuned == 'auto' and 'auto' or place(args.tuned)) },
    { '--tuned-for', measured and measured.cpu },
    { '--prefix', args.prefix, 'ffn' },
    { '--single-file', args.single_file },
    { '--header-only', args.header_only },
    { '--no-dispatch', args.no_dispatch },
    { '--freestanding', args.freestanding },
    { '--threads', args.threads and table.concat(args.threads, ',') },
    { '--cpp', args.cpp },
    { '--no-selfcheck', args.no_selfcheck },
    { '--flat', args.flat },
    { '--file', args.file },
    { '--weights', args.weights and place(args.weights) },
    { '--weights-prefix', args.weights_prefix },
    { '--weights-map', args.weights_map and place(args.weights_map) },
    { '--weights-order', args.weights_order },
    { '--weights-leave', args.weights_leave and table.concat(args.weights_leave, ',') },
    { '--license', args.license, default_license },
    { '--max-tu-bytes', args.max_tu_bytes and tostring(args.max_tu_bytes) },
  })
  local where = 'In this folder'
  if #brought > 0 then
    where = ('%s, with `%s` in it'):format(where, table.concat(brought, '`, `'))
  end
  if command:find('"$FFNGEN"/', 1, true) then
    where = where .. '; `$FFNGEN` is the folder of ffngen'
  end
  return { command = command, where = where }
end

return M
