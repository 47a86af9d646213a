--- A copy of the project with an arithmetic of integers: a format, an operand and an arithmetic, a
--- file and a word each, and a word of portable C.
local support = require 'support'
local with_formats = require 'with_formats'

local data = support.root .. '/tests/data/rooms/'

--- The folder of the copy.
---@param name string
---@return string
return function(name)
  local project, words = support.copy_project(name), dofile(data .. 'words.lua')
  for _, one in ipairs { 'weights/toy8', 'operand/toy8', 'arithmetic/dot_toy' } do
    support.write(('%s/generator/%s.lua'):format(project, one),
      support.read(('%s%s.lua'):format(data, one)))
  end
  with_formats.replace(project, 'generator/weights/init.lua', with_formats.last,
    with_formats.last .. ", 'toy8'")
  with_formats.replace(project, 'generator/operand/init.lua', "'f32'", "'f32', 'toy8'")
  with_formats.replace(project, 'generator/arithmetic/init.lua', "'fma_f32'",
    "'fma_f32', 'dot_toy'")
  with_formats.replace(project, 'generator/isa/c.lua', 'fma_f32 = {}',
    'fma_f32 = {}, ' .. words.arithmetic)
  with_formats.replace(project, 'generator/isa/c.lua', 'word_helpers = tables.beside({\n',
    'word_helpers = tables.beside({\n' .. words.word_helpers .. '\n')
  return project
end
