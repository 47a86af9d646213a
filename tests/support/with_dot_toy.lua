--- A copy of the project with an arithmetic of integers: a format, an operand and an arithmetic, a
--- file and a word each, and words of portable C, or of more instruction sets.
local support = require 'support'
local with_formats = require 'with_formats'

local data = support.root .. '/tests/data/rooms/'

--- The folder of the copy.
---@param name string
---@param isas string[]|nil
---@return string
return function(name, isas)
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
  for _, isa in ipairs(isas or { 'c' }) do
    local file, own = ('generator/isa/%s.lua'):format(isa), words[isa]
    local head = isa == 'avx512' and 'beside({\n' or 'bytes_beside({\n'
    with_formats.replace(project, file, 'fma_f32 = {}', 'fma_f32 = {}, ' .. own.arithmetic)
    with_formats.replace(project, file, head, head .. own.word_helpers .. '\n')
  end
  return project
end
