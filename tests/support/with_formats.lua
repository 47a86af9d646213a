--- Copies of the project that have formats of tests/data/formats/: a file and a word each; where
--- they have numbers of their own, also a file that decodes these.
local support = require 'support'
local weights = require 'weights'

local M = {}

M.folder = support.root .. '/tests/data/formats/'

--- The last of the formats' words, behind which theirs stand.
M.last = ("'%s'"):format(weights.names[#weights.names])

--- Changes a file of a project by a plain replacement, which must happen.
function M.replace(project, path, from, to)
  local text = support.read(project .. '/' .. path)
  local first, last = text:find(from, 1, true)
  assert(first, path .. ' has no ' .. from)
  support.write(project .. '/' .. path, text:sub(1, first - 1) .. to .. text:sub(last + 1))
end

--- A copy with some of them.
---@param names string[]
---@return string its folder
function M.project(names)
  local project, words = support.copy_project('with ' .. table.concat(names, ' ')), ''
  for _, name in ipairs(names) do
    support.write(('%s/generator/weights/%s.lua'):format(project, name),
      support.read(('%s%s.lua'):format(M.folder, name)))
    local decoder = ('%s%s.h'):format(M.folder, name)
    if support.exists(decoder) then
      support.write(('%s/runtime/decoders/%s.h'):format(project, name),
        (support.read(decoder):gsub('"decoders/', '"')))
    end
    words = words .. (", '%s'"):format(name)
  end
  M.replace(project, 'generator/weights/init.lua', M.last, M.last .. words)
  return project
end

return M
