--- Where weights lie: the only file that knows how many outputs stand side by side, which lines of
--- them lie together, and to what sizes are filled up.
---
--- The weights of a stage are one stream of bytes:
---   [bundle][group of k][line of the group][member of the bundle][16 outputs]
--- A bundle is some panels, of sixteen outputs each, and all branches: its members, in this order.
--- A group is what a format cannot take apart, an outermost one of its levels or a step; for f32 it
--- is a single k, and has one line. What a format says once for a panel, its head, stands in front
--- of the groups. Where the panels are no multiple of those of a bundle, each is one by itself.
---
--- Lines follow each other without a gap, so all that lies in a group of several members is as many
--- times as far from its begin as it is in a panel for itself.
local formats = require 'weights.format'
local groups = require 'weights.group'
local record = require 'common.record'

local M = {}

--- Outputs side by side in a line, FFN_PANEL of kernel.h: for f32 one cache line.
M.lanes = formats.outputs

--- So many lines at least lie together: of one branch those of several panels, of two branches
--- those of one panel, as they do anyway. A panel of few bits is short, and two streams end before
--- a core has learned to fetch them. Those of numbers as wide as sums are long: each is a stream.
M.pair, M.wide_pair = 2, 1
M.wide_bytes = 4

--- Outputs that threads, slices of a layer and an operand's groups are cut in multiples of,
--- whatever lies together.
M.unit = 32

--- FFN_ALIGNMENT of ffn.h: what begins somewhere in memory begins at a multiple of it.
M.alignment = 64

function M.round_up(n, step) return (n + step - 1) // step * step end

--- The least number that is a multiple of both.
---@param a integer
---@param b integer
function M.common_multiple(a, b)
  local multiple = a
  while multiple % b ~= 0 do multiple = multiple + a end
  return multiple
end

--- Columns rounded up to whole panels.
function M.columns(outputs) return M.round_up(outputs, M.lanes) end

---@class Layout  of the weights of a stage; sizes in bytes
---@field branches integer
---@field columns integer   outputs, rounded up to whole panels
---@field panels integer
---@field width integer     columns of a bundle
---@field members integer   of a bundle: panels and branches that lie side by side
---@field group integer     k of an outermost group, or of a step where a format has no levels
---@field groups integer    of a panel, the last one perhaps not whole
---@field placed PlacedGroup the lines of a group of one member
---@field element integer|false  of one weight that stands by itself
---@field step integer      from a group of a bundle to the next
---@field head integer      of a bundle, in front of its groups
---@field bundle integer    of a bundle
---@field bytes integer     of all panels
---@field pad integer       behind them, to the next alignment

--- The lanes of a bundle are one after the other, sixteen or all, for each of its branches.
local function check(layout)
  assert(layout.branches == 1 or layout.width == M.lanes)
  return layout
end

--- A layout of which so many panels lie together.
---@return Layout
local function of_bundles(format, branches, inputs, columns, together)
  local placed = groups.place(format)
  local panels, count = columns // M.lanes, (inputs + format.group - 1) // format.group
  local width, members = together * M.lanes, together * branches
  local panel = placed.head_bytes + count * placed.bytes
  local bytes = panels * branches * panel
  return check(record.strict('layout', {
    branches = branches, columns = columns, panels = panels, width = width,
    members = members, group = format.group, groups = count,
    placed = placed, element = format.bytes, step = members * placed.bytes,
    head = members * placed.head_bytes, bundle = members * panel, bytes = bytes,
    pad = M.round_up(bytes, M.alignment) - bytes,
  }))
end

--- The layout of a stream of weights; of a packed operand the lines of one panel lie together.
---@param format Format
---@param branches integer
---@param inputs integer   k of a panel
---@param outputs integer
---@param operand boolean  packed at run time, in place of weights
---@return Layout
function M.of(format, branches, inputs, outputs, operand)
  local columns = M.columns(outputs)
  local lines = format.bytes == M.wide_bytes and M.wide_pair or M.pair
  local most = math.min(columns // M.lanes, math.max(1, lines // branches))
  if operand or columns // M.lanes % most ~= 0 then most = 1 end
  return of_bundles(format, branches, inputs, columns, most)
end

--- The layout of as many k of the same outputs in another format, which lie together as they do.
---@param layout Layout
---@param format Format
---@param inputs integer
---@return Layout
function M.alike(layout, format, inputs)
  return of_bundles(format, layout.branches, inputs, layout.columns, layout.width // M.lanes)
end

--- Whether so many outputs of one branch are panels that no bundles of several take, so each is a
--- bundle: before layouts had these, all but the last lay in pairs.
---@param format Format
---@param outputs integer
function M.are_single(format, outputs)
  local panels = M.columns(outputs) // M.lanes
  return format.bytes ~= M.wide_bytes and panels > 1 and panels % M.pair ~= 0
end

--- How many lines of a cache so many bytes are.
function M.cache_lines(bytes) return M.round_up(bytes, M.alignment) // M.alignment end

--- Whether a tile of so many columns is whole bundles, or a part of one.
---@param layout Layout
---@param cols integer
function M.takes(layout, cols)
  return cols % layout.width == 0 or layout.width % cols == 0
end

--- Bytes from which on a bundle is a stream that a core follows beside others.
local long_bytes = 4096

--- Columns that few rows read side by side, at most: of f32 any number of streams; else a bundle,
--- which is one stream, as fast as a core follows any; or as many long bundles of one panel.
---@param layout Layout
---@return number
function M.side_by_side(layout)
  if layout.element == M.wide_bytes then return math.huge end
  local streams = layout.bundle < long_bytes and 1 or M.pair // layout.members
  return math.max(streams, 1) * layout.width
end

--- Where the weights of a branch for a column are that is counted from the begin of a bundle: its
--- bundle, from there on, and which lane of all that lie side by side.
---@param layout Layout
---@param branch integer  from 0
---@param column integer
---@return integer bundle
---@return integer lane
function M.lane(layout, branch, column)
  local member = column % layout.width // M.lanes * layout.branches + branch
  return column // layout.width, member * M.lanes + column % M.lanes
end

--- The same of weights that stand by themselves: in place of the lane how far behind the lines of
--- one k they lie.
---@return integer bundle
---@return integer bytes
function M.place(layout, branch, column)
  local bundle, lane = M.lane(layout, branch, column)
  return bundle, lane * layout.element
end

return M
