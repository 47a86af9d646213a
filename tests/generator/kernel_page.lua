--- generator/README.md: folders, and the numbers of the kernel that it follows.
local unit = require 'luaunit'
local cpus = require 'cpu'
local isas = require 'isa'
local layer = require 'lower.layer'
local lfs = require 'lfs'
local lists = require 'common.list'
local page_tables = require 'page_tables'
local plan = require 'plan.plan'
local spec = require 'read.spec'
local support = require 'support'

TestKernelPage = {}

local page = support.read(support.root .. '/generator/README.md')
local prose = (page:gsub('%s+', ' '))

--- Every folder of the generator has a row in the table of folders, and the other way round.
function TestKernelPage.test_folders()
  local folders, said = {}, {}
  for entry in lfs.dir(support.root .. '/generator') do
    local mode = lfs.attributes(support.root .. '/generator/' .. entry, 'mode')
    -- What `ffngen tune` keeps on a machine is no part of the project.
    if mode == 'directory' and not entry:match '^%.' and entry ~= 'tuned' then
      folders[#folders + 1] = entry .. '/'
    end
  end
  for _, row in ipairs(page_tables.rows(page, 'folder | what it holds |')) do
    local folder = row[1]:match '`([%w_]+/)`'
    if folder then said[#said + 1] = folder end
  end
  table.sort(folders)
  table.sort(said)
  unit.assertEquals(said, folders)
end

--- The layer that the page follows.
local function followed()
  for _, s in ipairs(spec.read(support.root .. '/generator/specs/lessons.lua', {})) do
    if s.name == 'notebook_swiglu' then return layer.lower(s) end
  end
end

local function has(text) support.assert_has(prose, text, 'generator/README.md') end

--- Blocks of sums, and where weights lie.
function TestKernelPage.test_stages()
  local stages = followed().passes.forward
  local first, second = stages[1], stages[2]
  has(('%d k are %d blocks'):format(first.inputs, first.sum.blocks))
  unit.assertEquals(first.sum.last, first.sum.block)
  has(('%d k are %d blocks of %d and one of %d.'):format(second.inputs, second.sum.blocks - 1,
    second.sum.block, second.sum.last))
  for _, s in ipairs(stages) do
    local layout = s.stream.layout
    has(('%d columns are %d panels'):format(s.outputs, layout.panels))
    has(('%d panels, %d bytes for each k: %d KiB'):format(layout.panels, layout.step,
      layout.bytes // 1024))
    unit.assertEquals(layout.bytes % 1024, 0)
    unit.assertEquals(s.sum.chains, 1)
  end
  has 'blocks, 1 chain | 11 blocks, 1 chain |'
end

--- How many chains a stage has: the widest stages that have 2, 4 and 8.
function TestKernelPage.test_chains()
  local function chains_of(columns)
    local text = ("linear 'a' { d_model = 64, d_out = %d }"):format(columns)
    return layer.lower(spec.of_text('a', text, {})[1]).passes.forward[1].sum.chains
  end
  local most = {}
  for columns = 160, 1, -1 do
    local chains = chains_of(columns)
    most[chains] = most[chains] or columns
  end
  has(('8 chains up to %d columns (gate and up together), 4 chains from %d to %d, 2 chains from %d '
    .. 'to %d'):format(most[8], most[8] + 1, most[4], most[4] + 1, most[2]))
end

--- The tile whose loads are counted.
function TestKernelPage.test_tile()
  local isa = isas.by_name.avx2
  local tiles = plan.plan(followed(), isa).passes.forward.stages[1].tiles
  local tile = lists.filter(tiles, function(one) return one.rows == 3 end)[1]
  local vectors = 2 * tile.cols // isa.lanes
  local sums = tile.rows * vectors
  has(('%d rows x %d columns of gate and up has %d vectors of sums. Each k loads %d numbers of x '
    .. 'and %d vectors of weights: %d loads for %d multiply-adds.'):format(tile.rows, tile.cols,
    sums, tile.rows, vectors, tile.rows + vectors, sums))
  has(('%d + %d + 1 = %d registers'):format(sums, tile.rows, tile.registers))
end

--- The numbers of a CPU, those that a kernel reads at run time first.
function TestKernelPage.test_choices()
  local names = {}
  for _, row in ipairs(page_tables.rows(page, 'number | meaning |')) do
    for name in row[1]:gmatch '`([%w_]+)`' do names[#names + 1] = name end
  end
  local read = { table.unpack(names, 1, #cpus.read_names) }
  local first, last = read[1], read[#read]
  for _, name in ipairs(cpus.read_names) do unit.assertTrue(lists.has(read, name), name) end
  table.sort(names)
  unit.assertEquals(names, cpus.choice_names)
  has(('%d numbers of a plan'):format(#names))
  has(('all %d numbers are constants'):format(#names))
  has(('The code reads %d numbers at run time: `%s` to `%s` in the table'):format(
    #read, first, last))
end
