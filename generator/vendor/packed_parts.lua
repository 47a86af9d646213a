--- Packed bytes as the arrays that embedded weights are: each number as what it is, so that the C
--- is right on machines of any order of bytes.
local formats = require 'weights.format'
local parts_of = require 'vendor.embedded_parts'

local M = {}

--- The bytes of the numbers that each word of a bundle holds: 4, or 2 or 1 of several.
---@param layout Layout
---@return integer[]
local function words_of_bundle(layout)
  local sizes = {}
  local function add(lines, at)
    for _, placed in ipairs(lines) do
      local first = (at + layout.members * placed.at) // 4
      for word = 1, layout.members * placed.line.bytes // 4 do
        sizes[first + word] = formats.lane_types[placed.line.lane].bytes
      end
    end
  end
  local function add_part(depth, at)
    local part, inner = layout.placed.parts[depth], layout.placed.parts[depth + 1]
    add(part.lines, at)
    for i = 0, inner and inner.count - 1 or -1 do
      add_part(depth + 1, at + layout.members * (inner.at + i * inner.bytes))
    end
  end
  add(layout.placed.head, 0)
  for group = 0, layout.groups - 1 do add_part(1, layout.head + group * layout.step) end
  return sizes
end

--- The bytes of the numbers in a word of a part.
---@param panels table<EmbeddedPart, Layout>
---@param part EmbeddedPart
---@return fun(word: integer): integer
local function size_of_word(panels, part)
  local layout = part.type == 'uint32_t' and panels[part]
  if not layout then return function() return parts_of.sizes[part.type] end end
  local sizes, words = words_of_bundle(layout), layout.bundle // 4
  return function(word) return word < layout.bytes // 4 and sizes[word % words + 1] or 4 end
end

--- Fills an array; one of floats of which some are not finite, and so have no constants in C, with
--- the bits of all.
---@param part EmbeddedPart
---@param size_of fun(word: integer): integer
---@param bytes string
local function fill(part, size_of, bytes)
  local size = parts_of.sizes[part.type]
  for i = 1, #part.values do
    local at, own = part.at + (i - 1) * size + 1, size_of(i - 1)
    if own == size then
      local x = string.unpack(part.type == 'float' and '<f' or '<I' .. size, bytes, at)
      if x ~= x or math.abs(x) == math.huge then
        part.type = 'uint32_t'
        return fill(part, size_of, bytes)
      end
      part.values[i] = x
    else
      local several = {}
      for n = 1, size // own do
        several[n] = string.unpack('<I' .. own, bytes, at + (n - 1) * own)
      end
      part.values[i] = several
    end
  end
end

---@param pass PassPlan
---@param bytes string  packed weights, with their header
---@return EmbeddedPart[]
function M.of(pass, bytes)
  local parts, by_stage = parts_of.of(pass)
  local panels = {}
  for i, s in ipairs(pass.stages) do panels[by_stage[i].panels] = s.stage.stream.layout end
  for _, part in ipairs(parts) do fill(part, size_of_word(panels, part), bytes) end
  return parts
end

return M
