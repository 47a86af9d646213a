--- What trying a defect takes of files and processes.
local M = {}

function M.run(command, ...) return os.execute(command:format(...)) == true end

function M.read(path)
  local handle = io.open(path, 'rb')
  local text = handle and handle:read('a')
  return handle and handle:close() and text
end

M.write = dofile('tests/support/write.lua')
M.lines_of = dofile('tests/support/lines_of.lua')

return M
