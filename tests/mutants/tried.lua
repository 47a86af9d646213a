--- What became of defects in earlier runs on this commit, where a file keeps it: a run that takes
--- hours may be ended, and goes on.
local tools = dofile('tests/mutants/tools.lua')

local M = {}

--- The commit that the tree is; an error where the tree is no commit's.
local function commit_of_tree()
  if #tools.lines_of 'git status --porcelain 2>&1' > 0 then
    error('MUTANTS_TRIED is for a tree as it was committed: commit first', 0)
  end
  return assert(tools.lines_of('git rev-parse HEAD')[1])
end

---@param path string|nil  the file; without one nothing is kept
---@param commit string|nil  for the test
function M.open(path, commit)
  local self = setmetatable({ path = path, lines = {} }, { __index = M })
  if not path then return self end
  local head = ('commit\t%s\n'):format(commit or commit_of_tree())
  local text = tools.read(path) or ''
  if text ~= '' and text:sub(1, #head) ~= head then
    error(('%s is not of this commit: remove it, or name another file'):format(path), 0)
  end
  -- A line without its end was being written when the run was ended.
  local whole = text == '' and head or text:match '^.*\n'
  if whole ~= text then tools.write(path, whole) end
  for line in whole:sub(#head + 1):gmatch '[^\n]*\n' do
    local name = line:match '^%l+\t([^\t]*)\t'
    if name then self.lines[name] = line end
  end
  return self
end

--- Those of a list that no earlier run has tried.
function M:left_of(list)
  local left = {}
  for _, defect in ipairs(list) do
    if not self.lines[defect.name] then left[#left + 1] = defect end
  end
  return left
end

--- What earlier runs say of a list, in lines.
function M:text_of(list)
  local lines = {}
  for _, defect in ipairs(list) do lines[#lines + 1] = self.lines[defect.name] end
  return table.concat(lines)
end

--- Keeps the line of a defect. Two processes may write at once: a line is one write at the end.
function M:add(line)
  if not self.path then return end
  local handle = assert(io.open(self.path, 'a'))
  assert(handle:write(line))
  assert(handle:close())
end

return M
