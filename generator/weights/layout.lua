--- Where weights lie: the only file that knows how many outputs stand side by side, which lines of
--- them lie together, and to what sizes are filled up.
---
--- The weights of a stage are one stream of bytes:
---   [bundle][group of k][line of the group][member of the bundle][16 outputs]
--- A bundle is some panels, of sixteen outputs each, and all branches: its members, in this order.
--- A group is what a format cannot take apart; for f32 it is a single k, and has one line. Where
--- the panels are no multiple of those of a bundle, the last one lies alone.
local record = require 'common.record'

local M = {}

--- Outputs side by side in a line, FFN_PANEL of kernel.h: for f32 one cache line.
M.lanes = 16

--- So many lines at least lie together: of one branch those of several panels, of two branches
--- those of one panel, as they do anyway.
local pair = 1

--- Outputs that threads, slices of a layer and groups of hidden values are cut in multiples of,
--- whatever lies together.
M.unit = 32

--- FFN_ALIGNMENT of ffn.h: what begins somewhere in memory begins at a multiple of it.
M.alignment = 64

function M.round_up(n, step) return (n + step - 1) // step * step end

--- Columns rounded up to whole panels.
function M.columns(outputs) return M.round_up(outputs, M.lanes) end

---@class Layout  of the weights of a stage; sizes in bytes
---@field branches integer
---@field columns integer   outputs, rounded up to whole panels
---@field panels integer
---@field width integer     columns of a bundle
---@field paired integer    columns in whole bundles; the others are a panel that lies alone
---@field element integer   of one weight
---@field line integer      of one member
---@field step integer      from a k of a bundle to the next
---@field bundle integer    of a bundle
---@field bytes integer     of all panels
---@field pad integer       behind them, to the next alignment

--- The lanes of a bundle are one after the other, sixteen or all, for each of its branches.
local function check(layout)
  assert(layout.line == M.lanes * layout.element)
  assert(layout.branches == 1 or layout.width == M.lanes)
  return layout
end

--- The layout of a stream of weights; of a packed operand the lines of one panel lie together.
---@param format WeightFormat
---@param branches integer
---@param inputs integer   k of a panel
---@param outputs integer
---@param operand boolean  packed at run time, in place of weights
---@return Layout
function M.of(format, branches, inputs, outputs, operand)
  local columns, line = M.columns(outputs), M.lanes * format.bytes
  local panels = columns // M.lanes
  local together = operand and 1 or math.min(panels, math.max(1, pair // branches))
  local width, step = together * M.lanes, together * branches * line
  local bytes = panels * branches * inputs * line
  return check(record.strict('layout', {
    branches = branches, columns = columns, panels = panels, width = width,
    paired = columns // width * width, element = format.bytes, line = line, step = step,
    bundle = inputs * step, bytes = bytes,
    pad = M.round_up(bytes, M.alignment) - bytes,
  }))
end

--- How many lines of a cache so many bytes are.
function M.cache_lines(bytes) return M.round_up(bytes, M.alignment) // M.alignment end

--- Whether a tile of so many columns is whole bundles, or a part of one.
---@param layout Layout
---@param cols integer
function M.takes(layout, cols)
  return cols % layout.width == 0 or layout.width % cols == 0
end

--- Where the weights of a branch for a column lie that is counted from the begin of a bundle: its
--- bundle, from there on, and how far behind the lines of one k.
---@param layout Layout
---@param branch integer  from 0
---@param column integer
---@return integer bundle
---@return integer bytes
function M.place(layout, branch, column)
  local member = column % layout.width // M.lanes * layout.branches + branch
  return column // layout.width, member * layout.line + column % M.lanes * layout.element
end

--- From a k to the next: of a bundle, or of the panel that lies alone.
function M.step(layout, lone)
  return lone and layout.branches * layout.line or layout.step
end

--- How far behind the begin of a stage's weights that of an output and a k lies.
---@param layout Layout
---@param branch integer
---@param output integer
---@param k integer
---@return integer bytes
function M.at(layout, branch, output, k)
  local bundle, bytes = M.place(layout, branch, output)
  return bundle * layout.bundle + k * M.step(layout, output >= layout.paired) + bytes
end

return M
