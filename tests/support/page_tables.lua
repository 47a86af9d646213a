--- Tables of Markdown pages, for tests that hold a page against the code.
local unit = require 'luaunit'
local support = require 'support'

local M = {}

--- The rows of the table whose head begins with some words: a list of cells each.
---@param page string
---@param head string
---@return string[][]
function M.rows(page, head)
  local first = page:find('\n| ' .. head, 1, true)
  unit.assertNotNil(first, head)
  local rows = {}
  for line in page:sub(first + 1):gmatch '([^\n]*)\n' do
    if line:sub(1, 1) ~= '|' then break end
    local cells = {}
    for cell in line:gmatch '|%s*([^|]-)%s*%f[|]' do cells[#cells + 1] = cell end
    rows[#rows + 1] = cells
  end
  return { table.unpack(rows, 3) }
end

--- The page has each option of a verb once, and no other.
---@param verb string
---@param names string[]  options of the page, without dashes
function M.assert_options(verb, names)
  local told = {}
  for _, option in ipairs(names) do
    unit.assertNil(told[option], option)
    told[option] = true
  end
  for option in support.ffngen({ verb, '--help' }).out:gmatch '\n   ?%-%-([%l-]+)' do
    unit.assertTrue(told[option] or false, 'the page lacks --' .. option)
    told[option] = nil
  end
  unit.assertEquals(support.keys(told), {})
end

return M
